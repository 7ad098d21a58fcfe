"""The service's settings as options, which are made only where they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ..terminal.later import options_later

Function = TypeVar("Function", bound=Callable[..., Any])


def setting_option(name: str) -> Callable[[Function], Function]:
    """The option of one setting, and the file's."""

    def make() -> Sequence[click.Parameter]:
        from ._setting_options import options_of

        return options_of(name)

    return options_later(make)


def setting_options(function: Function) -> Function:
    """The options of all settings, and the file's."""

    def make() -> Sequence[click.Parameter]:
        from ._setting_options import options_of

        return options_of()

    return options_later(make)(function)
