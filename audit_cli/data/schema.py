"""The tables that a log is written out as, and their columns: the same in CSV and in Parquet."""

from __future__ import annotations

from typing import Literal, NamedTuple

Type = Literal["text", "integer", "boolean", "time"]
"""`integer`: 64 bits. `time`: UTC in microseconds, in CSV as the log has it. Any value may be missing."""
Value = str | int | bool | None
Row = tuple[Value, ...]


class Column(NamedTuple):
    name: str
    type: Type
    meaning: str


class Table(NamedTuple):
    """`row`: what one row is."""

    name: str
    row: str
    columns: tuple[Column, ...]


_ENTRY = Column("entry", "integer", "the entry's number in the log, from 0")
_TIME = Column("time", "time", "when the entry was written")
_TABLE = Column("table_id", "text", "the table's id")
_RULES = Column("rules", "text", "the rule set")
_SHOE = Column("shoe_id", "text", "the shoe's id")
_ROUND = Column("round", "integer", "the round's number at its table")
_HEAD = (_ENTRY, _TIME, _TABLE, _RULES, _SHOE, _ROUND)
_SEAT = Column("seat", "integer", "the chair")
_PLAYER = Column("player", "text", "the id of who sat there")

ROUNDS = Table(
    "rounds",
    "a round that was dealt",
    (
        *_HEAD,
        Column("opened", "time", "when its bets stood"),
        Column("position", "integer", "of its first card in the dealt order"),
        Column("cards", "text", "as dealt, with a space between two"),
        Column("bank", "text", "the account that banked: house, pool or a chair"),
        Column("bets", "integer", "how many hands began, one a bet"),
        Column("hands", "integer", "how many there were at the end, splits counted"),
        Column("staked", "integer", "what was bet before the first card, in the table's smallest unit"),
        Column("returned", "integer", "bets given back undealt, since their players let the seed's limit pass"),
        Column("wagered", "integer", "what was at risk in the end: doubles, splits and insurance too"),
        Column("net", "integer", "what the hands won, together; below zero where they lost"),
        Column("decisions", "integer", "how many choices were made"),
        Column("by_table", "integer", "how many of them the time limit made"),
        Column("dealer_cards", "text", "the dealer's, with a space between two"),
        Column("dealer_total", "integer", "what they count"),
        Column("reshuffles", "integer", "how often the shoe was reshuffled in the deal"),
    ),
)
HANDS = Table(
    "hands",
    "a hand that was settled",
    (
        *_HEAD,
        Column("hand", "integer", "which of the round's, from 0"),
        _SEAT,
        Column("box", "integer", "the betting place, where it is not the chair's number"),
        _PLAYER,
        Column("staked", "integer", "the bet before the first card; missing for the second hand of a split"),
        Column("bet", "integer", "the bet in the end, a double included"),
        Column("cards", "text", "with a space between two"),
        Column("total", "integer", "what they count"),
        Column("outcome", "text", "as the game names it"),
        Column("net", "integer", "what the bet won; below zero where it lost"),
        Column("insured", "integer", "the insurance bet"),
        Column("insurance", "integer", "what that won"),
        Column("short", "integer", "what the lounge's pool could not pay"),
    ),
)
DECISIONS = Table(
    "decisions",
    "a choice in a round",
    (
        *_HEAD,
        Column("step", "integer", "which of the round's, from 0"),
        _SEAT,
        _PLAYER,
        Column("move", "text", "what was chosen"),
        Column("amount", "integer", "the chips that go with it"),
        Column("chosen", "text", "the chairs that were chosen, with a space between two"),
        Column("by_table", "boolean", "whether the time limit decided"),
    ),
)
SHOES = Table(
    "shoes",
    "a shoe, from its commitment to its end",
    (
        _ENTRY,
        _TIME,
        _TABLE,
        _RULES,
        _SHOE,
        Column("number", "integer", "of the shoe at its table"),
        Column("commitment", "text", "SHA-256 of its key"),
        Column("cards", "integer", "how many its deck has"),
        Column("roster", "integer", "how many may contribute"),
        Column("seeds", "integer", "how many seeds went into the order"),
        Column("sealed", "time", "when its order was fixed; missing where it was not"),
        Column("rounds", "integer", "how many were dealt from it"),
        Column("dealt", "integer", "how many cards were, burned ones included; missing where the key is not out"),
        Column("ended", "time", "when it was revealed, void or lost; missing while it is in play"),
        Column("ending", "text", "reveal, void or lost"),
        Column("why", "text", "the reason that the entry gives"),
        Column("asked_by", "text", "whose seed lacked, or who asked for a reshuffle, of one that is void"),
        Column("key", "text", "the revealed key"),
    ),
)
FINDINGS = Table(
    "findings",
    "something that the audit found; the listed ones, as in the JSON report",
    (
        Column("code", "text", "what it is: `fairshoe-audit explain CODE`"),
        Column("severity", "text", "fail or note"),
        Column("fault", "text", "house, player, reader or unknown"),
        _ENTRY,
        _TABLE,
        _SHOE,
        _ROUND,
        Column("field", "text", "a path in the entry"),
        Column("expected", "text", "as JSON"),
        Column("found", "text", "as JSON"),
        Column("follows", "text", "the code of the finding that this one is counted beneath"),
        Column("cause", "text", "the likely cause"),
    ),
)
TABLES = (ROUNDS, HANDS, DECISIONS, SHOES, FINDINGS)
