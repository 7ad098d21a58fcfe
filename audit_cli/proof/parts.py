"""The entries of a proof file, each in its place."""

from __future__ import annotations

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
    """The entries of one hand in the log's order, with what is asked of them. `seats` is who of the roster sat where at
    the commitment, `chairs` all that were taken then."""

    def __init__(self, name: str, parts: list[Part]) -> None:
        self.name = name
        self.table, self.number = round_of(name)
        self.all = parts
        self.shoe = next(part for part in parts if part.entry["kind"] == "shoe")
        self.chairs = chairs_in(self.shoe.entry)
        self.seats = seated(self.shoe.entry)

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
        since = [part.entry for part in self.of("chips") if part.place < before and part.entry["seat"] == seat]
        if since:
            return None if since[-1].get("leaves") else (since[-1]["player"], since[-1]["at"])
        return (self.seats[seat], "") if seat in self.seats else None
