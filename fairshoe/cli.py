"""`fairshoe`: one command line, one file per command in `fairshoe/commands`.

A command module has NAME, HELP, `add_arguments(parser)` and `run(args) -> int`. It imports the engine,
Flask and the like inside `run`, so that `fairshoe --help` loads none of them.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
from importlib import import_module
from typing import Protocol, cast

from . import __version__, commands
from .commands._line import Parser, explain
from .errors import FairshoeError
from .terminal import BROKEN_PIPE, INTERRUPTED, WRONG_USAGE, give_up_stdout, speak_utf8


class Command(Protocol):
    """What a module in `fairshoe/commands` offers."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 fine, 2 wrong usage or input, else the command's own."""
    speak_utf8()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        give_up_stdout()
        return BROKEN_PIPE
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("fairshoe"):
            raise
        print(f"fairshoe: {error.name} is not installed: pip install '.[service]'", file=sys.stderr)
    except FairshoeError as error:
        print(explain(error), file=sys.stderr)
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        print(f"fairshoe: {error.strerror or error}{place}", file=sys.stderr)
        give_up_stdout()
    return WRONG_USAGE


def _run(argv: list[str]) -> int:
    names = [module.name for module in pkgutil.iter_modules(commands.__path__) if not module.name.startswith("_")]
    chosen = argv[0] if argv and argv[0] in names else None
    parser = Parser(prog="fairshoe", description="Provably fair shuffles for any game.")
    parser.add_argument("--version", action="version", version=f"fairshoe {__version__}")
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in [chosen] if chosen else names:
        command = cast(Command, import_module(f"{commands.__name__}.{name}"))
        own = choices.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(own)
        own.set_defaults(run=command.run)
        if chosen:
            argv = [chosen, *own.glued(argv[1:])]
    try:
        args = parser.parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else WRONG_USAGE
    code: int = args.run(args)
    return code
