"""What the signed log must say before a seed leaves. Functions give what is wrong, "" where the seed may be sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..ceremony.book import Shoe, one_round
from ..log.canonical import Entry
from ..protocol.commitment import commitment_of
from ..record.hand_entries import ENDS
from .signed_table import SignedTable

if TYPE_CHECKING:
    from .client import Form

UNKNOWN = ""
"""The commitment of a shoe that the seat has not looked at."""


class Pledge(NamedTuple):
    """A player's own seed: for which shoe, under which commitment, its SHA-256, whether that was sent as a hash."""

    player: str
    shoe: str
    commitment: str
    hash: str
    promised: bool


def turn_fault(table: SignedTable, pledge: Pledge, ended: Collection[str]) -> str:
    """Of a seed for a shoe in play: it must be the player's turn. `ended`: more shoes that are over."""
    shoe = table.shoe(pledge.shoe)
    if shoe is None:
        return f"shoe {pledge.shoe} is not in play"
    if pledge.commitment not in (UNKNOWN, table.commitments[shoe.id]):
        return f"shoe {shoe.id} has another commitment than this seed was made for"
    before = table.before(shoe.id)
    if before and before not in table.ended and before not in ended:
        return f"shoe {before} has not ended"
    if pledge.player not in shoe.roster or pledge.player in shoe.struck:
        return f"{pledge.player} has no part in shoe {shoe.id}"
    if shoe.sealed:
        return f"shoe {shoe.id} is sealed"
    if one_round(table.book, shoe) and table.book.open is None:
        return f"no bets stand: shoe {shoe.id} has no `open`"
    return _sole_fault(shoe, pledge) if shoe.alone else _order_fault(table, shoe, pledge)


def _sole_fault(shoe: Shoe, pledge: Pledge) -> str:
    if pledge.promised:
        return f"it was promised by a hash, and shoe {shoe.id} has no `seeds`"
    return "" if shoe.opening else f"shoe {shoe.id} has no `open`"


def _order_fault(table: SignedTable, shoe: Shoe, pledge: Pledge) -> str:
    if not shoe.hashed:
        return f"shoe {shoe.id} has no `seeds` yet"
    if shoe.hashes.get(pledge.player) != pledge.hash:
        return f"the `seeds` of shoe {shoe.id} do not have this seat's hash"
    if pledge.player in shoe.opened:
        return f"the seed of shoe {shoe.id} is open"
    first = table.waits_for(shoe)[:1]
    return "" if first == [pledge.player] else f"{'nobody' if not first else first[0]} opens first"


def bets_fault(table: SignedTable, seat: int, round: Form | None) -> str:
    """Of the bets that stand: the logged ones of the seat are those that it was shown."""
    opened = table.book.open
    if opened is None or round is None or round["round"] != opened.number:
        return ""
    logged = [bet for bet in table.bets if bet["seat"] == seat]
    shown = [bet for bet in round["bets"] if bet["seat"] == seat]
    return "" if logged == shown else f"other bets stand in round {opened.number} than were shown"


def owed_fault(pledge: Pledge, entries: Iterable[Entry]) -> str:
    """Of a seed that is to be handed in: its shoe is over, or goes on without it, by the shoe's own entries."""
    commitment, promised, over = "", False, False
    for entry in entries:
        if entry.get("shoe") != pledge.shoe:
            continue
        kind = entry["kind"]
        if kind == "shoe":
            commitment = entry["commitment"]
        elif kind == "seeds":
            promised = entry["hashes"].get(pledge.player) == pledge.hash
        elif kind == "lapse":
            over |= entry["player"] == pledge.player
        elif kind in ENDS:
            key = entry.get("key")
            if key is not None and commitment_of(bytes.fromhex(key)) != commitment:
                return f"the key of shoe {pledge.shoe} is not the one that was committed to"
            over = True
    if not commitment or pledge.commitment not in (UNKNOWN, commitment):
        return f"shoe {pledge.shoe} has another commitment than this seed was made for"
    if not promised:
        return f"the `seeds` of shoe {pledge.shoe} do not have this seat's hash"
    return "" if over else f"shoe {pledge.shoe} is neither void nor over, and {pledge.player} has not let it lapse"
