"""Types of arguments that the commands share, and options that are made when a command is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from .files import STDIN

Function = TypeVar("Function", bound=Callable[..., Any])
Make = Callable[[], Sequence[click.Parameter]]


class Named(click.Path):
    """A path that a command opens by itself: here only what no path can be is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value) or "\0" in str(value):
            self.fail("a name has at least one character and no zero byte", param, ctx)
        return Path(value)


FILE = Named()
FOLDER = Named(file_okay=False)


def one_standard_input(paths: Iterable[Path | str | None]) -> None:
    """Refuse `-` where another argument has it already: standard input can be read once. UsageError."""
    if sum(str(path) == str(STDIN) for path in paths) > 1:
        raise click.UsageError("- stands twice, and standard input can be read once")


class Later(click.Option):
    """Stands in a command's parameters where those that `make` gives will stand."""

    def __init__(self, _: Sequence[str], *, make: Make) -> None:
        super().__init__(["--later"], hidden=True, expose_value=False)
        self.make = make


def options_later(make: Make) -> Callable[[Function], Function]:
    """A command's options, made by `make` when it is used."""
    return click.option(cls=Later, make=make)


def made(parameters: Sequence[click.Parameter]) -> list[click.Parameter]:
    """The parameters, with those that had to wait."""
    found: list[click.Parameter] = []
    for each in parameters:
        found += each.make() if isinstance(each, Later) else [each]
    return found
