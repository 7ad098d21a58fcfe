"""Tell one card of a shoe without a table from a proof file: what was told of it, and what the key says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from fairshoe.ceremony.drawing import labels_at
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.canonical import Entry, parse
from fairshoe.log.hand_proof import HandProof
from fairshoe.record.hand_entries import ENDS, draw_of

from ...verify.findings.finding import Finding
from ...verify.findings.report import Report
from ...verify.kinds.reveal import rebuild_order
from ...verify.registry import new_audit
from ...verify.walk.audit import Audit
from ...verify.walk.shapes import hex32
from ...verify.walk.state import AuditedShoe
from ..outcome import Outcome, decisive_findings, describe_findings, pass_outcome

BETWEEN = frozenset(("step-late", "step-overdue"))
"""Findings that rest on entries that are not in the file."""


def tell_draw(proof: HandProof, watch: Callable[[Audit, bytes], None]) -> tuple[Outcome, list[str]]:
    """Return the outcome and the lines of a proof whose entries stand in the log that the house signed, and have their
    form. Raises InputError for a file of no card."""
    name, pos = draw_of(proof.round)
    entries = [parse(each.line) for each in proof.entries]
    for fault in ("openings",) if proof.openings else _faults(entries, name, pos):
        raise InputError(f"not a proof of one card: {fault}", where="entries", expected="the shoe's own, and no others")
    report = Report(everything=True)
    report.not_told = BETWEEN
    audit, seen, failed, lines = new_audit(report), None, None, list[str]()
    try:
        for each, entry in zip(proof.entries, entries, strict=True):
            shoe = audit.shoes.get(name)
            if shoe is not None and entry["kind"] in ("drawn", "gathered", "reveal"):  # others are not there
                position = int(entry["end" if entry["kind"] == "reveal" else "pos"])
                shoe.book_shoe.position = max(shoe.book_shoe.position, position)  # none is ever lower
                shoe.astray = sys.maxsize  # nor the steps of a placer
            seen = shoe or seen
            audit.index = each.place - 1
            watch(audit, each.line)
        if seen is None:
            raise LookupError("no shoe")
        drawn = next(entry for entry in entries if entry["kind"] == "drawn")
        lines = list(_lines(entries, drawn, seen, pos))
    except (FairshoeError, LookupError, ValueError, TypeError) as error:  # a house may sign anything
        failed = error
    own = ("", f"cards.{pos}")  # of a `shown`, whose other cards entries tell that are not there
    if found := [each for each in decisive_findings(report.findings) if _shown_card(each) in own]:
        return Outcome("FAIL", f"card {pos} of shoe {name} does not hold"), [*lines, *describe_findings(found)]
    if seen is None or failed is not None:
        return Outcome("CANNOT SAY", f"card {pos} of shoe {name} could not be followed: {failed}", False), []
    placer, kinds = seen.book_shoe.placer, {entry["kind"] for entry in entries}
    if kinds.isdisjoint(ENDS) or (placer is not None and "placed" not in kinds):
        whose = "its key" if kinds.isdisjoint(ENDS) else "its placer's key"
        what = f"card {pos} of shoe {name} stands in the log, and {whose} is not out"
        return Outcome("PASS so far", what, False), lines
    audit.leave_beacons()
    return pass_outcome(f"card {pos} of shoe {name} is the one that the key gives", report), lines


OF_CARD = frozenset(("shoe", "deck", "seeds", "opened", "lapse", "seal", "gathered", "drawn", "shown", "placed", *ENDS))
"""Kinds of entries that the proof of a card may have."""


def _faults(entries: list[Entry], name: str, pos: int) -> Iterator[str]:
    """Describe what is missing or too much. Without this a file of an honest log could accuse its house, or show a
    hidden card as another."""
    of: dict[str, list[Entry]] = {kind: [] for kind in OF_CARD}
    for each in entries:
        of.setdefault(each["kind"], []).append(each)
    if of.keys() > OF_CARD:
        yield "a kind of entry that no card needs"
    if any(len(of[kind]) != 1 for kind in ("shoe", "seal", "drawn")):
        yield "one `shoe`, one `seal` and one `drawn`"
        return
    (shoe,), (drawn,) = of["shoe"], of["drawn"]
    ends = sum(len(of[kind]) for kind in ENDS)
    if len(of["seeds"]) > 1 or ends > 1 or len(of["placed"]) > ends:
        yield "one `seeds` and one end at most, and `placed` after it"
    if any(each["shoe"] != name for each in entries if each["kind"] != "deck"):
        yield f"entries of shoe {name}"
    parts = [(each["deck"], each["part"], each["parts"]) for each in of["deck"]]
    whole = [(shoe["deck"], part, len(parts)) for part in range(1, len(parts) + 1)]
    if parts != whole or bool(parts) != hex32(shoe["deck"]):
        yield "the parts of its deck"
    known = {each["player"] for each in [*of["opened"], *of["lapse"]]}
    if (shoe["roster"] and not of["seeds"]) or not {who for each in of["seeds"] for who in each["hashes"]} <= known:
        yield "its seeds"
    if not 0 <= pos - drawn["pos"] < drawn.get("hidden", len(drawn.get("cards", ()))):
        yield "the `drawn` that tells of the card"
    before = entries[: entries.index(drawn)]
    if not (sum(each["kind"] == "gathered" for each in before) == len(of["gathered"]) == drawn.get("gathered", 0)):
        yield "each `gathered` before it, and no other"
    if any(str(pos) not in each["cards"] for each in of["shown"]):
        yield "each `shown` of the card alone"


def _shown_card(finding: Finding) -> str:
    """Return the field of a finding if it is about one card of a `shown`, else ""."""
    return finding.field if finding.field is not None and finding.field.startswith("cards.") else ""


def _lines(entries: list[Entry], drawn: Entry, shoe: AuditedShoe, pos: int) -> Iterator[str]:
    """Tell the commitment, who made the order, what was told of the card, and what the key gives."""
    yield f"1. The house committed to a key: SHA-256 {shoe.commitment}."
    number = shoe.book_shoe.beacon_round
    from_whom = [*shoe.book_shoe.opened, *([f"round {number} of drand's quicknet"] if number else [])]
    yield f"2. Entropy: {', '.join(from_whom) or 'house only'}."
    label = drawn["cards"][pos - drawn["pos"]] if "cards" in drawn else None
    shown = next((entry["cards"][str(pos)] for entry in entries if entry["kind"] == "shown"), None)
    whose = f"hidden to {drawn['to']}" if "to" in drawn else "hidden"
    yield f"3. Drawn at {drawn['at']}: {label or whose}{f', shown as {shown}' if shown else ''}."
    key = next((entry.get("key") for entry in entries if entry["kind"] in ENDS), None)
    if key is not None and shoe.book_shoe.sealed:
        by = "" if shoe.book_shoe.placer is None else f" and the place that {shoe.book_shoe.placer.name} gave"
        gathers = () if shoe.book_shoe.told_cards is None else shoe.book_shoe.told_cards.gathers
        yield f"4. The key {key}{by} gives {labels_at(rebuild_order(shoe, bytes.fromhex(key)), gathers).get(pos)}."
