"""`fairshoe-audit signed REPORT --key VKEY`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.errors import VerificationError
from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input
from fairshoe.terminal.style import printable


@command(
    "signed",
    help="Say whether a report is as somebody signed it.",
    epilog="Exit code: 0 it is, 1 it is not, 2 there is no report or no note.",
)
@click.argument("report", type=FILE)
@click.option("--key", metavar="VKEY", required=True, help="The signer's verifier key, or a file with it.")
@click.option("--note", type=FILE, metavar="FILE", help="The signed note; REPORT.note where it is not given.")
def cli(report: Path, key: str, note: Path | None) -> int:
    from ..evidence.keys import verifier_given
    from ..findings.signing import check_report

    note = report.with_name(report.name + ".note") if note is None else note
    one_standard_input([report, key, note])
    verifier = verifier_given(key)
    try:
        check_report(report, note, verifier)
    except VerificationError as error:
        print(printable(f"FAIL: {error}"))
        return FINDINGS
    print(printable(f"PASS: {report} is as {verifier.name} signed it"))
    return FINE
