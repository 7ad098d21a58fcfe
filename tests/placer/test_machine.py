"""The ceremony with a placer, by the machine that the service asks: the logs that it gives, and what waits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.commands import Refused
from fairshoe.ceremony.acting.phase import phase
from fairshoe.ceremony.acting.placers import final_questions, question
from fairshoe.ceremony.acting.shoes import may_go_on
from fairshoe.ceremony.acting.state import State, fold
from fairshoe.engine.rules import RULES
from fairshoe.errors import VerificationError
from fairshoe.protocol.placer_chain import RepeatedPlace
from fairshoe.protocol.word_stream import places

from .house import PLACER
from .walk import PlacedWalk, told, walked_clean


@pytest.mark.parametrize("trouble", [0.0, 0.3])
@pytest.mark.parametrize("rules", sorted(RULES))
def test_an_auditor_finds_its_logs_clean(rules: str, trouble: float, tmp_path: Path) -> None:
    """With placers that answer at once, and such that are waited for."""
    walk = walked_clean(PlacedWalk(rules, random.Random(f"{rules} {trouble}"), trouble, slow=trouble), tmp_path)
    assert sum("placed" in entry for entry in walk.log) >= 5


def test_a_reshuffle_in_the_middle_of_a_deal(tmp_path: Path) -> None:
    walk = PlacedWalk("pontoon", random.Random(2), slow=0.5, greedy=True, seats=7)
    walk.play(12)
    walk.serve()
    assert told(walk.audit(tmp_path)) == []
    assert any("reshuffled" in entry for entry in walk.log)


# What waits.


def until(walk: PlacedWalk, wanted: str) -> PlacedWalk:
    """A table in that phase; nobody asks its placers."""
    for _ in range(200):
        if phase(walk.state) == wanted:
            return walk
        walk.turn()
    raise AssertionError(phase(walk.state))


def one() -> PlacedWalk:
    walk = PlacedWalk("casino", random.Random(3), seats=2, packs=3)
    return until(walk, "bet")


def waiting() -> PlacedWalk:
    """A seat has hit, and its card is awaited."""
    walk = until(one(), "round")
    walk.slow = 1.0
    while not walk.state.places_awaited:
        ((seat, form),) = list(walk.waiting())
        moves = [move["move"] for move in form["moves"]]
        move = "hit" if "hit" in moves else form["default"]["move"]
        walk.do(say.Decide(seat, form["round"], form["step"], move))
    return walk


def forged(note: str) -> str:
    """With the placer's signature under another text."""
    return PLACER.sign(note.partition("\n\n")[0]).rstrip("\n") + "\n"


def test_a_shoe_waits_for_its_placers_commitment() -> None:
    walk = PlacedWalk("casino", random.Random(3), seats=2, slow=1.0)
    walk.do(say.AskShoe(1))
    key, commitment = walk.key, walk.state.commitment
    assert (walk.state.shoe, walk.state.placer_commitment) == (None, "")
    with pytest.raises(Refused, match="was asked for"):
        walk.do(say.AskShoe(2))
    answer = walk.commit()
    with pytest.raises(Refused, match="no commitment is awaited"):
        walk.apply(answer._replace(shoe="t/2"))
    (entry,) = walk.apply(answer)
    assert entry["commitment"] == commitment
    assert entry["placer"]["commitment"] == answer.commitment
    assert walk.key == key
    with pytest.raises(Refused, match="no commitment is awaited"):
        walk.apply(answer)


def test_who_closes_a_table_that_waits_for_a_commitment_has_no_shoe() -> None:
    walk = PlacedWalk("casino", random.Random(3), seats=2, slow=1.0)
    walk.do(say.AskShoe(1))
    answer = walk.commit()
    walk.do(say.Close())
    assert (walk.state.commitment, walk.state.placer_commitment) == ("", None)
    with pytest.raises(Refused, match="no commitment is awaited"):
        walk.apply(answer)


def test_a_decision_stands_and_the_round_waits() -> None:
    """It is kept with its moment, nobody decides any more, no limit runs, and no end comes, whatever time passes."""
    walk = waiting()
    assert (phase(walk.state), walk.state.decisions[-1].move) == ("places", "hit")
    assert all(
        walk.expected(seat) == [] or walk.expected(seat)[0]["do"] == "chips" for seat in walk.state.table.players
    )
    entries = len(walk.log)
    walk.do(None, 40 * 86_400)
    with pytest.raises(Refused, match="phase places"):
        walk.do(say.Decide(1, walk.state.book.rounds, 1, "stand"))
    assert (len(walk.log), walk.state.places_awaited) == (entries, True)


def test_the_limit_of_a_seat_runs_from_the_card() -> None:
    walk = waiting()
    walk.do(None, 900)
    walk.serve()
    asked = walk.round()
    if asked is not None and asked.ask is not None:
        walk.do(None, 29)
        assert [decision.by for decision in walk.state.decisions] == ["seat"] * len(walk.state.decisions)
        walk.do(None, 2)
        assert walk.state.table_decision_times


def test_the_same_is_asked_again_after_a_restart() -> None:
    walk = waiting()
    before = question(walk.state, walk.key)
    walk.restart()
    assert before == question(walk.state, walk.key)
    assert before is not None
    assert before.lines == (f"card {before.lines[0].split()[1]}",)


def test_the_first_cards_are_asked_for_at_once() -> None:
    """The shuffle names another tree than the first card; then two cards a hand and two for the dealer."""
    walk = until(one(), "round")
    assert [len(each.lines) for each in walk.asked[:2]] == [1, 6]
    assert walk.asked[0].lines[0].startswith("shuffle")


def test_what_a_placer_may_not_answer() -> None:
    walk = waiting()
    answer = walk.answer()
    assert isinstance(answer, say.GivePlaces)
    state = walk.state
    for wrong in (
        answer._replace(places=()),
        answer._replace(places=(999,)),
        answer._replace(places=(answer.places[0] ^ 1,)),
        answer._replace(note=forged(answer.note)),
        answer._replace(note=f"another text\n\n{answer.note.rpartition(chr(10) * 2)[2]}"),
        answer._replace(note=f"{answer.note}{answer.note.rpartition(chr(10) * 2)[2]}"),
        answer._replace(note="no note"),
    ):
        with pytest.raises(VerificationError):
            walk.apply(wrong)
    for other in (answer._replace(steps=answer.steps + 1), answer._replace(shoe="t/9")):
        with pytest.raises(Refused, match="no such places"):
            walk.apply(other)
    assert walk.state == state
    walk.apply(answer)
    with pytest.raises(Refused, match="no such places"):
        walk.apply(answer)


def test_a_place_is_given_once() -> None:
    """The house refuses one that was given before, though the placer has signed it, and the round waits."""
    walk = waiting()
    asking = question(walk.state, walk.key)
    assert asking is not None
    before = walk.log[-1]["kind"], walk.state
    given = walk.at[asking.chain.placer]
    for place in places(given[1], given[0].digest, given[0].size)[:2]:
        note = PLACER.sign(asking.answered([place]).note())
        with pytest.raises(RepeatedPlace):
            walk.apply(say.GivePlaces(walk.state.shoe_id, asking.chain.steps, (place,), note))
    assert (walk.log[-1]["kind"], walk.state) == before
    walk.serve()
    assert not walk.state.places_awaited


def test_another_key_than_the_placers_is_not_logged() -> None:
    walk = one()
    walk.slow = 1.0
    walk.do(None, 3_700)
    answer = walk.answer()
    assert isinstance(answer, say.GiveKey)
    with pytest.raises(VerificationError, match="another key"):
        walk.apply(answer._replace(key="00" * 32))
    with pytest.raises(VerificationError):
        walk.apply(answer._replace(note=forged(answer.note)))
    with pytest.raises(Refused, match="no key is awaited"):
        walk.apply(answer._replace(shoe="t/9"))
    (entry,) = walk.apply(answer)
    assert (entry["kind"], entry["steps"], walk.state.book.unrevealed_placers) == ("placed", 1, {})


def test_a_restored_house_does_not_go_on_with_such_a_shoe() -> None:
    """Its placers may have been asked for more than it knows of."""
    walk = one()
    assert not may_go_on(walk.state, walk.key)


def test_a_table_is_made_again_from_its_log() -> None:
    """But for what its placers were asked, which a log of its own does not tell."""
    walk = PlacedWalk("pontoon", random.Random(4), 0.2, slow=0.5)
    walk.play(6)
    states: dict[str, State] = {}
    fold(states, walk.log)
    assert states["t"].book.unrevealed_placers.keys() == walk.state.book.unrevealed_placers.keys()
    assert list(final_questions(states["t"])) == []
    walk.serve()
    assert walk.state.book.unrevealed_placers == {}


@pytest.mark.parametrize("rules", sorted(RULES))
def test_no_card_is_asked_for_that_is_not_dealt(rules: str) -> None:
    """What is asked for at once the rules deal whatever the cards are."""
    for number in range(6):
        walk = PlacedWalk(rules, random.Random(f"{rules} {number}"), seats=1 + number)
        walk.play(4)
        walk.serve()
        for entry in walk.log:
            if "placed" in entry:
                burned = entry["kind"] == "seal" or len(entry.get("reshuffled", ()))
                assert len(entry["placed"]["places"]) == len(entry.get("cards", ())) + burned
