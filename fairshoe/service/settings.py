"""Every setting of the service, once: its name, default, bounds and meaning.

A field `port` is the option `--port`, the variable `FAIRSHOE_PORT` and the name `port` of a file in TOML."""

from __future__ import annotations

import tomllib
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from ..serving.wsgi import network_of
from .setting_kinds import Choice, Flag, Kind, Place, Rate, Rates, Text, Texts, Whole, origin_of, rate_of

PREFIX = "FAIRSHOE_"
CONFIG_VARIABLE = f"{PREFIX}CONFIG"
_ABOUT = "setting"


class About(NamedTuple):
    """What a setting is; `option` is its name on the command line where that is another."""

    name: str
    default: Any
    kind: Kind
    help: str
    option: str

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()


def setting(default: Any, kind: Kind, help: str, *, option: str = "") -> Any:
    """A field of `Settings`; `help` is a sentence, and needs no word about the default."""
    return field(default=default, metadata={_ABOUT: (kind, help, option)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What an operator may choose. Raises InputError where a value is not possible."""

    data: Path = setting(Path("fairshoe-data"), Place("DIR", folder=True), "The data directory.")
    host: str = setting("127.0.0.1", Text("ADDRESS"), "The address to listen on.")
    port: int = setting(8000, Whole(0, 65_535), "The port to listen on, 0 for any.")
    clock_is_right: bool = setting(
        False, Flag(no=False), "Start although the machine's clock is more than an hour off the log's last entry."
    )
    witnesses: tuple[str, ...] = setting(
        (),
        Texts("URL=VKEY"),
        "A witness (C2SP tlog-witness) to have cosign each new checkpoint, with its verifier key; repeatable.",
        option="--witness",
    )

    trusted_proxies: tuple[str, ...] = setting(
        (),
        Texts("ADDRESS", network_of),
        "A proxy (an address, or a network such as 10.0.0.0/8) whose X-Forwarded-For is believed; repeatable.",
        option="--trusted-proxy",
    )
    cors_origins: tuple[str, ...] = setting(
        (),
        Texts("ORIGIN", origin_of),
        "A web origin (https://play.example) whose pages may use the API, or * for all; repeatable.",
        option="--cors-origin",
    )

    limits: bool = setting(True, Flag(), "Whether what one player and one address may ask for is limited.")
    limit_player: Rate = setting(rate_of("3600/h"), Rates(), "Changing requests of one token, or off.")
    limit_address: Rate = setting(rate_of("18000/h"), Rates(), "Changing requests of one address, or off.")
    limit_reshuffles: Rate = setting(rate_of("30/m"), Rates(), "Requests for a reshuffle by one player, or off.")
    limit_shoes: Rate = setting(rate_of("1200/h"), Rates(), "Requests for a shoe by one player, or off.")
    limit_seats: Rate = setting(rate_of("120/m"), Rates(), "Requests for a chair from one address, or off.")
    limit_tables: Rate = setting(rate_of("300/m"), Rates(), "Requests for a new table by one operator, or off.")
    chairs_by_address: int = setting(
        3, Whole(0, 64), "Chairs of one table that one address may hold, 0 for any number; this machine may hold all."
    )

    stop_seconds: int = setting(20, Whole(0, 600), "For accepted requests to be finished once the service must stop.")
    queue: int = setting(256, Whole(1, 10_000), "Commands that may wait for their turn; beyond that the answer is 503.")

    metrics_public: bool = setting(False, Flag(), "Whether /metrics needs no token.")
    log_format: str = setting(
        "auto", Choice(("auto", "json", "text")), "How lines on standard error look; auto is text on a terminal."
    )
    log_requests: bool = setting(False, Flag(), "Whether each request is a line there; failures always are.")

    def __post_init__(self) -> None:
        for about in settings():
            object.__setattr__(self, about.name, read(about, getattr(self, about.name), about.name))


def settings() -> list[About]:
    """Every setting, in the order of the class."""
    return [_about(each) for each in fields(Settings)]


def _about(each: Field[Any]) -> About:
    kind, help, option = each.metadata[_ABOUT]
    return About(each.name, each.default, kind, help, option or f"--{each.name.replace('_', '-')}")


def read(about: About, value: object, where: str) -> Any:
    """A value of a setting as what it stands for. Raises InputError, which says where it stands."""
    try:
        return about.kind.read(value)
    except InputError as error:
        raise InputError(error.what, where=where, expected=error.expected, remedy=error.remedy) from None


MOST_OF_A_FILE = 64 * 1024


def read_settings(path: Path) -> dict[str, Any]:
    """The settings that a file has, by name. Raises InputError, OSError."""
    known = {about.name: about for about in settings()}
    with path.open("rb") as stream:
        data = stream.read(MOST_OF_A_FILE + 1)
    found = {}
    for name, value in _parse(data, str(path)).items():
        if name not in known:
            raise _unknown(name, list(known), str(path))
        found[name] = read(known[name], value, f"{path}, {name}")
    return found


def _parse(data: bytes, where: str) -> dict[str, Any]:
    if len(data) > MOST_OF_A_FILE:
        raise InputError("no file of settings", where=where, expected="at most 64 KiB")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise InputError("not UTF-8", where=where, expected="TOML in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", where=where, expected='lines such as host = "127.0.0.1"') from None


def _unknown(name: str, known: list[str], where: str) -> InputError:
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    remedy = f"did you mean {close[0]}?" if close else "see `fairshoe serve --help`"
    return InputError(f"no setting is called {name[:40]!r}", where=where, remedy=remedy)
