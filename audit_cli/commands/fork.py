"""`fairshoe-audit fork OLD NEW [LOG …]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.screen import printable

from . import COMMANDS

if TYPE_CHECKING:
    from fairshoe.log.note import Verifier

    from ..verify.evidence.histories import Fork


NO_PREFIX = (
    "They have no entry in common: two logs under one name, as of two rooms or founded anew, or one written anew from "
    "its beginning. One name is for one log: ask the house"
)


@command(
    "fork",
    help=COMMANDS["fork"],
    epilog="OLD and NEW are checkpoints, or directories with one. Of one size they contradict each other by "
    "themselves; else give LOG, the copy that the larger one covers, and if possible the other one too, so that the "
    "first entry that differs can be named. Exit code: 0 they do, 1 nothing shows it, 2 not readable.",
)
@click.argument("paths", nargs=-1, metavar="OLD NEW [LOG]...")
@click.option("--key", metavar="VKEY", required=True, help="The house's verifier key, or a file with it.")
@click.option("--output", type=FILE, metavar="FILE", help="Where to write the fork file.")
@click.option("--check", type=FILE, metavar="FILE", help="Check a fork file instead.")
def cli(paths: tuple[str, ...], key: str, output: Path | None, check: Path | None) -> int:
    from fairshoe.errors import VerificationError

    from ..verify.evidence.head import read_house_key
    from ..verify.evidence.histories import NoFork

    if (check is None) != (len(paths) >= 2) or (check is not None and (paths or output is not None)):
        raise click.UsageError("give OLD and NEW, or --check FILE")
    one_standard_input([*paths, key, check])
    verifier = read_house_key(key)
    try:
        fork = _checked(check, verifier) if check is not None else _made(paths, verifier, output)
    except (NoFork, VerificationError) as error:
        print(printable(f"NO FORK: {error}"))
        return EXIT_FINDINGS
    said = "" if fork.entry is None else f"; entry {fork.entry} differs first, by the copies it was made from"
    if fork.entry == 0:
        said += f". {NO_PREFIX}"
    what = f"{verifier.name} signed two histories that differ within the first {fork.size} entries"
    print(printable(f"FORK: {what}{said}"))
    return EXIT_OK


def _checked(file: Path, verifier: Verifier) -> Fork:
    from fairshoe.terminal.files import read_utf8

    from ..verify.evidence.histories import MAX_FORK, check_fork, fork_of

    fork = fork_of(read_utf8(file, MAX_FORK))
    check_fork(fork, verifier)
    return fork


def _made(paths: tuple[str, ...], verifier: Verifier, output: Path | None) -> Fork:
    from fairshoe.terminal.files import check_writable, write_whole

    from ..verify.evidence.histories import check_fork, fork_between, fork_text, leaves_of, read_checkpoint

    old, new, *logs = paths
    if output is not None:
        check_writable(output, map(Path, paths))
    one, other = read_checkpoint(Path(old), verifier), read_checkpoint(Path(new), verifier)
    most = max(one.checkpoint.size, other.checkpoint.size)
    fork = fork_between(one, other, [leaves_of(log, most) for log in logs])
    check_fork(fork, verifier)
    if output is not None:
        write_whole({output: fork_text(fork).encode()})
    return fork
