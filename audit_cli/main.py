"""`fairshoe-audit`: verify a log, show a hand, explain a finding. Offline; exit 0 clean, 1 findings, 2 unreadable."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from fairshoe.errors import FairshoeError
from fairshoe.terminal import BROKEN_PIPE, INTERRUPTED, WRONG_USAGE, give_up_stdout, speak_utf8

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
    speak_utf8()
    args = parser.parse_args(argv)
    try:
        code: int = modules[args.command].run(args)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        give_up_stdout()
        return BROKEN_PIPE
    except FairshoeError as error:
        print(f"fairshoe-audit: {error}", file=sys.stderr)
    except OSError as error:
        print(f"fairshoe-audit: {error.strerror or error}", file=sys.stderr)
        give_up_stdout()
    return WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
