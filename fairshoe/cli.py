"""`fairshoe`: one command line, one file per command in `fairshoe/commands`.

A command module has `cli`, whose function returns the exit code and imports engine, Flask and the like itself, so that
`fairshoe COMMAND --help` loads none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import __version__
from .compiled import describe_build
from .terminal.commands import Program, run

VERSION = f"{__version__} ({describe_build()})"
PROGRAM = Program("fairshoe", "fairshoe.commands", version=VERSION, help="Provably fair shuffles for any game.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 fine, 2 wrong usage or input, else the command's own."""
    return run(PROGRAM, argv)
