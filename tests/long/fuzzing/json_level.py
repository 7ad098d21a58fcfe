"""Changes of an entry's fields, encoded again as a house would that signs what it likes."""

from __future__ import annotations

import copy
import json
import random
from typing import Any, NamedTuple

from fairshoe.log.times import is_moment
from tests.audit import test_every_field
from tests.audit.tamper import changed as others
from tests.audit.tamper import leaves, put

from .byte_level import STEERING
from .corpus import Log, donors

Entry = dict[str, Any]

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 64, 65, 10**6, 2**53 - 1, -(2**53) + 1, 2**53, 10**30, 1.5, -0.0, 1e300),
    *("", "x", "0", "1", "-1", "house", "pool", "table", "a/b", "casino", "x" * 65, "é" * 40, "\ud800", "٣", "0x1"),
    *("ff", "00" * 32, "AB" * 32, "2026-01-01T00:00:00.000000Z", "2026-02-30T00:00:00.000000Z", "french:0", "french:8"),
    *STEERING,
    *([], [[]], [None], [1], [1, 1], ["Ah"], ["Ah"] * 400, [0] * 5000, {}, {"": ""}, {"1": 1}, {"x": {"y": []}}),
    *({"seat": 1}, [{"seat": 1, "move": "hit"}], {"at": 0, "by": "x"}, [-1], [10**9], {"1": "x"}, {"house": 2**53}),
)


WHY = ("worn", "age")
"""How a shoe without a table ends."""


class Changed(NamedTuple):
    """The lines after a change. `place`: the one entry that was changed; `impossible`: no honest log has it so."""

    name: str
    lines: list[bytes]
    place: int
    impossible: bool


def encoded(entry: Any) -> bytes:
    """The canonical bytes of whatever is in it, surrogates and floats too."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="surrogatepass")


def changed(log: Log, source: random.Random) -> Changed:
    """A field of an entry changed; now and then of some more entries."""
    many = source.choice((1, 1, 1, 1, 1, 1, 2, 5))
    lines, entries, names = list(log.lines), list(log.entries), []
    index = 0
    for _ in range(many):
        index = source.randrange(len(entries))
        what, after = edited(entries[index], source)
        names.append(f"entry {index} {what}")
        entries[index] = after
        lines[index] = encoded(after)
    alone = many == 1 and lines[index] != log.lines[index]
    impossible = alone and not honestly(log, index, lines[index])
    return Changed("; ".join(names), lines, index, impossible)


def honestly(log: Log, index: int, line: bytes) -> bool:
    """Whether an entry that stands in place of another could have come about honestly, as far as can be said."""
    try:
        after = json.loads(line)
        if type(after) is not dict or encoded(after) != line:
            return False
        at: Any = after.get("at")
        if not is_moment(at):
            return False
        before = log.entries[index - 1]["at"] if index else ""
        if at <= before or (index + 1 < len(log.entries) and at >= log.entries[index + 1]["at"]):
            return False
        entries = list(log.entries)
        if undecided(log, entries[index], after):
            return True
        return bool(test_every_field.consistent(entries[index], after, test_every_field.Log(entries), index))
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):  # a value that no entry has there
        return False


def undecided(log: Log, before: Entry, after: Entry) -> bool:
    """Whether a change may be consistent although `test_every_field` does not list it: of a shoe that is not revealed,
    of why a shoe without a table ended, of who sent a hash for a shoe that was void before anybody opened a seed."""
    shoe = before.get("shoe")
    ended = {entry["shoe"] for entry in log.entries if entry["kind"] in ("reveal", "void", "lost")}
    if shoe is not None and shoe not in ended:
        return True
    only = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    opened = {entry["shoe"] for entry in log.entries if entry["kind"] in ("opened", "reveal")}
    if before["kind"] == "seeds" and only == {"hashes"} and shoe not in opened:
        return True
    return before["kind"] == "reveal" and "/" not in before["shoe"] and only == {"why"} and after["why"] in WHY


def edited(entry: Entry, source: random.Random) -> tuple[str, Entry]:
    """What was done to an entry, and the entry afterwards."""
    path, value = source.choice(list(leaves(entry)))
    name = ".".join(map(str, path))
    match source.choice(("remove", "add", "any", "any", "other", "other", "near", "near", "rename", "kind")):
        case "remove":
            return f"without {name}", without(entry, path)
        case "add":
            field = source.choice([*sorted(donors()), "note", "", "v", "\x1b[2J", "‮x"])
            parent = target(copy.deepcopy(entry), path[:-1])
            if isinstance(parent, dict) and field not in parent:
                given = source.choice([*donors().get(field, ()), *VALUES])
                return f"with {name}/{field!r}", put(entry, (*path[:-1], field), given)
            return "with a note", entry | {"note": source.choice(VALUES)}
        case "any":
            given = source.choice(VALUES)
            return f"{name} = {str(given)[:40]!r}", put(entry, path, given)
        case "other":
            last = next((step for step in reversed(path) if isinstance(step, str)), "")
            given = source.choice(donors().get(last, VALUES))
            return f"{name} = {str(given)[:40]!r}", put(entry, path, given)
        case "near":
            given = source.choice([*others(path, value), value])
            return f"{name} = {str(given)[:40]!r}", put(entry, path, given)
        case "rename":
            without_it = without(entry, path)
            field = source.choice(["note", "\x1b[2J", *sorted(donors())])
            parent = target(without_it, path[:-1])
            if isinstance(parent, dict):
                parent[field] = value
            return f"{name} as {field!r}", without_it
        case _:
            kind = source.choice(donors()["kind"])
            return f"as {kind}", entry | {"kind": kind}


def target(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def without(entry: Entry, path: tuple[str | int, ...]) -> Entry:
    again = copy.deepcopy(entry)
    del target(again, path[:-1])[path[-1]]
    return again
