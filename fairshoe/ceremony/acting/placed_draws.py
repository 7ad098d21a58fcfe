"""The placer of a shoe without a table. While a draw waits for places no other is made, and the shoe does not end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...log.canonical import Entry
from ...log.times import timestamp
from ...protocol.commitment import commitment_of_hex
from ...protocol.deck import MAX_CARDS
from ...protocol.placer_chain import shoe_text
from ...record import entries
from ...record.forms import Placement
from ..book import UNKNOWN_TREES, LoggedPlacer
from ..contributing import order_of
from ..placer_steps import (
    PendingCard,
    PlacerQuestion,
    PlacerSteps,
    chain_of,
    draw_text,
    final_question,
    record_steps,
)
from .commands import DrawCards, GiveCommitment, GiveKey, GivePlaces, Refused, check_lengths
from .lone_shoe import LoneShoe, follow_shoe
from .placers import LATER, PlacerRequests, accept_key, add_places
from .state import Keys, PlacerAnswers

if TYPE_CHECKING:
    from .shoe_machine import ShoeWork

MAX_PLACED = 1_024
"""Cards of one draw with a placer, who is asked for 64 at once."""


def requests_of_shoe(state: LoneShoe, keys: Keys) -> PlacerRequests:
    """Return the requests to a shoe's placer. The trees of its entries must be known (`record_shoe_tree`)."""
    placer = state.shoe.placer
    if placer is None or (state.ended is not None and not state.key_awaited):
        return PlacerRequests("", "", [])
    if state.uncommitted is not None:
        return PlacerRequests(placer.key, shoe_text(state.origin, state.shoe.id, state.commitment), [])
    asked = None
    if state.key_awaited:
        asked = _final_question(state, placer)
    elif state.waiting_draw is not None:
        asked = question(state, keys.current())
    return PlacerRequests(placer.key, "", [] if asked is None else [(state.shoe.id, asked)])


def question(state: LoneShoe, key: bytes) -> PlacerQuestion | None:
    """Return the question that the waiting draw asks of the placer."""
    if state.waiting_draw is None:
        return None
    try:
        deal(state, key, state.waiting_draw)
    except PendingCard as awaited:
        return awaited.question
    return None


def _final_question(state: LoneShoe, placer: LoggedPlacer) -> PlacerQuestion | None:
    """Return the last question; None where a restored house knows the shoe by its log alone."""
    if state.shoe.trees == UNKNOWN_TREES:
        return None
    return final_question(state.shoe, chain_of(state.origin, state.shoe, placer, state.commitment))


def entry_of(at: str, state: LoneShoe, command: DrawCards, cards: list[str], numbers: dict[str, int]) -> Entry:
    """Return the `drawn` entry of a command, without its places."""
    hidden = command.size if command.hidden or command.to else 0
    return entries.drawn_entry(
        at,
        state.shoe.id,
        command.pos,
        cards=[] if hidden else cards,
        hidden=hidden,
        to=command.to,
        draws=numbers,
        gathered=len(state.told.gathers),
    )


def check_awaited_draw(state: LoneShoe, command: DrawCards, numbers: dict[str, int]) -> None:
    """Raise Refused where the entry of a draw could be too long, whatever places its placer gives."""
    longest = sorted(state.cards(), key=lambda label: len(label.encode()) + label.count('"') + label.count("\\"))[
        -command.size :
    ]
    placed = Placement((MAX_CARDS,) * command.size, "0" * 88)
    check_lengths([entry_of(timestamp(0), state, command, longest, numbers) | {"placed": placed.form}])


def deal(state: LoneShoe, key: bytes, command: DrawCards) -> tuple[list[str], PlacerSteps]:
    """Return the cards of a draw, and the placer's steps after them. Raises PendingCard."""
    shoe, answers = state.shoe, state.placer_answers
    if shoe.placer is None:
        raise LookupError("no placer")
    asking = PlacerSteps(chain_of(state.origin, shoe, shoe.placer, state.commitment), answers.new_places, answers.steps)
    asking.begin_entry(shoe, dealing=False)
    sealed = order_of(shoe, key, state.cards(), placing=asking)
    sealed.go_to(shoe.position)
    asking.begin_entry(shoe, dealing=True)
    asking.add_event(draw_text(entry_of("", state, command, [""] * command.size, {})))
    asking.sure = command.size
    return [sealed.draw() for _ in range(command.size)], asking


def finish_draw(work: ShoeWork) -> bool:
    """Log the draw that waits for its placer, if all of its places are here."""
    state, command = work.state, work.state.waiting_draw
    if command is None:
        return False
    try:
        cards, asking = deal(state, work.key(), command)
    except PendingCard:
        return False
    sealed, answers = state.order(work.key()), state.placer_answers
    entry = entry_of(work.at, state, command, cards, {name: sealed.number(name) for name in command.draws})
    placement = Placement(answers.new_places, answers.signature)
    answers.new_places, state.waiting_draw = (), None
    record_steps(state.shoe, asking.chain)
    work.log(entry | {"placed": placement.form})
    return True


def give_commitment(work: ShoeWork, command: GiveCommitment) -> None:
    """The placer has committed to a key: the shoe is committed to."""
    state, placer = work.state, work.state.shoe.placer
    if state.uncommitted is None or placer is None or command.shoe != state.shoe.id:
        raise Refused("no commitment is awaited", where="placer", remedy=LATER)
    commitment = commitment_of_hex(command.commitment)
    work.claims.append(commitment)
    entry = state.uncommitted | {"at": work.at, "placer": {"commitment": commitment, "key": placer.key}}
    state.shoe, state.uncommitted, state.placer_answers = follow_shoe(None, entry).shoe, None, PlacerAnswers()
    work.entries.append(entry)
    if state.shoe.placer is not None:
        record_steps(state.shoe, chain_of(state.origin, state.shoe, state.shoe.placer, state.commitment))


def give_places(work: ShoeWork, command: GivePlaces) -> None:
    """Take the placer's places. Raises Refused where they are not awaited, VerificationError."""
    state, placer = work.state, work.state.shoe.placer
    asked = work.question or question(state, work.key()) if state.shoe.id == command.shoe else None
    if asked is None or placer is None or asked.chain.steps != command.steps:
        raise Refused("no such places are awaited", where="placer", remedy=LATER)
    add_places(state.placer_answers, asked, placer, command)


def give_key(work: ShoeWork, command: GiveKey) -> None:
    """Take the placer's key of a shoe that is over."""
    state, placer = work.state, work.state.shoe.placer
    asked = None if placer is None or not state.key_awaited else _final_question(state, placer)
    if asked is None or placer is None or command.shoe != state.shoe.id:
        raise Refused("no key is awaited", where="placer", remedy=LATER)
    work.log(accept_key(work.at, command, placer, asked))
