"""What a chair and the public are shown of one table, from the first hash to a dealt round, written out."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, receipt_of
from fairshoe.ceremony.acting.playing import rebuild_round
from fairshoe.ceremony.acting.state import Keys
from fairshoe.ceremony.acting.view import table_view
from fairshoe.ceremony.policy import Policy

from .search import Node, sealed
from .test_progress import table

CHIPS = {"do": "chips", "ops": ["buy-in", "cash-out", "transfer", "leave"], "may": True}
BETS = {"do": "bets", "round": 1, "low": 2, "high": 500, "unit": 2}


def shown(node: Node, seat: int | None) -> dict[str, Any]:
    return table_view(node.state, seat, node.now, rebuild_round(node.state, node.key))


def told(node: Node, seat: int) -> list[dict[str, Any]]:
    """What the chair may say now."""
    own: dict[str, Any] = shown(node, seat)["you"]
    assert own["seat"] == seat
    assert own["player"] == node.state.table.players[seat]
    said: list[dict[str, Any]] = own["expects"]
    return said


@pytest.fixture
def begun() -> Node:
    """A casino shoe of three chairs that was committed to."""
    node = table("casino", ["ann", "bob"]).step(say.TakeSeat("eve", 500, 5, "Eve the 5th"))
    return node.step(say.AskShoe(1))


def test_a_shoe_that_waits_for_hashes(begun: Node) -> None:
    view = shown(begun, None)
    assert view.pop("at") == "2027-01-15T08:00:04.000005Z"
    assert view == {
        "table": "t",
        "rules": "casino",
        "options": {"packs": 6, "minimum": 2, "maximum": 500, "insert": 60},
        "policy": Policy()._asdict(),
        "phase": "hash",
        "closed": False,
        "chairs": 7,
        "seats": [
            {"seat": 1, "player": "ann"},
            {"seat": 2, "player": "bob"},
            {"seat": 5, "player": "eve", "name": "Eve the 5th"},
        ],
        "chips": {"house": 0, "1": 1_000_000, "2": 1_000_000, "5": 500},
        "bank": "house",
        "rounds": 0,
        "owed": {},
        "deadlines": {"hash": "2027-01-15T08:00:34.000004Z", "shoe": "2027-01-16T08:00:04.000004Z"},
        "evicted": [],
        "shoe": {
            "shoe": "t/1",
            "commitment": begun.state.commitment,
            "deck": "french:6",
            "cards": 312,
            "draws": {"cut": 312, "insert": 16},
            "roster": ["ann", "bob", "eve"],
            "cutter": "ann",
            "purpose": None,
            "hashed": [],
            "hashes": None,
            "opened": [],
            "opens": [],
            "struck": [],
            "sealed": False,
            "waived": [],
            "position": 0,
            "burned": [],
        },
        "bets": None,
        "round": None,
        "last": None,
        "moved": None,
        "ended": None,
    }
    reshuffle = {"do": "reshuffle", "may": True}
    assert told(begun, 1) == [{"do": "hash", "shoe": "t/1", "cut": [1, 311]}, reshuffle, CHIPS]
    assert told(begun, 2) == [{"do": "hash", "shoe": "t/1"}, reshuffle, CHIPS]
    sent = begun.step(say.GiveHash(2, "aa" * 32))
    assert told(sent, 2) == [reshuffle, CHIPS]
    assert shown(sent, None)["shoe"]["hashed"] == ["bob"]
    assert shown(sent, None)["shoe"]["hashes"] is None, "they are shown when all are in the log"


def test_bets_on_a_sealed_shoe_and_a_round_dealt_from_it(begun: Node) -> None:
    node = sealed(begun).step(say.TakeSeat("late", 100, 7))
    node = node.step(say.PlaceBets(5, 1, ())).step(say.PlaceBets(1, 1, (say.Stake(10),)))
    view = shown(node, 2)
    assert view["phase"] == "bet"
    assert view["bets"] == {"round": 1, "in": [{"amount": 10, "seat": 1}], "passed": [5]}
    assert view["deadlines"].keys() == {"bet", "shoe"}
    assert (view["shoe"]["opened"], view["shoe"]["sealed"]) == (["eve", "bob", "ann"], True)
    assert view["shoe"]["hashes"].keys() == {"ann", "bob", "eve"}
    assert told(node, 2) == [BETS, CHIPS]
    assert told(node, 1) == [{**BETS, "may": True}, CHIPS]
    assert told(node, 7) == [{"do": "waiver", "may": True}, CHIPS]
    node = node.step(say.Waive(7))
    assert told(node, 7) == [BETS, CHIPS]
    assert shown(node, 7)["shoe"]["waived"] == [7]
    for seat in (2, 7):
        node = node.step(say.PlaceBets(seat, 1, (say.Stake(4),)))
    view = shown(node, None)
    assert (view["phase"], view["rounds"], view["bets"]) == ("round", 1, None)
    assert view["chips"] == {"house": 0, "1": 1_000_000, "2": 1_000_000, "5": 500, "7": 100}
    hands = [("Qh 2s", 12, 10, 1), ("Ac Ac", 12, 4, 2), ("6c 6h", 12, 4, 7)]
    public = {
        "chips": {"house": 0, "1": 999_990, "2": 999_996, "7": 96},
        "dealer": {"cards": ["3c", None], "total": None},
        "hands": [
            {"cards": cards.split(), "total": total, "bet": bet, "box": seat, "seat": seat}
            for cards, total, bet, seat in hands
        ],
        "over": False,
        "turn": 1,
    }
    assert view["round"] == {
        "round": 1,
        "bets": [{"amount": 10, "seat": 1}, {"amount": 4, "seat": 2}, {"amount": 4, "seat": 7}],
        "view": public,
        "reshuffled": [],
        "burned": [],
    }
    assert told(node, 2) == []
    moves = [{"move": "hit"}, {"move": "stand"}]
    assert shown(node, 1)["round"]["view"] == {**public, "hand": 0, "moves": moves, "step": 0}
    (decision,) = told(node, 1)
    assert decision == {
        "do": "decisions",
        "about": "round",
        "round": 1,
        "step": 0,
        "moves": moves,
        "default": {"move": "stand"},
        "hint": "hit",
    }


def test_a_seed_is_asked_of_whose_turn_it_is_and_of_who_owes_one(begun: Node) -> None:
    node = begun
    for seat in (1, 2, 5):
        node = node.step(next(command for command in node.own(seat) if isinstance(command, say.GiveHash)))
    assert shown(node, None)["shoe"]["opens"] == ["eve", "bob", "ann"]
    assert told(node, 5) == [{"do": "seed", "shoe": "t/1"}, {**CHIPS, "ops": ["buy-in", "cash-out", "transfer"]}]
    assert [form["do"] for form in told(node, 2)] == ["chips"]
    node = node.step(None)
    assert shown(node, None)["shoe"]["struck"] == ["eve"]
    assert told(node, 5) == [CHIPS], "nobody had opened a seed: nothing is owed"
    node = node.step(next(command for command in node.own(2) if isinstance(command, say.GiveSeed))).step(None)
    assert shown(node, None)["shoe"] is None
    assert shown(node, None)["owed"] == {"ann": ["t/1"]}
    assert told(node, 1)[0] == {"do": "seed", "shoe": "t/1", "owed": True}
    assert told(node, 2) == [{"do": "shoe"}, CHIPS]


def test_a_cut_that_comes_with_a_seed_handed_in_late_is_none(begun: Node) -> None:
    node = begun.step(next(command for command in begun.own(1) if isinstance(command, say.GiveHash)))
    node = node.step(None).step(None)
    assert shown(node, None)["owed"] == {"ann": ["t/1"]}
    late = say.GiveSeed(1, node.seed(1, "t/1").hex(), 5)
    made = apply(node.state, late, node.now, Keys(lambda: node.key, node.key))
    receipt = receipt_of(node.state, late, made, node.now)
    assert receipt is not None
    assert made.entries[0]["kind"] == "late"
    assert "ann" in made.state.book.debts
    assert table_view(made.state, None, node.now)["owed"] == {}, "who has handed in waits, and owes nothing"
    assert "cut" not in receipt
    assert receipt["seed"] == late.seed
