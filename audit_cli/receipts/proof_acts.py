"""What a seat said, against the few entries of a proof file."""

from __future__ import annotations

from typing import NamedTuple

from fairshoe.ceremony.receipts import BET, DECISION, HASH, SEED, bets_left
from fairshoe.log.canonical import Entry

from ..hand.dealt import Hand
from ..proof.parts import Part, Parts
from . import acts
from .verdict import ACT, Case, Word

LEFT = "whether you left the chair before, only the whole log shows"
OTHER_CUT = "the hash agrees; whether your cut counts, only the whole log shows"
LEFT_BEFORE = "whether you left the chair before the bets stood, or the bet was changed, only the whole log shows"
WAIVED_ELSEWHERE = "an earlier round of the shoe may have it: only the whole log shows it"
NOT_HERE = "the entry that would have it is not in the proof: only the whole log shows it"
NOT_DEALT = "the proof has no `round`: get it again when the hand is over, or give the whole log"


class Left(NamedTuple):
    """What the proof does not decide."""

    word: Word
    why: str


def act_in(case: Case, parts: Parts, hand: Hand) -> Left | None:
    """Hold what the seat said against its entry."""
    do = case.form["do"]
    if do == SEED:
        return _seed(case, parts)
    if do == HASH:
        return _hash(case, parts)
    if do == DECISION:
        return _decision(case, parts, hand)
    return _offered(case, opening_of(parts)) if do == BET else _waiver(case, opening_of(parts))


def opening_of(parts: Parts) -> Part:
    """The `open` of the hand, which every proof has."""
    return next(part for part in parts.of("open") if part.entry["round"] == parts.number)


def _seed(case: Case, parts: Parts) -> Left | None:
    form, player = case.form, case.form["player"]
    for part in parts.of("opened"):
        if part.entry["player"] != player:
            continue
        if part.place == form["before"]:
            acts.own_entry(case, part.place, part.entry)
        else:
            case.differs(part.place, "before", form["before"], f"the seed as entry {part.place}")
        return None
    for part in parts.all:
        lapsed = part.entry["kind"] == "lapse" and part.entry["player"] == player
        if part.place == form["before"] or (lapsed and part.place > form["before"]):
            case.decide("missing", part.place, f"is another one ({part.entry['kind']})")
    return Left("not checked", NOT_HERE)


def _hash(case: Case, parts: Parts) -> Left | None:
    form, player = case.form, case.form["player"]
    for part in parts.of("seeds"):
        logged, cut = part.entry["hashes"].get(player), part.entry.get("cut") or {}
        if logged is None and player not in part.entry.get("unheard", ()):
            return Left("not checked", LEFT)
        if logged != form["hash"]:
            case.differs(part.place, f"hashes.{player}", form["hash"], logged)
        elif "cut" in form and cut.get("by") == player and cut["at"] != form["cut"]:
            case.differs(part.place, "cut.at", form["cut"], cut["at"])
        elif "cut" in form and cut.get("by") != player:
            return Left("not checked", OTHER_CUT)
        else:
            case.agree(ACT, part.place)
        return None
    return Left("not checked", NOT_HERE)


def _waiver(case: Case, opened: Part) -> Left | None:
    if case.form["seat"] not in opened.entry.get("waived", ()):
        return Left("not checked", WAIVED_ELSEWHERE)
    case.agree(ACT, opened.place)
    return None


def _betting(opened: Entry) -> list[dict[str, int]]:
    return [*opened["bets"], *opened.get("uncovered", ())]


def _offered(case: Case, opened: Part) -> Left | None:
    """What was offered counts against the house only where a receipt of the bet that stands does not decide it."""
    form, logged = case.form, _betting(opened.entry)
    seat: int = form["seat"]
    own = sorted((bet for bet in logged if bet["seat"] == seat), key=lambda bet: bet.get("box", seat))
    as_offered = own == bets_left(form["bets"], logged, seat) and (own or seat in opened.entry.get("passed", ()))
    if not as_offered and not case.superseded:
        return Left("not checked", LEFT_BEFORE)
    case.agree(ACT, opened.place, "it was changed afterwards" if case.superseded else "")
    return None


def _decision(case: Case, parts: Parts, hand: Hand) -> Left | None:
    form = case.form
    logged = next((part for part in parts.of("round") if part.entry["round"] == form["round"]), None)
    if logged is None:
        return Left("not checked" if hand.end_kind else "not yet", NOT_DEALT)
    if not acts.decision(case, logged.place, logged.entry):
        return None
    at = hand.position, hand.present, hand.shoe.told.cards
    seen = acts.seen(logged.entry, form, table=hand.before, bets=hand.bets, at=at)
    shown = form["view"].get("round")
    if seen is None or type(shown) is not dict:
        case.differs(logged.place, "view.round", shown, "a round that cannot be played")
    else:
        acts.same(case, ACT, logged.place, _known(seen, logged.entry), _known(shown, logged.entry), "view.round")
    return None


def _known(view: Entry, logged: Entry) -> Entry:
    """Without the balances of whom the round does not name."""
    chips = view.get("chips")
    named = (
        chips if type(chips) is not dict else {name: held for name, held in chips.items() if name in logged["chips"]}
    )
    return {**view, "chips": named}
