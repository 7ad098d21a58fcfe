"""One hand worked through for a newcomer: every step from the commitment to the payout, each with its check."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from ...cards import named_deck
from ...engine.bank import settle_bank
from ...engine.cards import Dealt
from ...engine.chips import move_chips
from ...engine.hand import Hand
from ...engine.round import Round, replay
from ...engine.rules import rules_of
from ...engine.story import Event, told
from ...engine.table import Table, fresh_table
from ...log.canonical import Entry
from ...protocol.shoe import Sealed, seal
from ...record.forms import bet_of, decision_of, table_of
from ...record.rounds import round_entry


def worked_hand(entries: list[Entry]) -> Iterator[str]:
    """The lines about the first round in a log."""
    index, found = next((i, entry) for i, entry in enumerate(entries) if entry["kind"] == "round")
    of_shoe = {entry["kind"]: entry for entry in entries if entry.get("shoe") == found["shoe"] and _first(entry, found)}
    shoe, seal_entry, opened, reveal = (of_shoe[kind] for kind in ("shoe", "seal", "open", "reveal"))
    table = _table_before(entries[:index], table_of(found["shoe"])[0])
    yield f"One hand, step by step: round {found['round']} of shoe {found['shoe']} ({table.rules.name})"
    yield ""
    yield f"  1. Before any bet the house committed to a secret key:  {shoe['commitment']}"
    yield from _seeds(of_shoe, seal_entry)
    bets = ", ".join(f"{table.players[bet['seat']]} {bet['amount']}" for bet in opened["bets"])
    yield f"  3. The bets were in the log before the first card:  {bets}"
    sealed = _sealed(shoe, of_shoe, seal_entry, reveal)
    yield f"  4. When the shoe was done, the house published the key:  {reveal['key']}"
    same = sha256(bytes.fromhex(reveal["key"])).hexdigest() == shoe["commitment"]
    yield f"     {_mark(same)} its SHA-256 is the commitment of step 1"
    cards = found["cards"]
    dealt = sealed.order()[found["pos"] : found["pos"] + len(cards)]
    yield f"  5. Key and seeds give the order of all {shoe['cards']} cards; from position {found['pos']}:"
    yield "     " + "  ".join(f"{_mark(card == logged)} {card}" for card, logged in zip(dealt, cards, strict=True))
    source = Dealt(cards, position=found["pos"], present=shoe["cards"], size=shoe["cards"])
    decisions = [decision_of(form) for form in found["decisions"]]
    played = replay(table, source, [bet_of(bet) for bet in opened["bets"]], decisions)
    yield "  6. The rules, with the decisions in the log, give the rest:"
    for event in told(played):
        yield f"     {_told(event, played)}"
    again = round_entry(found["at"], found["shoe"], found["round"], played)
    yield f"     {_mark(again['hands'] == found['hands'])} every hand and payout is what the log says"
    yield f"     {_mark(again['chips'] == found['chips'])} so are everybody's chips afterwards"


def _first(entry: Entry, found: Entry) -> bool:
    """Whether an entry of the shoe belongs to the round in question, or to no round."""
    return "round" not in entry or bool(entry["round"] == found["round"])


def _mark(ok: bool) -> str:
    return "✓" if ok else "✗"


def _seeds(of_shoe: dict[str, Entry], seal_entry: Entry) -> Iterator[str]:
    seeds: dict[str, str] = seal_entry["seeds"]
    hashes: dict[str, str] = of_shoe["seeds"]["hashes"] if "seeds" in of_shoe else {}
    first = "first its hash, then, when all hashes stood, the seed" if hashes else "after the commitment"
    yield f"  2. Every player added a secret seed ({first}):" if seeds else "  2. No player added a seed."
    for who, text in seeds.items():
        yield f"     {who:8} {text}"
        if who in hashes:
            yield f"     {_mark(sha256(bytes.fromhex(text)).hexdigest() == hashes[who])} its SHA-256 is {hashes[who]}"


def _sealed(shoe: Entry, of_shoe: dict[str, Entry], seal_entry: Entry, reveal: Entry) -> Sealed:
    cut: dict[str, Any] = seal_entry.get("cut") or of_shoe.get("seeds", {}).get("cut") or {"at": 0}
    seeds = seal_entry["seeds"]
    return seal(
        key=bytes.fromhex(reveal["key"]),
        shoe=shoe["shoe"],
        deck=named_deck(shoe["deck"]),
        seeds=[(who, bytes.fromhex(seeds[who])) for who in shoe["roster"] if who in seeds],
        cut=cut["at"],
        draws=shoe["draws"],
    )


def _table_before(entries: list[Entry], name: str) -> Table:
    """The table as it stood before its first round: who had sat down, and who had the bank."""
    table: Table | None = None
    for entry in entries:
        if entry.get("table") != name:
            continue
        if entry["kind"] == "table":
            table = fresh_table(rules_of(entry["rules"], entry["options"]))
        elif table is not None and entry["kind"] == "chips":
            table = move_chips(
                table,
                entry["op"],
                entry["seat"],
                entry["player"],
                entry["amount"],
                to=entry.get("to"),
                leaves=entry.get("leaves", False),
            )
        elif table is not None and entry["kind"] == "bank":
            decisions = [decision_of(form) for form in entry.get("decisions", [])]
            first = entry["why"] == "first"
            table = table.after({}, bank=entry["to"]) if first else settle_bank(table, decisions).result.table
    if table is None:
        raise LookupError(name)
    return table


def _told(event: Event, round: Round) -> str:
    who = "the dealer" if event.hand is None else _owner(event.hand, round)
    match event.what:
        case "deal":
            hidden = " (face down)" if event.hidden else ""
            return f"{who} gets {event.label}{hidden}: {event.total}"
        case "decide":
            amount = f" {event.amount}" if event.amount else ""
            return f"{who} chooses: {event.label}{amount}"
        case "show":
            return f"{who} shows {event.label}: {event.total}"
        case "settle":
            return f"{who} with {event.total}: {event.label}, {event.amount:+d}"
        case "reshuffle":
            return "the cards out of play are reshuffled"
    return f"{who}: {event.what} {event.amount}"


def _owner(hand: Hand, round: Round) -> str:
    return "the dealer" if hand is round.dealer or not hand.bet else round.table.players[hand.seat]
