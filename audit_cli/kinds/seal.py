"""`seal`: the seeds themselves, each as its hash was published; the order is fixed from here on."""

from __future__ import annotations

from hashlib import sha256

from fairshoe.log.canonical import Entry

from ..audit import Audit
from ..state import Shoe
from .open import check_waived
from .seeds import check_chosen

KIND = "seal"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    place = shoe.table.id if shoe.table else None
    if shoe.seal is not None or (len(shoe.roster) > 1 and shoe.hashes is None):
        audit.find("step-out-of-order", round=place, found="seal", expected="one seal, after the hashes")
    audit.report.checked("contributions")
    _check_seeds(audit, shoe, entry["seeds"], place)
    _check_cut(audit, shoe, entry, place)
    _check_beacon(audit, shoe, entry, place)
    shoe.seal = entry
    if not entry["seeds"] and "beacon" not in entry:
        audit.find("entropy-house-only", round=place, found=shoe.id)
    state = shoe.table
    if state is None:
        return
    if state.closed:
        audit.find("table-closed", round=place, found=shoe.id)
    if state.live[0] is not shoe:
        audit.find("reveal-overdue", entry=state.live[0].index, round=place, found=state.live[0].id)
    burns = state.rules.burns and shoe.purpose is None
    if burns != ("burn" in entry):
        audit.find(
            "burn-differs", round=place, field="burn", expected="a card" if burns else None, found=entry.get("burn")
        )
    shoe.position = 1 if burns else 0
    if state.rules.one_round and shoe.purpose is None:
        if state.open is None:
            audit.find(
                "step-out-of-order", round=place, found="seal", expected="bets before the seal of a one-round shoe"
            )
        else:
            check_waived(audit, state, shoe, state.open)


def _check_seeds(audit: Audit, shoe: Shoe, seeds: dict[str, str], place: str | None) -> None:
    hashes = shoe.hashes
    invited = shoe.roster if hashes is None else hashes
    for who, text in seeds.items():
        value = bytes.fromhex(text)
        field = f"seeds.{who}"
        if who not in invited or who not in shoe.roster:
            audit.find("seed-uninvited", round=place, field=field, expected=list(invited), found=who)
        elif hashes is not None and sha256(value).hexdigest() != hashes[who]:
            audit.find("seed-mismatch", round=place, field=field, expected=hashes[who], found=sha256(value).hexdigest())
        if not audit.unique(audit.seeds, value):
            audit.find("seed-reused", round=place, field=field, expected="a seed that was not used before", found=text)
    for who in hashes or ():
        if who not in seeds:
            audit.find("seed-missing", round=place, field=f"seeds.{who}", expected=f"the seed of {who}")


def _check_cut(audit: Audit, shoe: Shoe, entry: Entry, place: str | None) -> None:
    cut = entry.get("cut")
    cuts = shoe.table is None or shoe.table.rules.cut_range() is not None
    wanted = cuts and shoe.cut is None
    if (shoe.table is not None or shoe.cut is not None) and wanted != (cut is not None):
        audit.find("cut-differs", round=place, field="cut", expected="a cut" if wanted else None, found=cut)
    if cut is None:
        return
    if cut.get("by") is not None:
        if len(shoe.roster) != 1:
            audit.find("cut-differs", round=place, field="cut.by", expected="a cut in `seeds`", found=cut["by"])
        check_chosen(audit, shoe, cut)
    shoe.cut = cut


def _check_beacon(audit: Audit, shoe: Shoe, entry: Entry, place: str | None) -> None:
    announced = shoe.beacon
    used = entry.get("beacon")
    named = None if used is None else {"chain": used["chain"], "round": used["round"]}
    if named != announced:
        audit.find("beacon-differs", round=place, field="beacon", expected=announced, found=named)
    if used is not None and "signature" in used:
        hashed = sha256(bytes.fromhex(used["signature"])).hexdigest()
        if hashed != used["randomness"]:
            audit.find(
                "beacon-differs", round=place, field="beacon.randomness", expected=hashed, found=used["randomness"]
            )
