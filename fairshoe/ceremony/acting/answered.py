"""What the receipt of a step says, from the step itself."""

from __future__ import annotations

from ...engine.table import account_name
from ...engine.view import view
from ...log.canonical import Entry
from ...log.times import timestamp
from .. import receipts
from .commands import BuyIn, CashOut, Command, Decide, GiveHash, GiveSeed, PlaceBets, TakeSeat, Transfer, Waive
from .machine import Outcome
from .state import State

OF_CHIPS = ("op", "amount", "to", "leaves")


def receipt_of(before: State, command: Command, outcome: Outcome, now: int) -> Entry | None:
    """What the seat that gave the command is told; None for a command that has no receipt.

    `before` is the state that the command found; the outcome's remembers the receipt as the chair's newest.
    """
    taken = outcome.seat if isinstance(command, TakeSeat) else getattr(command, "seat", None)
    if taken is None:
        return None
    found = _said(before, command, outcome)
    if found is None:
        return None
    do, said = found
    state, at = outcome.state, timestamp(now)
    shown = receipts.chair_view(state.book, taken, state.commitment)
    if isinstance(command, Decide) and said["about"] == receipts.ROUND:
        if outcome.dealt is None:
            return None
        said["saw"] = view(outcome.dealt.round, taken, command.step)
        shown["round"] = view(outcome.dealt.round, taken, command.step + 1)
    players = state.table.players if taken in state.table.players else before.table.players
    form = receipts.step_receipt(
        table=state.id,
        seat=taken,
        player=players[taken],
        at=at,
        last=state.book.at,
        after=receipts.Link() if isinstance(command, TakeSeat) else before.links.get(taken, receipts.Link()),
        do=do,
        said=said,
        view=shown,
    )
    _remember(state, taken, receipts.link_of(form), at)
    return form


def _remember(state: State, seat: int, link: receipts.Link, at: str) -> None:
    """The chair's newest receipt: also of bets that this step had stand. Whoever sits down later begins anew."""
    state.links = {chair: own for chair, own in (state.links | {seat: link}).items() if chair in state.book.chairs}
    if state.stood is not None and state.stood["at"] >= at and account_name(seat) in state.stood["links"]:
        state.stood["links"][account_name(seat)] = list(link)


def standing_receipt(state: State, seat: int) -> Entry | None:
    """What a seat is told of its bets on the last round whose bets stood; None where it had no part in the betting."""
    if state.stood is None:
        return None
    form = receipts.stands_receipt(state.id, state.stood, seat)
    return form if form is not None and state.table.players.get(seat) == form["player"] else None


def _said(before: State, command: Command, outcome: Outcome) -> tuple[str, Entry] | None:
    shoe = before.shoe_id
    match command:
        case GiveHash():
            cut = {} if command.cut is None else {"cut": command.cut}
            return receipts.HASH, {"shoe": shoe, "hash": command.hash} | cut
        case GiveSeed():
            own = outcome.entries[0]
            cut = {} if command.cut is None or own["kind"] == "late" else {"cut": command.cut}
            return receipts.SEED, {"shoe": own["shoe"], "seed": command.seed} | cut
        case Waive():
            return receipts.WAIVER, {"shoe": shoe}
        case PlaceBets():
            seat = command.seat
            bets = [(stake.amount, seat if stake.box is None else stake.box) for stake in command.stakes]
            forms = receipts.offered_form(bets, seat)
            said = {"state": receipts.OFFERED, "shoe": shoe, "round": command.round, "bets": forms}
            return receipts.BET, said
        case Decide():
            return receipts.DECISION, _decided(before, command, shoe)
        case TakeSeat() | BuyIn() | CashOut() | Transfer():
            own = outcome.entries[0]
            return receipts.CHIPS, {name: own[name] for name in OF_CHIPS if name in own}
    return None


def _decided(before: State, command: Decide, shoe: str) -> Entry:
    about = receipts.BANK if before.banked is not None else receipts.ROUND
    said: Entry = {"about": about, "round": command.round, "step": command.step, "move": command.move}
    if about == receipts.ROUND:
        said["shoe"] = shoe
    if command.amount:
        said["amount"] = command.amount
    if command.chosen:
        said["chosen"] = list(command.chosen)
    return said
