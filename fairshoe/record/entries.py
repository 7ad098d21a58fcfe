"""The log's entries but `open` and `round`, one function a kind. Each gives the whole entry, defaults left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..engine.moves import Decision
from ..engine.round import BankSettlement
from ..engine.rules import Rules
from ..engine.table import Table, account_name
from ..log.canonical import Entry
from ..protocol.transcript import Beacon
from .forms import Placement, decision_forms, stated_options, version_of


def entry(kind: str, at: str, **fields: Any) -> Entry:
    """An entry of `kind` at the time `at` (RFC 3339, UTC, microseconds); fields that are None are left out."""
    stated = {name: value for name, value in fields.items() if value is not None}
    return {"v": version_of(kind, stated), "kind": kind, "at": at, **stated}


def chips_form(purse: Mapping[int, int]) -> dict[str, int]:
    """Accounts by name with their chips."""
    return {account_name(account): chips for account, chips in purse.items()}


def table_entry(
    at: str,
    table: str,
    rules: Rules,
    policy: Mapping[str, int],
    placer: str | None = None,
    lapses: int = 0,
    beacon_delay: int = 0,
) -> Entry:
    """Make a `table` entry. `placer`: its verifier key; `lapses`: lapsed limits in a row that put a player out, or 0;
    `beacon_delay`: seconds from a shoe's commitment to its beacon's round, or 0."""
    return entry(
        "table",
        at,
        table=table,
        rules=rules.name,
        options=stated_options(rules),
        policy=dict(policy),
        placer=placer or None,
        lapses=lapses or None,
        beacon_delay=beacon_delay or None,
    )


def chips_entry(
    at: str,
    table: str,
    op: str,
    seat: int,
    player: str,
    amount: int,
    chips: Mapping[int, int],
    *,
    to: int | None = None,
    leaves: bool = False,
    name: str | None = None,
    game: int | None = None,
    why: str | None = None,
    by: str | None = None,
    lapsed: bool = False,
    placer: str | None = None,
) -> Entry:
    """Make a `chips` entry. `op`: buy-in (`name`: as people write it; `placer`: the key of a player who places),
    cash-out, transfer (`to` a seat), refund (of a buy-in into `game`, `why`: round, unfinished) or share (LO-04);
    `chips` afterwards; `by`: the house, if it evicts; `lapsed`: for its lapsed limits."""
    return entry(
        "chips",
        at,
        table=table,
        op=op,
        seat=seat,
        player=player,
        amount=amount,
        chips=chips_form(chips),
        to=to,
        leaves=leaves or None,
        name=name,
        game=game,
        why=why,
        by=by,
        lapsed=lapsed or None,
        placer=placer,
    )


def shoe_entry(
    at: str,
    shoe: str,
    *,
    deck: str,
    cards: int,
    commitment: str,
    roster: Sequence[str],
    draws: Mapping[str, int],
    table: Table | None = None,
    policy: Mapping[str, int] | None = None,
    cutter: str | None = None,
    purpose: str | None = None,
    owes: Sequence[int] = (),
    waits: Sequence[int] = (),
    away: Sequence[int] = (),
    beacon: Mapping[str, Any] | None = None,
    beacon_round: int = 0,
    placer: Mapping[str, str] | None = None,
    told: bool = False,
    rules_hash: str | None = None,
) -> Entry:
    """Make a `shoe` entry. `deck`: a deck's name or hash; `purpose`: `bank` for a first banker's shoe.

    `table` as it stands, or the limits (`policy`) of a shoe without one. `owes`, `waits`, `away`: chairs left out, by
    the reason. `beacon_round`: of drand's quicknet; `beacon`: one that nobody verifies (version 1). `placer`:
    `commitment` and `key`. `told`: without a table, entries tell its cards; `rules_hash`: SHA-256 of its game's rules,
    in hex.
    """
    stands: dict[str, Any] = {}
    if table is not None:
        memory, paid = table.rules.export_memory(table)
        stands = {
            "bank": account_name(table.bank),
            "chips": chips_form(table.purse),
            "memory": memory or None,
            "paid": paid or None,
        }
    return entry(
        "shoe",
        at,
        shoe=shoe,
        deck=deck,
        cards=cards,
        commitment=commitment,
        roster=list(roster),
        draws=dict(draws),
        policy=None if policy is None else dict(policy),
        cutter=cutter,
        purpose=purpose,
        owes=list(owes) or None,
        waits=list(waits) or None,
        away=list(away) or None,
        beacon=None if beacon is None else dict(beacon),
        beacon_round=beacon_round or None,
        placer=None if placer is None else dict(placer),
        told=told or None,
        rules_hash=rules_hash,
        **stands,
    )


def seeds_entry(
    at: str, shoe: str, hashes: Mapping[str, str], cut: Mapping[str, Any] | None = None, unheard: Sequence[str] = ()
) -> Entry:
    """Make a `seeds` entry: SHA-256 of each seed, and the cut (`cut_form`) if any. `unheard`: who sent none in time."""
    return entry("seeds", at, shoe=shoe, hashes=dict(hashes), cut=cut, unheard=list(unheard) or None)


def opened_entry(at: str, shoe: str, player: str, seed: str, cut: Mapping[str, Any] | None = None) -> Entry:
    """A contributor opens the seed, in hex; `cut` (`cut_form`) with a sole player's, for whom no `seeds` stands."""
    return entry("opened", at, shoe=shoe, player=player, seed=seed, cut=cut)


def lapse_entry(at: str, shoe: str, player: str) -> Entry:
    """Make a `lapse` entry: a contributor let the limit pass before any seed was opened, and is struck."""
    return entry("lapse", at, shoe=shoe, player=player)


def late_entry(at: str, shoe: str, player: str, seed: str) -> Entry:
    """Make a `late` entry: the seed of an earlier shoe is handed in."""
    return entry("late", at, shoe=shoe, player=player, seed=seed)


def seal_entry(
    at: str,
    shoe: str,
    *,
    burn: str | None = None,
    beacon: Beacon | None = None,
    beacon_signature: str | None = None,
    cards_root: str | None = None,
    placement: Placement | None = None,
) -> Entry:
    """Make a `seal` entry. `beacon_signature`: of the named round, in hex; `burn`: the burned card's label (PO-06)."""
    beacon_form = None if beacon is None else beacon._asdict()
    placed = placement and placement.form
    return entry(
        "seal",
        at,
        shoe=shoe,
        burn=burn,
        beacon=beacon_form,
        beacon_signature=beacon_signature,
        cards_root=cards_root,
        placed=placed,
    )


def reshuffle_entry(
    at: str,
    shoe: str,
    round: int,
    *,
    number: int,
    after: int,
    cards: int,
    deck_hash: str,
    cut: int | None = None,
    burn: str | None = None,
    cards_root: str | None = None,
) -> Entry:
    """Make a `reshuffle` entry: a reshuffle in the middle of a deal, before the round's card at offset `after`."""
    return entry(
        "reshuffle",
        at,
        shoe=shoe,
        round=round,
        k=number,
        after=after,
        cards=cards,
        deck=deck_hash,
        cut=cut,
        burn=burn,
        cards_root=cards_root,
    )


def drawn_entry(
    at: str,
    shoe: str,
    pos: int,
    *,
    cards: Sequence[str] = (),
    hidden: int = 0,
    to: str = "",
    draws: Mapping[str, int] | None = None,
    gathered: int = 0,
    placement: Placement | None = None,
) -> Entry:
    """Make a `drawn` entry: cards from position `pos` on, by labels or as `hidden` ones, `to` a player or nobody;
    values of named draws; how often cards were `gathered` before; the placer's places."""
    shown, numbers, placed = list(cards) or None, dict(draws or {}) or None, placement and placement.form
    stated = {"cards": shown, "hidden": hidden or None, "to": to or None, "draws": numbers, "placed": placed}
    return entry("drawn", at, shoe=shoe, pos=pos, gathered=gathered or None, **stated)


def shown_entry(at: str, shoe: str, cards: Mapping[int, str]) -> Entry:
    """Make a `shown` entry: hidden cards of a shoe without a table are shown, labels by position."""
    return entry("shown", at, shoe=shoe, cards={str(pos): label for pos, label in cards.items()})


def gathered_entry(at: str, shoe: str, pos: int, out: Sequence[int], cards_root: str) -> Entry:
    """Make a `gathered` entry: all cards but those `out` are shuffled anew, from position `pos` on, under a new
    root."""
    return entry("gathered", at, shoe=shoe, pos=pos, out=list(out) or None, cards_root=cards_root)


def reveal_entry(at: str, shoe: str, key: str, draws: Mapping[str, int], end: int, why: str) -> Entry:
    """Make a `reveal` entry: `end` is the position after the last card dealt; `why`: worn, bank, age or left."""
    return entry("reveal", at, shoe=shoe, key=key, draws=dict(draws), end=end, why=why)


def placed_entry(at: str, shoe: str, key: str, steps: int, signature: str) -> Entry:
    """The placer's key of a shoe that is over; `signature`, in base64, is under its note after `end`."""
    return entry("placed", at, shoe=shoe, key=key, steps=steps, signature=signature)


def void_entry(at: str, shoe: str, key: str, why: str, by: str | None = None, round: int | None = None) -> Entry:
    """Make a `void` entry: the shoe ends without a deal, and the bets of `round`, if open, are returned. `why`:
    reshuffle or seed (of `by`), beacon (out too early, or its signature missing), close, bank, idle or age."""
    return entry("void", at, shoe=shoe, key=key, why=why, by=by, round=round)


def lost_entry(at: str, shoe: str, key: str | None = None, round: int | None = None) -> Entry:
    """A restore could not continue the shoe; its key where it is known, the bets of `round` are returned."""
    return entry("lost", at, shoe=shoe, key=key, round=round)


def token_entry(at: str, table: str, seat: int, player: str) -> Entry:
    """The operator gave a seat another token, or took its token away: from here on somebody else may act for it."""
    return entry("token", at, table=table, seat=seat, player=player)


def close_entry(at: str, table: str) -> Entry:
    """Make a `close` entry: the operator closes a table: no new chair and no new shoe."""
    return entry("close", at, table=table)


def start_entry(at: str, *, tables: Sequence[str] = ()) -> Entry:
    """Make a `start` entry: the service started; limits that run begin anew, at these `tables` or at all."""
    return entry("start", at, tables=list(tables) or None)


def bank_entry(
    at: str,
    table: str,
    why: str,
    to: int,
    *,
    decisions: Iterable[Decision] = (),
    moments: Iterable[str] = (),
    price: int = 0,
    chips: Mapping[int, int] | None = None,
    shoe: str | None = None,
    cards: Sequence[str] | None = None,
    placement: Placement | None = None,
) -> Entry:
    """Make a `bank` entry: the bank moves `to` a seat; `why`: first, rotation, change, gift or sale."""
    return entry(
        "bank",
        at,
        table=table,
        why=why,
        to=to,
        decisions=decision_forms(decisions, moments) or None,
        price=price or None,
        chips=None if chips is None else chips_form(chips),
        shoe=shoe,
        cards=None if cards is None else list(cards),
        placed=placement and placement.form,
    )


def bank_move_entry(at: str, table: str, between: BankSettlement, moments: Iterable[str] = ()) -> Entry:
    """Make the `bank` entry of a settled move of the bank, with the chips that moved for it."""
    why, price, after = between.result.why, between.result.price, between.result.table
    before = between.before.purse
    moved = {account: chips for account, chips in after.purse.items() if before.get(account) != chips}
    return bank_entry(
        at, table, why, after.bank, decisions=between.decisions, moments=moments, price=price, chips=moved or None
    )
