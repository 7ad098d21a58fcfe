"""What is installed only where it is asked for: HTML pages by Jinja2, and the error where an extra is not there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshoe.errors import InputError

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


def missing(extra: str, what: str, package: str) -> InputError:
    """The error where `what` needs a package that the extra brings."""
    return InputError(
        f"{package} is not installed",
        where=what,
        expected=f"the extra `{extra}`",
        remedy=f"pip install 'fairshoe[{extra}]'",
    )


def rendered(template: str, filters: dict[str, Callable[..., Any]], **values: Any) -> str:
    """A page that asks for nothing from elsewhere: a template with its values, which are escaped, and the common style.
    Raises InputError."""
    environment = _environment().overlay()
    environment.filters = {**environment.filters, **filters}
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    return environment.get_template(template).render(style=style, **values)


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise missing("stats", "an HTML page", "Jinja2") from None
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
