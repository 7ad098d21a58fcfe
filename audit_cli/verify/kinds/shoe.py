"""`deck` and `shoe`: a deck that is not French; a commitment, with roster, draws and table as prescribed."""

from __future__ import annotations

from typing import Any

from fairshoe.cards import PACKS, named_deck
from fairshoe.ceremony.choices import REPEATED_ROUND
from fairshoe.ceremony.contributing import may_be_away, next_shoe_fields
from fairshoe.ceremony.ending import may_begin_shoe
from fairshoe.ceremony.fold import apply_entry
from fairshoe.engine.round import replay_bank
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry, in_profile, text_of
from fairshoe.protocol.deck import MAX_CARDS, Deck, deck_of
from fairshoe.protocol.word_stream import check_draws
from fairshoe.record.entries import chips_form, shoe_entry
from fairshoe.record.forms import FIRST, table_of
from fairshoe.record.hand_entries import LEFT_OUT

from ..findings.finding import Place, codes_of
from ..walk.audit import Audit, EntryKind
from ..walk.digest_set import digest_of
from ..walk.shapes import (
    count,
    hex32,
    identifier,
    integer,
    list_of,
    map_of,
    number,
    one_of,
    range_size,
    record,
    seats,
    seed,
    shape,
    text,
    true,
)
from ..walk.state import MAX_PACKS, MAX_ROSTER, AuditedShoe, AuditedTable, logged_table
from .contributions import check_beacon_ahead
from .placement import COMMITTED, check_committed
from .table import logged_policy

DECK = shape(deck=hex32, part=number, parts=number, labels=list_of(text))


def check_deck(audit: Audit, entry: Entry, line: bytes) -> None:
    name, part, parts = entry["deck"], entry["part"], entry["parts"]
    known, last, labels = audit.parts.pop(name, (parts, 0, []))
    if name in audit.decks or part != last + 1 or parts != known or part > parts:
        expected = "no deck twice" if name in audit.decks else f"part {last + 1} of the same number of parts"
        audit.find("step-out-of-order", field="part", expected=expected, found=f"{part} of {parts}")
        if last and name not in audit.decks:
            audit.parts[name] = known, last, labels
        return
    labels += entry["labels"]
    if part < parts and len(labels) <= MAX_CARDS:
        audit.parts[name] = parts, part, labels
        return
    try:
        deck = deck_of(labels)
    except InputError as error:
        audit.refused("shoe-differs", error)
        return
    audit.report.checked("commitment")
    if deck.hash != name:
        audit.find("shoe-differs", field="deck", expected=deck.hash, found=name)
    audit.decks[name] = deck


STARTS = '"bank":'
SHOE = shape(
    {
        "bank": identifier,
        "chips": map_of(integer),
        "memory": map_of(integer),
        "paid": seats,
        "policy": map_of(count),
        "cutter": identifier,
        "purpose": one_of("bank"),
        "owes": seats,
        "waits": seats,
        "away": seats,
        "beacon": record({"chain": seed, "round": count}),
        "beacon_round": number,
        "placer": COMMITTED,
        "told": true,
        "rules_hash": hex32,
    },
    shoe=identifier,
    deck=text,
    cards=number,
    commitment=hex32,
    roster=list_of(identifier),
    draws=map_of(range_size),
)
CODES = codes_of("""
commitment-reused: commitment
  a key was used for two shoes, or the house took as a commitment what another one or a seed's hash had been
  Commitments are unique in a log, and no hash of a seed is one: who saw what is behind the first would know the
  second. A house refuses a placer's commitment that stands there already.
away-not-allowed: contributions
  the house left a player out of the shuffle
  A chair may be left out of a roster as `away` only after two lapsed limits in a row, both in the log.
beacon-at-table: contributions
  the house mixed a random number in that nobody has checked
  A table's shoe has no beacon of version 1, whose signature nobody verifies.
""")
MAX_SHOE_FORMS = 64
"""Forms of `shoe` entries that are kept of a table."""
OF_TABLES = ("bank", "chips", "memory", "paid", *LEFT_OUT, "purpose")


def try_fast_path(audit: Audit, at: str, text: str) -> bool:
    """Take a line that is exactly what the table's book has its next shoe say; anything else is left to `check`."""
    name, commitment = _cut(text)
    if not identifier(name) or not hex32(commitment) or digest_of(name) in audit.names:
        return False
    state, number = _table(audit, name)
    if state is None:
        return False
    try:
        expected, wanted = _next_shoe(state, at, name, commitment)
    except Exception:  # a hostile log's book: `check` says what is the matter
        return False
    table = state.book.table
    if wanted != text or not in_profile(*table.purse.values(), *table.memory.values()):
        return False
    audit.entry = expected
    _check(audit, expected, None, state, number)
    return True


def _next_shoe(state: AuditedTable, at: str, name: str, commitment: str) -> tuple[Entry, str]:
    """Return a table's next `shoe` and its text; the text of one with the same bank and memory is reused."""
    table, says = state.book.table, next_shoe_fields(state.book, (), at)
    key = (table.bank, *table.memory.values())
    rest = (says | {"table": None}, table.rules.export_memory(table), [*table.purse])
    kept = state.shoe_forms.get(key)
    if kept is None or kept[0] != rest:
        entry = shoe_entry("%s", "%s", commitment="%s", **says)
        form = text_of(entry | {"chips": dict.fromkeys(entry["chips"], "%d")}).replace('"%d"', "%d")
        if len(state.shoe_forms) == MAX_SHOE_FORMS:
            state.shoe_forms.clear()
        kept = state.shoe_forms[key] = rest, entry, form
    _, entry, form = kept
    chips = chips_form(table.purse)
    amounts = [chips[account] for account in sorted(chips)]
    written = {"at": at, "chips": chips, "commitment": commitment, "shoe": name}
    return entry | written, form % (at, *amounts, commitment, name)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    name = entry["shoe"]
    if digest_of(name) in audit.names:
        audit.find("number-gap", Place(shoe=name), field="shoe", expected="a new shoe", found=name)
        return
    _check(audit, entry, line, *_table(audit, name))


def _check(audit: Audit, entry: Entry, line: bytes | None, state: AuditedTable | None, number: int) -> None:
    """`line`: None where the entry is known to be just what the table's book prescribes."""
    name = entry["shoe"]
    place = Place(None if state is None else state.id, name)
    deck = _deck(audit, entry, state, place)
    if deck is None:
        return
    audit.report.checked("commitment")
    audit.claim(entry, place)
    check_committed(audit, state, entry, place)
    audit.count(state, None, entry)
    roster = list(dict.fromkeys(entry["roster"]))[:MAX_ROSTER]
    followed = entry | {"cards": len(deck), "roster": roster}
    if state is None:
        _check_alone(audit, entry, place)
        followed["policy"] = logged_policy(audit, entry.get("policy", {}), place)._asdict()
    else:
        audit.report.checked("completeness")
        if number != state.book.shoes + 1:
            audit.find("number-gap", place, field="shoe", expected=state.book.shoes + 1, found=number)
        _check_table(audit, state, entry, line, place)
    told = apply_entry(None if state is None else state.book, None, followed)
    if told is None:
        return
    if state is not None:
        state.book.shoes = max(state.book.shoes - 1, number)
    check_beacon_ahead(audit, told, entry["at"], place)
    step = audit.hour(entry["at"])
    audit.shoes[name] = AuditedShoe(told, state, audit.index, entry["commitment"], deck, entry.get("beacon"), step=step)
    if audit.note_shoe(entry):
        audit.report.choices.add_one(name, REPEATED_ROUND)
    audit.alone += state is None


def _cut(text: str) -> tuple[str, str]:
    """Id and commitment cut out of the line of a `shoe`. A wrong cut does no harm: the whole line is compared."""
    start = text.find('"commitment":"') + 14
    return text[text.rfind('"shoe":"') + 8 : text.rfind('","v":')], text[start : start + 64]


def _table(audit: Audit, name: str) -> tuple[AuditedTable | None, int]:
    """Return the table that a shoe's id names, if it is open, and the shoe's number."""
    try:
        table, number = table_of(name)
    except InputError:
        return None, 0
    return (audit.table(table), number) if table in audit.tables else (None, 0)


def _deck(audit: Audit, entry: Entry, state: AuditedTable | None, place: Place) -> Deck | None:
    """Return the deck that an entry names; a table's own where it names another."""
    name = entry["deck"]
    deck = audit.decks.get(name) if state is None else None
    if state is not None and name != state.book.rules.deck:
        name = state.book.rules.deck  # that it is another is found when the entry is compared
    if deck is None:
        try:
            deck = named_deck(name, MAX_PACKS)
        except InputError:
            named = ", ".join(f"{pack}:1 to {pack}:{MAX_PACKS}" for pack in PACKS)
            wanted = f"{named}, or a deck whose `deck` entries stand before it"
            audit.find("shoe-differs", place, field="deck", expected=wanted, found=name)
            return None
    if state is None and len(deck) != entry["cards"]:
        audit.find("shoe-differs", place, field="cards", expected=len(deck), found=entry["cards"])
    return deck


def _check_alone(audit: Audit, entry: Entry, place: Place) -> None:
    """A shoe without a table: nothing prescribes its draws and contributors, but they must be well formed."""
    try:
        check_draws(entry["draws"], entry["cards"])
    except InputError as error:
        audit.refused("shoe-differs", error, place)
    roster, cutter = entry["roster"], entry.get("cutter")
    if len(set(roster)) != len(roster) or len(roster) > MAX_ROSTER:
        audit.find("shoe-differs", place, field="roster", expected=f"at most {MAX_ROSTER}, each once", found=roster)
    if cutter is not None and cutter not in roster:
        audit.find("shoe-differs", place, field="cutter", expected=roster, found=cutter)
    if entry["v"] > FIRST and "told" not in entry:
        audit.find("shoe-differs", place, field="told", expected=True)
    if entry["v"] > FIRST and "beacon" in entry:  # whose randomness a house could choose when it knows every seed
        audit.find("shoe-differs", place, field="beacon", expected="`beacon_round`", found=entry["beacon"])
    for field in OF_TABLES:
        if field in entry:
            audit.find("shoe-differs", place, field=field, found=entry[field])


def _check_table(audit: Audit, state: AuditedTable, entry: Entry, line: bytes | None, place: Place) -> None:
    book = state.book
    if not may_begin_shoe(book, entry["at"]):
        audit.find("table-closed", place, found=entry["shoe"])
    if book.shoe is not None:
        audit.report_missing_end(audit.shoes[book.shoe.id], f"shoe of {entry['shoe']}")
    if not book.chairs:
        audit.wrong_step(place, "a table where somebody sits", entry["shoe"])
    if "beacon" in entry:
        audit.find("beacon-at-table", place, field="beacon", found=entry["beacon"])
    if book.rules.one_round and "purpose" not in entry:
        check_bank_settled(audit, state, place)
    if line is None:
        return
    away = entry.get("away", [])
    named = {seat for reason in LEFT_OUT for seat in entry.get(reason, ())}
    allowed = may_be_away(book) if named else []
    if not set(away) <= set(allowed):
        audit.find("away-not-allowed", place, field="away", expected=f"some of {allowed}", found=away)
    says = next_shoe_fields(book, sorted(named.intersection(allowed).union(away)), entry["at"])
    stated: dict[str, Any] = {"beacon": entry.get("beacon"), "placer": entry.get("placer")}
    expected = shoe_entry(entry["at"], entry["shoe"], commitment=entry["commitment"], **stated, **says)
    if not audit.compare(expected, entry, line, lambda _: "shoe-differs", place):
        book.table = logged_table(book.table, entry)


def check_bank_settled(audit: Audit, state: AuditedTable, place: Place) -> None:
    """The rules' moves of the bank must have been made and logged."""
    if not state.banking:
        return
    audit.report.checked("policy")
    between = replay_bank(state.book.table)
    if between.ask is not None or between.result.why:
        audit.find("bank-not-settled", place, expected=between.result.why or "a decision about the bank")


KINDS = (
    EntryKind("deck", DECK, check_deck),
    EntryKind("shoe", SHOE, check, STARTS, try_fast_path),
)
