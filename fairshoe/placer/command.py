"""The command that runs a placer, and its key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..terminal.commands import FILE, FOLDER, command
from . import ABOUT

if TYPE_CHECKING:
    from ..log.note import Signer

EPILOG = (
    "It answers the houses whose logs are named with --log. A house with whose log and key it is not independent is "
    "none that it should serve. The key is made where its file is not there. After a restore from a backup that it "
    "cannot see, such as a machine's snapshot, start it with --restored."
)


@command("placer", help=ABOUT, epilog=EPILOG)
@click.option("--key", type=FILE, required=True, metavar="FILE", help="The key it signs with, 64 hex digits.")
@click.option("--data", type=FOLDER, required=True, metavar="DIRECTORY", help="Where its shoes are kept.")
@click.option("--name", required=True, help="Its name in transcripts: an id, such as placer.example.")
@click.option("--log", "logs", multiple=True, required=True, metavar="KEY", help="A log's verifier key (log.vkey).")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8021, show_default=True, help="The port; 0: a free one.")
@click.option("--restored", is_flag=True, help="The data come from a backup: give nothing more for shoes in it.")
def cli(key: Path, data: Path, name: str, logs: tuple[str, ...], host: str, port: int, restored: bool) -> int:
    from ..log.note import verifier_of
    from ..serving.server import listen
    from .app import server
    from .store import Store

    known = [verifier_of(log) for log in logs]
    signer = signer_of(key, name)
    with listen(host, port) as listening:
        running = server(Store(data, signer, restored=restored), signer.verifier, known, listening)
        return running.run(lambda: print(f"placer {signer.verifier} listens on {running.address}", flush=True))


def signer_of(path: Path, name: str) -> Signer:
    """The signer of this name, with the key in a file, which is made where there is none. InputError, OSError."""
    from ..log.signer_file import signer_in
    from ..protocol.text import check_id

    check_id(name, "--name")
    return signer_in(path, name, "a placer's")
