"""`seal`: the order is fixed from here on."""

from __future__ import annotations

from hashlib import sha256

from fairshoe.ceremony.book import one_round
from fairshoe.ceremony.contributing import may_seal, openers
from fairshoe.ceremony.ending import nothing_left
from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds

from ..findings.finding import Code
from ..walk.audit import Audit, EntryKind
from ..walk.clock import moment
from ..walk.shapes import count, hex32, identifier, record, seed, shape, text
from ..walk.state import Shoe

SHAPE = shape(
    {
        "burn": text,
        "beacon": record({"chain": seed, "round": count, "randomness": seed}, {"signature": seed}),
        "cards_root": hex32,
    },
    shoe=identifier,
)
CODES = (
    Code(
        "seed-missing",
        "contributions",
        "the house left out a player's seed",
        "Every seed whose hash was published, and a sole player's, is opened or struck before the seal, or the shoe is "
        "void.",
        next="Ask the player whether they opened their seed; if they did, the house left it out.",
    ),
    Code(
        "beacon-differs",
        "contributions",
        "another round of the beacon was used than the one announced",
        "Chain and round of the beacon are named at the commitment; its randomness is the SHA-256 of its signature. "
        "The signature itself is not checked here: hold the randomness against what the beacon published.",
    ),
    Code(
        "entropy-house-only",
        "contributions",
        "no player contributed to the shoe",
        "The order depends on the house's key alone: the commitment still binds it, but the house could have chosen "
        "the key among many. Only a shoe without a table may be so.",
        severity="note",
        fault="unknown",
        next="Ask whether players were invited and how; who takes part should send a seed.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    told, book, place, at = shoe.told, shoe.book, shoe.place, entry["at"]
    audit.report.checked("contributions")
    audit.check_late(shoe, at)
    _check_step(audit, shoe, at)
    _check_beacon(audit, shoe, entry)
    burns = book is not None and book.rules.burns and told.purpose is None
    if burns != ("burn" in entry):
        wanted = "a card" if burns else None
        audit.find("burn-differs", place, field="burn", expected=wanted, found=entry.get("burn"))
    if told.sealed:
        return
    shoe.beacon, shoe.burn, shoe.cards_root = entry.get("beacon"), entry.get("burn"), entry.get("cards_root")
    shoe.seal_line = audit.index
    if book is None or not one_round(book, told):
        shoe.until = moment(microseconds(at) + told.policy.shoe * SECOND)
    audit.count(shoe.table, shoe, entry)
    take(book, told, entry)
    told.position = int(burns)
    if not told.opened:
        audit.find("entropy-house-only", place, found=shoe.id)


def _check_step(audit: Audit, shoe: Shoe, at: str) -> None:
    told, book, place = shoe.told, shoe.book, shoe.place
    missing = openers(book, told)
    if missing and told.opening and not told.sealed:
        for who in missing:
            audit.find("seed-missing", place, expected=f"the seed of {who}")
    elif not may_seal(book, told) or (book is not None and nothing_left(book, told)):
        wanted = "one seal, after the seeds, and in a shoe of one round after the bets"
        audit.wrong_step(place, wanted, "seal")
    elif book is None and told.roster and not told.hashed:
        audit.check_limit(place, at, told.at, audit.started(shoe), told.policy.hash, "no hash came")


def _check_beacon(audit: Audit, shoe: Shoe, entry: Entry) -> None:
    announced, place = shoe.named_beacon, shoe.place
    used = entry.get("beacon")
    named = None if used is None else {"chain": used["chain"], "round": used["round"]}
    if named != announced:
        audit.find("beacon-differs", place, field="beacon", expected=announced, found=named)
    if used is not None and "signature" in used:
        hashed = sha256(bytes.fromhex(used["signature"])).hexdigest()
        if hashed != used["randomness"]:
            audit.find("beacon-differs", place, field="beacon.randomness", expected=hashed, found=used["randomness"])


KINDS = (EntryKind("seal", SHAPE, check),)
