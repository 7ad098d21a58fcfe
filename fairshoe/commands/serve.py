"""`fairshoe serve`: the service."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..terminal.commands import command
from . import COMMANDS
from ._settings import setting_options

if TYPE_CHECKING:
    from ..service.house import OpenedHouse
    from ..service.settings import Settings

SWITCH_SECONDS = 0.001
"""After which a busy thread lets another one go on: a table's does not wait for a reader's."""
ABOUT = (
    "Every setting is an option and a variable of the environment; an option goes before the environment. "
    "FAIRSHOE_MASTER_KEY, 64 hex digits, takes the place of the file master.key; it is no setting, so that it stands "
    "in no list of processes."
)


@command("serve", help=COMMANDS["serve"], epilog=ABOUT, later=setting_options)
def cli(**given: Any) -> int:
    from ..service.beacons import check_sources
    from ..service.monitoring import to_stderr
    from ..service.server import HouseServer
    from ..service.settings import Settings
    from ..service.store.postgresql import wait_for_server
    from ..service.witnesses import witness_of
    from ..serving.server import listen

    settings = Settings(**given)
    named = [witness_of(each) for each in settings.witnesses]
    check_sources(settings.beacons)
    sys.setswitchinterval(SWITCH_SECONDS)
    to_stderr(settings.log_format)
    if settings.database:
        wait_for_server(settings.database)
    with listen(settings.host, settings.port) as listening:
        house = _house(settings)
        server = HouseServer(house, clock_is_right=settings.clock_is_right, witnesses=named, listening=listening)
        gc.collect()
        gc.freeze()  # what is loaded by now stays: a collection that looked through it would take a tenth of a second
        return server.run(lambda: _announce(house.token, server.address))


def _house(settings: Settings) -> OpenedHouse:
    """Return the house. Raises InputError, which says what to do where its directory cannot be used; Unusable."""
    from ..service.house import open_house

    try:
        return open_house(settings.data, settings=settings)
    except OSError as error:
        where = str(settings.data if error.filename is None else error.filename)
        remedy = "name with --data a directory in which this user may write, with room on its disk"
        what = f"cannot use the data directory: {error.strerror or error}"
        raise InputError(what, where=where, remedy=remedy) from None


def _announce(token: str | None, address: str) -> None:
    if token is not None:
        print(f"The operator's token, shown this once: {token}", flush=True)
    print(f"fairshoe listens on {address} (documentation: {address}/docs)", flush=True)
