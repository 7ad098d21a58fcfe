"""Tables again from their log: each entry is followed as when it was written, and nothing is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping

from ...errors import FairshoeError, VerificationError
from ...log.canonical import Entry
from ..fold import ENDS, OF_TABLES, opened_table, take
from ..receipts import stood_bets
from .state import State


def fold(states: MutableMapping[str, State], entries: Iterable[Entry]) -> None:
    """Bring tables, by name, up to entries that follow what they are; new tables are added.

    What was sent and is not logged is not there afterwards, wherever an entry followed. Raises VerificationError where
    an entry cannot follow.
    """
    for entry in entries:
        try:
            _follow(states, entry)
        except (FairshoeError, LookupError, ValueError, TypeError) as error:
            what = f"cannot follow what stands before it ({type(error).__name__}: {error})"
            where = f"the {str(entry.get('kind'))[:20]} of {str(entry.get('at'))[:32]}"
            raise VerificationError(what, where=where, expected="the log of this house") from None


def _follow(states: MutableMapping[str, State], entry: Entry) -> None:
    kind = entry["kind"]
    if kind == "table":
        states[entry["table"]] = State(opened_table(entry))
    elif kind == "start":
        for state in states.values():
            take(state.book, state.shoe, entry)
    elif "table" in entry:
        take(states[entry["table"]].book, states[entry["table"]].shoe, entry)
    elif (found := _table_of(states, entry)) is not None:
        _follow_shoe(found, entry)


def _follow_shoe(state: State, entry: Entry) -> None:
    kind, shoe = entry["kind"], state.shoe
    if kind not in (*OF_TABLES, "shoe") and (shoe is None or shoe.id != entry["shoe"]):
        raise KeyError(entry["shoe"])
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


def _dealt(state: State, entry: Entry) -> None:
    state.last = entry


def _ended(state: State, _: Entry) -> None:
    state.clear_shoe()


AFTERWARDS: dict[str, Callable[[State, Entry], None]] = {
    "shoe": _committed,
    "seeds": _hashed,
    "seal": _sealed,
    "open": _stood,
    "round": _dealt,
    **dict.fromkeys(ENDS, _ended),
}
