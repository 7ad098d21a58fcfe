"""Tables again from their log: each entry is followed as when it was written, and nothing is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any

from ...engine.bank import settle_bank
from ...engine.cards import Dealt
from ...engine.chips import move_chips
from ...engine.round import replay
from ...engine.rules import rules_of
from ...engine.table import fresh_table
from ...errors import FairshoeError, VerificationError
from ...log.canonical import Entry
from ...record.forms import decision_of
from ...record.opens import betting_of
from .. import follow
from ..book import Book, Cut, Shoe, bets_that_stand
from ..chairs import gifts_against
from ..policy import Policy
from ..receipts import stood_bets
from .playing import live, remember_reshuffles
from .state import State

Keys = Mapping[str, bytes]
"""Keys of shoes by their ids, as far as they are known."""


def fold(states: MutableMapping[str, State], entries: Iterable[Entry], keys: Keys) -> None:
    """Bring tables, by name, up to entries that follow what they are; new tables are added.

    What was sent and is not logged is not there afterwards, wherever an entry followed. A reshuffle in the middle of a
    deal can be taken up only with its shoe's key in `keys`. Raises VerificationError where an entry cannot follow.
    """
    for entry in entries:
        try:
            _take(states, entry, keys)
        except (FairshoeError, KeyError, IndexError, ValueError, TypeError, StopIteration) as error:
            what = f"cannot follow what stands before it ({type(error).__name__}: {error})"
            where = f"the {str(entry.get('kind'))[:20]} of {str(entry.get('at'))[:32]}"
            raise VerificationError(what, where=where, expected="the log of this house") from None


def _take(states: MutableMapping[str, State], entry: Entry, keys: Keys) -> None:
    kind = entry["kind"]
    if kind == "start":
        for each in states.values():
            follow.started(each.book, entry["at"])
    elif kind == "table":
        book = Book(
            entry["table"],
            Policy(**entry["policy"]),
            fresh_table(rules_of(entry["rules"], entry["options"])),
            at=entry["at"],
            settled=entry["at"],
        )
        states[entry["table"]] = State(book)
    elif kind in OF_TABLES:
        OF_TABLES[kind](states[entry["table"]], entry)
    elif (state := _table_of(states, entry)) is not None:
        if kind == "shoe":
            _committed(state, entry)
        elif kind == "late":
            follow.handed_in(state.book, entry["shoe"], entry["at"], entry["player"])
        else:
            shoe = next(shoe for shoe in state.book.live if shoe.id == entry["shoe"])
            OF_SHOES[kind](state, shoe, entry, keys)


def _table_of(states: Mapping[str, State], entry: Entry) -> State | None:
    """The table of the shoe that an entry is about; None where that shoe has none."""
    return states.get(entry["shoe"].rpartition("/")[0]) if "shoe" in entry else None


# Of tables.


def _chips(state: State, entry: Entry) -> None:
    book, seat, player = state.book, entry["seat"], entry["player"]
    game = entry.get("game", 0)
    gifts = 0
    if entry["op"] == "refund":
        paid = next(p for p in book.buy_ins if (p.game, p.seat, p.player) == (game, seat, player) and not p.refunded)
        gifts = gifts_against(paid, entry["why"])
    leaves = entry.get("leaves", False)
    to = entry.get("to")
    after = move_chips(
        book.table, entry["op"], seat, player, entry["amount"], to=to, leaves=leaves, game=game, gifts=gifts
    )
    name, by = entry.get("name"), entry.get("by")
    follow.chips(book, entry["at"], entry["op"], seat, player, after, game=game, name=name, by=by)


def _closed(state: State, entry: Entry) -> None:
    follow.closed(state.book, entry["at"])


def _bank(state: State, entry: Entry) -> None:
    book, at = state.book, entry["at"]
    if entry["why"] == "first":
        shoe, cards = book.live[0], entry["cards"]
        source = Dealt(cards, position=0, present=shoe.cards, size=shoe.cards)
        seat, _ = book.rules.first_bank(book.table, source, shoe.dealt)
        follow.bank_found(book, shoe, at, book.rules.found_bank(book.table, seat), len(cards))
        return
    between = settle_bank(book.table, list(map(decision_of, entry.get("decisions", ()))))
    follow.decided(book, at, between.decisions)
    follow.bank_moved(book, at, between.result.table)


OF_TABLES: dict[str, Callable[[State, Entry], None]] = {"chips": _chips, "close": _closed, "bank": _bank}


# Of shoes.


def _committed(state: State, entry: Entry) -> None:
    state.commitment = entry["commitment"]
    follow.committed(
        state.book,
        entry["at"],
        entry["shoe"],
        cards=entry["cards"],
        roster=entry["roster"],
        draws=entry["draws"],
        cutter=entry.get("cutter"),
        purpose=entry.get("purpose"),
        policy=state.book.policy,
    )


def _cut(entry: Entry) -> Cut | None:
    form: dict[str, Any] | None = entry.get("cut")
    return None if form is None else Cut(form["at"], form.get("by"))


def _seeds(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.hashed(state.book, shoe, entry["at"], entry["hashes"], _cut(entry))
    state.hashes = dict(entry["hashes"])


def _opened(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.opened(state.book, shoe, entry["at"], entry["player"], entry["seed"])


def _lapse(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.lapsed(state.book, shoe, entry["at"], entry["player"])


def _seal(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    state.burned = [entry["burn"]] if "burn" in entry else []
    follow.sealed(state.book, shoe, entry["at"], entry.get("seeds", {}), _cut(entry), burns="burn" in entry)


def _open(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    betting = betting_of(entry)
    if betting is None:
        raise KeyError("bets")
    follow.betted(state.book, shoe, entry["at"], entry["round"], betting)
    state.stood = stood_bets(state.book, shoe, state.commitment)
    state.clear_bets()


def _round(state: State, shoe: Shoe, entry: Entry, keys: Keys) -> None:
    book = state.book
    opened = book.open
    if opened is None:
        raise KeyError("an open round")
    decisions = list(map(decision_of, entry["decisions"]))
    if entry.get("reshuffled") and shoe.id in keys:
        state.decisions = decisions
        dealt = live(state, keys[shoe.id])
        if dealt is not None:
            remember_reshuffles(state, dealt.cards.shoe)
    source = Dealt(entry["cards"], position=shoe.position, present=shoe.present, size=shoe.cards)
    played = replay(book.table, source, bets_that_stand(book, shoe, opened), decisions)
    follow.decided(book, entry["at"], decisions)
    follow.dealt(book, shoe, entry["at"], played.close(), source.position, source.present)
    state.last = entry
    state.decisions, state.playing = [], False


def _reshuffle(state: State, _: Shoe, entry: Entry, __: Keys) -> None:
    if "burn" in entry:
        state.burned.append(entry["burn"])


def _reveal(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.ended(state.book, shoe, entry["at"])
    state.clear_shoe()


def _void(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.voided(state.book, shoe, entry["at"], entry["why"], entry.get("by"))
    state.clear_shoe()


def _lost(state: State, shoe: Shoe, entry: Entry, _: Keys) -> None:
    follow.lost(state.book, shoe, entry["at"])
    state.clear_shoe()


OF_SHOES: dict[str, Callable[[State, Shoe, Entry, Keys], None]] = {
    "seeds": _seeds,
    "opened": _opened,
    "lapse": _lapse,
    "seal": _seal,
    "open": _open,
    "round": _round,
    "reshuffle": _reshuffle,
    "reveal": _reveal,
    "void": _void,
    "lost": _lost,
}
