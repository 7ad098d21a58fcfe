"""A table's placers: what is awaited of them, which whoever runs the table asks for when a step is on the disk, and
what becomes of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...engine.cards import Dealt
from ...engine.round import so_far
from ...engine.view import open_cards
from ...errors import InputError, VerificationError
from ...log.note import signatures_of
from ...protocol.commitment import commitment_of, commitment_of_hex, key_of_hex
from ...protocol.placing import END, shoe_text
from ...record.entries import placed_entry
from ...record.forms import shoe_id
from ..book import UNSAID, bets_that_stand
from ..contributing import placers_of
from ..placing import Awaited as CardAwaited
from ..placing import Question, accepted, chains_of, check_note, ending, signature_in
from .commands import GiveCommitment, GiveKey, GivePlaces, Refused
from .playing import dealt_so_far, first_drawn
from .shoes import asked, order
from .state import Keys, State, Work

LATER = "ask again what is awaited"


def uncommitted(state: State, origin: str) -> tuple[str, list[int]]:
    """The text by which placers are asked to commit to a key, and those that have still to, by their numbers."""
    missing = [number for number, commitment in enumerate(state.committed) if not commitment]
    return shoe_text(origin, shoe_id(state.id, state.book.shoes + 1), state.commitment), missing


def question(state: State, key: bytes) -> Question | None:
    """What the live shoe waits for. The trees of its entries must be told (`stood`)."""
    shoe = state.shoe
    if shoe is None or not state.waiting:
        return None
    try:
        if not shoe.sealed:
            order(state, shoe, key, asked(state, shoe)).draw_index()
        elif shoe.purpose is not None:
            first_drawn(state, shoe, key)
        else:
            dealt_so_far(state, key)
    except CardAwaited as awaited:
        return awaited.question
    return None


def endings(state: State) -> Iterator[tuple[str, Question]]:
    """The last questions of shoes that are over, by their ids; none of those that a restored house knows by its log
    alone."""
    for name, over in state.book.unplaced.items():
        if over.shoe.stands == UNSAID:
            continue
        for number, chain in enumerate(chains_of(state.origin, over.shoe, "")):
            if over.shoe.placers[number].name in over.missing:
                yield name, ending(over.shoe, number, chain)


class Awaited(NamedTuple):
    """What a table waits for of its `placers`, whose verifier keys these are: of which a commitment, by the text that
    asks for it; of which places, and of which keys, with the shoe of each question. `by_player`: of whoever sits there;
    `cards` are then those of the round so far, None where one lies hidden."""

    placers: list[str]
    text: str
    commitments: list[int]
    questions: list[tuple[str, Question]]
    by_player: bool = False
    cards: Sequence[str | None] = ()


def awaits(state: State) -> bool:
    """Whether there may be something to ask a placer for."""
    return state.waiting or "" in state.committed or bool(state.book.unplaced)


def awaited_of(state: State, keys: Keys) -> Awaited:
    asked_for = question(state, keys.current()) if state.waiting else None
    live = [] if asked_for is None else [(state.shoe_id, asked_for)]
    awaited = Awaited(placers_of(state.book), *uncommitted(state, keys.origin), [*live, *endings(state)])
    if not state.book.player_places:
        return awaited
    return awaited._replace(by_player=True, cards=lying(state, keys.current()) if live else ())


def answer_of(shoe: str, question: Question, given: tuple[int, ...], note: str) -> GivePlaces | GiveKey:
    """What a placer's answer to a question is; it is judged when it is taken."""
    if question.lines == (END,):
        key = signatures_of(note)[0].rstrip("\n").rpartition("key ")[2]
        return GiveKey(shoe, question.placer, key, note)
    return GivePlaces(shoe, question.placer, question.chain.steps, given, note)


def lying(state: State, key: bytes) -> list[str | None]:
    """The cards of the open round whose places were given, in the order of dealing; None for one that lies hidden."""
    shoe, opened = state.shoe, state.book.open
    if shoe is None or opened is None:
        return []
    asking, cards = asked(state, shoe), list[str]()
    sealed = order(state, shoe, key, asking)
    with suppress(CardAwaited):
        while True:
            cards.append(sealed.draw())
    dealt = Dealt(cards, position=shoe.position, present=shoe.present, size=shoe.cards)
    return open_cards(so_far(state.table, dealt, bets_that_stand(state.book, shoe, opened), state.decisions))


def give_commitment(work: Work, command: GiveCommitment) -> None:
    state = work.state
    awaited = command.shoe == shoe_id(state.id, state.book.shoes + 1) and command.placer < len(state.committed)
    if not awaited or state.committed[command.placer]:
        raise Refused("no commitment is awaited", where="placers", remedy=LATER)
    commitment = commitment_of_hex(command.commitment)
    if commitment == state.commitment or commitment in state.committed:
        raise InputError("a commitment of somebody else", where="placers", expected="a key of the placer's own")
    work.claims.append(commitment)
    state.committed[command.placer] = commitment


def give_places(work: Work, command: GivePlaces) -> None:
    state, shoe = work.state, work.state.shoe
    asking = question(state, work.key()) if shoe is not None and shoe.id == command.shoe else None
    if shoe is None or asking is None or (asking.placer, asking.chain.steps) != command[1:3]:
        raise Refused("no such places are awaited", where="placers", remedy=LATER)
    signature = accepted(asking, shoe.placers[asking.placer], asking.size, command.given, command.note)
    answer = state.answers[asking.placer]
    answer.steps += len(asking.lines)
    answer.given += command.given
    answer.signature = signature
    state.waiting = state.playing = False


def give_key(work: Work, command: GiveKey) -> None:
    over, key = work.book.unplaced.get(command.shoe), key_of_hex(command.key)
    last = {each.placer: each for name, each in endings(work.state) if name == command.shoe}
    if over is None or command.placer not in last:
        raise Refused("no key is awaited", where="placers", remedy=LATER)
    placer, chain = over.shoe.placers[command.placer], last[command.placer].answered(())
    if commitment_of(key) != placer.commitment:
        raise VerificationError("another key", where=placer.name, expected=f"the key of {placer.commitment}")
    signature = signature_in(command.note)
    check_note(chain, placer, signature, key)
    work.log(placed_entry(work.at, command.shoe, placer.name, command.key, chain.steps, signature))
