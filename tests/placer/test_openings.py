"""Openings: a house that asks its placer honestly and deals other cards is found as long as no key is out, by what it
bound itself."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.engine.cards import ShoeCards
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.hand_proof import proof_of, proof_text, with_openings
from fairshoe.page import BUILT
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.openings import BoundOrder, opening_of
from fairshoe.protocol.shoe import Sealed
from tests.audit.proofs import file_of
from tests.audit.telling import said
from tests.house import SIGNER, Prepared
from tests.verifier.node import node
from tests.verifier.readings import Reading, first_reading, reading, second_outcomes, second_readings
from tests.verifier.test_frauds_too import outcome

from .house import PlacedHouse, PlacedSeating, entries_in

KEY = str(SIGNER.verifier)
VERIFY = BUILT / "verify.mjs"
UNBOUND = "cards not bound, of a shoe with a placer whose key is not out"


class Unrevealed(PlacedSeating):
    """A table that stops in the middle of a shoe."""

    def order(self, shoe: Prepared) -> Sealed:
        self.sealed = super().order(shoe)
        return self.sealed

    def rounds_of_a_shoe(self, many: int) -> list[dict[str, Any]]:
        """Play, and give the openings of all cards, as the house gives them."""
        steps = self.steps(99)
        for _ in range(many):
            next(steps)
        (bound,) = self.sealed.bound
        return [{"shoe": self.sealed.shoe, "opening": bound.open(place).form} for place in bound.given]


def audited(table: PlacedSeating, openings: list[dict[str, Any]], folder: Path) -> Report:
    write_log(folder / "log", table.house.lines, SIGNER)
    file = folder / "openings.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in openings))
    return verify(folder / "log", key=KEY, openings=file)


def unbound(report: Report) -> int:
    return sum(each.count for each in report.unchecked if each.what == UNBOUND)


def told(report: Report) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.entry, f.field) for f in report.findings if f.severity == "fail"]


def both(table: PlacedSeating, openings: list[dict[str, Any]], folder: Path) -> Reading:
    """What both readings say, with the openings beside the log."""
    audited(table, openings, folder)
    shutil.copy(folder / "openings.jsonl", folder / "log")
    (second,) = second_readings([folder / "log" / "log.jsonl"])
    assert second == first_reading(folder / "log" / "log.jsonl")
    return second


def test_an_honest_house_in_the_middle_of_a_shoe(tmp_path: Path) -> None:
    table = Unrevealed(PlacedHouse(), "casino", "casino", (1, 2), packs=6, careless=0)
    openings = table.rounds_of_a_shoe(5)
    cards = sum(len(entry["cards"]) for entry in entries_in(table.house) if entry["kind"] == "round")
    assert len(openings) == cards
    for given, left in ((openings, 0), (openings[3:], 3), ([], cards)):
        report = audited(table, given, tmp_path)
        assert (told(report), unbound(report)) == ([], left)


def test_a_burned_card_is_bound_too(tmp_path: Path) -> None:
    table = Unrevealed(PlacedHouse(), "pontoon", "pontoon", (1, 2, 3), careless=0)
    openings = table.rounds_of_a_shoe(2)
    assert unbound(audited(table, openings, tmp_path)) == 0
    assert unbound(audited(table, openings[1:], tmp_path)) == 1


class Lies(ShoeCards):
    def draw(self) -> str:
        label = super().draw()
        return "9s" if label[0] in "TJQKA" else label


class Liar(Unrevealed):
    """Says of each place what card it likes."""

    def cards(self, sealed: Sealed) -> ShoeCards:
        super().cards(sealed)
        return Lies(sealed)


def test_a_house_that_deals_what_it_likes_and_never_reveals(tmp_path: Path) -> None:
    """It won every stake, and nothing was found."""
    table = Liar(PlacedHouse(), "casino", "casino", (1, 2), packs=8, careless=0)
    openings = table.rounds_of_a_shoe(1)
    assert (told(audited(table, [], tmp_path)), bool(unbound(audited(table, [], tmp_path)))) == ([], True)
    index = next(i for i, entry in enumerate(entries_in(table.house)) if entry["kind"] == "round")
    found = told(audited(table, openings, tmp_path))
    assert found
    assert {(code, entry) for code, entry, _ in found} == {("opening-differs", index)}
    assert both(table, openings, tmp_path) == reading("fail", index)
    assert both(table, [], tmp_path) == reading("pass")


@pytest.mark.parametrize("keeps_numbers", [True, False])
def test_a_deck_with_exchanged_aces_is_found_before_any_key(keeps_numbers: bool, tmp_path: Path) -> None:
    """The house binds fives in place of all aces, and deals what it bound: as the aces' own numbers with another label,
    or as the numbers of fives, each then twice."""

    class ExchangedOrder(BoundOrder):
        def __init__(self, key: bytes, digest: bytes, deck: Deck, cut: int, *, numbered: bool) -> None:
            fives = [number + 4 if label[0] == "A" else number for number, label in enumerate(deck)]
            super().__init__(key, digest, deck.pick(fives) if keeps_numbers else deck, cut, numbered=numbered)
            if not keeps_numbers:
                self.numbers = [fives[number] for number in self.numbers]

    class Exchanged(Unrevealed):
        def order(self, shoe: Prepared) -> Sealed:
            with patch("fairshoe.protocol.shoe.BoundOrder", ExchangedOrder):
                sealed = super().order(shoe)
            sealed.deck = sealed.bound[0].deck
            return sealed

    table = Exchanged(PlacedHouse(), "casino", "casino", (1, 2, 3), packs=6, careless=0)
    openings = table.rounds_of_a_shoe(8)
    report = audited(table, openings, tmp_path)
    assert {code for code, *_ in told(report)} == {"opening-differs"}
    word = "which is another one" if keeps_numbers else "at places"
    assert [f.found for f in report.findings if f.code == "opening-differs" and word not in f.found] == []
    assert both(table, openings, tmp_path) == reading("fail", min(entry for _, entry, _ in told(report) if entry))
    assert both(table, [], tmp_path) == reading("pass")


def test_openings_of_a_hand_whose_cards_no_deck_has(tmp_path: Path) -> None:
    """What the house signed is wrong already: the proof is not refused for its openings."""
    table = Unrevealed(PlacedHouse(), "casino", "casino", (1, 2), packs=6, careless=0)
    openings = [opening_of(each["opening"]) for each in table.rounds_of_a_shoe(1)]
    *before, dealt = entries_in(table.house)
    strange = dealt | {"cards": [f"{dealt['cards'][0][0]}=", *dealt["cards"][1:]]}
    proof = proof_of(file_of([*map(encode, before), encode(strange)], "casino#1"))
    (tmp_path / "hand.json").write_text(text := proof_text(with_openings(proof, openings)))
    assert [outcome(text.encode())] == second_outcomes([tmp_path / "hand.json"], KEY) == ["FAIL"]


def test_an_opening_that_anybody_could_make_shows_nothing(tmp_path: Path) -> None:
    table = Unrevealed(PlacedHouse(), "casino", "casino", (1, 2), packs=6, careless=0)
    openings = table.rounds_of_a_shoe(1)
    forged = json.loads(json.dumps(openings))
    forged[0]["opening"]["label"] = "9s" if forged[0]["opening"]["label"] != "9s" else "9d"
    report = audited(table, forged, tmp_path)
    assert (told(report), unbound(report)) == ([], 1)
    assert both(table, forged, tmp_path) == reading("pass")


@pytest.fixture(scope="module")
def open_shoe(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """The log of a house in the middle of a shoe, and the file of its openings."""
    table = Unrevealed(PlacedHouse(), "casino", "casino", (1, 2), packs=6, careless=0)
    openings = table.rounds_of_a_shoe(1)
    folder = tmp_path_factory.mktemp("open")
    write_log(folder, table.house.lines, SIGNER)
    return folder, "".join(f"{json.dumps(each)}\n" for each in openings).encode()


def changed(**fields: Any) -> Callable[[bytes], bytes]:
    """Change fields of the first opening."""

    def change(file: bytes) -> bytes:
        first, _, rest = file.partition(b"\n")
        form = json.loads(first)
        return json.dumps({**form, "opening": {**form["opening"], **fields}}).encode() + b"\n" + rest

    return change


DEEP = b"[" * 70 + b"]" * 70
STRANGE: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "as it is": (0, lambda file: file),
    "blank lines": (0, lambda file: b"\n" + file.replace(b"\n", b"\n\n")),
    "CR LF": (0, lambda file: file.replace(b"\n", b"\r\n")),
    "a name twice": (0, lambda file: file.replace(b'{"shoe": ', b'{"shoe": 5, "shoe": ')),
    "a byte order mark": (2, lambda file: b"\xef\xbb\xbf" + file),
    "what is no UTF-8": (2, lambda file: file.replace(b'"shoe"', b'"x": "\xff", "shoe"')),
    "a CR alone": (2, lambda file: file + b"\r\n"),
    "a number alone": (2, lambda file: file + b"5\n"),
    "a list": (2, lambda file: b"[1]\n" + file),
    "nothing": (2, lambda file: file + b"null\n"),
    "deep brackets": (2, lambda file: file + b"[" * 100_000 + b"\n"),
    "deep brackets in a line": (2, lambda file: file.replace(b'{"shoe"', b'{"x":' + DEEP + b',"shoe"')),
    "no number": (2, lambda file: file.replace(b'{"shoe"', b'{"x": NaN, "shoe"')),
    "a shoe without a name": (2, lambda file: re.sub(rb'"shoe": "[^"]*"', b'"shoe": null', file)),
    **{str(fields): (2, changed(**fields)) for fields in (
        {"pos": 1.0}, {"pos": True}, {"pos": -1}, {"pos": None}, {"n": 70_000}, {"n": 1e0}, {"number": -1},
        {"number": 70_000}, {"number": []}, {"number": False}, {"label": "\ud800"}, {"label": 5}, {"salt": "A" * 32},
        {"path": {}}, {"path": [""]},
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGE)
def test_both_readings_take_the_same_files(name: str, open_shoe: tuple[Path, bytes]) -> None:
    """Anybody can write such a file: neither reading has a verdict by one that is not openings."""
    (folder, file), (code, change) = open_shoe, STRANGE[name]
    (folder / "openings.jsonl").write_bytes(change(file))
    told = said("verify", folder, "--key", KEY)
    assert told.code == code
    assert code != 2 or "fault: house" not in told.err, "whoever gave the file is at fault"
    second = subprocess.run([node(), str(VERIFY), str(folder), "--key", KEY], capture_output=True)
    assert second.returncode == code
