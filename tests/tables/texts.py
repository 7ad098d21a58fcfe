"""What the tables' pages say, as their modules have it."""

from __future__ import annotations

import json
import re
from pathlib import Path

TABLES = Path(__file__).parents[2] / "fairshoe" / "tables"
LANGUAGES = ("english", "german")
_STRING = r'"(?:[^"\\]|\\.)*"'


def texts(language):
    """Each text by its key; a line has one."""
    module = (TABLES / f"{language}.mjs").read_text(encoding="utf-8")
    found = [tuple(map(json.loads, pair)) for pair in re.findall(f"^  ({_STRING}): ({_STRING}),$", module, re.M)]
    assert len(found) == len(dict(found)) == module.count("\n  "), "one text a line, each key once"
    return dict(found)


def values(text):
    """The names of the values that a text takes."""
    return {*re.findall(r"\{(\w+)", text)}
