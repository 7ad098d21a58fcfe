"""`fairshoe-audit`: verify a log, show a hand, explain a finding. Offline; exit 0 clean, 1 findings, 2 unreadable."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fairshoe import __version__
from fairshoe.compiled import describe_build
from fairshoe.terminal.commands import Program, run

PROGRAM = Program(
    "fairshoe-audit",
    "audit_cli.commands",
    version=f"{__version__} ({describe_build()})",
    help="Replay a fairshoe log from its revealed keys and check every card, decision and payout. Offline.",
    epilog="Exit code: 0 nothing failed, 1 findings, 2 not readable as a log or wrong usage.",
    blames=True,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code."""
    return run(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
