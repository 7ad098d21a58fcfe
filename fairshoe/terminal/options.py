"""Types of arguments that the commands share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from .files import STDIN


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
