"""The entries of a raffle, their tickets, and the tree that binds them (docs/protocol.md section 13)."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple
from unicodedata import category, normalize

from ..errors import InputError, VerificationError
from .deck import MAX_LABEL, check_label
from .merkle import check_inclusion, leaf_hash, levels_of, path_in
from .proof import read_json
from .text import as_list, bytes_of_hex, check_decimal, is_list, parse_decimal, type_name
from .word_stream import SPAN

MAX_TICKETS = SPAN
MAX_TICKET_PATH = 32
"""Hashes of a path: there are 2³² entries at most."""


def ticket_leaf(first: int, weight: int, entrant: str) -> bytes:
    """Return the leaf of an entry that holds `weight` tickets from number `first` on."""
    return f"{first} {weight} {entrant}".encode()


class TicketProof(NamedTuple):
    """Shows that the list has this entry, number `pos` of `n`, and which tickets it holds: `weight` from `first` on."""

    entrant: str
    first: int
    weight: int
    pos: int
    n: int
    path: tuple[str, ...]

    def to_json(self) -> str:
        """Return the proof as one JSON object."""
        return json.dumps(self._asdict(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TicketProof:
        """Read it back. Raises VerificationError."""
        try:
            form = read_json(text)
            entrant, numbers, path = form["entrant"], [form[name] for name in cls._fields[1:5]], form["path"]
            if set(form) != set(cls._fields) or type(path) is not list or len(path) > MAX_TICKET_PATH:
                raise TypeError
            check_label(entrant, "entrant")
            first, weight, pos, n = (check_decimal(each, "ticket", high=MAX_TICKETS) for each in numbers)
            for each in path:
                bytes_of_hex(each, "path", low=32, high=32)
        except (InputError, LookupError, TypeError, ValueError):
            expected = "what Entries.prove(entrant).to_json() gives"
            raise VerificationError("no proof of a ticket", where="ticket", expected=expected) from None
        return cls(entrant, first, weight, pos, n, tuple(path))

    def verify(self, root: str, entries: int) -> None:
        """Raise VerificationError unless `root` binds this entry, InputError if it is not 64 hex digits."""
        head = bytes_of_hex(root, "root", low=32, high=32)
        if self.n != entries:
            raise VerificationError(f"a list of {self.n} entries", where="ticket", expected=f"{entries}")
        leaf = leaf_hash(ticket_leaf(self.first, self.weight, self.entrant))
        check_inclusion(leaf, self.pos, self.n, [bytes.fromhex(each) for each in self.path], head)


class Entries:
    """Entrants in their order, each with a weight: so many tickets. Takes ids, pairs (id, weight), or a mapping of ids
    to weights. InputError: an id twice, an id or weight beyond its limits, more than 2³² tickets."""

    def __init__(self, entries: Sequence[str | tuple[str, int]] | Mapping[str, int]) -> None:
        pairs = list(entries.items()) if isinstance(entries, Mapping) else entries
        if not is_list(pairs):
            remedy = as_list(entries, "entries", 'a list of ids, or of pairs such as ("alice", 3)')
            expected = "ids, or pairs of id and weight"
            raise InputError(
                f"{type_name(entries)} is no list of entries", where="entries", expected=expected, remedy=remedy
            )
        self._positions: dict[str, int] = {}
        weights = []
        for pos, pair in enumerate(pairs):
            entrant, weight = pair if is_list(pair) and len(pair) == 2 else (pair, 1)
            where = f"entries[{pos}]"
            _check_entrant(entrant, where)
            weights.append(check_decimal(weight, where, low=1, high=MAX_TICKETS))
            if self._positions.setdefault(entrant, pos) != pos:
                remedy = "give the entrant one entry, with a weight"
                raise InputError(f"{entrant} has entered twice", where=where, expected="each id once", remedy=remedy)
        self.ids = tuple(map(str.__str__, self._positions))
        self.firsts = [0, *accumulate(weights)]
        self.tickets = self.firsts.pop()
        if not 1 <= self.tickets <= MAX_TICKETS:
            raise InputError(f"{self.tickets} tickets", where="entries", expected=f"1 to {MAX_TICKETS}")

    @classmethod
    def from_text(cls, text: str) -> Entries:
        """Read entries from lines that LF ends: an id; or an id, a TAB and the weight. InputError."""
        pairs = []
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            entrant, tab, weight = line.partition("\t")
            pairs.append((entrant, parse_decimal(weight, f"line {number}", low=1, high=MAX_TICKETS) if tab else 1))
        try:
            return cls(pairs)
        except InputError as error:
            pos = error.where.removeprefix("entries[").removesuffix("]")
            where = f"line {int(pos) + 1}" if pos.isdecimal() else error.where
            raise InputError(error.what, where=where, expected=error.expected, remedy=error.remedy) from None

    def check_spelling(self) -> None:
        """Raise InputError if two ids differ only in case, in spaces, in what cannot be seen or in the way in which
        Unicode writes a character (NFKC), or if one begins or ends with white space, for whoever makes a list. Letters
        of other scripts that look alike are not compared. A list that was announced is checked as it is."""
        seen = dict[str, str]()
        for entrant in self.ids:
            if entrant != entrant.strip().strip("\ufeff"):
                raise InputError(f"{entrant!r} begins or ends with white space", where="entries", remedy="remove it")
            visible = entrant if entrant.isascii() else normalize("NFKC", "".join(filter(_is_visible, entrant)))
            other = seen.setdefault(" ".join(visible.casefold().split()), entrant)
            if other != entrant:
                raise InputError(f"{entrant!a} looks like {other!a}", where="entries", remedy="rename one of them")

    def __len__(self) -> int:
        return len(self.ids)

    def weight(self, pos: int) -> int:
        """Return how many tickets the entry at a position of the list holds."""
        return (self.firsts[pos + 1] if pos + 1 < len(self) else self.tickets) - self.firsts[pos]

    @cached_property
    def _levels(self) -> list[list[bytes]]:
        each = enumerate(zip(self.firsts, self.ids, strict=True))
        return levels_of(ticket_leaf(first, self.weight(pos), entrant) for pos, (first, entrant) in each)

    @property
    def root(self) -> str:
        """The root that binds all entries, in hex."""
        return self._levels[-1][0].hex()

    def holder(self, ticket: int) -> str:
        """Return who holds a ticket, 0 … tickets − 1."""
        return self.ids[bisect_right(self.firsts, check_decimal(ticket, "ticket", high=self.tickets - 1)) - 1]

    def prove(self, entrant: str) -> TicketProof:
        """Return the proof that `entrant` is in the list, for whoever knows the root. InputError: it is not."""
        if not isinstance(entrant, str) or entrant not in self._positions:
            what = f"no entry of {entrant!r:.80}"
            raise InputError(what, where="entrant", expected="an id of the list", remedy="look for another spelling")
        pos = self._positions[entrant]
        path = tuple(each.hex() for each in path_in(self._levels, pos))
        return TicketProof(self.ids[pos], self.firsts[pos], self.weight(pos), pos, len(self), path)


def _is_visible(sign: str) -> bool:
    return category(sign) != "Cf" and not "\ufe00" <= sign <= "\ufe0f"


def _check_entrant(entrant: str, where: str) -> None:
    plain = isinstance(entrant, str) and entrant.isascii() and entrant.isprintable()
    if not (plain and 1 <= len(entrant) <= MAX_LABEL):  # what is plain ASCII needs no closer look
        check_label(entrant, where)
