"""Tables again from their log: each entry is followed as when it was written, and nothing is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping

from ...errors import FairshoeError, VerificationError
from ...log.canonical import Entry
from ...record.forms import decisions_of
from ..fold import ENDS, OF_TABLES, opened_table, take
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
            _follow(states, entry, keys)
        except (FairshoeError, LookupError, ValueError, TypeError) as error:
            what = f"cannot follow what stands before it ({type(error).__name__}: {error})"
            where = f"the {str(entry.get('kind'))[:20]} of {str(entry.get('at'))[:32]}"
            raise VerificationError(what, where=where, expected="the log of this house") from None


def _follow(states: MutableMapping[str, State], entry: Entry, keys: Keys) -> None:
    kind = entry["kind"]
    if kind == "table":
        states[entry["table"]] = State(opened_table(entry))
    elif kind == "start":
        for state in states.values():
            take(state.book, state.shoe, entry)
    elif "table" in entry:
        take(states[entry["table"]].book, states[entry["table"]].shoe, entry)
    elif (found := _table_of(states, entry)) is not None:
        _follow_shoe(found, entry, keys)


def _follow_shoe(state: State, entry: Entry, keys: Keys) -> None:
    kind, shoe = entry["kind"], state.shoe
    if kind not in (*OF_TABLES, "shoe") and (shoe is None or shoe.id != entry["shoe"]):
        raise KeyError(entry["shoe"])
    if kind == "round":
        _take_up_reshuffles(state, entry, keys)
    take(state.book, shoe, entry)
    if kind in AFTERWARDS:
        AFTERWARDS[kind](state, entry)


def _table_of(states: Mapping[str, State], entry: Entry) -> State | None:
    """The table of the shoe that an entry is about; None where that shoe has none."""
    return states.get(entry["shoe"].rpartition("/")[0]) if "shoe" in entry else None


# What the service keeps beside the book.


def _committed(state: State, entry: Entry) -> None:
    state.commitment = entry["commitment"]


def _hashed(state: State, entry: Entry) -> None:
    state.hashes = dict(entry["hashes"])


def _sealed(state: State, entry: Entry) -> None:
    state.burned = [entry["burn"]] if "burn" in entry else []


def _stood(state: State, entry: Entry) -> None:
    if state.shoe is not None:
        state.stood = stood_bets(state.book, state.shoe, state.commitment, state.links)
    state.clear_bets()


def _take_up_reshuffles(state: State, entry: Entry, keys: Keys) -> None:
    """Where the cards lie after the reshuffles of a round, as the key has it."""
    shoe = state.shoe
    if shoe is not None and entry.get("reshuffled") and shoe.id in keys:
        state.decisions, _ = decisions_of(entry["decisions"])
        dealt = live(state, keys[shoe.id])
        if dealt is not None:
            remember_reshuffles(state, dealt.cards.shoe)


def _dealt(state: State, entry: Entry) -> None:
    state.last = entry
    state.decisions, state.moments, state.playing = [], [], False


def _reshuffled(state: State, entry: Entry) -> None:
    if "burn" in entry:
        state.burned.append(entry["burn"])


def _ended(state: State, _: Entry) -> None:
    state.clear_shoe()


AFTERWARDS: dict[str, Callable[[State, Entry], None]] = {
    "shoe": _committed,
    "seeds": _hashed,
    "seal": _sealed,
    "open": _stood,
    "round": _dealt,
    "reshuffle": _reshuffled,
    **dict.fromkeys(ENDS, _ended),
}
