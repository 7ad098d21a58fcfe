"""Settings as options of click, made only where they are asked for. An option goes before the environment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..terminal.commands import FOLDER

if TYPE_CHECKING:
    from ..service.settings import SettingKind, SettingSpec


@cache
def setting_options(*names: str) -> list[click.Option]:
    """Return the options of these settings, or of all, in their order."""
    from ..service.settings import settings

    return [_option(about) for about in settings() if not names or about.name in names]


def data_options() -> list[click.Option]:
    """Return the option for a house's data directory."""
    return setting_options("data", "database")


class _Type(click.ParamType):  # type: ignore[type-arg]
    """A kind of setting as a type of click's."""

    def __init__(self, kind: SettingKind) -> None:
        self.kind = kind
        self.name = kind.metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.kind.read(value) if isinstance(value, str) else value
        except InputError as error:
            self.fail(f"{error.what}; expected {error.expected}", param, ctx)


def _option(about: SettingSpec) -> click.Option:
    kind, help, names = about.kind, about.help, [about.option, about.name]
    shared: dict[str, Any] = {"envvar": about.variable, "show_envvar": True, "default": about.default}
    if kind.form == "flag":
        return click.Option(names, is_flag=True, help=help, **shared)
    if kind.form == "flag or not":
        names[0] = f"{about.option}/--no-{about.option.removeprefix('--')}"
        return click.Option(names, is_flag=True, help=f"{help} (default {'on' if about.default else 'off'})", **shared)
    shared["metavar"] = kind.metavar
    if kind.form == "several":
        return click.Option(names, type=_Type(kind), multiple=True, help=help, **shared)
    type = FOLDER if kind.form == "folder" else _Type(kind)
    default = "none" if about.default == "" else about.default
    return click.Option(names, type=type, help=f"{help.removesuffix('.')} (default {default}).", **shared)
