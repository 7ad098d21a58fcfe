"""From entries to rows: a fold that knows who sits where and which shoes are in play, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairshoe.engine.moves import TABLE
from fairshoe.record.forms import table_of

from .schema import DECISIONS, HANDS, ROUNDS, SHOES, Row

Entry = Mapping[str, Any]
Made = tuple[str, Row]
"""The name of a table, and a row of it."""


@dataclass
class _Table:
    rules: str
    bank: str = ""
    players: dict[int, str] = field(default_factory=dict)


@dataclass
class _Shoe:
    entry: int
    said: Entry
    table: _Table | None
    number: int | None
    contributed: int = 0
    sealed: str | None = None
    rounds: int = 0
    opened: dict[int, Entry] = field(default_factory=dict)


class Rows:
    """Takes the entries of a log in order, each canonical and of its shape, and gives the rows that they complete.

    A row says what the log says, whether or not it holds: the findings stand beside it.
    """

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._shoes: dict[str, _Shoe] = {}

    def take(self, index: int, entry: Entry) -> Iterator[Made]:
        """`index`: the entry's number in the log, from 0."""
        step = _STEPS.get(entry["kind"])
        return iter(()) if step is None else step(self, index, entry)

    def rest(self) -> Iterator[Made]:
        """The shoes that are in play at the end of the log."""
        for shoe in self._shoes.values():
            yield SHOES.name, _shoe_row(shoe, None)

    def _table(self, _: int, entry: Entry) -> Iterator[Made]:
        self._tables[entry["table"]] = _Table(entry["rules"])
        return iter(())

    def _chips(self, _: int, entry: Entry) -> Iterator[Made]:
        table = self._tables.get(entry["table"])
        if table is not None:
            if entry["op"] == "buy-in":
                table.players[entry["seat"]] = entry["player"]
            elif entry.get("leaves"):
                table.players.pop(entry["seat"], None)
        return iter(())

    def _bank(self, _: int, entry: Entry) -> Iterator[Made]:
        if entry["table"] in self._tables:
            self._tables[entry["table"]].bank = str(entry["to"])
        return iter(())

    def _shoe(self, index: int, entry: Entry) -> Iterator[Made]:
        named = table_of(entry["shoe"]) if "bank" in entry else None
        table = None if named is None else self._tables.get(named[0])
        if table is not None:
            table.bank = entry["bank"]
        self._shoes[entry["shoe"]] = _Shoe(index, entry, table, None if named is None else named[1])
        return iter(())

    def _opened(self, _: int, entry: Entry) -> Iterator[Made]:
        if shoe := self._shoes.get(entry["shoe"]):
            shoe.contributed += 1
        return iter(())

    def _seal(self, _: int, entry: Entry) -> Iterator[Made]:
        if shoe := self._shoes.get(entry["shoe"]):
            shoe.sealed = entry["at"]
        return iter(())

    def _open(self, _: int, entry: Entry) -> Iterator[Made]:
        if shoe := self._shoes.get(entry["shoe"]):
            shoe.opened[entry["round"]] = entry
        return iter(())

    def _ended(self, _: int, entry: Entry) -> Iterator[Made]:
        if shoe := self._shoes.pop(entry["shoe"], None):
            yield SHOES.name, _shoe_row(shoe, entry)

    def _round(self, index: int, entry: Entry) -> Iterator[Made]:
        shoe = self._shoes.get(entry["shoe"])
        if shoe is None or shoe.table is None:
            return
        shoe.rounds += 1
        opened = shoe.opened.pop(entry["round"], {})
        table, cards = shoe.table, entry["cards"]
        hands, decisions, dealer = entry["hands"], entry["decisions"], entry["dealer"]
        head = (index, entry["at"], table_of(entry["shoe"])[0], table.rules, entry["shoe"], entry["round"])
        placed = {(bet["seat"], bet.get("box")): bet["amount"] for bet in opened.get("bets", ())}
        dealt = {(hand["seat"], hand.get("box")) for hand in hands}
        bets = {place: amount for place, amount in placed.items() if place in dealt}
        yield (
            ROUNDS.name,
            (
                *head,
                opened.get("at"),
                entry["pos"],
                " ".join(cards),
                table.bank,
                len(bets),
                len(hands),
                sum(bets.values()),
                sum(placed.values()) - sum(bets.values()),
                sum(hand["bet"] + hand.get("insured", 0) for hand in hands),
                sum(hand["net"] + hand.get("insurance", 0) for hand in hands),
                len(decisions),
                sum(each.get("by") == TABLE for each in decisions),
                _shown(cards, dealer["cards"]),
                dealer["total"],
                len(entry.get("reshuffled", ())),
            ),
        )
        for number, hand in enumerate(hands):
            yield (
                HANDS.name,
                (
                    *head,
                    number,
                    hand["seat"],
                    hand.get("box"),
                    table.players.get(hand["seat"]),
                    bets.pop((hand["seat"], hand.get("box")), None),
                    hand["bet"],
                    _shown(cards, hand["cards"]),
                    hand["total"],
                    hand["outcome"],
                    hand["net"],
                    hand.get("insured"),
                    hand.get("insurance"),
                    hand.get("short"),
                ),
            )
        for step, each in enumerate(decisions):
            yield (
                DECISIONS.name,
                (
                    *head,
                    step,
                    each["seat"],
                    table.players.get(each["seat"]),
                    each["move"],
                    each.get("amount"),
                    " ".join(map(str, each["chosen"])) if "chosen" in each else None,
                    each.get("by") == TABLE,
                ),
            )


_STEPS = {
    "table": Rows._table,
    "chips": Rows._chips,
    "bank": Rows._bank,
    "shoe": Rows._shoe,
    "opened": Rows._opened,
    "seal": Rows._seal,
    "open": Rows._open,
    "round": Rows._round,
    "reveal": Rows._ended,
    "void": Rows._ended,
    "lost": Rows._ended,
}


def _shown(cards: list[str], offsets: list[int]) -> str:
    """Cards of a round by their offsets; one that is not there as `?`."""
    return " ".join(cards[offset] if 0 <= offset < len(cards) else "?" for offset in offsets)


def _shoe_row(shoe: _Shoe, end: Entry | None) -> Row:
    said, ended = shoe.said, end or {}
    return (
        shoe.entry,
        said["at"],
        None if shoe.table is None else table_of(said["shoe"])[0],
        None if shoe.table is None else shoe.table.rules,
        said["shoe"],
        shoe.number,
        said["commitment"],
        said["cards"],
        len(said["roster"]),
        shoe.contributed,
        shoe.sealed,
        shoe.rounds,
        ended.get("end"),
        ended.get("at"),
        ended.get("kind"),
        ended.get("why"),
        ended.get("by"),
        ended.get("key"),
    )
