"""A table's whole state as plain data: what is stored between two requests.

Times are milliseconds since 1970. A shoe's key is in here while the machine works, and is never part
of what `dump` writes: the store keeps it encrypted, beside.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ...engine.moves import Decision
from ...engine.rules import Rules, rules_of
from ...engine.table import Bet, Table
from ...log.canonical import Entry
from ...record.forms import shoe_id
from .policy import Policy


@dataclass
class OpenRound:
    """A round whose bets stand. `since`: when the wait began that is on now (for seeds, for a decision)."""

    number: int
    bets: list[Bet]
    since: int
    dealt: bool = False
    decisions: list[Decision] = field(default_factory=list)


@dataclass
class Reshuffled:
    """A reshuffle in the middle of an earlier round: the position before it and the indexes that lay on the table."""

    after: int
    kept: list[int]
    cut: bool


@dataclass
class Shoe:
    """A live shoe, from its commitment to its reveal.

    `hashes` are what roster members sent before the `seeds` entry, which was logged at `hashed`;
    `seeds` are the opened ones, in hex. `cut` is what the cutter chose, then what counts. `bets` are
    offered for the next round, by seat; an empty list is a pass.
    """

    number: int
    began: int
    since: int
    roster: list[str]
    key: bytes = field(default=b"", repr=False)
    cutter: str | None = None
    purpose: str | None = None
    hashes: dict[str, str] = field(default_factory=dict)
    hashed: int | None = None
    seeds: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    sealed: int | None = None
    burned: bool = False
    waivers: list[int] = field(default_factory=list)
    position: int = 0
    reshuffles: list[Reshuffled] = field(default_factory=list)
    bets: dict[int, list[Bet]] = field(default_factory=dict)
    first_bet: int | None = None
    round: OpenRound | None = None


@dataclass
class Banking:
    """The question who banks next, while somebody has a choice in it."""

    since: int
    decisions: list[Decision] = field(default_factory=list)


@dataclass
class State:
    """A table. `wanted`: a shoe was asked for; `barred` is out of the next roster; `last` the last round's entry."""

    id: str
    table: Table
    policy: Policy
    shoes: int = 0
    rounds: int = 0
    shoe: Shoe | None = None
    banking: Banking | None = None
    wanted: bool = False
    barred: str | None = None
    closing: bool = False
    last: Entry | None = None

    @property
    def rules(self) -> Rules:
        return self.table.rules

    @property
    def round(self) -> OpenRound | None:
        return None if self.shoe is None else self.shoe.round

    @property
    def shoe_id(self) -> str:
        """The id of the newest shoe."""
        return shoe_id(self.id, self.shoes)

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, name in self.table.players.items() if name == player), None)


def dump(state: State) -> str:
    """The state as JSON text, without the key."""
    return json.dumps(state, default=_plain, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, Table):
        rules = value.rules
        return {
            "rules": rules.name,
            "options": rules.options,
            "players": value.players,
            "purse": value.purse,
            "bank": value.bank,
            "memory": value.memory,
        }
    return {name: item for name, item in vars(value).items() if name != "key"}


def load(text: str, key: bytes = b"") -> State:
    """The state that `dump` wrote, with the live shoe's key put back."""
    form: dict[str, Any] = json.loads(text)
    table, shoe, banking = form["table"], form["shoe"], form["banking"]
    form["policy"] = Policy(*form["policy"])
    form["table"] = Table(
        _rules(table["rules"], tuple(table["options"].items())),
        _by_seat(table["players"]),
        _by_seat(table["purse"]),
        table["bank"],
        table["memory"],
    )
    if shoe is not None:
        form["shoe"] = _shoe(shoe, key)
    if banking is not None:
        form["banking"] = Banking(banking["since"], _decisions(banking["decisions"]))
    return State(**form)


@lru_cache(maxsize=256)
def _rules(name: str, options: tuple[tuple[str, int | bool | str], ...]) -> Rules:
    return rules_of(name, dict(options))


def _by_seat(form: dict[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in form.items()}


def _decisions(forms: list[list[Any]]) -> list[Decision]:
    return [Decision(actor, move, amount, tuple(chosen), by) for actor, move, amount, chosen, by in forms]


def _shoe(form: dict[str, Any], key: bytes) -> Shoe:
    form["bets"] = {seat: [Bet(*bet) for bet in bets] for seat, bets in _by_seat(form["bets"]).items()}
    form["reshuffles"] = [Reshuffled(**each) for each in form["reshuffles"]]
    if (round := form["round"]) is not None:
        round["bets"] = [Bet(*bet) for bet in round["bets"]]
        round["decisions"] = _decisions(round["decisions"])
        form["round"] = OpenRound(**round)
    return Shoe(**form, key=key)
