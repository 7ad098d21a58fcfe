"""A shoe's life: commitment, seal, reveal or void; and its cards again from what is stored."""

from __future__ import annotations

from ...cards import named_deck
from ...protocol.commitment import commitment_of
from ...protocol.shoe import CUT, Sealed, seal
from ...record.entries import cut_form, reveal_entry, seal_entry, shoe_entry, void_entry
from .state import Shoe, State
from .work import Work


def begin(work: Work) -> bool:
    """Commit to a fresh key for the players who sit here now."""
    state = work.state
    if not state.wanted or state.shoe is not None or state.banking is not None:
        return False
    table, rules = state.table, state.rules
    state.wanted = False
    state.shoes += 1
    roster = [table.players[seat] for seat in sorted(table.players) if table.players[seat] != state.barred]
    state.barred = None
    cutter = table.players[rules.cutter(table, state.shoes)] if rules.cut_range() and table.players else None
    state.shoe = Shoe(
        number=state.shoes,
        began=work.now,
        since=work.now,
        roster=roster,
        key=work.fresh_key(),
        cutter=cutter if cutter in roster else None,
        purpose="bank" if rules.needs_first_bank(table) else None,
    )
    work.log(
        shoe_entry(
            work.at,
            state.shoe_id,
            deck=rules.deck,
            cards=rules.cards,
            commitment=commitment_of(state.shoe.key),
            roster=roster,
            draws=rules.draws(),
            cutter=state.shoe.cutter,
            purpose=state.shoe.purpose,
        )
    )
    return True


def seal_now(work: Work) -> None:
    """Fix the order. Where nobody chose the cut it is the named draw; the top card is burned where the rules say so."""
    state = work.state
    shoe = work.shoe()
    shoe.sealed = work.now
    form = None
    if state.rules.cut_range() is not None and (shoe.cut is None or shoe.hashed is None):
        chosen = shoe.cut is not None
        if shoe.cut is None:
            shoe.cut = order(state, shoe).number(CUT)
        form = cut_form(shoe.cut, shoe.cutter if chosen else None)
    burn = None
    if state.rules.burns and shoe.purpose is None:
        burn = order(state, shoe).draw()
        shoe.position = 1
    work.log(seal_entry(work.at, state.shoe_id, shoe.seeds, cut=form, burn=burn))


def order(state: State, shoe: Shoe) -> Sealed:
    """The shoe with its pointer where the last finished round left it."""
    rules = state.rules
    sealed = seal(
        key=shoe.key,
        shoe=state.shoe_id,
        deck=named_deck(rules.deck),
        seeds=[(who, bytes.fromhex(shoe.seeds[who])) for who in shoe.roster if who in shoe.seeds],
        cut=shoe.cut or 0,
        draws=rules.draws(),
    )
    for past in shoe.reshuffles:
        _skip(sealed, past.after)
        kept = set(past.kept)
        sealed.reshuffle([i for i in range(len(sealed.deck)) if i not in kept], cut=past.cut)
    _skip(sealed, shoe.position)
    return sealed


def _skip(sealed: Sealed, position: int) -> None:
    while sealed.position < position:
        sealed.draw_index()


def reveal(work: Work, why: str) -> None:
    """Publish the key of a sealed shoe; no round of it is open."""
    shoe = work.shoe()
    sealed = order(work.state, shoe)
    draws = {name: sealed.number(name) for name in sealed.draws}
    work.log(reveal_entry(work.at, work.state.shoe_id, shoe.key.hex(), draws, shoe.position, why))
    work.state.shoe = None


def void(work: Work, why: str, by: str | None = None) -> None:
    """Close a shoe before its seal; the bets of an opened round go back to their owners."""
    shoe = work.shoe()
    opened = shoe.round
    number = None if opened is None else opened.number
    work.log(void_entry(work.at, work.state.shoe_id, shoe.key.hex(), why, by=by, round=number))
    work.state.shoe = None


def end(work: Work) -> bool:
    """End a shoe that no round is open on: the table closes, the shoe is too old, the bank is gone."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.round is not None:
        return False
    if state.closing:
        why = "closing"
    elif work.past(shoe.began if shoe.sealed is None else shoe.sealed, state.policy.shoe):
        why = "age"
    elif shoe.sealed is not None and shoe.purpose is None and state.rules.needs_first_bank(state.table):
        why = "bank"
    else:
        return False
    state.banking = None
    if shoe.sealed is None:
        void(work, why)
    else:
        reveal(work, why)
    return True
