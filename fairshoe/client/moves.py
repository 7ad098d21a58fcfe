"""What the log has of a player's chips at a table, and what everybody sees there: for a seat that cannot ask by its
token, or whose request the house may have forgotten."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from .requests import CHIPS, Request

if TYPE_CHECKING:
    from .client import Form
    from .table import Table

HOUSE = "house"
SAME = ("op", "amount", "to")
MARK = b'"kind":"chips"'


class Move(NamedTuple):
    """A `chips` entry, and its number in the log."""

    number: int
    entry: Mapping[str, Any]

    @property
    def leaves(self) -> bool:
        return bool(self.entry.get("leaves"))

    @property
    def by_house(self) -> bool:
        return self.entry.get("by") == HOUSE

    def answers(self, request: Request) -> bool:
        """Whether it is what this request to the route `chips` asked for."""
        wanted = {name: request.fields[name] for name in SAME if name in request.fields}
        said = {name: self.entry.get(name) for name in wanted}
        return not self.by_house and "why" not in self.entry and said == wanted and self.leaves == request.leaves

    def __str__(self) -> str:
        if self.leaves:
            what = f"the house has put {self.player} out" if self.by_house else f"{self.player}'s chair was left"
        else:
            what = f"{self.player}'s {self.entry['op']} was done"
        return f"{what}, {self.entry['amount']} chips: entry {self.number} of the log"

    @property
    def player(self) -> str:
        return str(self.entry["player"])


def moves_of(table: Table, player: str, start: int) -> list[Move]:
    """The player's moves at the table since the log had `start` entries, as the service shows it. Raises Problem,
    Unreachable."""
    with closing(table.client.with_token(None)) as client:
        chips = [(number, json.loads(line)) for number, line in enumerate(client.log(start), start) if MARK in line]
    return [Move(*each) for each in chips if (each[1].get("table"), each[1].get("player")) == (table.name, player)]


def done_by(moves: Sequence[Move], request: Request) -> Move | None:
    """The entry of a request, if it was done."""
    if request.what != CHIPS:
        return None
    return next((move for move in moves if move.answers(request)), None)


def public_state(table: Table) -> Form:
    """The table as everybody sees it. Raises Problem, Unreachable."""
    with closing(table.client.with_token(None)) as client:
        return type(table)(client, table.name).state()
