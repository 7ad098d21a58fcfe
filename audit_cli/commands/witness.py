"""`fairshoe-audit witness DIR --key KEYFILE LOG`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, FOLDER
from fairshoe.terminal.style import printable

if TYPE_CHECKING:
    from ..witness.refused import Refused
    from ..witness.witness import Witness


@command(
    "witness",
    help="Cosign a log's checkpoint if it extends the one that was cosigned before; else keep both as evidence.",
    epilog="DIR is the witness's memory: of each log its key, the checkpoint last cosigned, the hashes of its entries. "
    "LOG is a log's directory or address, which must be one of those known by --log, now or before. Exit code: 0 "
    "cosigned, 1 refused, 2 not readable as a log or wrong usage.",
)
@click.argument("directory", type=FOLDER, metavar="DIR")
@click.argument("log", required=False, metavar="[LOG]")
@click.option("--key", type=FILE, metavar="KEYFILE", required=True, help="The witness's key, of `key --witness`.")
@click.option("--log", "logs", multiple=True, metavar="VKEY", help="A log's verifier key to take up; repeatable.")
@click.option("--output", type=FILE, metavar="FILE", help="Where to write the checkpoint with its cosignature.")
@click.option("--serve", metavar="HOST:PORT", help="Answer what logs submit over HTTP (C2SP tlog-witness) instead.")
@click.option("--ca", type=FILE, metavar="FILE", help="The CAs to trust (PEM) at LOG's address, not the system's.")
def cli(
    directory: Path,
    log: str | None,
    key: Path,
    logs: tuple[str, ...],
    output: Path | None,
    serve: str | None,
    ca: Path | None,
) -> int:
    from fairshoe.terminal.files import check_writable

    from ..evidence.keys import verifier_given
    from ..evidence.private_keys import cosigner_of
    from ..witness.memory import opened
    from ..witness.witness import Witness

    if (log is None) == (serve is None):
        raise click.UsageError("give a LOG to look at, or --serve HOST:PORT")
    if serve is not None and output is not None:
        raise click.UsageError("--output goes with a LOG")
    cosigner = cosigner_of(key)
    verifiers = [verifier_given(each, "--log") for each in logs]
    if output is not None:
        check_writable(output, [key])
    with opened(directory, cosigner.key) as memory:
        for verifier in verifiers:
            memory.add(verifier)
        witness = Witness(memory, cosigner)
        return _look(witness, log, ca, output) if log is not None else _serve(witness, serve or "")


def _look(witness: Witness, log: str, ca: Path | None, output: Path | None) -> int:
    from fairshoe.terminal.files import write_whole

    from ..witness.looking import look
    from ..witness.refused import Refused
    from ..witness.source import source_of

    try:
        looked = look(witness, source_of(log, ca))
    except Refused as refused:
        print("\n".join(map(printable, _told(refused))))
        return FINDINGS
    if output is not None:
        write_whole({output: (looked.note + looked.line).encode()})
    print(looked.line, end="")
    return FINE


def _told(refused: Refused) -> list[str]:
    told = {"expected": refused.expected, "evidence": refused.evidence, "remedy": refused.remedy}
    return [f"FAIL: {refused.what}", *(f"  {name + ':':<9} {text}" for name, text in told.items() if text)]


def _serve(witness: Witness, place: str) -> int:
    from fairshoe.protocol.text import parse_decimal

    from ..witness.server import listening

    host, _, port = place.rpartition(":")
    if not host:
        raise click.UsageError("--serve needs HOST:PORT, such as 127.0.0.1:8001")
    server = listening(witness, host.strip("[]"), parse_decimal(port, "--serve", high=65_535))
    return server.run(lambda: print(f"{witness.cosigner.key} listens on {server.address}", flush=True))
