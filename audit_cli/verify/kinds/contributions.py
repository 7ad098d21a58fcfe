"""Contributions: hashes and the cut (`seeds`), opened seeds (`opened`), `lapse`, `late` seeds; and the `seal`."""

from __future__ import annotations

from collections.abc import Container
from hashlib import sha256
from itertools import islice
from typing import Any

from fairshoe.ceremony import contributing
from fairshoe.ceremony.book import Shoe
from fairshoe.ceremony.ending import all_bets_returned, may_begin_shoe
from fairshoe.ceremony.fold import apply_entry, beacon_of
from fairshoe.ceremony.stages import HASH, ONE, SEED
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.protocol.beacons import is_verified
from fairshoe.record.forms import table_of

from ..findings.finding import Place, codes_of
from ..findings.report import BEACONS
from ..walk.audit import Audit, EntryKind, handler_of
from ..walk.labels import check_known
from ..walk.shapes import count, cut, hex32, hex48, identifier, list_of, map_of, non_empty, record, seed, shape, text
from ..walk.state import AuditedShoe, moment
from .placement import PLACED, judge, rebuild_steps

SEEDS = shape({"cut": cut, "unheard": list_of(identifier)}, shoe=identifier, hashes=non_empty(map_of(hex32)))
OPENED = shape({"cut": cut}, shoe=identifier, player=identifier, seed=seed)
LAPSE = shape(shoe=identifier, player=identifier)
LATE = shape(shoe=identifier, player=identifier, seed=seed)
CODES = codes_of("""
seeds-differ: contributions
  the house hides whom it waited for and did not hear, or names somebody whom it did not wait for
  `missing_hashes` are those of the roster who are waited for and whose hash is missing, in the roster's order.
lapse-not-allowed: contributions
  the house left out a seed although somebody had opened, or nobody else remained
  Once a seed is open, or for the last who remains, a missing seed makes the shoe void.
seed-not-owed: contributions
  an entry was moved, doubled or invented
  A seed is handed in once, by whoever owes it, and named after its own shoe.
seed-missing: contributions
  the house left out a player's seed
  Every seed whose hash was published, and a sole player's, is opened or struck before the seal, or the shoe is
  void.
  next: Ask the player whether they opened their seed; if they did, the house left it out.
beacon-differs: contributions
  another round of the beacon was used than the one announced
  Chain and round of the beacon are named at the commitment; its randomness is the SHA-256 of its signature. In version
  1 the signature itself is not checked: hold the randomness against what the beacon published.
beacon-known: contributions
  the house knew the beacon before it fixed the key, the seeds or the cut
  Key, hashes, cut, bets, opened seeds and lapses stand in the log before the round that the `shoe` names comes out.
beacon-forged: contributions
  the house used another random number than the beacon published
  The signature in the `seal` is not that of the round that the `shoe` names, by the public key of drand's quicknet.
entropy-house-only: contributions, note, unknown
  no player contributed to the shoe
  The order depends on the house's key alone: the commitment still binds it, but the house could have chosen the key
  among many. Only a shoe without a table may be so.
  next: Ask whether players were invited and how; who takes part should send a seed.
""")


def check_seeds(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    told, hashes, at = shoe.book_shoe, entry["hashes"], entry["at"]
    audit.report.checked("contributions")
    audit.count(shoe.table, shoe, entry)
    audit.check_late(shoe, at)
    if not audit.in_turn(shoe, "seeds"):
        return
    if shoe.book is not None and not may_begin_shoe(shoe.book, at):
        audit.find("table-closed", shoe.place, expected="the shoe void, since the table is closed", found=shoe.id)
    for who in hashes:
        field = f"hashes.{who}"
        if who not in told.roster or who in told.struck:
            invited = [name for name in told.roster if name not in told.struck]
            audit.find("seed-uninvited", shoe.place, field=field, expected=invited, found=who)
    audit.claim(entry, shoe.place)
    check_beacon_ahead(audit, told, at, shoe.place)
    _check_limits(audit, shoe, entry)
    if "cut" in entry:
        shoe.cut_line = audit.index
        check_chosen(audit, shoe, entry["cut"], hashes)
    apply_entry(
        shoe.book, told, entry | {"hashes": {who: value for who, value in hashes.items() if who in told.roster}}
    )


def _check_limits(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    """Check that players without a hash are named, and that their time limit was over."""
    told, book, hashes, at = shoe.book_shoe, shoe.book, entry["hashes"], entry["at"]
    started = audit.last_limit_restart(shoe)
    silent = contributing.missing_hashes(book, told, hashes)
    if entry.get("unheard", []) != silent:
        audit.find("seeds-differ", shoe.place, field="unheard", expected=silent, found=entry.get("unheard"))
    if silent:
        audit.check_limit(shoe.place, at, told.at, started, told.policy.hash, "a hash is missing")
    if told.cutter is not None and told.cutter in hashes and "cut" not in entry and contributing.is_cut(told):
        seat = None if book is None else book.seat_of(told.cutter)
        if book is None or (seat is not None and not book.chairs[seat].is_absent):
            audit.check_limit(shoe.place, at, told.at, started, told.policy.cut, "the cut is missing")


def check_chosen(audit: Audit, shoe: AuditedShoe, chosen: dict[str, Any], invited: Container[str]) -> None:
    """A cut that a player chose: one who may cut and contributes, within the rules' range, of a deck that is cut."""
    told, book = shoe.book_shoe, shoe.book
    audit.report.checked("contributions")
    if not contributing.is_cut(told):
        audit.find("cut-differs", shoe.place, field="cut", expected="no cut of this deck", found=chosen)
    able = [who for who in contributing.cutters(book, told) if who in invited]
    if chosen["by"] not in able:
        audit.find("cut-differs", shoe.place, field="cut.by", expected=able, found=chosen["by"])
    low, high = contributing.cut_range(None if book is None else book.rules, told)
    if not low <= chosen["at"] <= high:
        audit.find("cut-differs", shoe.place, field="cut.at", expected=f"{low} to {high}", found=chosen["at"])


def check_opened(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    told, player = shoe.book_shoe, entry["player"]
    audit.check_late(shoe, entry["at"])
    if not check_turn(audit, shoe, player, "opened"):
        return
    check_beacon_ahead(audit, told, entry["at"], shoe.place)
    audit.count(shoe.table, shoe, entry)
    if told.alone:
        _check_sole(audit, shoe, entry)
    else:
        digest = sha256(bytes.fromhex(entry["seed"])).hexdigest()
        if digest != told.hashes[player]:
            audit.find("seed-mismatch", shoe.place, field="seed", expected=told.hashes[player], found=digest)
        if "cut" in entry:
            audit.find("cut-differs", shoe.place, field="cut", expected="no cut but in `seeds`", found=entry["cut"])
            entry = {name: value for name, value in entry.items() if name != "cut"}
    apply_entry(shoe.book, told, entry)


def _check_sole(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    """A sole player sent no hash, and cuts now."""
    audit.claim(entry, shoe.place)
    if "cut" in entry:
        shoe.cut_line = audit.index
        check_chosen(audit, shoe, entry["cut"], [entry["player"]])


def check_turn(audit: Audit, shoe: AuditedShoe, player: str, kind: str) -> bool:
    """Whether the opening has begun and this contributor's seed is still to come; also report whose turn it is not."""
    told = shoe.book_shoe
    audit.report.checked("contributions")
    audit.in_turn(shoe, kind)
    waited = contributing.openers(shoe.book, told)
    if player not in waited:
        audit.find("seed-uninvited", shoe.place, field="player", expected=waited, found=player)
        promised = () if told.player_places else told.roster if told.alone else told.hashes
        return player in promised and player not in told.struck and player not in told.opened
    if waited[0] != player:
        audit.find("seed-out-of-turn", shoe.place, field="player", expected=waited[0], found=player)
    return True


def check_lapse(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    told, at = shoe.book_shoe, entry["at"]
    audit.count(shoe.table, shoe, entry)
    audit.check_late(shoe, at)
    if not check_turn(audit, shoe, entry["player"], "lapse"):
        return
    check_beacon_ahead(audit, told, at, shoe.place)
    if not contributing.only_strikes(shoe.book, told):
        audit.find("lapse-not-allowed", shoe.place, expected="the shoe void", found=entry["player"])
    if told.seed_wait_since:
        audit.check_limit(
            shoe.place,
            at,
            told.seed_wait_since,
            audit.last_limit_restart(shoe),
            told.policy.seed,
            "the seed is missing",
        )
    apply_entry(shoe.book, told, entry)


def check_late_seed(audit: Audit, entry: Entry, line: bytes) -> None:
    try:
        name = table_of(entry["shoe"])[0]
    except InputError:
        name = entry["shoe"]
    state = audit.table(name)
    if state is None:
        return
    place = state.place._replace(shoe=entry["shoe"])
    audit.report.checked("contributions")
    audit.count(state, None, entry)
    debt = state.book.debts.get(entry["player"])
    owed = {} if debt is None else debt.seeds
    if entry["shoe"] not in owed:
        audit.find("seed-not-owed", place, field="player", expected=list(islice(owed, 8)), found=entry["player"])
        return
    digest = sha256(bytes.fromhex(entry["seed"])).hexdigest()
    if digest != owed[entry["shoe"]]:
        audit.find("seed-mismatch", place, field="seed", expected=owed[entry["shoe"]], found=digest)
    apply_entry(state.book, state.book.shoe, entry)


SEAL = shape(
    {
        "burn": text,
        "beacon": record({"chain": seed, "round": count, "randomness": seed}, {"signature": seed}),
        "beacon_signature": hex48,
        "cards_root": hex32,
        "placed": PLACED,
    },
    shoe=identifier,
)


def check_seal(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    told, book, place, at = shoe.book_shoe, shoe.book, shoe.place, entry["at"]
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
    shoe.burn, shoe.cards_root = entry.get("burn"), entry.get("cards_root")
    shoe.seal_line = audit.index
    if shoe.burn is not None:
        check_known(audit, shoe, place, "burn", [shoe.burn])
    if shoe.cards_root is None and (told.placer is not None or told.told_cards is not None):
        audit.find("cards-root-differs", place, field="cards_root", expected="the root that binds the cards")
    asking = rebuild_steps(audit, shoe, entry, deals=False) if burns else None
    if asking is not None:
        asking.card(0)
    if asking is not None or "placed" in entry:
        judge(audit, shoe, entry, asking, place)
    if told.course is not ONE:
        shoe.until = moment(microseconds(at) + told.policy.shoe * SECOND)
    audit.count(shoe.table, shoe, entry)
    apply_entry(book, told, entry)
    told.position = int(burns)
    if not (told.opened or told.player_places or told.beacon_round):
        audit.find("entropy-house-only", place, found=shoe.id)


def _check_step(audit: Audit, shoe: AuditedShoe, at: str) -> None:
    told, book, place = shoe.book_shoe, shoe.book, shoe.place
    missing = contributing.openers(book, told)
    if missing and told.stage is SEED:
        for who in missing:
            audit.find("seed-missing", place, expected=f"the seed of {who}")
    elif not audit.in_turn(shoe, "seal"):
        return
    elif not contributing.may_seal(book, told) or (book is not None and all_bets_returned(book, told)):
        audit.wrong_step(place, "a seed that is open, and in a shoe of one round a bet that remains", "seal")
    elif told.stage is HASH and told.roster and told.told_cards is not None:  # nobody was heard, as the house says
        audit.wrong_step(place, "a seed that is open, or a shoe without players", "seal")
    elif told.stage is HASH and told.roster:
        audit.check_limit(place, at, told.at, audit.last_limit_restart(shoe), told.policy.hash, "no hash came")


def _check_beacon(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    announced, place = shoe.named_beacon, shoe.place
    used = entry.get("beacon")
    named = None if used is None else {"chain": used["chain"], "round": used["round"]}
    if named != announced:
        audit.find("beacon-differs", place, field="beacon", expected=announced, found=named)
    if used is not None and "signature" in used:
        hashed = sha256(bytes.fromhex(used["signature"])).hexdigest()
        if hashed != used["randomness"]:
            audit.find("beacon-differs", place, field="beacon.randomness", expected=hashed, found=used["randomness"])
    _check_signature(audit, shoe, entry)


def _check_signature(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    """The signature of the round that the `shoe` names, which is not there before the round comes out."""
    told, place, signature = shoe.book_shoe, shoe.place, entry.get("beacon_signature")
    field = "beacon_signature"
    if (signature is None) == bool(told.beacon_round):
        wanted = f"the signature of round {told.beacon_round}" if told.beacon_round else None
        audit.find("beacon-differs", place, field=field, expected=wanted, found=signature)
        return
    used = beacon_of(told, entry) if signature is not None else None
    if used is None:
        return
    if microseconds(entry["at"]) < (out := contributing.beacon_time(told)):
        audit.find("limit-early", place, field="at", expected=f"{moment(out)}: round {used.round}", found=entry["at"])
    try:
        if not is_verified(used, signature):
            audit.unchecked["contributions", BEACONS] += 1
    except VerificationError as error:
        audit.find("beacon-forged", place, field=field, expected=error.expected, found=signature)


def check_beacon_ahead(audit: Audit, told: Shoe, at: str, place: Place) -> None:
    """Whoever knows a beacon's round chooses no key, seed, lapse, cut or bet any more: these stand before it is out."""
    if contributing.is_beacon_out(told, microseconds(at)):
        wanted = f"before {moment(contributing.beacon_time(told))}: round {told.beacon_round}"
        audit.find("beacon-known", place, field="at", expected=wanted, found=at)


KINDS = (
    EntryKind("seeds", SEEDS, handler_of(Audit.shoe, check_seeds)),
    EntryKind("opened", OPENED, handler_of(Audit.shoe, check_opened)),
    EntryKind("lapse", LAPSE, handler_of(Audit.shoe, check_lapse)),
    EntryKind("late", LATE, check_late_seed),
    EntryKind("seal", SEAL, handler_of(Audit.shoe, check_seal)),
)
