"""`open` and `round` are written straight in canonical form: the text is the encoding of its own object."""

from __future__ import annotations

import json

import pytest

from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES
from fairshoe.engine.table import Bet
from fairshoe.log.canonical import encode
from fairshoe.record.entries import open_entry
from fairshoe.record.rounds import open_text, round_entry, round_text
from tests import house

AT = "2026-01-01T00:00:00.000Z"
ROUNDS = {"lounge": 4}
SEATS = {"banker": (1,)}


@pytest.mark.parametrize("rules", sorted(name for name in RULES if RULES[name].__module__.startswith("fairshoe.")))
def test_the_text_of_a_round_is_canonical(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str, int, Round]] = []

    def collect(at: str, shoe: str, number: int, round: Round) -> dict[str, object]:
        played.append((at, shoe, number, round))
        return round_entry(at, shoe, number, round)

    monkeypatch.setattr(house, "round_entry", collect)
    house.honest(rules, ROUNDS.get(rules, 80), seats=SEATS.get(rules, (1, 2, 3)), chips=100_000)
    assert len(played) >= ROUNDS.get(rules, 80)
    for at, shoe, number, round in played:
        text = round_text(at, shoe, number, round)
        assert encode(json.loads(text)).decode() == text


@pytest.mark.parametrize("waived", [(), (1,), (1, 12)])
@pytest.mark.parametrize("bets", [[Bet(1, 10, 1)], [Bet(2, 5, 2), Bet(12, 7, 12)], [Bet(1, 2, 3), Bet(1, 2, 7)]])
def test_the_text_of_an_open_is_canonical(bets: list[Bet], waived: tuple[int, ...]) -> None:
    text = open_text(AT, "table/1", 3, bets, waived)
    assert encode(json.loads(text)).decode() == text
    assert json.loads(text) == open_entry(AT, "table/1", 3, bets, waived)
