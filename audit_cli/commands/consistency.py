"""`fairshoe-audit consistency OLD NEW LOG`."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.screen import printable

from ._reading import check_output, format_option, output_option, write_output

if TYPE_CHECKING:
    from ..evidence.histories import Consistency


@command(
    "consistency",
    help="Say whether a log has the tree heads of two checkpoints, and prove that one extends the other.",
    epilog="OLD and NEW are checkpoints, or directories with one; LOG is a log's directory, its log.jsonl, its address "
    "or - for standard input. Exit code: 0 it has both, 1 it has not, 2 not readable.",
)
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.argument("log")
@click.option("--key", metavar="VKEY", help="The house's verifier key, or a file with it: signatures are checked then.")
@format_option
@output_option
def cli(old: Path, new: Path, log: str, key: str | None, format: str, output: Path) -> int:
    from ..evidence.head import verifier_given
    from ..evidence.histories import consistency

    one_standard_input([old, new, log, key])
    check_output(output, [old, new, Path(log), *([Path(key)] if key else [])])
    found = consistency(old, new, log, None if key is None else verifier_given(key))
    text = json.dumps(_form(found), indent=1) + "\n" if format == "json" else _text(found)
    write_output(text, output)
    return FINDINGS if found.wrong else FINE


def _form(found: Consistency) -> dict[str, Any]:
    return {
        "kind": "fairshoe-audit consistency",
        "v": 1,
        "verdict": "fail" if found.wrong else "pass",
        "origin": found.new.origin,
        "key": found.key,
        "old": {"size": found.old.size, "root": found.old.root.hex()},
        "new": {"size": found.new.size, "root": found.new.root.hex()},
        "wrong": found.wrong,
        "proof": [_base64(each) for each in found.proof],
    }


def _text(found: Consistency) -> str:
    signed = "" if found.key is not None else "Not checked: the signatures, for want of the house's key (--key).\n"
    if found.wrong:
        return "".join(printable(f"FAIL: {each}") + "\n" for each in found.wrong) + signed
    head = f"PASS: the log of {found.new.size:,} entries extends the one of {found.old.size:,}"
    return "\n".join([head, *map(_base64, found.proof), ""]) + signed


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
