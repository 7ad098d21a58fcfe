"""`fairshoe-audit`: verify a log, show a hand, explain a finding. Offline; exit 0 clean, 1 findings, 2 unreadable."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module

from fairshoe.errors import FairshoeError

COMMANDS = ("verify", "hand", "explain", "refunds")


def main(argv: list[str] | None = None) -> int:
    """Run a command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="fairshoe-audit",
        description="Replay a fairshoe log from its revealed keys and check every card, decision and payout. Offline.",
        epilog="Exit code: 0 nothing failed, 1 findings, 2 not readable as a log or wrong usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {name: import_module(f"audit_cli.commands.{name}") for name in COMMANDS}
    for name, module in modules.items():
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(sub)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = parser.parse_args(argv)
    try:
        code: int = modules[args.command].run(args)
        sys.stdout.flush()
    except FairshoeError as error:
        print(f"fairshoe-audit: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
