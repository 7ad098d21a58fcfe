"""`open` and `round` are written straight in canonical form: the text is the encoding of its own object."""

from __future__ import annotations

import json

import pytest

from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.engine.table import Bet
from fairshoe.log.canonical import encode
from fairshoe.record.rounds import Betting, open_entry, open_text, read_open, read_round, round_entry, round_text
from tests import house

AT = "2026-01-01T00:00:00.000000Z"
ROUNDS = {"lounge": 4}
BETTINGS = [
    Betting((Bet(1, 10, 1),)),
    Betting((Bet(2, 5, 2), Bet(12, 7, 12)), waived=(12,)),
    Betting((Bet(1, 2, 3), Bet(1, 2, 7)), passed=(2,), late=(4, 13)),
    Betting((Bet(3, 9, 3),), waived=(3, 11), uncovered=(Bet(1, 70, 1), Bet(2, 80, 2))),
    Betting((Bet(1, 1, 1),), (1,), (2, 3), (4,), (Bet(5, 2, 6),)),
]


@pytest.mark.parametrize("rules", sorted(name for name in RULES if RULES[name].__module__.startswith("fairshoe.")))
def test_the_text_of_a_round_is_canonical(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str, int, Round]] = []

    def collect(at: str, shoe: str, number: int, round: Round, moments: list[str]) -> dict[str, object]:
        played.append((at, shoe, number, round, moments))
        return round_entry(at, shoe, number, round, moments)

    monkeypatch.setattr(house, "round_entry", collect)
    house.honest(rules, ROUNDS.get(rules, 80), seats=(1, 2, 3)[: rules_of(rules).chairs[1]], chips=100_000)
    assert len(played) >= ROUNDS.get(rules, 80)
    assert any(moments for *_, moments in played), "the table decides now and then"
    for at, shoe, number, round, moments in played:
        text = round_text(at, shoe, number, round, moments)
        assert encode(json.loads(text)).decode() == text
        assert read_round(text) == (shoe, round.cards, round.decisions, moments)


@pytest.mark.parametrize("betting", BETTINGS)
def test_the_text_of_an_open_is_canonical(betting: Betting) -> None:
    text = open_text(AT, "table/1", 3, betting)
    assert encode(json.loads(text)).decode() == text
    assert json.loads(text) == open_entry(AT, "table/1", 3, betting)
    assert read_open(text) == ("table/1", 3, betting)


@pytest.mark.parametrize("betting", BETTINGS)
def test_an_open_that_is_written_otherwise_is_not_read_as_one(betting: Betting) -> None:
    text = open_text(AT, "table/1", 3, betting)
    for wrong in (text + " ", text.replace('"round":3', '"round":03'), text.replace('"v":1', '"v":1,"w":1'), text[:-1]):
        assert read_open(wrong) is None
