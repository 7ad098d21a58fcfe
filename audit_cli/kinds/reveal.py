"""`reveal`: the key is out; every card, draw, cut and burned card of the shoe is rebuilt from it."""

from __future__ import annotations

from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.record.entries import reveal_entry
from fairshoe.record.openings import cards_root

from ..audit import Audit, aged
from ..differ import Difference
from ..rebuild import check_dealt
from ..state import Shoe, TableState

KIND = "reveal"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    state = shoe.table
    place = state.id if state else None
    audit.report.checked("commitment", "completeness")
    if shoe.seal is None:
        audit.find("step-out-of-order", round=place, expected="a sealed shoe", found="reveal")
    if state is not None and state.open is not None and state.live[0] is shoe:
        audit.find("step-out-of-order", round=state.name(state.open.number), expected="no open round", found="reveal")
        state.open = None
    if audit.key_fits(shoe, entry["key"]) and shoe.seal is not None:
        _check_order(audit, shoe, bytes.fromhex(entry["key"]), entry, line)
    if state is not None:
        _check_life(audit, state, shoe, entry)
        if entry["why"] == "closing":
            state.closed = True
    audit.end(shoe)


def _check_order(audit: Audit, shoe: Shoe, key: bytes, entry: Entry, line: bytes) -> None:
    place = shoe.table.id if shoe.table else None
    audit.report.checked("shuffle", "cards")
    try:
        sealed = sealed_of(shoe, key)
    except InputError as error:
        audit.refused("cut-differs" if error.where == "cut" else "shoe-differs", error, place)
        return
    draws = {name: sealed.number(name) for name in shoe.draws}
    end = min(entry["end"], len(shoe.deck)) if shoe.table is None else shoe.position
    expected = reveal_entry(entry["at"], shoe.id, entry["key"], draws, end, entry["why"])
    audit.compare(expected, entry, line, _code, place)
    if shoe.cut is not None and "by" not in shoe.cut:
        drawn = draws.get("cut")
        if shoe.cut["at"] != drawn:
            audit.find("cut-differs", round=place, field="cut.at", expected=drawn, found=shoe.cut["at"])
    _check_root(audit, shoe, key, sealed, place)
    check_dealt(audit, shoe, sealed)


def _check_root(audit: Audit, shoe: Shoe, key: bytes, sealed: Sealed, place: str | None) -> None:
    """A seal that binds the cards by itself binds these."""
    bound = (shoe.seal or {}).get("cards_root")
    if bound is not None:
        root = cards_root(key, sealed.transcript.digest, sealed.order())
        if root != bound:
            audit.find("cards-root-differs", round=place, field="cards_root", expected=root, found=bound)


def sealed_of(shoe: Shoe, key: bytes) -> Sealed:
    """The shoe's order from its key and what the seal says. Raises InputError."""
    entry = shoe.seal or {"seeds": {}}
    seeds = entry["seeds"]
    beacon = entry.get("beacon")
    return seal(
        key=key,
        shoe=shoe.id,
        deck=shoe.deck,
        seeds=[(who, bytes.fromhex(seeds[who])) for who in shoe.roster if who in seeds],
        beacon=None if beacon is None else (beacon["chain"], beacon["round"], beacon["randomness"]),
        cut=0 if shoe.cut is None else shoe.cut["at"],
        draws=shoe.draws,
    )


def _code(difference: Difference) -> str:
    top = difference.path.partition(".")[0]
    return {"draws": "draw-differs", "end": "position-differs"}.get(top, "field-invalid")


def _check_life(audit: Audit, state: TableState, shoe: Shoe, entry: Entry) -> None:
    """A shoe is dealt from until it is worn, and then no more."""
    draws = entry["draws"]
    rules = state.rules
    if shoe.purpose is not None:
        if not shoe.rounds or entry["why"] != "worn":
            wanted = "worn by the first banker's draw"
            audit.find("shoe-retired-early", round=state.id, field="why", expected=wanted, found=entry["why"])
        return
    if shoe.seal is None or not set(rules.draws()) <= set(draws):
        return
    *earlier, last = [rules.worn(dealt.end, dealt.present, draws) for dealt in shoe.rounds] or [False]
    for dealt, worn in zip(shoe.rounds, earlier, strict=False):
        if worn:
            audit.find(
                "shoe-not-retired",
                entry=dealt.line,
                round=state.name(dealt.number),
                expected="a new shoe after this round",
            )
    allowed = {
        "worn": last,
        "bank": shoe.bank_moved or rules.needs_first_bank(state.table),
        "age": aged(state, shoe.seal["at"], entry["at"]),
        "closing": True,
    }
    if not allowed[entry["why"]]:
        audit.find("shoe-retired-early", round=state.id, field="why", expected="a worn shoe", found=entry["why"])
