"""What must stand in a proof and does not: it was taken out, or the house never logged it. Either way nothing is said.

Without these a proof of an honest log could be made to look like one of a house that left something out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fairshoe.engine.rules import rules_of
from fairshoe.errors import InputError
from fairshoe.record.hand_entries import named_in, newcomers_in

from .parts import ENDS, Part, Parts


def missing_from(parts: Parts) -> Iterator[str]:
    """What the hand needs besides, in words; what a proof that was made before the hand's end lacks is not missing."""
    ended = parts.of(*ENDS)
    own = parts.round(parts.number)
    if own is None and ended and ended[0].entry["kind"] == "reveal":
        yield f"`round` {parts.number}"
    seal = parts.of("seal")
    if not seal and (
        parts.of("round", "reshuffle") or (ended and ended[0].entry["kind"] == "reveal") or _deals_many(parts)
    ):
        yield "the `seal`"
    yield from _missing_seeds(parts, seal)
    listed = [part.entry for part in parts.of("reshuffle")]
    if [each["k"] for each in listed] != list(range(1, len(listed) + 1)):
        yield "a `reshuffle`"
    for number in {part.entry["round"] for part in parts.of("open")}:
        logged = parts.round(number)
        told = 0 if logged is None else len(logged.get("reshuffled", ()))
        if logged is not None and told != sum(each["round"] == number for each in listed):
            yield f"a `reshuffle` of round {number}"
    yield from _missing_seats(parts)


def _deals_many(parts: Parts) -> bool:
    """Whether a shoe serves many rounds by the table's rules, so that its seal stands before the bets."""
    table = parts.of("table")[0].entry
    try:
        return not rules_of(table["rules"], table["options"]).one_round
    except InputError:
        return False


def _missing_seats(parts: Parts) -> Iterator[str]:
    """Of whom an `open` names, and who may have no seed in the shoe, it must be told how the chair was taken."""
    contributors = {part.entry["player"] for part in parts.of("opened")}
    for part in parts.of("open"):
        sitting = {seat: parts.sitting(seat, part.place) for seat in named_in(part.entry)}
        names = Counter(who[0] for who in sitting.values() if who is not None)
        sealed = any(seal.place < part.place for seal in parts.of("seal"))
        for seat in newcomers_in(part.entry) if sealed else ():
            player, since = sitting[seat] or ("", "")
            own = player in contributors and seat not in part.entry.get("waived", ())
            if not (since or own) or names[player] > 1:
                yield f"the `chips` by which seat {seat} was taken"


def _missing_seeds(parts: Parts, seal: list[Part]) -> Iterator[str]:
    seeds = parts.of("seeds")
    if len(parts.chairs) == len(parts.seats) == 1 and not _deals_many(parts):
        if seal and not parts.of("opened"):
            yield "the `opened`"
        return
    if not seeds:
        yield "the `seeds`"
        return
    begun = seeds[0].place if _deals_many(parts) else parts.of("open")[-1].place
    gone = {part.entry["player"] for part in parts.of("chips") if part.entry.get("leaves") and part.place < begun}
    left = seeds[0].entry["hashes"].keys() - gone
    struck = {part.entry["player"] for part in parts.of("lapse")}
    for player in sorted(left.difference(parts.openers)) if seal else ():
        yield f"the `opened` or `lapse` of {player}"
    for part in parts.of("void"):
        if "by" in part.entry and len(left - struck) > 1 and not parts.of("opened"):
            yield "an `opened`, without which nobody's seed makes a shoe void"
        if "by" not in part.entry:
            yield from (f"the `lapse` of {player}" for player in sorted(_bettors(parts) - struck))


def _bettors(parts: Parts) -> set[str]:
    """The players who bet on this round."""
    opened = parts.of("open")[-1]
    sitting = (parts.sitting(bet["seat"], opened.place) for bet in opened.entry["bets"])
    return {who[0] for who in sitting if who is not None}
