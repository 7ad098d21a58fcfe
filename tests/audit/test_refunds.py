"""`fairshoe-audit refunds`, as a person runs it (LO-07)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fairshoe.engine.rules.lounge import BUY_IN
from tests.house import Seating, honest

from .planting import KEY, at_table
from .telling import Said, said, written
from .test_hand import Lines, changed, entries, index_of

Entry = dict[str, Any]


@cache
def game() -> tuple[bytes, ...]:
    return tuple(honest("lounge", 3, seats=(1, 2)).lines)


def wrong(lines: Lines | None = None, number: int = 0) -> list[bytes]:
    """The log with a payout of one round changed."""
    lines = game() if lines is None else lines
    index = index_of("round", lines, number)
    hands = entries(lines)[index]["hands"]
    hands[1]["net"] += 1000
    return changed(lines, index, hands=hands)


def refunds(folder: Path, lines: Lines, *more: object) -> Said:
    """What is owed, to one who knows the house's key."""
    return said("refunds", written(folder, lines), "--key", KEY, *more)


def owed(folder: Path, lines: Lines) -> list[tuple[str, int, list[str]]]:
    form = json.loads(refunds(folder, lines, "--format", "json").out)
    assert form["total"] == sum(refund["amount"] for refund in form["refunds"])
    return [(refund["player"], refund["amount"], refund["rounds"]) for refund in form["refunds"]]


BOTH = [("lounge-p1", BUY_IN, ["lounge#1"]), ("lounge-p2", BUY_IN, ["lounge#1"])]


def test_an_honest_log_owes_nothing(tmp_path: Path) -> None:
    told = refunds(tmp_path, game())
    assert told.code == 0
    assert told.first == told.last
    assert told.first.startswith("PASS: no refund")


def test_refunds_are_owed_to_everybody_seated_in_a_wrong_round(tmp_path: Path) -> None:
    """LO-07."""
    told = refunds(tmp_path, wrong())
    assert told.code == 1
    assert told.first == told.last
    assert "2 refunds, 20,000" in told.first
    assert "lounge-p2 “Bjørn”: 10,000 (" in told.out
    assert owed(tmp_path, wrong()) == BOTH


def test_a_buy_in_that_was_refunded_is_owed_no_more(tmp_path: Path) -> None:
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    assert owed(tmp_path, wrong(table.house.lines)) == BOTH[1:]
    table.chips("refund", 2, BUY_IN, game=1, why="round")
    told = refunds(tmp_path, wrong(table.house.lines), "--format", "json")
    form = json.loads(told.out)
    assert (told.code, form["outcome"], form["refunds"]) == (0, "PASS", [])
    assert [(refund["player"], refund["rounds"]) for refund in form["refunded"]] == [
        (player, rounds) for player, _, rounds in BOTH
    ]
    assert "its fault" in form["says"]
    assert json.loads(refunds(tmp_path, table.house.lines, "--format", "json").out)["refunded"] == []


def test_a_buy_in_that_was_refunded_is_owed_no_more_for_a_later_round(tmp_path: Path) -> None:
    table = at_table("lounge", (1, 2), gift=1000)
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    table.play(1)
    assert refunds(tmp_path, table.house.lines).code == 0
    later = owed(tmp_path, wrong(table.house.lines, 1))
    assert later == [("lounge-p2", BUY_IN, ["lounge#2"])], "of a later round it is known who paid all the same"


def test_a_later_game_is_another_buy_in(tmp_path: Path) -> None:
    table = at_table("lounge", (1, 2), gift=9000)
    table.play(1)
    while table.table.memory.get("game", 0) < 2 or "started" not in table.table.memory:
        table.play(1)
    last = len([line for line in table.house.lines if b'"kind":"round"' in line]) - 1
    buy_ins = [i for i, e in enumerate(entries(table.house.lines)) if e.get("op") == "buy-in"]
    form = json.loads(refunds(tmp_path, wrong(table.house.lines, last), "--format", "json").out)
    assert [refund["entry"] for refund in form["refunds"]] == buy_ins[-2:]
    assert [refund["rounds"] for refund in form["refunds"]] == [[f"lounge#{last + 1}"]] * 2


@pytest.mark.parametrize("kind", ["shoe", "seal", "open", "round"])
def test_what_stops_in_the_middle_of_a_shoe_is_not_complete(kind: str, tmp_path: Path) -> None:
    """A house that seals and stops there."""
    told = refunds(tmp_path, game()[: index_of(kind, game(), 2) + 1], "--format", "json")
    form = json.loads(told.out)
    assert (told.code, form["outcome"], form["complete"]) == (0, "PASS so far", False)
    assert refunds(tmp_path, game()[: index_of(kind, game(), 2) + 1]).first.startswith("PASS so far: no refund")
    assert said("refunds", tmp_path, "--key", KEY, "--require-complete").code == 1


def test_who_cannot_know_that_the_house_signed_it_is_told_so(tmp_path: Path) -> None:
    plain = said("refunds", written(tmp_path, game()))
    assert (plain.code, plain.first.split(":")[0]) == (0, "PASS so far")
    assert plain.first.endswith("; not checked: signature")
    (tmp_path / "checkpoint").unlink()
    assert said("refunds", tmp_path).first.endswith("; not checked: signature, tree")
    assert said("refunds", tmp_path, "--require-complete").code == 1
    owes = said("refunds", written(tmp_path, wrong()))
    assert (owes.code, "2 refunds, 20,000" in owes.first) == (1, True)
    assert owes.first.endswith("that is not checked")


# What is found, and nobody can say in which rounds or by whose fault.


@pytest.mark.parametrize("fields", [{"options": {"packs": 6}}, {"policy": {"bet": 1}}])
def test_what_is_wrong_with_a_whole_table_is_never_nothing(fields: Entry, tmp_path: Path) -> None:
    table = index_of("table", game())
    fields = {
        name: entries(game())[table][name] | value if name == "policy" else value for name, value in fields.items()
    }
    told = refunds(tmp_path, changed(game(), table, **fields))
    assert told.code == 1
    assert told.first == told.last
    assert told.first.startswith("CANNOT SAY: no round")


def test_a_fault_that_is_unknown_is_never_nothing(tmp_path: Path) -> None:
    """A seed of an earlier shoe that stands there again: the player's program, or the house."""

    class Forgetful(Seating):
        def new_seed(self) -> bytes:
            seeds.append(super().new_seed())
            return seeds[0] if len(seeds) == 3 else seeds[-1]

    seeds: list[bytes] = []
    table = at_table("lounge", (1, 2), Forgetful)
    table.play(3)
    form = json.loads(refunds(tmp_path, table.house.lines, "--format", "json").out)
    assert form["outcome"] == "CANNOT SAY"
    assert [finding["code"] for finding in form["unsettled"]] == ["seed-reused"]


@pytest.mark.parametrize("fields", [{"amount": "x"}, {"chips": 5}, {"seat": 0}, {"op": "gift"}])
def test_a_wrong_payout_beside_a_buy_in_that_cannot_be_read_is_not_settled(fields: Entry, tmp_path: Path) -> None:
    told = refunds(tmp_path, changed(wrong(), 1, **fields))
    assert told.code == 1
    assert told.first == told.last
    assert told.first.startswith("CANNOT SAY: ")
    assert "1 refund, 10,000" in told.first
    assert "for seat 1 in" in told.out


@pytest.mark.parametrize("kind", ["shoe", "open", "round", "reveal", "seeds", "opened", "seal", "table"])
@pytest.mark.parametrize("spoiled", [b"\xff", b'{"kind":"x"}'])
def test_nothing_is_concluded_past_an_entry_that_cannot_be_read(kind: str, spoiled: bytes, tmp_path: Path) -> None:
    lines = wrong(number=1)
    index = index_of(kind, lines, -1 if kind == "table" else 0)
    told = refunds(tmp_path, [spoiled if i == index else line for i, line in enumerate(lines)])
    assert told.code == 1
    assert told.first.startswith("CANNOT SAY")
    if kind in ("round", "reveal", "opened"):
        assert "lounge#2" in told.out, "what is owed all the same is told"


def test_a_log_that_is_not_the_signed_one_settles_nothing(tmp_path: Path) -> None:
    written(tmp_path, game())
    (tmp_path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in wrong()))
    told = said("refunds", tmp_path)
    assert told.code == 1
    assert told.first.startswith("CANNOT SAY: what is")
    old = written(tmp_path / "old", wrong())
    assert refunds(tmp_path / "new", game(), "--checkpoint", old).code == 1
