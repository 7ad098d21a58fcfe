"""Files of receipts made by hand: whatever a shell, an editor or a crash did to them, each receipt is read or told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.receipts.reading import receipts_in
from fairshoe.log.note import Signer
from fairshoe.receipts.notes import receipt_name, vouching_note
from tests.audit.proofs import proven
from tests.audit.telling import said
from tests.kept import Played, played

MARK = "\ufeff"


@pytest.fixture(scope="module")
def game() -> Played:
    return played("casino")


def notes_of(game: Played) -> list[str]:
    return [json.loads(line) for line in game.files["p1"].splitlines()]


def strings(notes: list[str], *, escaped: bool = True) -> str:
    return "".join(f"{json.dumps(note, ensure_ascii=escaped)}\n" for note in notes)


Way = Callable[[list[str]], str]
HONEST: dict[str, Way] = {
    "notes without the last line end": lambda notes: "".join(notes)[:-1],
    "jq -r, where some answers have none": lambda notes: "".join(f"{note}\nnull\n" for note in notes),
    "jq, where some answers have none": lambda notes: strings(notes, escaped=False).replace("\n", "\nnull\n"),
    "strings without the last line end": lambda notes: strings(notes)[:-1],
    "notes with CRLF": lambda notes: "".join(notes).replace("\n", "\r\n"),
    "strings of notes with CRLF": lambda notes: strings([note.replace("\n", "\r\n") for note in notes]),
    "two files, each with a mark": lambda notes: MARK + strings(notes[:5]) + MARK + strings([notes[0], *notes[5:]]),
    "strings, then notes": lambda notes: strings(notes[:5]) + "".join(notes[5:]),
    "the bet that stands kept at each look": lambda notes: strings([each for note in notes for each in (note, note)]),
    "the key after all receipts": lambda notes: strings([*notes[1:], notes[0]]),
}


@pytest.mark.parametrize("way", HONEST)
def test_an_honest_file_is_read_however_it_was_made(game: Played, way: str, tmp_path: Path) -> None:
    log, file, notes = game.write(tmp_path), tmp_path / "file", notes_of(game)
    file.write_bytes(HONEST[way](notes).encode())
    found = said("receipt", file, log, "--key", game.signer.verifier)
    assert (found.code, found.first) == (0, f"PASS: the log agrees with {len(notes) - 1} receipts"), found.out
    notes[3] = notes[3].replace('"amount":70', '"amount":71')
    file.write_bytes(HONEST[way](notes).encode())
    refused = [each for each in receipts_in(file, game.signer.verifier) if each.refused]
    assert ["is wrong" in each.refused for each in refused] == [True], "signatures are over what was signed"


@pytest.mark.parametrize("way", ["strings", "notes"])
@pytest.mark.parametrize("cut", [2, 50, 94, 95, 120, 125, 126, 400])
def test_a_last_note_that_was_not_written_to_its_end_decides_nothing(
    game: Played, cut: int, way: str, tmp_path: Path
) -> None:
    log, notes, file, key = game.write(tmp_path), notes_of(game), tmp_path / "file", game.signer.verifier
    text, whole = strings(notes) if way == "strings" else "".join(notes), len(notes) - 2
    file.write_bytes(text.encode()[:-cut].decode("utf-8", "ignore").encode())
    found = said("receipt", file, log, "--key", key)
    assert found.code == 0, found.out
    assert found.first.startswith(f"PASS so far: the log agrees with {whole} receipts, 1 not written to its end")
    assert f"receipt {whole + 2}, unreadable: unfinished: not written to its end" in found.out
    assert said("receipt", file, log, "--key", key, "--require-complete").code == 1
    assert said("receipt", file, "--key", key).first.endswith(", 1 not written to its end")


def test_a_note_that_is_cut_off_in_the_middle_spoils_no_other(game: Played, tmp_path: Path) -> None:
    notes = notes_of(game)
    lines = notes[4].splitlines(keepends=True)
    (tmp_path / "file").write_text("".join([*notes[:4], *lines[:2], *notes[5:]]))
    causes = [each.refused for each in receipts_in(tmp_path / "file", game.signer.verifier)]
    assert [bool(cause) for cause in causes] == [place == 3 for place in range(len(notes) - 1)]
    assert "a signed note" in causes[3]


NO_NOTES = {
    "two words": "hello\nhello",
    "a note cut after its heading": "fairshoe receipt v1",
    "a note cut before its signature": "fairshoe receipt v1\n{}\n",
    "a note cut in its dash": "fairshoe receipt v1\n{}\n\n—",
    "a note about the key cut": "fairshoe receipt key",
    "an answer that is no receipt": '{"error":"x"}',
    "a string after a space": ' "hello"',
    "a string cut": '"fairshoe receipt v1\\n{',
    "a string that is none": '"\\ud800"',
}


@pytest.mark.parametrize("name", NO_NOTES)
def test_what_is_no_note_hides_no_receipt_after_it(game: Played, name: str, tmp_path: Path) -> None:
    """The line after it is a receipt as a JSON string."""
    log, notes, file, key = game.write(tmp_path), notes_of(game), tmp_path / "file", game.signer.verifier
    for place in (0, 4):
        file.write_text(f"{strings(notes[:place])}{NO_NOTES[name]}\n{strings(notes[place:])}")
        found = said("receipt", file, log, "--key", key)
        assert (found.code, found.last) == (1, f"FAIL: of {len(notes)} receipts 1 refused"), found.out
        form = json.loads(said("receipt", file, "--key", key, "--format", "json").out)
        assert [each["verdict"] for each in form["receipts"]].count("refused") == 1
        assert [each["says"]["do"] for each in form["receipts"] if each["says"]].count("chips") == 5


def test_what_is_no_note_hides_no_lie(game: Played, tmp_path: Path) -> None:
    """A receipt that convicts the house is found behind it."""
    lines = [line.replace(b'"amount":70,', b'"amount":71,') for line in game.lines]
    log, notes = game.write(tmp_path, lines), notes_of(game)
    (tmp_path / "file").write_text(strings(notes[:1]) + "hello\n" + strings(notes[1:]))
    found = said("receipt", tmp_path / "file", log, "--key", game.signer.verifier)
    assert found.code == 1
    assert found.first == f"FAIL: of {len(notes)} receipts 2 differs, 1 refused"


def test_what_is_no_note_is_told_as_that(game: Played, tmp_path: Path) -> None:
    log = game.write(tmp_path)
    for text in ("hello\n", '{"receipt":"x"}\n', "12\n", '"hello"\n', '"\\ud800"\n'):
        (tmp_path / "file").write_text(game.files["p1"] + text)
        found = said("receipt", tmp_path / "file", log, "--key", game.signer.verifier)
        assert found.code == 1
        assert "refused: no receipt: a receipt is a signed note of its own" in found.out, text


# The houses' word for the key.


def test_a_second_key_that_the_house_vouches_for_is_told(game: Played, tmp_path: Path) -> None:
    """What either signed is read."""
    log, other = game.write(tmp_path), Signer(receipt_name(game.signer.verifier.name), b"q" * 32)
    again = other.sign(notes_of(game)[-1].partition("\n\n")[0] + "\n")
    (tmp_path / "file").write_text(game.files["p1"] + strings([vouching_note(game.signer, other.verifier), again]))
    found = said("receipt", tmp_path / "file", log, "--key", game.signer.verifier)
    assert found.code == 1
    assert found.first.endswith("1 refused")
    assert "another key signs receipts" in found.out


def test_another_houses_word_for_its_key_is_refused_and_so_are_its_receipts(game: Played, tmp_path: Path) -> None:
    log, house = game.write(tmp_path), Signer("other.example/log", b"o" * 32)
    other = Signer(receipt_name("other.example/log"), b"q" * 32)
    theirs = [vouching_note(house, other.verifier), other.sign(notes_of(game)[1].partition("\n\n")[0] + "\n")]
    (tmp_path / "file").write_text(game.files["p1"] + strings(theirs))
    found = said("receipt", tmp_path / "file", log, "--key", game.signer.verifier)
    assert found.first.endswith("2 refused")
    assert "the house did not vouch for the key" in found.out


def test_receipts_of_another_house_have_one_cause_that_is_told_once(game: Played, tmp_path: Path) -> None:
    """So have those of the same house from before it began another log."""
    log, count = game.write(tmp_path), len(notes_of(game)) - 1
    other = Signer("other.example/log", b"o" * 32).verifier
    told = f"FAIL: of {count} receipts {count} refused: they are another house's, or another log's"
    ours, theirs = (f"{each.name}+{each.id.hex()}" for each in (game.signer.verifier, other))
    cause = f"({ours}, not {theirs}): hold it against that log, with its key"
    for against in ([log], []):
        found = said("receipt", tmp_path / "p1", *against, "--key", other)
        assert (found.code, found.first, found.last) == (1, told, told)
        (line,) = (line for line in found.out.splitlines() if "refused: " in line and line.startswith("  "))
        assert line.startswith(f"  receipt 2 and {count - 1} more, unreadable: refused: the house did not vouch")
        assert line.endswith(cause)
    form = json.loads(said("receipt", tmp_path / "p1", log, "--key", other, "--format", "json").out)
    assert [each["verdict"] for each in form["receipts"]] == ["refused"] * count
    hand = said("hand", log, "--round", "t1#2", "--receipt", tmp_path / "p1", "--key", other).out
    assert hand.count("not vouch") == 1
    assert f"receipt 2 and {count - 1} more: mismatch" in hand


def test_a_proof_in_the_place_of_a_log_is_told_with_what_to_do(game: Played, tmp_path: Path) -> None:
    game.write(tmp_path)
    (tmp_path / "proof").write_bytes(proven("casino"))
    for key in ([], ["--key", game.signer.verifier]):
        found = said("receipt", tmp_path / "p1", tmp_path / "proof", *key)
        assert found.code == 2
        assert "no log: the proof of one hand" in found.err
        assert "fairshoe-audit hand PROOF --receipt RECEIPTS" in found.err


# Files without a receipt.


@pytest.mark.parametrize("text", ["", "hello", '"', '"a"\n', '"\\ud800"\n', "{}", "\n\n", '""\n""\n'])
def test_a_file_that_has_none(game: Played, text: str, tmp_path: Path) -> None:
    log, file = game.write(tmp_path), tmp_path / "file"
    file.write_text(text)
    assert said("receipt", file, log, "--key", game.signer.verifier).code == 2


def test_a_file_with_the_key_alone_has_no_receipt(game: Played, tmp_path: Path) -> None:
    log, key = game.write(tmp_path), game.signer.verifier
    (tmp_path / "file").write_text(strings(notes_of(game)[:1]))
    found = said("receipt", tmp_path / "file", log, "--key", key)
    assert (found.code, found.first) == (0, "PASS so far: the file has no receipt that could be held against the log")
    assert said("receipt", tmp_path / "file", log, "--key", key, "--require-complete").code == 1
    assert said("receipt", tmp_path / "file", "--key", key).first == "PASS so far: the file has no receipt"
    hand = said("hand", log, "--round", "t1#2", "--receipt", tmp_path / "file", "--key", key)
    assert "receipts not checked: the file has no receipt" in hand.first


# Without a log.


def test_without_a_log_signatures_are_checked_and_what_each_says_is_listed(game: Played, tmp_path: Path) -> None:
    game.write(tmp_path)
    notes, key = notes_of(game), game.signer.verifier
    found = said("receipt", tmp_path / "p1", "--key", key)
    told = f"PASS so far: {len(notes) - 1} receipts are signed by the house; held against no log"
    assert (found.code, found.first, found.last) == (0, told, told)
    for place, note in enumerate(notes[1:], 2):
        form = json.loads(note.split("\n")[1])
        (line,) = (line for line in found.out.splitlines() if line.startswith(f"  receipt {place}, {form['at']} "))
        for name in ("player", "do", "hash", "seed", "cut", "op", "move"):
            assert str(form.get(name, "")) in line
        assert all(f"{bet['amount']:,}" in line for bet in form.get("bets", ()))
    assert "Not checked: whether the log says the same" in found.out
    assert said("receipt", tmp_path / "p1", "--key", key, "--require-complete").code == 1
    form = json.loads(said("receipt", tmp_path / "p1", "--key", key, "--format", "json").out)
    assert [each["says"] for each in form["receipts"]] == [json.loads(note.split("\n")[1]) for note in notes[1:]]


def test_without_a_log_what_is_wrong_in_the_file_fails(game: Played, tmp_path: Path) -> None:
    notes, key = notes_of(game), game.signer.verifier
    for wrong in (
        [notes[0], notes[1].replace('"op":"buy-in"', '"op":"cash-out"')],
        [vouching_note(Signer(key.name, b"x" * 32), key), notes[1]],
    ):
        (tmp_path / "file").write_text(strings(wrong))
        found = said("receipt", tmp_path / "file", "--key", key)
        assert found.code == 1
        assert "refused" in found.first
        assert ": refused: " in found.out


def test_without_a_log_a_key_is_needed_and_nothing_to_hold_it_against(game: Played, tmp_path: Path) -> None:
    game.write(tmp_path)
    assert "give --key" in said("receipt", tmp_path / "p1").err
    found = said("receipt", tmp_path / "p1", "--key", game.signer.verifier, "--checkpoint", tmp_path / "log")
    assert (found.code, "give the log too" in found.err) == (2, True)
    own = notes_of(game)[0].split("\n")[1]
    for log in ([], [tmp_path / "log"]):
        found = said("receipt", tmp_path / "p1", *log, "--key", own)
        assert (found.code, "that is the receipts' own key" in found.err) == (2, True)
