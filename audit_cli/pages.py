"""HTML pages that ask for nothing from elsewhere, by Jinja2 (extra `fairshoe[stats]`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .extras import missing

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


def rendered(template: str, filters: dict[str, Callable[..., Any]], **values: Any) -> str:
    """A template with its values, which are escaped, and the common style. Raises InputError."""
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
