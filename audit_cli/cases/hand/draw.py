"""Tell one card of a shoe without a table from a proof file: what was told of it, and what the key says."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fairshoe.ceremony.drawing import labels_at
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.canonical import Entry, parse
from fairshoe.log.hand_proof import HandProof
from fairshoe.record.hand_entries import ENDS, draw_of

from ...verify.findings.report import Report
from ...verify.kinds.reveal import rebuild_order
from ...verify.registry import new_audit
from ...verify.walk.state import AuditedShoe
from ..outcome import Outcome, decisive_findings, describe_findings, pass_outcome

BETWEEN = frozenset(("step-late", "step-overdue"))
"""Findings that rest on entries that are not in the file."""


def tell_draw(proof: HandProof) -> tuple[Outcome, list[str]]:
    """Return the outcome and the lines of a proof whose entries stand in the log that the house signed. Raises
    InputError for a file of no card."""
    name, pos = draw_of(proof.round)
    report = Report(everything=True)
    report.not_told = BETWEEN
    audit, seen = new_audit(report), None
    try:
        entries = [parse(each.line) for each in proof.entries]
        whole = _is_whole(entries, pos)
        for each, entry in zip(proof.entries, entries, strict=True):
            shoe = audit.shoes.get(name)
            if shoe is not None and entry["kind"] in (
                "drawn",
                "gathered",
                "reveal",
            ):  # others are not there
                shoe.book_shoe.position = int(entry["end" if entry["kind"] == "reveal" else "pos"])
                shoe.astray = sys.maxsize  # nor the steps of a placer
            seen = shoe or seen
            audit.index = each.place - 1
            audit.take(each.line)
        drawn = next((entry for entry in entries if entry["kind"] == "drawn"), None)
    except (FairshoeError, LookupError, ValueError, TypeError) as error:  # a house may sign anything
        return Outcome("CANNOT SAY", f"card {pos} of shoe {name} could not be followed: {error}", False), []
    if not whole or drawn is None or seen is None or any(entry.get("shoe", name) != name for entry in entries):
        raise InputError("not a proof of one card", where="entries", expected="the shoe's own, and what tells of it")
    lines = list(_lines(entries, drawn, seen, pos))
    if found := decisive_findings(report.findings):
        return Outcome("FAIL", f"card {pos} of shoe {name} does not hold"), [*lines, *describe_findings(found)]
    placer, kinds = seen.book_shoe.placer, {entry["kind"] for entry in entries}
    if kinds.isdisjoint(ENDS) or (placer is not None and "placed" not in kinds):
        whose = "its key" if kinds.isdisjoint(ENDS) else "its placer's key"
        what = f"card {pos} of shoe {name} stands in the log, and {whose} is not out"
        return Outcome("PASS so far", what, False), lines
    audit.leave_beacons()
    return pass_outcome(f"card {pos} of shoe {name} is the one that the key gives", report), lines


def _is_whole(entries: list[Entry], pos: int) -> bool:
    """Whether the file has the deck, the seal, each seed and what tells of the card: else a file of an honest log could
    accuse its house."""
    of: dict[str, list[Entry]] = {}
    for each in entries:
        of.setdefault(each["kind"], []).append(each)
    shoes, decks, seeds, drawn = (of.get(kind, []) for kind in ("shoe", "deck", "seeds", "drawn"))
    known = {each["player"] for each in [*of.get("opened", ()), *of.get("lapse", ())]}
    return (
        bool(of.get("seal"))
        and all(":" in each["deck"] or (decks[:1] and len(decks) == decks[0]["parts"]) for each in shoes)
        and (bool(seeds) or not any(each["roster"] for each in shoes))
        and {who for each in seeds for who in each["hashes"]} <= known
        and all(0 <= pos - each["pos"] < each.get("hidden", len(each.get("cards", ()))) for each in drawn)
        and all(str(pos) in each["cards"] for each in of.get("shown", ()))
    )


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
