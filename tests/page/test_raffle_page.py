"""The page that checks a raffle, in a browser, as a file on the disk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fairshoe import Entries, drand_quicknet, raffle
from fairshoe.cli import main
from tests.second.vectors import load

from .conftest import Readers

LISTED = '{\n"winners"\t5\n<b>carol\t2\ndave\u202e\t4\n'


def test_a_result_is_checked_by_whoever_opens_it(
    readers: Readers, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    early, late = (each["signature"] for each in load("beacons"))
    made = raffle("r", Entries.from_text(LISTED), prizes=4, draws=60, beacon=drand_quicknet(1000), key=bytes(32), now=0)
    proof = made.draw(early).reveal()
    files = {"notice": made.notice.to_json(), "entries": LISTED, "proof": proof.to_json()}
    files |= {"more": f"{LISTED}eve\n", "forged": proof._replace(signature=late).to_json(), "bad": "\ud800"}
    for name, text in files.items():
        Path(name).write_bytes(text.encode(errors="surrogatepass"))
    assert main(["raffle", "page", "proof", "entries"]) == 0
    Path("result.html").write_text(capsys.readouterr().out)
    assert (main(["raffle", "page", "forged", "entries"]), main(["raffle", "page", "proof"])) == (2, 2)
    page = readers().page
    page.goto((tmp_path / "result.html").as_uri())
    verdict, winners = page.locator("#verdict"), page.locator("#winners li")
    expect(verdict).to_have_class("open")
    shown = {"dave\u202e": "dave\\u{202e}"}
    expect(winners).to_have_text([shown.get(winner.entrant, winner.entrant) for winner in proof.winners])
    for name, kind in (
        ("notice", "pass"),
        ("more", "fail"),
        ("entries", "pass"),
        ("forged", "fail"),
        ("proof", "pass"),
    ):
        page.set_input_files("#files", name)
        expect(verdict).to_have_class(kind)
        expect(winners).to_have_count(4 if kind == "pass" else 0)
    page.fill("#mine", '"winners"')
    expect(page.locator("#tickets")).to_have_text("5 tickets of 12")
    page.fill("#mine", "mallory")
    expect(page.locator("#tickets")).to_have_text("not in the list")
    page.fill("#mine", "{")
    expect(page.locator("#tickets")).to_have_text("1 ticket of 12")
    page.set_input_files("#files", "bad")
    expect(verdict).to_have_class("fail")


def test_before_the_draw_the_list_is_held_against_the_notice_and_used_up_draws_are_a_result(
    readers: Readers, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = raffle("r", Entries.from_text(LISTED), prizes=4, draws=4, beacon=drand_quicknet(1000), key=bytes(32), now=0)
    proof = made.draw(load("beacons")[0]["signature"]).reveal().to_json()
    files = {"notice": made.notice.to_json(), "entries": LISTED, "more": f"{LISTED}eve\n", "proof": proof}
    for name, text in files.items():
        Path(name).write_text(text)
    assert main(["raffle", "page"]) == 0
    Path("page.html").write_text(capsys.readouterr().out)
    page = readers().page
    page.goto((tmp_path / "page.html").as_uri())
    verdict, notes = page.locator("#verdict"), page.locator("#notes")
    page.set_input_files("#files", ["notice", "more"])
    expect(verdict).to_have_class("fail")
    expect(verdict).to_contain_text("entries is 5; expected 4; ")
    page.set_input_files("#files", "entries")
    expect(verdict).to_have_class("open")
    expect(verdict).to_contain_text("The list is the one that was announced.")
    expect(notes).to_contain_text("notice (notice), entries (entries)")
    expect(notes).to_contain_text("Round 1000")
    page.set_input_files("#files", "proof")
    expect(verdict).to_have_class("pass")
    expect(notes).to_contain_text("Nobody wins")


def test_what_is_wrong_is_told_in_german(
    readers: Readers, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    early, late = (each["signature"] for each in load("beacons"))
    made = raffle("r", Entries.from_text(LISTED), prizes=2, draws=9, beacon=drand_quicknet(1000), key=bytes(32), now=0)
    proof, notice = made.draw(early).reveal(), made.notice.to_json()
    held = proof.to_json()
    assert main(["raffle", "page"]) == 0
    Path("page.html").write_text(capsys.readouterr().out)
    page = readers(locale="de-DE").page
    for name, text, place in (
        ("entries", LISTED + "{\n", "Zeile 5"),
        ("entries", "a\t0\n", "Zeile 1"),
        ("entries", LISTED + "eve\n", "notice.entries: 5 statt 4"),
        ("entries", "a\t4294967297\n", "Zeile 1"),
        ("notice", notice.replace('"draws": 9', '"draws": 8'), "notice.draws: 9 statt 8"),
        ("notice", notice.replace('"draws": 9', '"draws": 0'), "notice.draws"),
        ("notice", notice[:-2], "der Text"),
        ("proof", held.replace(early, late), "beacon"),
        ("proof", held.replace('"key": "00', '"key": "01'), "key"),
        ("proof", proof._replace(winners=proof.winners[::-1]).to_json(), "winners.Nummer 1"),
        ("proof", held.replace('"cut": 0', '"cut": 1'), "proof.Nummer 2: 1 statt 0"),
        ("bad", "\ud800", "bad"),
    ):
        page.goto((tmp_path / "page.html").as_uri())
        for file, content in (("entries", LISTED), ("notice", notice), ("proof", held), (name, text)):
            Path(file).write_bytes(content.encode(errors="surrogatepass"))
        page.set_input_files("#files", ["entries", "notice", "proof", *(["bad"] if name == "bad" else [])])
        expect(page.locator("#verdict")).to_have_class("fail")
        told = page.locator("#verdict").text_content()
        assert place in told, told
        assert not re.search(r"\b(the|is|of|expected|none)\b", told), told


def test_the_page_without_a_result_asks_for_the_files(
    readers: Readers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["raffle", "page"]) == 0
    (tmp_path / "raffle.html").write_text(capsys.readouterr().out)
    page = readers(locale="de-DE").page
    page.goto((tmp_path / "raffle.html").as_uri())
    expect(page.locator("#verdict")).to_have_text("Wählen Sie die Dateien.")
    assert (tmp_path / "raffle.html").stat().st_size < 100_000
