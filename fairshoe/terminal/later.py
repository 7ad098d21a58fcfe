"""Options that are made when a command is used, so that listing the commands loads nothing for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])
Make = Callable[[], Sequence[click.Parameter]]


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
