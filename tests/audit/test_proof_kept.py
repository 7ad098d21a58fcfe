"""A proof of a hand in the place of a checkpoint that somebody kept; how `prove` and `hand` are told which hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairshoe.log.directory import MOST_TEXT
from tests.everything import everything
from tests.house import SIGNER, House, Seating

from .proofs import ROUND, file_of, note_over, played, proven, rounds_of
from .telling import said, written

KEY = str(SIGNER.verifier)
LINES = everything(1).lines
OTHER = [*LINES[:-1], LINES[-1].replace(b'"at":"2', b'"at":"3')]
SIZES = {"small": 0, "beyond a checkpoint's bound": MOST_TEXT}


def proof_under(lines: list[bytes], least: int) -> bytes:
    """A proof file of at least so many bytes; for its checkpoint it does not matter of what."""
    count = 1
    while len(data := file_of(lines, rounds_of(lines)[0], enumerate(lines[:count]))) < least:
        count *= 2
    return data


@pytest.fixture(params=SIZES.values(), ids=SIZES.keys())
def least(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_a_proof_is_a_remembered_checkpoint(tmp_path: Path, least: int) -> None:
    log = written(tmp_path / "log", LINES)
    for name, lines, code in (("same", LINES, 0), ("earlier", LINES[:-9], 0), ("other", OTHER, 1)):
        (tmp_path / name).write_bytes(proof_under(lines, least))
        told = said("verify", log, "--key", KEY, "--checkpoint", tmp_path / name)
        assert (told.code, "remembered-differs" in told.out) == (code, code == 1), told
    hand = ("hand", log, "--round", rounds_of(LINES)[0], "--key", KEY)
    assert said(*hand, "--checkpoint", tmp_path / "same").code == 0
    assert said(*hand, "--checkpoint", tmp_path / "other").code == 1


def test_a_proof_that_was_changed_is_no_checkpoint(tmp_path: Path) -> None:
    log = written(tmp_path / "log", LINES)
    (tmp_path / "proof").write_bytes(proof_under(LINES, 0)[:-9])
    told = said("verify", log, "--key", KEY, "--checkpoint", tmp_path / "proof")
    assert (told.code, "proof file" in told.err) == (2, True)


def test_consistency_and_fork_take_proofs(tmp_path: Path, least: int) -> None:
    log = written(tmp_path / "log", LINES)
    (tmp_path / "old").write_bytes(proof_under(LINES[:-9], least))
    (tmp_path / "new").write_bytes(proof_under(LINES, least))
    (tmp_path / "other").write_bytes(proof_under(OTHER, least))
    held = said("consistency", tmp_path / "old", tmp_path / "new", log, "--key", KEY)
    assert (held.code, held.first) == (0, f"PASS: the log of {len(LINES)} entries extends the one of {len(LINES) - 9}")
    assert said("consistency", tmp_path / "old", tmp_path / "other", log).code == 1
    forked = said("fork", tmp_path / "new", tmp_path / "other", "--key", KEY, "--output", tmp_path / "fork")
    assert (forked.code, forked.first[:5]) == (0, "FORK:")
    assert said("fork", "--check", tmp_path / "fork", "--key", KEY).code == 0
    assert said("fork", tmp_path / "old", tmp_path / "new", log, "--key", KEY).code == 1


def test_the_number_alone_names_a_round_of_the_one_table_that_has_it(tmp_path: Path) -> None:
    log = written(tmp_path / "log", played("casino"))
    for name in (str(ROUND), f"casino#{ROUND}"):
        told = said("prove", log, "--round", name)
        assert (told.code, told.out.encode()) == (0, proven("casino"))


def two_tables() -> list[bytes]:
    house = House()
    Seating(house, "banker", "banker", (1,), chips=1_000).play(3)
    Seating(house, "boxes", "boxes", (1, 2), chips=1_000).play(2)
    return house.lines


def test_a_number_that_no_table_has_or_more_than_one_is_refused(tmp_path: Path) -> None:
    log = written(tmp_path / "log", two_tables())
    for number, why in ((2, "2 tables have such a round"), (99, "no round 99")):
        told = said("prove", log, "--round", number)
        assert (told.code, why in told.err) == (2, True), told
    assert "banker#2, boxes#2" in said("prove", log, "--round", "2").err
    assert said("prove", log, "--round", "3").code == 0
    assert said("prove", log, "--round", "three").code == 2


def test_many_tables_are_listed_with_how_many_more_there_are(tmp_path: Path) -> None:
    house = House()
    for number in range(10):
        Seating(house, f"t{number}", "banker", (1,), chips=1_000).play(1)
    log = written(tmp_path / "log", house.lines)
    for command in ("prove", "hand"):
        told = said(command, log, "--round", "1")
        assert told.code == 2
        assert "10 tables have such a round" in told.err
        assert "one of t0#1, t1#1, t2#1, t3#1, t4#1, t5#1, t6#1, t7#1 and 2 more" in told.err
    assert "t7#1 to #1 and 2 more" in said("hand", log, "--round", "t10#1").err


def test_entries_behind_the_checkpoint_do_not_name_a_round(tmp_path: Path) -> None:
    lines = list(played("banker"))
    log = written(tmp_path / "log", lines)
    last = max(i for i, line in enumerate(lines) if b'"kind":"open"' in line)
    (log / "checkpoint").write_text(note_over(lines[:last])[0])
    told = said("prove", log, "--round", rounds_of(lines)[-1].partition("#")[2])
    assert (told.code, "no round" in told.err) == (2, True)


@pytest.mark.parametrize("words", [["hand"], ["hand", "--round", "1"], ["hand", "--list"], ["prove", "--round", "1"]])
def test_a_file_that_is_not_there_is_said_to_be_missing(words: list[str], tmp_path: Path) -> None:
    told = said(words[0], tmp_path / "none", "--key", KEY, *words[1:])
    assert told.code == 2
    assert told.err.splitlines()[:2] == ["fairshoe-audit: no such file", f"  where:    {tmp_path / 'none'}"]
