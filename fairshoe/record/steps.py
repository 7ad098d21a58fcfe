"""A shoe's steps read from lines that need no parsing: what `entries` makes of `seeds`, `opened`, `seal`, `reveal`.

A pattern here fits a line only where it is canonical and each of its fields has the shape that docs/log.md gives. Any
other line, an honest one with a rare field too, is left to be parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from ..log.canonical import Entry

START, BEHIND = len('{"at":"2026-01-01T00:00:00.000000Z",'), len('{"at":"2026-01-01T00:00:00.000000Z","kind":')
"""Where the first field after the time begins, and as far as it is looked at to tell what a line may be."""
_ID = "[A-Za-z0-9._:/-]{1,64}"
_HASH = "[0-9a-f]{64}"
_SEED = "(?:[0-9a-f]{2}){1,128}"
_TEXT_OF_HASH, _TEXT_OF_SEED = f'"{_HASH}"', f'"{_SEED}"'
_COUNT = "(?:0|[1-9][0-9]{0,14})"
_decode = json.JSONDecoder().decode
_AT = r'\{"at":"(.{27})",'
_CUT = rf'(?:"cut":\{{"at":({_COUNT})(?:,"by":"({_ID})")?\}},)?'
_SHOE = rf'"shoe":"({_ID})","v":1'


def _map(value: str) -> str:
    """An object of ids with such values, as one group."""
    return rf'(\{{(?:"{_ID}":{value}(?:,"{_ID}":{value})*)?\}})'


def _in_order(text: str) -> dict[str, Any] | None:
    """The object; None where its names do not rise, so that one stands there twice or out of place."""
    if text == "{}":
        return {}
    found: dict[str, Any] = _decode(text)
    return found if text.count('":') == len(found) and list(found) == sorted(found) else None


def _cut(entry: Entry, at: str | None, by: str | None) -> Entry:
    if at is not None:
        entry["cut"] = {"at": int(at)} if by is None else {"at": int(at), "by": by}
    return entry


def _seeds(at: str, cut: str | None, by: str | None, hashes: str, shoe: str) -> Entry | None:
    found = _in_order(hashes)
    return None if not found else _cut({"at": at, "hashes": found, "kind": "seeds", "shoe": shoe, "v": 1}, cut, by)


def _opened(at: str, player: str, seed: str, shoe: str) -> Entry:
    return {"at": at, "kind": "opened", "player": player, "seed": seed, "shoe": shoe, "v": 1}


def _seal(at: str, burn: str | None, cut: str | None, by: str | None, seeds: str | None, shoe: str) -> Entry | None:
    entry: Entry = _cut({"at": at, "kind": "seal", "shoe": shoe, "v": 1}, cut, by)
    if burn is not None:
        entry["burn"] = burn
    if seeds is not None:
        entry["seeds"] = _in_order(seeds)
    return None if entry.get("seeds", {}) is None else entry


def _reveal(at: str, draws: str, end: str, key: str, shoe: str, why: str) -> Entry | None:
    found = _in_order(draws)
    if found is None:
        return None
    return {"at": at, "draws": found, "end": int(end), "key": key, "kind": "reveal", "shoe": shoe, "v": 1, "why": why}


_READERS: dict[str, list[tuple[Callable[[str], re.Match[str] | None], Callable[..., Entry | None]]]] = {}
"""By the seven characters after the time."""


def _reader(starts: tuple[str, ...], pattern: str, make: Callable[..., Entry | None]) -> None:
    for start in starts:
        _READERS.setdefault(start, []).append((re.compile(_AT + pattern).fullmatch, make))


_reader(('"kind":',), rf'"kind":"opened","player":"({_ID})","seed":"({_SEED})",{_SHOE}\}}', _opened)
_reader(
    ('"kind":', '"cut":{', '"burn":'),
    rf'(?:"burn":"([A2-9TJQK][cdhs])",)?{_CUT}"kind":"seal",(?:"seeds":{_map(_TEXT_OF_SEED)},)?{_SHOE}\}}',
    _seal,
)
_reader(('"hashes', '"cut":{'), rf'{_CUT}"hashes":{_map(_TEXT_OF_HASH)},"kind":"seeds",{_SHOE}\}}', _seeds)
_reader(
    ('"draws"',),
    rf'"draws":{_map(_COUNT)},"end":({_COUNT}),"key":"({_HASH})","kind":"reveal",{_SHOE},"why":"(worn|bank|age|left)"\}}',
    _reveal,
)


def read_step(text: str) -> Entry | None:
    """The entry that a line holds, where it is one of these in its usual form; it is canonical then, and each field
    has its shape, but for `at`."""
    for fits, make in _READERS.get(text[START:BEHIND], ()):
        found = fits(text)
        if found is not None:
            return make(*found.groups())
    return None


def cut_shoe(text: str) -> tuple[str, str]:
    """Id and commitment cut out of the line of a `shoe`. A wrong cut does no harm where the whole line is compared."""
    start = text.find('"commitment":"') + 14
    return text[text.rfind('"shoe":"') + 8 : -8], text[start : start + 64]
