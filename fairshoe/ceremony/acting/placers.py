"""A table's placer: the requests to it, which are sent once a step is on the disk, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...engine.cards import LoggedCards
from ...engine.round import Round, replay_partial
from ...engine.view import open_cards
from ...errors import VerificationError
from ...log.canonical import Entry
from ...protocol.commitment import commitment_of, commitment_of_hex, key_of_hex
from ...protocol.placer_chain import END, shoe_text
from ...protocol.shoe import Sealed
from ...record.entries import placed_entry
from ...record.forms import shoe_id
from ..book import UNKNOWN_TREES, LoggedPlacer, Shoe, standing_bets
from ..contributing import placer_of
from ..placer_steps import PendingCard, PlacerQuestion, accept_note, accept_places, chain_of, final_question
from ..stages import Stage
from .commands import GiveCommitment, GiveKey, GivePlaces, Refused
from .playing import draw_first_banker, rebuild_dealt, rebuild_round
from .shoes import current_order, placer_request
from .state import Keys, PlacerAnswers, State, Work

LATER = "ask again what is awaited"
NEWEST_STEP = -1
"""The `steps` of a GivePlaces that is the placer's newest answer once more."""


def commitment_request(state: State, origin: str) -> str:
    """Return the text that asks the placer to commit to a key, "" if no commitment is awaited."""
    if state.placer_commitment != "":
        return ""
    return shoe_text(origin, shoe_id(state.id, state.book.shoes + 1), state.commitment)


def question(state: State, key: bytes) -> PlacerQuestion | None:
    """Return the question that the live shoe waits for. The trees of its entries must be known (`record_tree`)."""
    shoe = state.shoe
    if shoe is None or not state.places_awaited:
        return None
    try:
        if shoe.stage is Stage.SEED:
            current_order(state, shoe, key, placer_request(state, shoe)).draw_index()
        elif shoe.stage is Stage.DRAW:
            draw_first_banker(state, shoe, key)
        else:
            rebuild_dealt(state, key)
    except PendingCard as awaited:
        return awaited.question
    return None


def final_questions(state: State) -> Iterator[tuple[str, LoggedPlacer, PlacerQuestion]]:
    """Yield each ended shoe's id, placer and last question; none for shoes that a restore knows by the log alone."""
    for name, over in state.book.unrevealed_placers.items():
        placer = over.shoe.placer
        if placer is not None and over.shoe.trees != UNKNOWN_TREES:
            yield name, placer, final_question(over.shoe, chain_of(state.origin, over.shoe, placer))


class PlacerRequests(NamedTuple):
    """The requests to a table's `placer`, whose verifier key this is: a commitment, by the `text` that asks for it,
    or ""; places and keys, with the shoe of each question. `by_player`: of whoever sits there; `cards` are then those
    of the round so far, None where one lies hidden."""

    placer: str
    text: str
    questions: list[tuple[str, PlacerQuestion]]
    by_player: bool = False
    cards: Sequence[str | None] = ()


def is_asking(state: State) -> bool:
    """Whether nothing goes on before a placer has answered."""
    return state.places_awaited or state.placer_commitment == ""


def may_ask(state: State) -> bool:
    """Whether there may be something to ask a placer for."""
    return is_asking(state) or bool(state.book.unrevealed_placers)


def placer_requests(state: State, keys: Keys) -> PlacerRequests:
    asked_for = question(state, keys.current()) if state.places_awaited else None
    live = [] if asked_for is None else [(state.shoe_id, asked_for)]
    last = [(name, asking) for name, _, asking in final_questions(state)]
    awaited = PlacerRequests(placer_of(state.book), commitment_request(state, keys.origin), [*live, *last])
    if not state.book.player_places:
        return awaited
    return awaited._replace(by_player=True, cards=placed_cards(state, keys.current()) if live else ())


def answer_of(shoe: str, question: PlacerQuestion, given: tuple[int, ...], note: str) -> GivePlaces | GiveKey:
    """Return the command for a placer's answer to a question; it is judged when it is taken."""
    if question.lines == (END,) and not given:
        key = note.rpartition("\n\n")[0].rpartition("key ")[2]
        return GiveKey(shoe, key, note)
    return GivePlaces(shoe, question.chain.steps, given, note)


def placed_cards(state: State, key: bytes) -> list[str | None]:
    """The cards of the open round whose places were given, in the order of dealing; None for one that lies hidden."""
    shoe = state.shoe
    if shoe is None or state.book.open_round is None:
        return []
    return open_cards(round_so_far(state, shoe, current_order(state, shoe, key, placer_request(state, shoe))))


def round_so_far(state: State, shoe: Shoe, sealed: Sealed) -> Round:
    """Return the open round with the cards whose places were given, which are drawn from the shoe."""
    cards: list[str] = []
    with suppress(PendingCard):
        while sealed.left:
            cards.append(sealed.draw())
    dealt = LoggedCards(cards, position=shoe.position, present=shoe.deck_size, size=shoe.cards)
    bets = [] if state.book.open_round is None else standing_bets(state.book, shoe, state.book.open_round)
    return replay_partial(state.table, dealt, bets, state.decisions)


def give_commitment(work: Work, command: GiveCommitment) -> None:
    state = work.state
    if state.placer_commitment != "" or command.shoe != shoe_id(state.id, state.book.shoes + 1):
        raise Refused("no commitment is awaited", where="placer", remedy=LATER)
    commitment = commitment_of_hex(command.commitment)
    work.claims.append(commitment)
    state.placer_commitment = commitment


def give_places(work: Work, command: GivePlaces) -> None:
    """Take the placer's places. Its newest answer once more changes nothing. Raises Refused if neither is awaited."""
    if command.steps == NEWEST_STEP:
        check_newest(work, command)
        return
    state, shoe = work.state, work.state.shoe
    asking = None
    if shoe is not None and shoe.id == command.shoe:
        asking = work.question or question(state, work.key())
    answer, placer = state.placer_answers, None if shoe is None else shoe.placer
    if asking is None or answer is None or placer is None or asking.chain.steps != command.steps:
        raise Refused("no such places are awaited", where="placer", remedy=LATER)
    add_places(answer, asking, placer, command)
    state.places_awaited = state.round_dealt = False


def add_places(answers: PlacerAnswers, asked: PlacerQuestion, placer: LoggedPlacer, command: GivePlaces) -> None:
    """Add a placer's answer to those before. Raises VerificationError."""
    accepted = accept_places(asked, placer, answers.place_mask, command.places, command.note)
    answers.signature, answers.place_mask = accepted
    answers.steps += len(asked.lines)
    answers.new_places += command.places
    answers.places += command.places


def check_newest(work: Work, command: GivePlaces) -> None:
    """Raise Refused unless a note is the placer's newest and the open round asks for nothing. Two receipts for it, far
    apart, show that the house kept the round back."""
    state, shoe = work.state, work.state.shoe
    found = rebuild_round(state, work.key()) if state.cards_on_table and not state.places_awaited else None
    if found is not None and found.asking is not None and shoe is not None and shoe.placer is not None:
        with suppress(VerificationError):
            accept_note(command.note, found.asking.chain, shoe.placer)
            return
    raise Refused("no such answer is awaited, nor is it the newest", where="question", remedy=LATER)


def give_key(work: Work, command: GiveKey) -> None:
    last = {name: (placer, asked) for name, placer, asked in final_questions(work.state)}
    if command.shoe not in last:
        raise Refused("no key is awaited", where="placer", remedy=LATER)
    work.log(accept_key(work.at, command, *last[command.shoe]))


def accept_key(at: str, command: GiveKey, placer: LoggedPlacer, asked: PlacerQuestion) -> Entry:
    """Return the `placed` entry of a placer's key, the answer to its last question. Raises VerificationError."""
    key, chain = key_of_hex(command.key), asked.answered(())
    if commitment_of(key) != placer.commitment:
        raise VerificationError("another key", where=placer.name, expected=f"the key of {placer.commitment}")
    return placed_entry(at, command.shoe, command.key, chain.steps, accept_note(command.note, chain, placer, key))
