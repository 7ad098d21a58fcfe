"""Changes of the order of a log's lines, and of which there are."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from fairshoe.log.canonical import encode
from fairshoe.log.times import SECOND, microseconds
from tests.audit.test_order import PAUSE, Change, Order, consistent, stamped

from .corpus import Log

Entry = dict[str, Any]


class Moved(NamedTuple):
    """The lines after a change. `impossible`: nothing honest could have led to them."""

    name: str
    lines: list[bytes]
    impossible: bool


def changed(log: Log, other: Log, source: random.Random) -> Moved:
    if source.random() < 0.7:
        return one_entry(log, source)
    return many_entries(log, other, source)


def one_entry(log: Log, source: random.Random) -> Moved:
    """One entry dropped, doubled or moved, with the times as they were or written anew."""
    entries = list(log.entries)
    i = source.randrange(len(entries))
    j = min(i + source.choice((1, 1, 2, 3, 7, 1000)), len(entries) - 1)
    what = source.choice(("delete", "double", "move"))
    if what == "move" and i == j:
        what = "delete"
    match what:
        case "delete":
            change = Change(what, i, i, i, entries[i + 1 :])
        case "double":
            change = Change(what, i, i, i, [entries[i], *entries[i:]])
        case _:
            change = Change(what, i, j, i, [*entries[i + 1 : j + 1], entries[i], *entries[j + 1 :]])
    anew = source.choice((None, 0, PAUSE))
    rest = change.rest
    if anew is not None:
        rest = stamped(rest, microseconds(entries[i - 1]["at"]) if i else 0, anew)
    reason = consistent(change, Order(entries))
    if entries[i]["kind"] == "late" and what == "move":
        reason = "a seed may be handed in at any time before its owner contributes again"
    if anew is None and what != "delete":
        reason = ""
    times = "old times" if anew is None else f"new times, {anew // SECOND} s apart"
    return Moved(f"{what} entry {i} to {j}, {times}", [*log.lines[:i], *map(encode, rest)], not reason)


def many_entries(log: Log, other: Log, source: random.Random) -> Moved:
    lines, others = list(log.lines), list(other.lines)
    i, j = sorted((source.randrange(len(lines) + 1), source.randrange(len(lines) + 1)))
    k = source.randrange(len(others))
    match source.choice(("cut", "block", "reverse", "shuffle", "heads", "both", "between", "copies")):
        case "cut":
            return Moved(f"cut after entry {i}", lines[:i], False)
        case "block":
            return Moved(f"entries {i} to {j} dropped", lines[:i] + lines[j:], False)
        case "reverse":
            return Moved(f"entries {i} to {j} reversed", lines[:i] + lines[i:j][::-1] + lines[j:], j - i > 1)
        case "shuffle":
            middle = lines[i:j]
            source.shuffle(middle)
            return Moved(f"entries {i} to {j} shuffled", lines[:i] + middle + lines[j:], middle != lines[i:j])
        case "heads":
            return Moved(f"the first {i}, then {other.name} from {k}", lines[:i] + others[k:], False)
        case "both":
            return Moved(f"followed by {other.name}", lines + others, True)
        case "between":
            spliced = [*lines[:i], others[k], *lines[i:]]
            return Moved(f"entry {k} of {other.name} before entry {i}", spliced, False)
        case _:
            return Moved(f"entries {i} to {j} many times", lines[:i] + lines[i:j] * 5 + lines[j:], j > i)
