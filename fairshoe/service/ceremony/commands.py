"""Everything that somebody may ask of a table. `seat` is the chair whose token asked; None is the operator."""

from __future__ import annotations

from typing import NamedTuple


class TakeSeat(NamedTuple):
    """Sit down as `player` with a buy-in of `amount`; `seat` 0 takes the lowest free chair."""

    player: str
    amount: int
    seat: int = 0


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
    """The operator gives a seat its buy-in back."""

    seat: int


class AskShoe(NamedTuple):
    pass


class AskReshuffle(NamedTuple):
    seat: int


class GiveHash(NamedTuple):
    """SHA-256 of the seat's seed in hex; the cutter's cut."""

    seat: int
    hash: str
    cut: int | None = None


class GiveSeed(NamedTuple):
    """The seat's seed in hex; a sole contributor's cut with it."""

    seat: int
    seed: str
    cut: int | None = None


class Waive(NamedTuple):
    """Bet on the present shoe without a seed of one's own in it."""

    seat: int


class Stake(NamedTuple):
    """One bet; `box` None is the seat's own place."""

    amount: int
    box: int | None = None


class PlaceBets(NamedTuple):
    """The seat's bets on round number `round`, replacing earlier ones; none is a pass."""

    seat: int
    round: int
    stakes: tuple[Stake, ...]


class Decide(NamedTuple):
    """A choice in a round, or about the bank; `step` is how many were made before it."""

    seat: int
    step: int
    move: str
    amount: int = 0
    chosen: tuple[int, ...] = ()


class Close(NamedTuple):
    pass


class Resume(NamedTuple):
    """The service was away: whatever is being waited for is waited for anew."""


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
    | Decide
    | Close
    | Resume
)
