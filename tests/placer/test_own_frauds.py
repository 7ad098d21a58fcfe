"""Planted frauds where the player places, by a house that holds its key, and by a player: each is found, in both
readings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.formats import render_text
from audit_cli.verify.findings.wording import describe_player_faults
from audit_cli.verify.run import verify
from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.page import BUILT
from fairshoe.record.entries import entry as entry_of
from fairshoe.record.entries import opened_entry, seeds_entry
from tests.audit.planting import KEY, Fraud, Planted, check_found
from tests.audit.proofs import file_of
from tests.audit.telling import said
from tests.house import SIGNER, Prepared
from tests.verifier.node import node
from tests.verifier.readings import reading, second_readings

from .house import Steps, entries_in
from .own import OwnHouse, OwnSeating, own
from .test_frauds import Lies, asks_for_a_card_after_the_last_round, found
from .test_frauds import deals_another_card_than_lies_there as deals_another_card
from .test_frauds import makes_a_shoe_void_that_it_has_looked_into as makes_a_looked_into_shoe_void
from .test_proofs import outcomes
from .test_second_reading import differing

SHOE = "boxes/2"
VERIFY = BUILT / "verify.mjs"
PLAYER = "boxes-p1"
Entry = dict[str, Any]


def changed(kind: str, shoe: str = SHOE, change: Callable[[Entry], object] = dict.clear) -> OwnHouse:
    """A house that changes what it logs of a shoe, before it does."""

    class Changes(OwnHouse):
        def log(self, entry: Entry) -> None:
            if entry["kind"] == kind and entry.get("shoe", shoe) == shoe:
                change(entry)
            super().log(entry)

    return Changes()


def stepping(steps: type[Steps]) -> OwnHouse:
    """A house that asks for other steps in one shoe."""

    class Asks(OwnHouse):
        def asked(self, shoe: str, *about: Any) -> Steps:
            return (steps if shoe == SHOE else Steps)(shoe, *about)

    return Asks()


class Hits(OwnSeating):
    def choose(self, ask: Ask) -> Decision:
        hit = [move for move in ask.moves if move.name == "hit"]
        return Decision(ask.actor, "hit") if hit else ask.default_decision()._replace(by="seat")


# The cards.


def asks_ahead() -> Planted:
    class Ahead(Steps):
        def card(self, place: int) -> int:
            later = [part for part in self.parts if isinstance(part, int)]
            self.parts = [part for part in self.parts if not isinstance(part, int)]
            given = super().card(place)
            self.parts = later
            return given

    return found(own("boxes", 4, house=stepping(Ahead), kind=Hits), field="placed.signature")


def asks_before_the_bet_stands() -> Planted:
    class Ahead(Steps):
        def card(self, place: int) -> int:
            self.parts = self.parts if place else []
            return super().card(place)

    return found(own("boxes", 4, house=stepping(Ahead)), field="placed.signature")


def exchanges_a_decision_after_the_card() -> Planted:
    """The client was told of another one."""

    class Changes(OwnHouse):
        def placed(self, steps: Steps, decisions: list[Entry]) -> Entry:
            if steps.shoe == SHOE:
                decisions = [each | {"move": "stand"} for each in decisions]
            return super().placed(steps, decisions)

    return found(own("boxes", 4, house=Changes(), kind=Hits), field="placed.signature")


def has_another_bet_than_the_client_was_told_of() -> Planted:
    """It signs the whole log again."""
    house = own("boxes", 4)
    entries = entries_in(house)
    index = next(i for i, each in enumerate(entries) if each["kind"] == "chips")
    house.lines[index] = encode(entries[index] | {"name": "somebody else"})
    return found(house, shoe="boxes/1", field="placed.signature")


def takes_a_step_that_nobody_answered() -> Planted:
    """The house makes up a place, and has no signature for it."""

    class Invents(OwnHouse):
        def placed(self, steps: Steps, decisions: list[Entry]) -> Entry:
            form = super().placed(steps, decisions)
            if steps.shoe == SHOE:
                form["places"][2] ^= 1
            return form

    return found(own("boxes", 4, house=Invents()), field="placed.signature")


def asks_for_a_card_that_no_round_has() -> Planted:
    return asks_for_a_card_after_the_last_round(own, OwnHouse)


def deals_another_card_than_lies_there() -> Planted:
    return deals_another_card(own, OwnSeating)


def has_a_client_that_gives_another_place() -> Planted:
    return found(own("boxes", 4, house=stepping(Lies)), field="placed.places[2]")


def makes_a_shoe_void_that_it_has_looked_into() -> Planted:
    return makes_a_looked_into_shoe_void(OwnHouse, OwnSeating)


# The ceremony.


def makes_a_sealed_shoe_void() -> Planted:
    """Of many rounds: it is sealed with its commitment."""
    house = OwnHouse()
    table = OwnSeating(house, "casino", "casino", packs=3, careless=0)
    table.void(table.commit(), "idle")
    return found(house, "void", "casino/1", field="why")


def has_a_shoe_void_for_a_seed() -> Planted:
    house = OwnHouse()
    table = OwnSeating(house, "boxes", "boxes", careless=0)
    shoe = table.commit()
    table.open(shoe)
    house.wait(30, house.now)
    table.void(shoe, "seed", PLAYER, 1)
    return found(house, "void", "boxes/1", round=None, field="why")


class Opens(OwnSeating):
    """The player opens a seed all the same."""

    def open_seeds(self, shoe: Prepared, bets: list[Any]) -> list[Any] | None:
        self.house.log(opened_entry(self.house.at(), shoe.id, PLAYER, "00" * 16))
        return bets


def has_a_seed() -> Planted:
    return found(own("boxes", 1, kind=Opens), "opened", "boxes/1", field="player", found=PLAYER)


def has_hashes() -> Planted:
    house = OwnHouse()
    table = OwnSeating(house, "boxes", "boxes", careless=0)
    shoe = table.commit()
    house.log(seeds_entry(house.at(), shoe.id, {PLAYER: "00" * 32}))
    return found(house, "seeds", "boxes/1")


def names_who_cuts() -> Planted:
    class Cuts(OwnHouse):
        def committed(self, entry: Entry, signer: Signer) -> Entry:
            entry["cutter"] = "casino-p1"
            return super().committed(entry, signer)

    return found(own("casino", 1, house=Cuts()), "shoe", "casino/1", field="cutter", found="casino-p1")


def takes_another_key_than_the_buy_ins() -> Planted:
    class Other(OwnHouse):
        def committed(self, entry: Entry, signer: Signer) -> Entry:
            return super().committed(entry, Signer(PLAYER, b"o" * 32) if entry["shoe"] == SHOE else signer)

    return found(own("boxes", 4, house=Other()), "shoe", field="placer")


# The chair.


def buys_in(entry: Callable[[Entry], object], name: str = "boxes") -> OwnHouse:
    class Changes(OwnHouse):
        def takes(self, each: Entry) -> None:
            super().takes(each)
            entry(each)

    house = Changes()
    OwnSeating(house, name, name)
    return house


def sits_down_without_a_key() -> Planted:
    house = buys_in(lambda each: each.update({"v": 1}) or each.pop("placer"))
    return Planted(house.lines, 1, table="boxes", field="placer", found=None)


def sits_down_with_somebody_elses_key() -> Planted:
    house = buys_in(lambda each: each.update({"placer": str(OwnHouse().signer_of("bob").verifier)}))
    return Planted(house.lines, 1, table="boxes", field="placer")


def brings_a_key_where_nobody_does() -> Planted:
    house = OwnHouse()
    house.table = lambda _: None  # type: ignore[method-assign]
    OwnSeating(house, "boxes", "boxes")
    return Planted(house.lines, 1, table="boxes", field="placer", expected=None)


def brings_a_key_again() -> Planted:
    house = OwnHouse()
    table = OwnSeating(house, "boxes", "boxes")
    house.taken.clear()
    table.chips("buy-in", 1, 10)
    return Planted(house.lines, 2, table="boxes", field="placer", expected=None)


def has_a_second_chair() -> Planted:
    house = OwnHouse()
    table = OwnSeating(house, "boxes", "boxes")
    house.taken.clear()
    table.chips("buy-in", 2, 10)
    return Planted(house.lines, 2, table="boxes", field="seat", found=2)


def is_a_table_that_one_cannot_play_at() -> Planted:
    house = OwnHouse()
    OwnSeating(house, "pontoon", "pontoon")
    return Planted(house.lines, 0, table="pontoon", field="placer", found="player")


def names_a_player_and_a_placer() -> Planted:
    class Both(OwnHouse):
        def table(self, entry: Entry) -> None:
            entry |= {"placer": ["player", str(self.signer_of("placer.example").verifier)], "v": 2}

    house = Both()
    house.log(entry_of("start", house.at()))
    OwnSeating(house, "boxes", "boxes")
    return Planted(house.lines, 1, field="placer")


CASES: dict[str, tuple[Callable[[], Planted], ...]] = {
    "placing-differs": (
        asks_ahead,
        asks_before_the_bet_stands,
        exchanges_a_decision_after_the_card,
        has_another_bet_than_the_client_was_told_of,
        takes_a_step_that_nobody_answered,
        asks_for_a_card_that_no_round_has,
    ),
    "card-differs": (deals_another_card_than_lies_there,),
    "placed-and-void": (makes_a_shoe_void_that_it_has_looked_into,),
    "void-not-allowed": (makes_a_sealed_shoe_void, has_a_shoe_void_for_a_seed),
    "seed-uninvited": (has_a_seed,),
    "step-out-of-order": (has_hashes,),
    "shoe-differs": (names_who_cuts,),
    "placer-differs": (
        takes_another_key_than_the_buy_ins,
        sits_down_without_a_key,
        sits_down_with_somebody_elses_key,
        brings_a_key_where_nobody_does,
        brings_a_key_again,
    ),
    "seat-differs": (has_a_second_chair,),
    "options-invalid": (is_a_table_that_one_cannot_play_at,),
    "field-invalid": (names_a_player_and_a_placer,),
}
ALSO = {takes_a_step_that_nobody_answered: {"card-differs"}, names_a_player_and_a_placer: {"placer-differs"}}
FRAUDS = [
    Fraud(plant.__name__.replace("_", " "), plant, code, frozenset(ALSO.get(plant, ())))
    for code, plants in CASES.items()
    for plant in plants
]


def test_a_player_who_gives_a_wrong_place_fails_nobodys_log(tmp_path: Path) -> None:
    """One wrong place and then the key: the house could not know it. Both readings tell it, and pass."""
    planted = has_a_client_that_gives_another_place()
    write_log(tmp_path, planted.lines, SIGNER)
    report = verify(tmp_path, key=KEY)
    (found,) = [each for each in report.findings if each.fault == "player"]
    assert not report.failed
    assert (found.code, found.severity, *found.place) == ("player-place-differs", "note", *planted[2:5])
    assert (found.entry, found.field) == (planted.entry, planted.field)
    (line,) = describe_player_faults(report)
    assert line.startswith("Beside the verdict: ")
    assert line[:60] in render_text(report)
    (quiet,) = said("verify", tmp_path, "--key", KEY, "-q").out.splitlines()
    assert (quiet[:5], quiet.lower().endswith(line.lower())) == ("PASS:", True)
    assert list(second_readings([tmp_path / "log.jsonl"])) == [reading("pass")]
    second = subprocess.run([node(), str(VERIFY), str(tmp_path), "--key", KEY], capture_output=True, check=True)
    assert len(json.loads(second.stdout.splitlines()[-1])["beside"]) == 1
    assert outcomes(tmp_path, [file_of(planted.lines, f"{planted.table}#{planted.round}")]) == ["PASS"]
    hand = said("hand", tmp_path, "--round", f"{planted.table}#{planted.round}", "--key", KEY)
    assert (hand.code, hand.out.splitlines()[-1][:5]) == (0, "PASS:")
    assert "player-place-differs" in hand.out


@pytest.mark.parametrize("case", FRAUDS, ids=[case.name for case in FRAUDS])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)


def test_the_second_reading_finds_them(tmp_path: Path) -> None:
    assert differing(tmp_path, ((case.name, list(case.plant().lines)) for case in FRAUDS)) == []
