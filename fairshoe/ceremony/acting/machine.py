"""The machine: applies a command, then all that is possible or due; and makes the receipt of a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.rules import Rules, check_playable
from ...engine.table import account_name
from ...engine.view import view
from ...log.canonical import Entry
from ...log.times import timestamp
from ...record.entries import TableOptions, close_entry, table_entry
from .. import receipts
from ..fold import apply_entry, open_table
from ..policy import Policy
from . import chairs, commands, contributions, placers, playing, shoes
from .commands import Answer, Command, Refused, check_lengths
from .phase import check_allowed
from .state import CommandResult, Keys, State, Work, copy

STEPS: tuple[Callable[[Work], bool], ...] = (
    shoes.end_when_due,
    chairs.evict_next,
    playing.settle_bank,
    shoes.begin_shoe,
    shoes.log_hashes,
    contributions.open_when_ready,
    shoes.miss_seed,
    shoes.seal_when_ready,
    playing.find_first_banker,
    playing.deal,
    playing.decide_late,
    chairs.share,
)
"""Steps that need no command. Each acts if its time has come, and returns whether it did."""


def _close(work: Work, _: commands.Close) -> None:
    if work.book.closed_at:
        raise Refused("the table is closed", where="table", remedy="nothing: it stays closed")
    work.log(close_entry(work.at, work.state.id))
    if work.state.shoe_requested:
        shoes.drop_request(work.state)


ACTS: dict[type[Command], tuple[str, Callable[[Work, Any], int | None]]] = {
    commands.TakeSeat: ("seats", chairs.take_seat),
    commands.BuyIn: ("chips", chairs.buy_in),
    commands.CashOut: ("chips", chairs.cash_out),
    commands.Transfer: ("chips", chairs.transfer),
    commands.Refund: ("refund", chairs.refund),
    commands.AskShoe: ("shoe", shoes.request_shoe),
    commands.AskReshuffle: ("reshuffle", contributions.ask_reshuffle),
    commands.GiveHash: ("hash", contributions.give_hash),
    commands.GiveSeed: ("seed", contributions.give_seed),
    commands.Waive: ("waiver", contributions.waive),
    commands.PlaceBets: ("bets", contributions.place_bets),
    commands.NoMoreBets: ("no-more-bets", contributions.no_more_bets),
    commands.Decide: ("decisions", playing.decide),
    commands.Here: ("here", lambda *_: None),
    commands.Evict: ("evict", chairs.evict),
    commands.ChangeToken: ("token", chairs.change_token),
    commands.Close: ("close", _close),
}
"""Of each command its name in `PHASES`, and what is done; that gives the chair that was taken, if one was."""


ANSWERS: dict[type[Answer], Callable[[Work, Any], None]] = {
    commands.GiveCommitment: placers.give_commitment,
    commands.GivePlaces: placers.give_places,
    commands.GiveKey: placers.give_key,
    commands.GiveBeacon: shoes.give_beacon,
}


def create(
    name: str, rules: Rules, policy: Policy, now: int, placer: str = "", lapses: int = 0, beacon_delay: int = 0
) -> CommandResult[State]:
    """Open a table. `placer`: a verifier key, PLAYER, or "". `beacon_delay`: seconds, 0 for no beacon. Raises
    InputError if its options leave no legal bet."""
    check_playable(rules)
    optional: TableOptions = {"placer": placer, "lapses": lapses, "beacon_delay": beacon_delay}
    entry = table_entry(timestamp(now), name, rules, policy._asdict(), **optional)
    return CommandResult(State(open_table(entry)), check_lengths([entry]), [])


def apply(state: State, command: Command | Answer | None, now: int, keys: Keys) -> CommandResult[State]:
    """Apply a command to a copy of the state; None: only what is due. `now` in microseconds. Raises FairshoeError."""
    work = Work(copy(state), now, keys)
    seat = None if command is None else _execute(work, command)
    while any(step(work) for step in STEPS):
        pass
    work.state.drop_lapse_credits()
    return CommandResult(
        work.state, check_lengths(work.entries), work.claims, work.begun, seat, work.live_round, work.saw
    )


def restart(state: State, entry: Entry, now: int) -> State:
    """Return the state after a `start` entry: limits that run begin anew."""
    again = copy(state)
    apply_entry(again.book, again.shoe, entry)
    again.decision_since = now
    if again.first_bet is not None:
        again.first_bet = now
    return again


def _execute(work: Work, command: Command | Answer) -> int | None:
    if isinstance(command, Answer):
        ANSWERS[type(command)](work, command)
        return None
    if isinstance(command, commands.Decide) and not (
        work.state.cards_on_table or work.state.bank_decisions is not None
    ):
        raise Refused("there is nothing to decide", where="decision", remedy="wait for your turn: see `expects`")
    route, act = ACTS[type(command)]
    seat = getattr(command, "seat", None)
    if seat is not None and seat not in work.book.chairs and not isinstance(command, commands.TakeSeat):
        raise Refused(f"chair {seat} was left", where="seat", remedy="take a seat")
    check_allowed(work.state, route)
    taken = act(work, command)
    if seat in work.book.chairs and not isinstance(command, commands.TakeSeat):
        work.state.lapse_credits[seat] = work.state.count_lapses(seat)
    return taken


# Receipts.

OF_CHIPS = ("op", "amount", "to", "leaves")


def receipt_of(before: State, command: Command | Answer, outcome: CommandResult[State], now: int) -> Entry | None:
    """Return the receipt for the seat that gave the command, None if it has none; the outcome's state then has it as
    newest. `before`: the state that the command found."""
    taken = outcome.seat if isinstance(command, commands.TakeSeat) else getattr(command, "seat", None)
    if taken is None:
        return None
    found = _describe_command(before, command, outcome)
    if found is None:
        return None
    do, said = found
    state, at = outcome.state, timestamp(now)
    shown = receipts.chair_view(state.book, taken, state.commitment)
    if isinstance(command, commands.Decide) and said["about"] == receipts.ROUND:
        if outcome.live_round is not None:
            said["saw"] = view(outcome.live_round.round, taken, command.step)
            shown["round"] = view(outcome.live_round.round, taken, command.step + 1)
        elif outcome.saw is not None:
            said["saw"] = outcome.saw
        else:
            return None
    players = state.table.players if taken in state.table.players else before.table.players
    after = receipts.Link() if isinstance(command, commands.TakeSeat) else before.links.get(taken, receipts.Link())
    form: Entry = {
        "v": receipts.VERSION,
        "table": state.id,
        "seat": taken,
        "player": players[taken],
        "number": after.number + 1,
        "before": after.hash,
        "at": at,
        "last": state.book.at,  # the `at` of the table's last entry once the step was done
        "do": do,
        **said,
        "view": shown,
    }
    _keep_link(state, taken, receipts.link_of(form), at)
    return form


def _keep_link(state: State, seat: int, link: receipts.Link, at: str) -> None:
    """The chair's newest receipt: also of bets that this step had stand. Whoever sits down later begins anew."""
    state.links = {chair: own for chair, own in (state.links | {seat: link}).items() if chair in state.book.chairs}
    if (
        state.standing_bets is not None
        and state.standing_bets["at"] >= at
        and account_name(seat) in state.standing_bets["links"]
    ):
        state.standing_bets = state.standing_bets | {
            "links": state.standing_bets["links"] | {account_name(seat): list(link)}
        }


def standing_receipt(state: State, seat: int) -> Entry | None:
    """Return a seat's receipt of its bets on the last round whose bets stood; None if it had no part in the betting."""
    if state.standing_bets is None:
        return None
    form = receipts.standing_bets_receipt(state.id, state.standing_bets, seat)
    return form if form is not None and state.table.players.get(seat) == form["player"] else None


def _describe_command(
    before: State, command: Command | Answer, outcome: CommandResult[State]
) -> tuple[str, Entry] | None:
    shoe = before.shoe_id
    match command:
        case commands.GiveHash():
            cut = {} if command.cut is None else {"cut": command.cut}
            return receipts.HASH, {"shoe": shoe, "hash": command.hash} | cut
        case commands.GiveSeed():
            own = outcome.entries[0]
            cut = {} if command.cut is None or own["kind"] == "late" else {"cut": command.cut}
            return receipts.SEED, {"shoe": own["shoe"], "seed": command.seed} | cut
        case commands.Waive():
            return receipts.WAIVER, {"shoe": shoe}
        case commands.PlaceBets():
            seat = command.seat
            bets = [(stake.amount, seat if stake.box is None else stake.box) for stake in command.stakes]
            forms = receipts.offered_form(bets, seat)
            said = {"state": receipts.OFFERED, "shoe": shoe, "round": command.round, "bets": forms}
            return receipts.BET, said
        case commands.Decide():
            return receipts.DECISION, _describe_decision(before, command, shoe)
        case commands.TakeSeat() | commands.BuyIn() | commands.CashOut() | commands.Transfer():
            own = outcome.entries[0]
            return receipts.CHIPS, {name: own[name] for name in OF_CHIPS if name in own}
    return None


def _describe_decision(before: State, command: commands.Decide, shoe: str) -> Entry:
    about = receipts.BANK if before.bank_decisions is not None else receipts.ROUND
    said: Entry = {"about": about, "round": command.round, "step": command.step, "move": command.move}
    if about == receipts.ROUND:
        said["shoe"] = shoe
    if command.amount:
        said["amount"] = command.amount
    if command.chosen:
        said["chosen"] = list(command.chosen)
    return said
