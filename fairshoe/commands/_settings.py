"""Settings as options of click, made only where they are asked for. An option before the environment, that before
the file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..terminal.commands import FILE, FOLDER

if TYPE_CHECKING:
    from ..service.settings import About, Kind


@cache
def setting_options(*names: str) -> list[click.Option]:
    """The file's option, and those of these settings, or of all, in their order."""
    from ..service.settings import CONFIG_VARIABLE, settings

    file = click.Option(
        ["--config"],
        type=FILE,
        metavar="FILE",
        envvar=CONFIG_VARIABLE,
        show_envvar=True,
        is_eager=True,
        expose_value=False,
        callback=_read_file,
        help="A file of settings in TOML: what `fairshoe serve --help` lists, with _ for -.",
    )
    return [file, *(_option(about) for about in settings() if not names or about.name in names)]


def data_option() -> list[click.Option]:
    """Where the data of a house are."""
    return setting_options("data")


class _Type(click.ParamType):  # type: ignore[type-arg]
    """A kind of setting as a type of click's."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.name = kind.metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.kind.read(value)
        except InputError as error:
            self.fail(f"{error.what}; expected {error.expected}", param, ctx)


def _read_file(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    from ..service.settings import read_settings

    if path is not None:
        try:
            ctx.default_map = read_settings(path)
        except OSError as error:
            remedy = "name a file of settings with --config, or none (and unset FAIRSHOE_CONFIG)"
            raise InputError(f"cannot read: {error.strerror}", where=str(path), remedy=remedy) from None


def _option(about: About) -> click.Option:
    from ..service.settings import text

    kind, help, names = about.kind, about.help, [about.option, about.name]
    shared: dict[str, Any] = {"envvar": about.variable, "show_envvar": True, "default": about.default}
    if kind.form == "flag":
        return click.Option(names, is_flag=True, help=help, **shared)
    if kind.form == "flag or not":
        names[0] = f"{about.option}/--no-{about.option.removeprefix('--')}"
        return click.Option(names, is_flag=True, help=f"{help} (default {'on' if about.default else 'off'})", **shared)
    shared["metavar"] = kind.metavar
    if kind.form == "several":
        return click.Option(names, type=_Type(text(kind.metavar)), multiple=True, help=help, **shared)
    type = FOLDER if kind.form == "folder" else _Type(kind)
    return click.Option(names, type=type, help=f"{help.removesuffix('.')} (default {about.default}).", **shared)
