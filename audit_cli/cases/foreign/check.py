"""The three answers about one hand: does the seed fit the commitment, does the result follow, does the money follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairshoe.errors import InputError

from .blackjack import UnknownRule
from .diagnosis import fits, slips_of_commitment, slips_of_outcome
from .scheme import MAX_CHAIN, ForeignHand, Scheme, SchemeGame, is_hex, number_in
from .schemes import schemes

FOLLOWS, DIFFERS, NOT_CHECKED = "follows", "differs", "not checked"


class ForeignAnswer(NamedTuple):
    """The findings about a hand. `reasons`: why something differs or was not checked, by the answer's name; `notes`:
    the slips that would explain it, or the schemes that fit; `limits`: what the scheme cannot show."""

    hand: ForeignHand
    commitment: str = NOT_CHECKED
    outcome: str = NOT_CHECKED
    payout: str = NOT_CHECKED
    reasons: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()

    def answers(self) -> dict[str, str]:
        """Return the three answers by name."""
        return {"commitment": self.commitment, "outcome": self.outcome, "payout": self.payout}

    def as_json(self) -> dict[str, Any]:
        """Return the form of the answer for programs."""
        named = {name: getattr(self.hand, name) for name in ("scheme", "game", "nonce", "result")}
        return {**named, **self.answers(), "reasons": dict(self.reasons), "notes": list(self.notes)}


def check_all(hands: Sequence[ForeignHand], progress: Callable[[int], None]) -> Iterator[ForeignAnswer]:
    """Answer for each hand; `progress` is told how many are done. Raises InputError with the hand's number, from 1."""
    seeds = {
        schemes()[hand.scheme].commits(hand.server_seed): f"that of row {row}"
        for row, hand in enumerate(hands, 1)
        if hand.scheme in schemes() and is_hex(hand.server_seed)
    }
    for row, hand in enumerate(hands, 1):
        try:
            yield check(hand, seeds)
        except InputError as error:
            error.where = error.where if len(hands) == 1 else f"row {row}, {error.where}"
            raise
        progress(row)


def check(hand: ForeignHand, other_seeds: Mapping[str, str] | None = None) -> ForeignAnswer:
    """Answer for one hand. `other_seeds`: which hand's server seed has a commitment. Raises InputError."""
    if not hand.server_seed:
        raise InputError("is missing", where="server_seed", expected="the seed that the house revealed")
    if not hand.scheme:
        fitting = tuple(candidates(hand))
        reason = "name the scheme" if fitting else "no scheme that is known here fits"
        return ForeignAnswer(hand, reasons=dict.fromkeys(ForeignAnswer(hand).answers(), reason), notes=fitting)
    scheme, game = _named(hand)
    reasons: dict[str, str] = {}
    commitment = _commitment(scheme, hand, reasons)
    outcome = _outcome(game, hand, commitment, reasons)
    payout = _payout(game, hand, outcome, reasons)
    notes: list[str] = []
    if commitment == DIFFERS:
        notes += slips_of_commitment(scheme, hand, other_seeds or {})
    if outcome == DIFFERS:
        notes += slips_of_outcome(scheme, game, hand)
    if not game.real:
        notes.append("without real data: no result of a real round was there to try this game with")
    return ForeignAnswer(hand, commitment, outcome, payout, reasons, tuple(notes), scheme.limits)


def candidates(hand: ForeignHand) -> Iterator[str]:
    """Yield a sentence for each scheme whose seeds give the hand's result."""
    for scheme in schemes().values():
        for name, game in scheme.games.items():
            if hand.game in ("", name) and hand.result and fits(game, hand):
                yield f"candidate: {scheme.name} {name}, one in {game.outcome.odds(hand):,} by chance"


def _named(hand: ForeignHand) -> tuple[Scheme, SchemeGame]:
    known = schemes()
    if hand.scheme not in known:
        raise InputError(f"{hand.scheme!r} is not known here", where="scheme", expected=", ".join(sorted(known)))
    scheme = known[hand.scheme]
    name = hand.game or (next(iter(scheme.games)) if len(scheme.games) == 1 else "")
    if name not in scheme.games:
        raise InputError(f"{hand.game!r} is no game of {scheme.name}", where="game", expected=", ".join(scheme.games))
    return scheme, scheme.games[name]


def _commitment(scheme: Scheme, hand: ForeignHand, reasons: dict[str, str]) -> str:
    if not hand.commitment:
        reasons["commitment"] = "none was given"
        return NOT_CHECKED
    remembered, found = hand.commitment.strip().lower(), hand.server_seed
    steps = (hand.number("nonce") or MAX_CHAIN) if scheme.chain else 1
    for _ in range(min(steps, MAX_CHAIN)):
        found = scheme.commits(found)
        if found == remembered:
            return FOLLOWS
    first = scheme.commits(hand.server_seed)
    reasons["commitment"] = (
        f"none of the {steps:,} games before has this hash" if scheme.chain else f"the seed's commitment is {first}"
    )
    return DIFFERS


def _outcome(game: SchemeGame, hand: ForeignHand, commitment: str, reasons: dict[str, str]) -> str:
    if not hand.result:
        reasons["outcome"] = "no result was given"
        return NOT_CHECKED
    expected = game.outcome.expected(hand)
    if not game.outcome.follows(hand, expected):
        reasons["outcome"] = f"the seeds give {expected}"
        return DIFFERS
    if commitment == DIFFERS:
        reasons["outcome"] = "it follows from this seed, which is not the one that was committed to"
        return NOT_CHECKED
    return FOLLOWS


def _payout(game: SchemeGame, hand: ForeignHand, outcome: str, reasons: dict[str, str]) -> str:
    try:
        if not hand.payout or not hand.bet:
            raise UnknownRule("no bet or no payout was given")
        if game.paid is None:
            raise UnknownRule("the rules of its money are not known here")
        if outcome != FOLLOWS:
            raise UnknownRule("the result does not follow")
        due = game.paid(hand)
    except UnknownRule as unknown:
        reasons["payout"] = str(unknown)
        return NOT_CHECKED
    if abs(due - number_in(hand.payout, "payout")) < 1e-9:
        return FOLLOWS
    reasons["payout"] = f"{due:g} is due"
    return DIFFERS
