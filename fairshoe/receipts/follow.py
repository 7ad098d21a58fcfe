"""Receipts held against the lines of a log by whoever has the log and no auditor."""

from __future__ import annotations

from collections.abc import Iterable

from ..ceremony.book import Book
from ..ceremony.fold import opened_table, take
from ..errors import FairshoeError, VerificationError
from ..log.canonical import NotCanonical, decode
from .judge import Judge, Standing
from .kept import Case, Receipt, table_named


def held_against(receipts: Iterable[Receipt], lines: Iterable[bytes]) -> list[Case]:
    """Each receipt with its word, by a whole log, which is followed and not audited. Raises VerificationError where an
    entry cannot follow what stands before it."""
    judge, books, commitments, last = Judge(receipts), dict[str, Book](), dict[str, str](), ""

    def standing(name: str) -> Standing | None:
        book = books.get(name)
        shoe = None if book is None else book.shoe
        return None if book is None else Standing(book, "" if shoe is None else commitments.get(shoe.id, ""))

    for place, line in enumerate(lines):
        try:
            entry = decode(line)
            kind, last = entry["kind"], entry["at"]
            name = entry.get("table") or table_named(entry.get("shoe")) or ""
            if kind == "start":
                judge.started(last)
                for book in books.values():
                    take(book, book.shoe, entry)
            if not judge.wants(name):
                continue
            before = standing(name)
            before = None if before is None else before.kept()
            if kind == "table":
                books[name] = opened_table(entry)
            else:
                commitments |= {entry["shoe"]: entry["commitment"]} if kind == "shoe" else {}
                take(books[name], books[name].shoe, entry)
            judge.take(place, entry, before, standing(name))
        except (FairshoeError, NotCanonical, LookupError, ValueError, TypeError) as error:
            what = f"entry {place} cannot follow what stands before it: {error!r}"[:300]
            raise VerificationError(what, where="log", expected="the log of this house") from None
    return judge.ended(last)
