"""Which entries of a log show how far a shoe has come, and whose turn it is to open a seed."""

from __future__ import annotations

from collections.abc import Iterable

from ..log.canonical import Entry, parse
from .forms import shoe_id, table_of
from .hand_entries import ENDS, Line, takes_chair

STEPS = ("seeds", "opened", "lapse", "late", "seal", *ENDS)


def names_for_shoe(shoe: str) -> list[str]:
    """The table, the shoe and the one before it, whose entries `entries_of_shoe` chooses from. InputError."""
    table, number = table_of(shoe)
    return [table, shoe, *([shoe_id(table, number - 1)] if number > 1 else [])]


def entries_of_shoe(lines: Iterable[Line], shoe: str) -> list[Line]:
    """Of entries in the log's order: the `table`; how the shoe before ended; by which `chips` each of the roster took
    the chair (whom the house put out keeps the place in the order, so these entries too), and left it since; the
    `shoe`, its `seeds`, `opened`, `lapse`, `late`, `seal` and end, and each `open` before the seal. Without a
    commitment nothing."""
    chosen: list[Line] = []
    chairs = _Chairs()
    roster: list[str] = []
    committed = sealed = False
    for line in lines:
        entry = parse(line[1])
        kind = entry["kind"]
        if kind == "table":
            chosen.append(line)
        elif kind == "chips":
            if committed and entry.get("leaves") and entry["player"] in roster:
                chosen.append(line)
            chairs.take(line, entry)
        elif entry.get("shoe") != shoe:
            if kind in ENDS:
                chosen.append(line)
        elif kind == "shoe":
            committed, roster = True, entry["roster"]
            chosen += [line, *(each for who, taking in chairs.sitting.values() if who in roster for each in taking)]
        elif kind in STEPS or (kind == "open" and not sealed):
            chosen.append(line)
            sealed |= kind == "seal"
    return sorted(set(chosen)) if committed else []


class _Chairs:
    """Who sits where, by which entries."""

    def __init__(self) -> None:
        self.sitting: dict[int, tuple[str, list[Line]]] = {}
        self._put_out: dict[str, list[Line]] = {}

    def take(self, line: Line, entry: Entry) -> None:
        seat, player = entry["seat"], entry["player"]
        if takes_chair(entry) and (seat not in self.sitting or self.sitting[seat][0] != player):
            self.sitting[seat] = player, [*self._put_out.pop(player, []), line]
        elif entry.get("leaves") and seat in self.sitting:
            _, taking = self.sitting.pop(seat)
            if "by" in entry:
                self._put_out[player] = [*taking, line]
