"""The entries of a proof file, each in its place."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import combinations
from typing import NamedTuple

from fairshoe.log.canonical import Entry
from fairshoe.record.hand_entries import chairs_in, round_of, seated

ENDS = ("reveal", "void", "lost")


class Part(NamedTuple):
    """An entry with its place in the log, from 0, and its bytes."""

    place: int
    line: bytes
    entry: Entry


class Parts:
    """The entries of one hand, in the log's order, with what is asked of them. Raises InputError where they do not tell
    who sat where.

    `seats` is who sat where at the commitment, of those whom the proof tells; `others` are those of them whom the
    roster leaves out.
    """

    def __init__(self, name: str, parts: list[Part]) -> None:
        self.name = name
        self.table, self.number = round_of(name)
        self.all = parts
        self.shoe = next(part for part in parts if part.entry["kind"] == "shoe")
        self._chips = self.of("chips")
        self.others = {
            part.entry["seat"]: part.entry["player"]
            for part in self._chips
            if part.place < self.shoe.place and part.entry["player"] not in self.shoe.entry["roster"]
        }
        self.seats = seated(self.shoe.entry, self.others)

    def seatings(self) -> Iterator[Parts]:
        """The same entries with each other way in which the roster may be seated: which chairs it leaves out only the
        `chips` tell, and the log may have later ones that are not here."""
        able = chairs_in(self.shoe.entry)
        for chairs in combinations(able, len(self.others)):
            if set(chairs) != self.others.keys():
                other = copy(self)
                other.others = {seat: self.others.get(seat, f"seat {seat}") for seat in chairs}
                other.seats = seated(self.shoe.entry, other.others)
                yield other

    def of(self, *kinds: str) -> list[Part]:
        return [part for part in self.all if part.entry["kind"] in kinds]

    def round(self, number: int) -> Entry | None:
        """The `round` that ended the round of this number."""
        return next((part.entry for part in self.of("round") if part.entry["round"] == number), None)

    @property
    def openers(self) -> list[str]:
        """Whose turn it was to open a seed, in the order of the log."""
        turns = [part.entry["player"] for part in self.of("opened", "lapse")]
        return turns + [part.entry["by"] for part in self.of("void") if "by" in part.entry]

    def sitting(self, seat: int, before: int) -> tuple[str, str] | None:
        """Who sat in a chair before entry number `before`, and since when: "" where that was before the shoe."""
        taken = [each for each in self._chips if each.place < before and each.entry["seat"] == seat]
        after = [each for each in taken if each.place > self.shoe.place or seat not in self.seats]
        if after:
            last = after[-1].entry
            since = last["at"] if after[-1].place > self.shoe.place else ""
            return None if last.get("leaves") else (last["player"], since)
        return (self.seats[seat], "") if seat in self.seats else None
