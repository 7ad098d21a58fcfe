"""A table at an entry of its log, and where what a receipt says differs from what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..ceremony.book import Book, Shoe
from ..log.canonical import Entry
from .kept import Case

AGAIN = "the service started again, and the file does not go on"


class Standing(NamedTuple):
    """A table as the log tells it at an entry, and the commitment of its shoe in play."""

    book: Book
    commitment: str = ""

    @property
    def shoe(self) -> Shoe | None:
        return self.book.shoe

    def kept(self) -> Standing:
        """The same, whatever entries follow."""
        book, shoe = self.book, self.book.shoe
        shoe = None if shoe is None else replace(shoe, struck=list(shoe.struck))
        return Standing(replace(book, chairs=dict(book.chairs), shoe=shoe), self.commitment)


class Point(NamedTuple):
    """An entry, and its table before and after it; None where there is none.

    `whole`: the log has every entry of the table, so that what is not there was left out by the house. `starts`: when
    the service started; its clock may have been set back then, and what it heard and did not log may be lost.
    """

    place: int
    entry: Entry
    before: Standing | None
    after: Standing | None
    whole: bool
    starts: Sequence[str]

    @property
    def at(self) -> str:
        return str(self.entry["at"])

    @property
    def kind(self) -> str:
        return str(self.entry["kind"])

    def restarted(self, case: Case) -> bool:
        """Whether the service started between the last entry that a receipt names and this one."""
        return any(case.form["last"] < at <= self.at for at in self.starts)

    def surely(self, case: Case) -> bool:
        """Whether nothing that the file or the log may lack explains what is not there; else it is not decided."""
        if case.until(self.at)[1] or not self.restarted(case):
            return True
        case.decide("not decided", self.place, AGAIN)
        return False


def hold(case: Case, part: str, place: int, log: Any, says: Any, path: str = "") -> None:
    """Hold what a receipt says against the log: the first difference decides."""
    found = next(differences(log, says, path), None)
    if found is None:
        case.agree(part, place)
    else:
        case.differs(place, found[0], found[2], found[1])


def differences(log: Any, says: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ: the path, and both. True is not 1."""
    if type(log) is dict and type(says) is dict:
        for name in sorted(log.keys() | says.keys()):
            inner = f"{path}.{name}" if path else str(name)
            yield from differences(log.get(name), says.get(name), inner)
    elif type(log) is list and type(says) is list and len(log) == len(says):
        for i, (one, other) in enumerate(zip(log, says, strict=True)):
            yield from differences(one, other, f"{path}[{i}]")
    elif type(log) is not type(says) or log != says:
        yield path, log, says
