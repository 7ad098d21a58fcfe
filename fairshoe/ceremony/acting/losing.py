"""What a restore does to a table: what was not logged is forgotten, a shoe that cannot go on is lost."""

from __future__ import annotations

from ...log.canonical import Entry
from ...protocol.commitment import commitment_of
from ...record.entries import lost_entry
from .state import State, copy
from .work import Keys, Work


def without_unlogged(state: State, now: int) -> State:
    """The table as its log tells it: hashes, bets, waivers and decisions that came in since the last entry are sent
    again by whoever sent them. The limits that run begin anew, and so do the numbers of receipts."""
    kept = copy(state)
    kept.clear_bets()
    shoe = kept.shoe
    kept.hashes = {} if shoe is None else dict(shoe.hashes)
    kept.waivers = [] if shoe is None else [i for i, chair in kept.book.chairs.items() if chair.player in shoe.waived]
    kept.cuts, kept.here, kept.links = {}, {}, {}
    kept.wanted, kept.banked, kept.moments, kept.since = False, None, [], now
    return kept


def may_go_on(state: State, key: bytes | None) -> bool:
    """Whether the shoe in play, if any, can go on where the log is the newest: with its key, and with no round of it
    dealt whose decisions are not in the log."""
    if state.shoe is None:
        return True
    return key is not None and commitment_of(key) == state.commitment and not state.dealt


def lose(state: State, key: bytes | None, now: int) -> tuple[State, list[Entry]]:
    """End the shoe in play as `lost`: its key is published where it is known, the bets of an open round go back."""
    work = Work(copy(state), now, Keys(lambda: b"", b""))
    book = work.book
    if book.shoe is not None:
        fits = key is not None and commitment_of(key) == work.state.commitment
        public = key.hex() if key is not None and fits else None
        work.log(lost_entry(work.at, book.shoe.id, public, None if book.open is None else book.open.number))
        work.state.clear_shoe()
    return work.state, work.entries
