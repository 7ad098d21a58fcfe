"""The list of routes in docs/service.md, made of the routes that the service has.

`python -m fairshoe.service.route_list` prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .api.routes import Route
from .app import GROUPS

PATH_LETTERS = {"<table>": "T", "<round>": "R", "<shoe>": "S", "<int:seat>": "N", "<int:number>": "N"}


def route_list() -> str:
    """Return a list of routes for each kind of caller, with the fields that a route takes."""
    routes: dict[str, list[str]] = {}
    for group in GROUPS:
        for route in group.all:
            routes.setdefault(_callers(route), []).append(_line(route))
    return "\n".join(f"{callers}:\n\n" + "".join(sorted(lines)) for callers, lines in sorted(routes.items()))


def _callers(route: Route) -> str:
    if route.roles:
        return "With the token of " + " or ".join(
            f"the {role}" if role == "operator" else f"a {role}" for role in route.roles
        )
    return "Anybody, and a seat sees more" if route.token else "Anybody"


def _line(route: Route) -> str:
    path = route.path
    for part, letter in PATH_LETTERS.items():
        path = path.replace(part, letter)
    fields = list(_fields(route))
    if route.changing:
        told = ", ".join(f"`{name}`" for name in fields)
        return f"- `{route.method} {path}`{told and ': '}{told}\n"
    return f"- `{route.method} {path}{'?' if fields else ''}{'&'.join(fields)}`\n"


def _fields(route: Route) -> Iterator[str]:
    """Yield the names of the fields; one that may be left out has a question mark."""
    for name, field in route.takes().fields.items() if route.takes else ():
        shown = field.data_key or re.sub("_$", "", name)
        yield shown if field.required or not route.changing else f"{shown}?"


if __name__ == "__main__":
    print(route_list(), end="")
