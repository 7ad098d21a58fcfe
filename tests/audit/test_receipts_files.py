"""Files of receipts, whatever a shell, an editor or a crash did to them: each receipt is read or told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.cases.receipts.file import receipts_in
from fairshoe.log.note import Signer
from fairshoe.receipts import receipt_name, vouching_note
from tests.audit.proofs import proven
from tests.audit.telling import said
from tests.kept import Played, played


@pytest.fixture(scope="module")
def game() -> Played:
    return played("casino")


def notes_of(game: Played) -> list[str]:
    return [json.loads(line) for line in game.files["p1"].splitlines()]


def strings(notes: list[str]) -> str:
    return "".join(f"{json.dumps(note)}\n" for note in notes)


HONEST: dict[str, Callable[[str], str]] = {
    "jq, where some answers have none": lambda text: text.replace("\n", "\nnull\n\n"),
    "without the last line end": lambda text: text[:-1],
    "saved with a mark and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "the bet that stands kept at each look": lambda text: text + text,
    "the key after all receipts": lambda text: "".join([*text.splitlines(True)[1:], text.splitlines(True)[0]]),
}


@pytest.mark.parametrize("way", HONEST)
def test_an_honest_file_is_read_however_it_was_made(game: Played, way: str, tmp_path: Path) -> None:
    log, file, notes = game.write(tmp_path), tmp_path / "file", notes_of(game)
    file.write_bytes(HONEST[way](strings(notes)).encode())
    found = said("receipt", file, log, "--key", game.signer.verifier)
    assert (found.code, found.first.split()[::5]) == (0, ["PASS:", f"{len(notes) - 1}"]), found.out
    notes[3] = notes[3].replace('"amount":70', '"amount":71')
    file.write_bytes((text := HONEST[way](strings(notes))).encode())
    refused = [each for each in receipts_in(file, game.signer.verifier) if each.refused]
    assert ["is wrong" in each.refused for each in refused] == [True], "signatures are over what was signed"
    lines = text.split("\n")
    assert [each.place for each in refused] == [next(i for i, line in enumerate(lines, 1) if '\\"amount\\":71' in line)]


def test_the_seat_that_a_browser_takes_along_is_held_against_the_log(game: Played, tmp_path: Path) -> None:
    log, file, notes, key = game.write(tmp_path), tmp_path / "seat", notes_of(game), game.signer.verifier
    kept = {"receipt-key": notes[0], "seed t s": {}} | {f"receipt t {i:012}": n for i, n in enumerate(notes[1:])}
    seat = {"kind": "fairshoe seat", "v": 1, "house": "http://a", "table": "t", "kept": kept}
    file.write_text(json.dumps(seat, separators=(",", ":")))
    found = said("receipt", file, log, "--key", key)
    assert (found.code, found.first.split()[::5]) == (0, ["PASS:", f"{len(notes) - 1}"]), found.out
    file.write_text(json.dumps(seat | {"kept": {}}, separators=(",", ":")))
    assert said("receipt", file, log, "--key", key).code == 2


@pytest.mark.parametrize("part", ["receipts", "checkpoint", "proof"])
def test_what_no_browser_saves_is_told_of_its_file(game: Played, part: str, tmp_path: Path) -> None:
    log, file = game.write(tmp_path), tmp_path / "saved.json"
    kept = {"receipt-key": "", "checkpoint": "\ud800" if part == "checkpoint" else ""}
    parts = {"proof": None, "receipts": "", "checkpoint": ""} | {part: "\ud800"}
    seat, saved = {"kind": "fairshoe seat", "v": 1, "kept": kept}, {"kind": "fairshoe evidence", "v": 1, **parts}
    for form in (seat, saved):
        file.write_text(json.dumps(form, separators=(",", ":")))
        for words in (["receipt", file, log], ["hand", file]):
            found = said(*words, "--key", game.signer.verifier)
            assert found.code == 2, found
            assert words[0] == "hand" or f"where:    {file}\n" in found.err, found


@pytest.mark.parametrize("cut", [2, 50, 400])
def test_a_last_line_that_was_not_written_to_its_end_decides_nothing(game: Played, cut: int, tmp_path: Path) -> None:
    log, notes, file, key = game.write(tmp_path), notes_of(game), tmp_path / "file", game.signer.verifier
    file.write_text(strings(notes)[:-cut])
    found = said("receipt", file, log, "--key", key)
    whole = len(notes) - 2
    assert found.code == 0, found.out
    assert f"{whole} receipts, 1 not" in found.first
    assert f"receipt {whole + 2}, unreadable: unfinished" in found.out
    assert said("receipt", file, log, "--key", key, "--require-complete").code == 1


NO_NOTES = {
    "a note of its own, as jq -r writes it": "fairshoe receipt v1",
    "an answer that is no receipt": '{"error":"x"}',
    "a string that is no note": '"hello"',
    "a string cut": '"fairshoe receipt v1\\n{',
    "a string that is no text": '"\\ud800"',
    "a number": "12",
}


@pytest.mark.parametrize("name", NO_NOTES)
def test_what_is_no_note_is_told_and_hides_no_receipt_after_it(game: Played, name: str, tmp_path: Path) -> None:
    log, notes, file, key = game.write(tmp_path), notes_of(game), tmp_path / "file", game.signer.verifier
    for place in (0, 4):
        file.write_text(f"{strings(notes[:place])}{NO_NOTES[name]}\n{strings(notes[place:])}")
        found = said("receipt", file, log, "--key", key)
        assert (found.code, found.last) == (1, f"FAIL: of {len(notes)} receipts 1 refused"), found.out
        assert f"receipt {place + 1}, unreadable: refused: " in found.out
    lines = [line.replace(b'"amount":70,', b'"amount":71,') for line in game.lines]
    found = said("receipt", file, game.write(tmp_path, lines), "--key", key)
    assert found.first == f"FAIL: of {len(notes)} receipts 2 differs, 1 refused", "nor a lie"


def test_a_second_key_that_the_house_vouches_for_is_told_and_another_houses_is_refused(
    game: Played, tmp_path: Path
) -> None:
    """What either of the house's signed is read."""
    log, key = game.write(tmp_path), game.signer.verifier
    other = Signer(receipt_name(key.name), b"q" * 32)
    again = other.sign(notes_of(game)[-1].partition("\n\n")[0] + "\n")
    (tmp_path / "file").write_text(game.files["p1"] + strings([vouching_note(game.signer, other.verifier), again]))
    found = said("receipt", tmp_path / "file", log, "--key", key)
    assert (found.code, found.first[-9:]) == (1, "1 refused")
    assert "another key signs receipts" in found.out
    house, other = Signer("other.example/log", b"o" * 32), Signer(receipt_name("other.example/log"), b"q" * 32)
    theirs = [vouching_note(house, other.verifier), other.sign(notes_of(game)[1].partition("\n\n")[0] + "\n")]
    (tmp_path / "file").write_text(game.files["p1"] + strings(theirs))
    found = said("receipt", tmp_path / "file", log, "--key", key)
    assert found.first.endswith("2 refused")
    assert "did not vouch" in found.out


def test_receipts_of_another_house_have_one_cause_that_is_told_once(game: Played, tmp_path: Path) -> None:
    """So have those of the same house from before it began another log."""
    log, count = game.write(tmp_path), len(notes_of(game)) - 1
    other = Signer("other.example/log", b"o" * 32).verifier
    told = f"FAIL: of {count} receipts {count} refused: they are another house's, or another log's"
    ours, theirs = (f"{each.name}+{each.id.hex()}" for each in (game.signer.verifier, other))
    found = said("receipt", tmp_path / "p1", log, "--key", other)
    assert (found.code, found.first, found.last) == (1, told, told)
    (line,) = (line for line in found.out.splitlines() if "refused: " in line and line.startswith("  "))
    assert line.startswith(f"  receipt 2 and {count - 1} more, ")
    assert f"({ours}, not {theirs})" in line
    form = json.loads(said("receipt", tmp_path / "p1", log, "--key", other, "--format", "json").out)
    assert [each["verdict"] for each in form["receipts"]] == ["refused"] * count
    hand = said("hand", log, "--round", "t#2", "--receipt", tmp_path / "p1", "--key", other).out
    assert hand.count("not vouch") == 1
    assert f"receipt 2 and {count - 1} more: mismatch" in hand


def test_what_cannot_be_held_against_anything_is_said(game: Played, tmp_path: Path) -> None:
    log = game.write(tmp_path)
    (tmp_path / "proof").write_bytes(proven("casino"))
    own = notes_of(game)[0].split("\n")[1]
    for words, says in (
        ([tmp_path / "proof"], "fairshoe-audit hand PROOF --receipt RECEIPTS"),
        ([tmp_path / "proof", "--key", game.signer.verifier], "no log: the proof of one hand"),
        ([log, "--key", own], "that is the receipts' own key"),
        ([], "Missing argument 'LOG'"),
    ):
        found = said("receipt", tmp_path / "p1", *words)
        assert (found.code, says in found.err) == (2, True), found.err


@pytest.mark.parametrize("text", ["", "hello", '"', '"a"\n', "{}", "\n\n", '""\n""\n'])
def test_a_file_that_has_none(game: Played, text: str, tmp_path: Path) -> None:
    log, file = game.write(tmp_path), tmp_path / "file"
    file.write_text(text)
    assert said("receipt", file, log, "--key", game.signer.verifier).code == 2


def test_a_file_with_the_key_alone_has_no_receipt(game: Played, tmp_path: Path) -> None:
    log, key = game.write(tmp_path), game.signer.verifier
    (tmp_path / "file").write_text(strings(notes_of(game)[:1]))
    found = said("receipt", tmp_path / "file", log, "--key", key)
    assert (found.code, found.first.partition(":")[0]) == (0, "PASS so far")
    assert said("receipt", tmp_path / "file", log, "--key", key, "--require-complete").code == 1
    hand = said("hand", log, "--round", "t#2", "--receipt", tmp_path / "file", "--key", key)
    assert "receipts not checked: " in hand.first
