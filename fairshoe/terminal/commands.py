"""A command line of lazily loaded commands, types of their arguments, and what happens when one of them fails."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, cast

import click

from ..errors import FairshoeError
from . import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE
from .screen import READER, complain, explain, lines_of

if TYPE_CHECKING:
    from pathlib import Path

# Arguments.


class NamedPath(click.Path):
    """A path that a command opens by itself: here only what no path can be is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from pathlib import Path

        if not str(value) or "\0" in str(value):
            self.fail("a name has at least one character and no zero byte", param, ctx)
        return Path(value)


FILE = NamedPath()
FOLDER = NamedPath(file_okay=False)


def one_standard_input(paths: Iterable[Path | str | None]) -> None:
    """Refuse `-` where another argument has it already: standard input can be read once. UsageError."""
    from .files import STDIN

    if sum(str(path) == str(STDIN) for path in paths) > 1:
        raise click.UsageError("- stands twice, and standard input can be read once")


# Commands.


class Command(click.Command):
    """A command whose function returns the exit code; an option may be given once. `later` makes more options on
    use."""

    later: Callable[[], Sequence[click.Parameter]] = tuple
    blames = False

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*self.later(), *super().get_params(ctx)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for param, times in Counter(order).items():
            if times > 1 and isinstance(param, click.Option) and not (param.is_flag or param.multiple or param.count):
                raise click.UsageError(f"{param.opts[0]} is given {'twice' if times == 2 else f'{times} times'}", ctx)
        return super().parse_args(ctx, args)


def command(
    name: str, *, help: str, epilog: str | None = None, later: Callable[[], Sequence[click.Parameter]] = tuple
) -> Callable[[Callable[..., int]], Command]:
    """Make a function a command: `cli` in the module of that name."""

    def made(function: Callable[..., int]) -> Command:
        found = click.command(name, cls=Command, help=help, short_help=help, epilog=epilog)(function)
        found.later = later
        return found

    return made


class Program(click.Group):
    """A program: a command for each name in COMMANDS of `package`, loaded on use. `blames`: errors say whose fault."""

    def __init__(self, name: str, package: str, *, version: str, help: str, epilog: str = "", blames: bool = False):
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(name, help=help, epilog=epilog or None, no_args_is_help=False, context_settings=names)
        self.package = package
        self.blames = blames
        click.version_option(version, prog_name=name, message="%(prog)s %(version)s")(self)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._helps())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._helps():
            return None
        return cast(click.Command, import_module(f"{self.package}.{cmd_name}").cli)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._helps().items()))

    def _helps(self) -> dict[str, str]:
        return cast(dict[str, str], import_module(self.package).COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            from difflib import get_close_matches

            close = get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f": did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"No such command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)


def run(program: Program | Command, argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code: 0 fine, 2 wrong usage or input, else its own."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    name = str(program.name)
    try:
        code = _complete(program, name)
        if code is None:
            code = _invoke(program, name, list(sys.argv[1:] if argv is None else argv))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _give_up_stdout()
        return EXIT_BROKEN_PIPE
    except click.ClickException as error:
        complain(_usage(program, error))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith(("fairshoe", "audit_cli")):
            raise
        told = {"remedy": "pip install '.[service]'"}
        complain(lines_of(f"{name}: {error.name} is not installed", told | _machine(program)))
    except FairshoeError as error:
        blamed = READER if error.fault == "caller" else error.fault
        complain(explain(error, name, fault=blamed if program.blames else ""))
    except OSError as error:
        place = "" if error.filename is None else os.fsdecode(error.filename)
        complain(lines_of(f"{name}: {error.strerror or error}", {"where": place} | _machine(program)))
        _give_up_stdout()
    return EXIT_USAGE


def _invoke(program: Program | Command, name: str, argv: list[str]) -> int:
    try:
        with program.make_context(name, argv) as context:
            code: Any = program.invoke(context)
    except click.exceptions.Exit as end:
        code = end.exit_code
    return code if isinstance(code, int) else EXIT_OK


def _complete(program: Program | Command, name: str) -> int | None:
    """Answer a shell that asks how a line could go on, or for the script with which it asks, where it does."""
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    instruction = os.environ.get(variable)
    if not instruction:
        return None
    from click.shell_completion import shell_complete

    return shell_complete(program, {}, name, variable, instruction)


def _give_up_stdout() -> None:
    """After a failure: leave nothing to flush at exit, where it would fail once more."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _machine(program: Program | Command) -> dict[str, str]:
    return {"fault": "machine"} if program.blames else {}


def _usage(program: Program | Command, error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    usage = remedy = ""
    if context is not None:
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
        remedy = f"{context.command_path} --help"
    what = error.format_message().replace("\n\t", " ")
    told = {"usage": usage, "remedy": remedy, "fault": READER if program.blames else ""}
    return lines_of(f"{program.name}: {what}", told)
