"""`fairshoe`: one command line, one file per command in `fairshoe/commands`.

A command module has NAME, HELP, `add_arguments(parser)` and `run(args) -> int`. It imports the engine,
Flask and the like inside `run`, so that `fairshoe --help` loads none of them.
"""

from __future__ import annotations

import argparse
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from . import __version__, commands
from .errors import FairshoeError

WRONG_USAGE = 2
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE


class Command(Protocol):
    """What a module in `fairshoe/commands` offers."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """Options take the next word as their value whatever it looks like: an id may begin with `-`."""

    def __init__(self, **kwargs: Any) -> None:
        self._valued: set[str] = set()
        super().__init__(**{**kwargs, "allow_abbrev": False})

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        action = super().add_argument(*args, **kwargs)
        if action.nargs is None:
            self._valued.update(name for name in action.option_strings if name.startswith("--"))
        return action

    def glued(self, words: Sequence[str]) -> list[str]:
        """`--shoe -x` as `--shoe=-x`, for every option with one value."""
        result: list[str] = []
        rest = iter(words)
        for word in rest:
            value = next(rest, None) if word in self._valued else None
            result.append(word if value is None else f"{word}={value}")
            if word == "--":
                result.extend(rest)
        return result


class Once(argparse.Action):
    """An option that may be given once: of two values, none may be dropped silently."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{self.option_strings[0]} is given twice")
        setattr(namespace, self.dest, values)


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 fine, 2 wrong usage or input, else the command's own."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to flush at exit
        return BROKEN_PIPE
    except (FairshoeError, OSError) as error:
        print(explain(error), file=sys.stderr)
        return WRONG_USAGE


def explain(error: FairshoeError | OSError) -> str:
    """A few lines for a person: what, where, expected, what to do."""
    if isinstance(error, OSError):
        return f"fairshoe: {error.strerror or error}" + (f": {error.filename}" if error.filename else "")
    lines = [f"fairshoe: {error.what}"]
    lines += [f"  where:    {error.where}"] if error.where else []
    lines += [f"  expected: {error.expected}"] if error.expected else []
    lines += [f"  remedy:   {error.remedy}"] if error.remedy else []
    return "\n".join(lines)


def _run(argv: list[str]) -> int:
    names = [module.name for module in pkgutil.iter_modules(commands.__path__) if not module.name.startswith("_")]
    wanted = [argv[0]] if argv and argv[0] in names else names
    parser = Parser(prog="fairshoe", description="Provably fair shuffles for any game.")
    parser.add_argument("--version", action="version", version=f"fairshoe {__version__}")
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in wanted:
        command = cast(Command, import_module(f"{commands.__name__}.{name}"))
        own = choices.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(own)
        own.set_defaults(run=command.run)
        if wanted == [name]:
            argv = [name, *cast(Parser, own).glued(argv[1:])]
    try:
        args = parser.parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else WRONG_USAGE
    code: int = args.run(args)
    return code
