"""Everything that somebody may ask of a table. `seat` is the chair whose token asked; None is the operator."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import RuleError
from ...log.canonical import MAX_ENTRY, Entry, encode


class TakeSeat(NamedTuple):
    """Sit down as `player` with a buy-in of `amount`; `seat` 0 takes the lowest free chair; `name` for people.
    `placer`: the verifier key of a player who places."""

    player: str
    amount: int
    seat: int = 0
    name: str | None = None
    placer: str | None = None


class BuyIn(NamedTuple):
    seat: int
    amount: int


class CashOut(NamedTuple):
    """Take `amount` off the table; `leave` gives up the chair and takes everything."""

    seat: int
    amount: int | None
    leave: bool = False


class Transfer(NamedTuple):
    seat: int
    amount: int
    to: int


class Refund(NamedTuple):
    """The operator gives `player` the buy-in into `game` back (LO-07), for `why`: round or unfinished."""

    player: str
    game: int
    why: str


class AskShoe(NamedTuple):
    """Begin a shoe."""

    seat: int | None = None


class AskReshuffle(NamedTuple):
    """`shoe`, here and below: the one that the seat means; refused where another is in play."""

    seat: int
    shoe: str | None = None


class GiveHash(NamedTuple):
    """SHA-256 of the seat's seed in hex; the cutter's cut."""

    seat: int
    hash: str
    cut: int | None = None
    shoe: str | None = None


class GiveSeed(NamedTuple):
    """The seat's seed in hex, of the present shoe or one that it owes; a sole contributor's cut with it."""

    seat: int
    seed: str
    cut: int | None = None


class Waive(NamedTuple):
    """Bet on the present shoe without a seed of one's own in it."""

    seat: int
    shoe: str | None = None


class Stake(NamedTuple):
    """One bet; `box` None is the seat's own place."""

    amount: int
    box: int | None = None


class PlaceBets(NamedTuple):
    """The seat's bets on round number `round`, replacing earlier ones; none is a pass."""

    seat: int
    round: int
    stakes: tuple[Stake, ...]


class NoMoreBets(NamedTuple):
    """The operator closes the betting, where the rules know that (BX-06)."""


class Decide(NamedTuple):
    """A choice in round number `round`, or about the bank after it; `step` is how many were made before it."""

    seat: int
    round: int
    step: int
    move: str
    amount: int = 0
    chosen: tuple[int, ...] = ()


class Here(NamedTuple):
    """A chair that nobody waits for any more is back."""

    seat: int


class Evict(NamedTuple):
    """The operator has a chair left, as soon as the ceremony allows that."""

    chair: int


class ChangeToken(NamedTuple):
    """The operator gives a chair another token, or takes its token away."""

    chair: int


class Close(NamedTuple):
    """The operator closes the table: no new chair, no new shoe."""


class DrawCards(NamedTuple):
    """Draw `size` cards of a shoe without a table, from position `pos` on, and named draws. The cards are public, or
    hidden: `to` a player, or to nobody ("")."""

    pos: int
    size: int
    to: str = ""
    hidden: bool = False
    draws: tuple[str, ...] = ()


class GiveCommitment(NamedTuple):
    """The table's placer has committed to a key for the shoe that was asked for."""

    shoe: str
    commitment: str


class GiveBeacon(NamedTuple):
    """The verified signature, in hex, of the round that a shoe waits for; no chair sends it."""

    shoe: str
    signature: str


class GivePlaces(NamedTuple):
    """A placer's answer to the question at step `steps`: the places that it gave, and its note."""

    shoe: str
    steps: int
    places: tuple[int, ...]
    note: str


class GiveKey(NamedTuple):
    """A placer's key, in hex, for a shoe that is over, and its note after `end`."""

    shoe: str
    key: str
    note: str


Answer = GiveCommitment | GivePlaces | GiveKey | GiveBeacon
"""Answers of placers, and a beacon's signature. No chair sends them."""

Command = (
    TakeSeat
    | BuyIn
    | CashOut
    | Transfer
    | Refund
    | AskShoe
    | AskReshuffle
    | GiveHash
    | GiveSeed
    | Waive
    | PlaceBets
    | NoMoreBets
    | Decide
    | Here
    | Evict
    | ChangeToken
    | Close
)


class Refused(RuleError):
    """Well-formed, but not at this point of the ceremony. `more` goes into the answer as it is."""

    def __init__(self, what: str, *, where: str = "", expected: str = "", remedy: str = "", **more: Any) -> None:
        super().__init__(what, where=where, expected=expected, remedy=remedy)
        self.more = more


def check_lengths(entries: list[Entry]) -> list[Entry]:
    """Return entries that a command makes. Raises Refused where one is too long for a log."""
    for entry in entries:
        size = len(encode(entry))
        if size > MAX_ENTRY:
            longest = max(entry, key=lambda name: len(str(entry[name])))
            what, expected = f"a `{entry['kind']}` entry of {size} bytes", f"at most {MAX_ENTRY}"
            raise Refused(what, where=longest, expected=expected, remedy="ask for less at once, or by shorter names")
    return entries
