"""The version of an entry: 1, unless it holds something that version 1 does not list. See docs/log.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..engine.rules import Rules
from ..engine.rules.base import Option

FIRST = 1
LATER: dict[str, int] = {}
"""What version 1 does not list, with the version that brought it: a kind (`KIND`), a field (`KIND.FIELD`), an option
(`table.RULES.OPTION`), a time limit (`table.policy.LIMIT`). Whatever comes later stands here, and in an entry only
where it says something: an option off its default, a field that is not empty."""


def newest() -> int:
    """The newest version that is known."""
    return max(LATER.values(), default=FIRST)


def version_of(kind: str, stated: Mapping[str, Any]) -> int:
    """The version that an entry of this kind with these fields has."""
    if not LATER:
        return FIRST
    names = [kind, *(f"{kind}.{field}" for field in stated)]
    if kind == "table":
        for group, part in ((stated["rules"], "options"), ("policy", "policy")):
            names += [f"table.{group}.{name}" for name in stated[part]]
    return max(LATER.get(name, FIRST) for name in names)


def stated_options(rules: Rules) -> dict[str, Option]:
    """The options that a `table` entry states: those of version 1, and of later ones those off their default."""
    defaults = {each.name: each.default for each in fields(rules)}  # type: ignore[arg-type]
    return {
        name: value
        for name, value in rules.options.items()
        if f"table.{rules.name}.{name}" not in LATER or value != defaults[name]
    }
