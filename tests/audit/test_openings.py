"""Shoes of many rounds without a placer: a hand is bound to the seal as soon as it ends, in both readings."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand.parts import make
from audit_cli.cases.hand.run import check_hand_in_log
from fairshoe.engine.cards import ShoeCards
from fairshoe.errors import FairshoeError
from fairshoe.log.hand_proof import proof_of, proof_text, with_openings
from fairshoe.protocol.shoe import Sealed
from fairshoe.record.openings import places_of_hand
from tests.house import House, Prepared, Seating
from tests.placer.house import PlacedHouse
from tests.placer.test_openings import KEY, VERIFY, Unrevealed, audited, both, told
from tests.verifier.node import node
from tests.verifier.readings import reading, second_outcomes

from .planting import entries_in
from .proofs import checked, file_of


class Bound(Seating):
    """A table whose shoes have a root."""

    binds = True

    def order(self, shoe: Prepared) -> Sealed:
        self.sealed = super().order(shoe)
        return self.sealed


class Nines(ShoeCards):
    def draw(self) -> str:
        label = super().draw()
        return "9s" if label[0] in "2345" else label


class Liar(Bound):
    """Deals other cards than it bound."""

    def cards(self, sealed: Sealed) -> ShoeCards:
        return Nines(sealed)


def in_play(kind: type[Bound] = Bound, game: str = "casino", rounds: int = 4) -> tuple[Bound, list[dict[str, Any]]]:
    """A table in the middle of a shoe, and the openings of all cards that the log shows."""
    options = {"packs": 6} if game == "casino" else {}
    table = kind(House(), game, game, (1, 2, 3), careless=0, **options)
    steps = table.steps(99)
    for _ in range(rounds):
        next(steps)
    order = table.sealed.bound[0]
    forms = [order.open(place).form for place in range(table.sealed.position)]
    return table, [{"shoe": table.sealed.shoe, "opening": form} for form in forms]


@pytest.mark.parametrize("game", ["casino", "pontoon"])
def test_what_openings_cover_is_told_alike(game: str, tmp_path: Path) -> None:
    table, openings = in_play(game=game)
    for given, left in ((openings, 0), (openings[3:], 3), ([], None)):
        report = audited(table, given, tmp_path)
        assert not told(report)
        assert report.choices.as_json()["log"].get("card without opening", 0) == (left or 0)
        assert both(table, given, tmp_path) == reading("pass")
        second = subprocess.run([node(), str(VERIFY), str(tmp_path / "log"), "--key", KEY], capture_output=True)
        assert json.loads(second.stdout.splitlines()[-1])["openings"] == report.parameters["openings"]
        shoes, bound = (0, 0) if left is None else (1, len(given))
        counts = f"shoes in play: {shoes}; cards that openings show to be bound: {bound}, other cards: {left or 0}"
        assert report.parameters["openings"] == counts


def test_a_house_that_deals_other_cards_than_it_bound(tmp_path: Path) -> None:
    table, openings = in_play(Liar, rounds=1)
    index = next(i for i, entry in enumerate(entries_in(table.house)) if entry["kind"] == "round")
    assert {(code, entry) for code, entry, _ in told(audited(table, openings, tmp_path))} == {
        ("opening-differs", index)
    }
    assert both(table, openings, tmp_path) == reading("fail", index)
    assert both(table, [], tmp_path) == reading("pass")


def proven(table: Bound | Unrevealed, number: int) -> bytes:
    """The proof of a round with its openings."""
    proof = proof_of(file_of(table.house.lines, f"{table.name}#{number}"))
    places = places_of_hand([json.loads(each.line) for each in proof.entries], number)
    return proof_text(with_openings(proof, [table.sealed.bound[0].open(place) for place in places])).encode()


def altered(data: bytes) -> Iterator[bytes]:
    """The file with other openings, each in canonical form."""

    def change(make: Callable[[list[dict[str, Any]]], Any], **more: Any) -> bytes:
        form = json.loads(data)
        openings = make(form["openings"])
        form = {**form, **({} if openings is None else {"openings": openings}), **more}
        return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    yield change(lambda each: each[1:])
    yield change(lambda each: each[::-1])
    yield change(lambda each: [*each, each[0]])
    yield change(lambda each: [])
    yield change(lambda each: [None, *each[1:]])
    yield change(lambda each: [{**each[0], "salt": "00" * 16}, *each[1:]])
    yield change(lambda each: [{**each[0], "number": 0}, *each[1:]])
    yield change(lambda each: [{**each[0], "pos": each[1]["pos"]}, *each[1:]])
    yield change(lambda each: each, v=1)
    yield change(lambda each: "openings")


@pytest.mark.parametrize("game", ["casino", "pontoon"])
def test_a_hand_is_bound_to_the_seal_as_soon_as_it_ends(game: str, tmp_path: Path) -> None:
    table, _ = in_play(game=game)
    number = table.rounds
    file, without = proven(table, number), file_of(table.house.lines, f"{game}#{number}")
    assert checked(file).outcome.what.startswith(f"round {game}#{number} is bound")
    assert "cards not checked" in checked(without).outcome.what
    files = [file, without, proven(in_play(Liar, game)[0], number), *altered(file)]
    for i, data in enumerate(files):
        (tmp_path / f"{i}.json").write_bytes(data)
    outcomes = ["PASS so far", "PASS so far", "FAIL", *["refused"] * (len(files) - 3)]
    assert second_outcomes([tmp_path / f"{i}.json" for i in range(len(files))], KEY) == outcomes
    assert [outcome_of(data) for data in files] == outcomes


def test_a_hand_at_a_table_with_a_placer_is_bound_too(tmp_path: Path) -> None:
    """Also of the log that `fairshoe pull` keeps, with the openings beside it."""
    table = Unrevealed(PlacedHouse(), "casino", "casino", (1, 2), packs=6, careless=0)
    openings = table.rounds_of_a_shoe(3)
    file = proven(table, table.rounds)
    assert audited(table, openings, tmp_path / "any").parameters["openings"].endswith("other cards: 0")
    log = tmp_path / "any" / "log"
    shutil.copy(tmp_path / "any" / "openings.jsonl", log)
    name = f"casino#{table.rounds}"
    assert proof_text(make(log, name)).encode() == file
    for told_so in (checked(file), check_hand_in_log(log, name, key=KEY)):
        assert told_so.outcome.word == "PASS so far"
        assert f"round {name} is bound" in told_so.outcome.what
    (tmp_path / "hand.json").write_bytes(file)
    assert second_outcomes([tmp_path / "hand.json"], KEY) == ["PASS so far"]


def outcome_of(data: bytes) -> str:
    try:
        return checked(data).outcome.word
    except FairshoeError:
        return "refused"
