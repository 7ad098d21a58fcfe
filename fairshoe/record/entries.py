"""The log's entries but `open` and `round`, one function a kind. Each gives the whole entry, defaults left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict, Unpack

from ..engine.moves import Decision
from ..engine.round import BankSettlement
from ..engine.rules import Rules
from ..engine.table import Table, account_name
from ..log.canonical import Entry
from .forms import Placement, decision_forms, stated_options, version_of


def entry(kind: str, at: str, optional: Mapping[str, Any] | None = None, **fields: Any) -> Entry:
    """An entry of `kind` at the time `at` (RFC 3339, UTC, microseconds). A field that is None is left out, an
    `optional` one also where it is empty, 0 or False."""
    stated = {name: value for name, value in fields.items() if value is not None}
    stated |= {name: value for name, value in (optional or {}).items() if value}
    return {"v": version_of(kind, stated), "kind": kind, "at": at, **stated}


def chips_form(purse: Mapping[int, int]) -> dict[str, int]:
    """Accounts by name with their chips."""
    return {account_name(account): chips for account, chips in purse.items()}


class TableOptions(TypedDict, total=False):
    """Optional fields of a `table`."""

    placer: str | None  # its verifier key
    lapses: int  # lapsed limits in a row that put a player out
    beacon_delay: int  # seconds from a shoe's commitment to its beacon's round


def table_entry(
    at: str, table: str, rules: Rules, policy: Mapping[str, int], **optional: Unpack[TableOptions]
) -> Entry:
    """Make a `table` entry."""
    options, limits = stated_options(rules), dict(policy)
    return entry("table", at, optional, table=table, rules=rules.name, options=options, policy=limits)


class ChipsOptions(TypedDict, total=False):
    """Optional fields of `chips`."""

    to: int | None  # the seat that gets a transfer
    leaves: bool  # the chair is left
    name: str | None  # of a buy-in: the player's name as people write it
    placer: str | None  # of a buy-in: the verifier key of a player who places
    game: int | None  # that a refunded buy-in was into
    why: str | None  # of a refund: round, unfinished
    by: str | None  # the house, if it evicts
    lapsed: bool  # it evicts for lapsed limits


def chips_entry(
    at: str,
    table: str,
    op: str,
    seat: int,
    player: str,
    amount: int,
    chips: Mapping[int, int],
    **optional: Unpack[ChipsOptions],
) -> Entry:
    """Make a `chips` entry. `op`: buy-in, cash-out, transfer, refund or share (LO-04); `chips` afterwards."""
    purse = chips_form(chips)
    return entry("chips", at, optional, table=table, op=op, seat=seat, player=player, amount=amount, chips=purse)


class ShoeOptions(TypedDict, total=False):
    """Optional fields of a `shoe`."""

    policy: Mapping[str, int] | None  # the limits of a shoe without a table
    cutter: str | None  # who is named to cut
    purpose: str | None  # `bank` for a first banker's shoe
    owes: Sequence[int]  # chairs left out, since they owe a seed
    waits: Sequence[int]  # chairs left out, since they wait for another shoe
    away: Sequence[int]  # chairs left out as away
    beacon: Mapping[str, Any] | None  # one that nobody verifies (version 1)
    beacon_round: int  # of drand's quicknet
    placer: Mapping[str, str] | None  # its `commitment` and `key`
    told: bool  # without a table: entries tell its cards
    rules_hash: str | None  # SHA-256 of its game's rules, in hex


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
    **optional: Unpack[ShoeOptions],
) -> Entry:
    """Make a `shoe` entry. `deck`: a deck's name or hash; `table` as it stands, if the shoe has one."""
    stated: dict[str, Any] = {"deck": deck, "cards": cards, "commitment": commitment}
    stated |= {"roster": list(roster), "draws": dict(draws)}
    if table is not None:
        memory, paid = table.rules.export_memory(table)
        stated |= {"bank": account_name(table.bank), "chips": chips_form(table.purse)}
        stated |= {"memory": memory or None, "paid": paid or None}
    return entry("shoe", at, optional, shoe=shoe, **stated)


def seeds_entry(
    at: str, shoe: str, hashes: Mapping[str, str], cut: Mapping[str, Any] | None = None, unheard: Sequence[str] = ()
) -> Entry:
    """Make a `seeds` entry: SHA-256 of each seed, and the cut (`cut_form`) if any. `unheard`: who sent none in time."""
    return entry("seeds", at, {"unheard": list(unheard)}, shoe=shoe, hashes=dict(hashes), cut=cut)


def opened_entry(at: str, shoe: str, player: str, seed: str, cut: Mapping[str, Any] | None = None) -> Entry:
    """A contributor opens the seed, in hex; `cut` (`cut_form`) with a sole player's, for whom no `seeds` stands."""
    return entry("opened", at, shoe=shoe, player=player, seed=seed, cut=cut)


def lapse_entry(at: str, shoe: str, player: str) -> Entry:
    """Make a `lapse` entry: a contributor let the limit pass before any seed was opened, and is struck."""
    return entry("lapse", at, shoe=shoe, player=player)


def late_entry(at: str, shoe: str, player: str, seed: str) -> Entry:
    """Make a `late` entry: the seed of an earlier shoe is handed in."""
    return entry("late", at, shoe=shoe, player=player, seed=seed)


class SealOptions(TypedDict, total=False):
    """Optional fields of a `seal`."""

    burn: str | None  # the burned card's label (PO-06)
    beacon_signature: str | None  # of the named round, in hex
    cards_root: str | None  # binds the cards


def seal_entry(at: str, shoe: str, *, placement: Placement | None = None, **optional: Unpack[SealOptions]) -> Entry:
    """Make a `seal` entry."""
    return entry("seal", at, optional, shoe=shoe, placed=placement and placement.form)


class ReshuffleFields(TypedDict):
    """Fields of a `reshuffle`."""

    k: int  # its number in its round
    after: int  # the offset of the round's card before which it is made
    cards: int  # gathered
    deck: str  # their hash
    cut: NotRequired[int | None]
    burn: NotRequired[str | None]  # the label of the burned card
    cards_root: NotRequired[str | None]


def reshuffle_entry(at: str, shoe: str, round: int, **fields: Unpack[ReshuffleFields]) -> Entry:
    """Make a `reshuffle` entry: a reshuffle in the middle of a deal."""
    return entry("reshuffle", at, shoe=shoe, round=round, **fields)


class DrawnOptions(TypedDict, total=False):
    """Optional fields of `drawn`."""

    cards: Sequence[str]  # in public, by labels
    hidden: int  # how many hidden ones
    to: str  # the player who sees these
    draws: Mapping[str, int] | None  # values of named draws
    gathered: int  # how often cards were gathered before


def drawn_entry(
    at: str, shoe: str, pos: int, *, placement: Placement | None = None, **optional: Unpack[DrawnOptions]
) -> Entry:
    """Make a `drawn` entry: cards from position `pos` on, values of named draws, the placer's places."""
    return entry("drawn", at, optional, shoe=shoe, pos=pos, placed=placement and placement.form)


def shown_entry(at: str, shoe: str, cards: Mapping[int, str]) -> Entry:
    """Make a `shown` entry: hidden cards of a shoe without a table are shown, labels by position."""
    return entry("shown", at, shoe=shoe, cards={str(pos): label for pos, label in cards.items()})


def gathered_entry(at: str, shoe: str, pos: int, out: Sequence[int], cards_root: str) -> Entry:
    """Make a `gathered` entry: all cards but those `out` are shuffled anew, from position `pos` on, under a new
    root."""
    return entry("gathered", at, {"out": list(out)}, shoe=shoe, pos=pos, cards_root=cards_root)


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


def start_entry(at: str) -> Entry:
    """Make a `start` entry: the service started; limits that run begin anew."""
    return entry("start", at)


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
    optional = {"decisions": decision_forms(decisions, moments), "price": price, "chips": chips_form(chips or {})}
    dealt = None if cards is None else list(cards)
    placed = placement and placement.form
    return entry("bank", at, optional, table=table, why=why, to=to, shoe=shoe, cards=dealt, placed=placed)


def bank_move_entry(at: str, table: str, between: BankSettlement, moments: Iterable[str] = ()) -> Entry:
    """Make the `bank` entry of a settled move of the bank, with the chips that moved for it."""
    why, price, after = between.result.why, between.result.price, between.result.table
    before = between.before.purse
    moved = {account: chips for account, chips in after.purse.items() if before.get(account) != chips}
    return bank_entry(
        at, table, why, after.bank, decisions=between.decisions, moments=moments, price=price, chips=moved
    )
