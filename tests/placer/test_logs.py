"""Logs of houses with a placer: honest ones pass, and what is not there yet is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.report import Report
from audit_cli.verify.resume import AuditInputs, resume
from audit_cli.verify.run import verify
from fairshoe.engine.rules import RULES
from fairshoe.log.directory import write_log
from fairshoe.log.times import DAY, HOUR, SECOND
from tests.audit.planting import meanwhile
from tests.audit.telling import said
from tests.audit.walk import full
from tests.house import SIGNER, Seating

from .house import PLACER, PlacedHouse, PlacedSeating, entries_in, placed

KEY = str(SIGNER.verifier)


def audited(house: PlacedHouse, folder: Path) -> Report:
    write_log(folder, house.lines, SIGNER)
    return verify(folder, key=KEY, everything=True)


def told(report: Report) -> list[tuple[str, str, object, object]]:
    return [(f.code, str(f.place), f.field, f.found) for f in report.findings if f.severity == "fail"]


@pytest.mark.parametrize("game", sorted(RULES))
def test_an_honest_house_passes(game: str, tmp_path: Path) -> None:
    house = placed(game, 40)
    report = audited(house, tmp_path)
    assert told(report) == []
    assert report.complete
    assert {entry["kind"] for entry in entries_in(house) if entry["v"] == 2} >= {"table", "shoe", "round", "placed"}


def test_pontoon_has_every_entry_that_shows_places(tmp_path: Path) -> None:
    """The first banker's draw, the burned card, reshuffles within a round; and a void shoe has one step."""
    house = placed("pontoon", 120, careless=0.1)
    entries = entries_in(house)
    assert {entry["kind"] for entry in entries if "placed" in entry} == {"seal", "round", "bank"}
    assert any("reshuffled" in entry and "placed" in entry for entry in entries)
    void = {entry["shoe"] for entry in entries if entry["kind"] == "void"}
    assert void
    assert {entry["steps"] for entry in entries if entry["kind"] == "placed" and entry["shoe"] in void} == {1}
    assert told(audited(house, tmp_path)) == []


def test_a_sealed_shoe_that_nobody_bets_on(tmp_path: Path) -> None:
    """No card was asked for: of a shoe that was not void, too."""
    house = PlacedHouse()
    table = PlacedSeating(house, "casino", "casino", (1, 2), packs=3, careless=0)
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    house.steps[shoe.id].steps.clear()  # an honest house asks for the shuffle with the first card
    house.wait(3_600, house.now)
    table.reveal(shoe, sealed, "left")
    assert entries_in(house)[-1]["steps"] == 1
    assert told(audited(house, tmp_path)) == []


def test_beside_tables_without_a_placer(tmp_path: Path) -> None:
    """Their entries keep their version, and the chains name trees with all entries in them."""
    house = PlacedHouse()
    with_a_placer = PlacedSeating(house, "boxes/a", "boxes", (1, 2))
    house.signer = None
    without = Seating(house, "boxes/b", "boxes", (1, 2))
    for _ in range(4):
        house.signer = PLACER
        with_a_placer.play(1)
        house.signer = None
        without.play(1)
    assert {entry["v"] for entry in entries_in(house) if "boxes/b" in str(entry)} == {1}
    report = audited(house, tmp_path)
    assert (told(report), report.complete) == ([], True)


def test_where_a_key_is_not_there_yet_the_chain_holds_already(tmp_path: Path) -> None:
    house = PlacedHouse()
    house.keeping = True
    report = audited(placed("casino", house=house), tmp_path)
    assert told(report) == []
    assert not report.complete
    assert any("placer's key" in each.what for each in report.unchecked)


@pytest.mark.parametrize(
    ("late", "code"), [(HOUR // 2, None), (2 * HOUR, "step-late"), (31 * DAY, "placer-key-overdue")]
)
def test_a_placer_that_is_silent_at_the_end(late: int, code: str | None, tmp_path: Path) -> None:
    """In the log's own time: the house goes on at another table meanwhile."""
    house = PlacedHouse()
    house.keeping = True
    placed("banker", 1, house=house)
    house.signer = None
    meanwhile(house, late // SECOND)
    report = audited(house, tmp_path)
    found = {finding.code for finding in report.findings if finding.shoe == "banker/1"}
    assert found == (set() if code is None else {code})


@pytest.mark.parametrize(
    ("late", "code"), [(2 * HOUR, "step-late"), (29 * DAY, "step-late"), (31 * DAY, "step-overdue")]
)
def test_a_round_waits_for_its_placer(late: int, code: str, tmp_path: Path) -> None:
    house = PlacedHouse()

    class Waiting(PlacedSeating):
        def reshuffles(self, *about: Any) -> None:
            signer, house.signer = house.signer, None
            meanwhile(house, late // SECOND)
            house.signer = signer
            super().reshuffles(*about)

    placed("banker", 1, house=house, kind=Waiting)
    report = audited(house, tmp_path)
    assert {finding.code for finding in report.findings if finding.shoe == "banker/1"} == {code}
    assert report.choices.as_json()["tables"]["banker"]["waited for a placer for over an hour"] == 1


def test_a_log_without_its_checkpoint_says_that_no_chain_was_checked() -> None:
    report = full(placed("boxes", 3).lines)
    assert told(report) == []
    assert any("the placer's chain" in each.what for each in report.unchecked)


def test_what_is_told_of_a_hand_and_in_a_report(tmp_path: Path) -> None:
    house = placed("boxes", 6)
    write_log(tmp_path, house.lines, SIGNER)
    shown = said("hand", tmp_path, "--round", "boxes#2", "--key", KEY)
    assert (shown.code, shown.first.partition(":")[0]) == (0, "PASS")
    assert "House and placer fixed" in shown.out
    assert said("report", tmp_path, "--key", KEY, "--output", tmp_path / "report.json").code == 0


def test_an_audit_goes_on(tmp_path: Path) -> None:
    house = PlacedHouse()
    house.keeping = True
    table = PlacedSeating(house, "casino", "casino", (1, 2), packs=3)
    table.play(5)
    write_log(tmp_path / "log", house.lines, SIGNER)
    given = AuditInputs(KEY)
    first = resume(tmp_path / "log", tmp_path / "state", given)
    assert (first.why_not, told(first.report)) == ("", [])
    house.keeping = False
    for steps in house.steps.values():
        house.reveal_key(steps)
    table.play(5)
    write_log(tmp_path / "log", house.lines, SIGNER)
    report = resume(tmp_path / "log", tmp_path / "state", given).report
    assert (told(report), report.complete) == ([], True)
    assert report.as_json() == verify(tmp_path / "log", key=KEY).as_json()
