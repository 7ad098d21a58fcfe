"""Fork files: a house that signs two histories convicts itself, and nobody else is convicted."""

from __future__ import annotations

import base64
import json
import random

import pytest

from audit_cli.commands.fork import NO_PREFIX
from audit_cli.main import main
from audit_cli.verify.evidence.histories import (
    Fork,
    NoFork,
    RememberedCheckpoint,
    Side,
    check_fork,
    fork_between,
    fork_of,
    fork_text,
    side_at,
)
from fairshoe.errors import FairshoeError, InputError, VerificationError

from .logs import HOUSE, NAMESAKE, OTHER, entries, head, leaves, note, write

KEY = str(HOUSE.verifier)


def kept(lines, name="OLD", signer=HOUSE):
    return RememberedCheckpoint(name, note(lines, signer), head(lines, signer))


def made(one, other, *copies):
    return fork_between(kept(one, "OLD"), kept(other, "NEW"), [leaves(lines) for lines in copies])


@pytest.mark.parametrize("first", [1, 2, 7, 8, 100])
@pytest.mark.parametrize("second", [1, 2, 9, 64, 255])
def test_two_histories_of_any_sizes_convict(first: int, second: int) -> None:
    one, other = entries(first), entries(second, 0)
    fork = made(one, other, one, other)
    assert (fork.size, fork.entry) == (min(first, second), 0)
    again = fork_of(fork_text(fork))
    assert again == fork
    assert check_fork(again, HOUSE.verifier) == tuple(sorted((head(one), head(other)), key=lambda head: head.size))


def test_heads_of_one_size_convict_without_a_log() -> None:
    fork = made(entries(8), entries(8, 7))
    assert (fork.size, fork.one.proof, fork.other.proof, fork.entry) == (8, [], [], None)
    check_fork(fork, HOUSE.verifier)


@pytest.mark.parametrize(
    ("one", "other", "copies", "why"),
    [
        (entries(8), entries(8), [entries(8)], "the same tree head"),
        (entries(8), entries(20), [entries(20)], "they are one history"),
        (entries(20), entries(8), [entries(20)], "they are one history"),
        (entries(8), entries(20, 3), [], "no copy of the log fits NEW"),
        (entries(8), entries(20, 3), [entries(8), entries(20)], "no copy of the log fits NEW"),
        (entries(8), entries(20, 3), [entries(19, 3)], "no copy of the log fits NEW"),
        (entries(20), entries(8, 3), [entries(8, 3)], "no copy of the log fits OLD"),
        (entries(0), entries(8), [entries(8)], "one history"),
    ],
)
def test_what_shows_nothing(one, other, copies, why: str) -> None:
    with pytest.raises(NoFork, match=why):
        made(one, other, *copies)


def test_two_logs_are_no_fork() -> None:
    with pytest.raises(NoFork, match="of two logs"):
        fork_between(kept(entries(8)), kept(entries(8, 3), signer=OTHER), [])


ONE, TWO = entries(8), entries(20, 3)
GOOD = Fork(8, side_at(note(ONE), head(ONE), 8), side_at(note(TWO), head(TWO), 8, leaves(TWO)))
MORE = entries(20)
FORGED = {
    "one history": Fork(8, GOOD.one, side_at(note(MORE), head(MORE), 8, leaves(MORE))),
    "one side twice": Fork(8, GOOD.one, GOOD.one),
    "a root that is made up": Fork(8, GOOD.one, Side(note(MORE), bytes(32), leaves(MORE).consistency(8, 20))),
    "a root that is made up, at its size": Fork(8, GOOD.one, Side(note(ONE), bytes(32), [])),
    "another proof": Fork(8, GOOD.one, Side(note(TWO), GOOD.other.root, GOOD.other.proof[:-1])),
    "another size": GOOD._replace(size=7),
    "no size": GOOD._replace(size=0),
    "below nothing": GOOD._replace(size=-8),
    "a size beyond both": GOOD._replace(size=21),
    "a size beyond one": GOOD._replace(size=9),
    "signed by another": Fork(8, GOOD.one, side_at(note(TWO, NAMESAKE), head(TWO), 8, leaves(TWO))),
    "another origin": Fork(
        8, GOOD.one, side_at(HOUSE.sign(head(TWO, origin="x").text), head(TWO, origin="x"), 8, leaves(TWO))
    ),
    "an empty proof from nothing": Fork(0, Side(note(ONE), bytes(32), []), Side(note(TWO), bytes(range(32)), [])),
}


@pytest.mark.parametrize("fork", FORGED.values(), ids=FORGED)
def test_an_honest_house_is_not_convicted(fork: Fork) -> None:
    check_fork(GOOD, HOUSE.verifier)
    with pytest.raises(VerificationError):
        check_fork(fork, HOUSE.verifier)


def test_every_changed_byte_is_refused_or_says_the_same() -> None:
    """Only white space, the entry that is merely said, and how base64 or JSON spell the same may differ."""
    text, choose = fork_text(GOOD).encode(), random.Random(9)
    for _ in range(2_000):
        place, byte = choose.randrange(len(text)), choose.randrange(256)
        changed = text[:place] + bytes([byte]) + text[place + 1 :]
        try:
            found = fork_of(changed.decode())
            check_fork(found, HOUSE.verifier)
        except (FairshoeError, UnicodeDecodeError):
            continue
        assert found._replace(entry=None) == GOOD


SPOILED = {
    "nothing": "",
    "no object": "[]",
    "a list as kind": '{"kind": []}',
    "another kind": fork_text(GOOD).replace("fork", "spoon"),
    "another version": fork_text(GOOD).replace('"v": 1', '"v": 2'),
    "a key twice": fork_text(GOOD).replace('"size": 8', '"size": 8, "size": 8'),
    "a field more": fork_text(GOOD).replace('"size": 8', '"size": 8, "more": 8'),
    "a size that is none": fork_text(GOOD).replace('"size": 8', '"size": true'),
    "NaN": fork_text(GOOD).replace('"size": 8', '"size": NaN'),
    "one side": json.dumps(json.loads(fork_text(GOOD)) | {"sides": [1]}),
    "three sides": json.dumps(json.loads(fork_text(GOOD)) | {"sides": json.loads(fork_text(GOOD))["sides"] * 2}),
    "sides of numbers": json.dumps(json.loads(fork_text(GOOD)) | {"sides": [1, 2]}),
    "deep": "[" * 100_000,
    "a short root": fork_text(GOOD).replace(base64.b64encode(GOOD.one.root).decode(), "AAAA"),
}


@pytest.mark.parametrize("text", SPOILED.values(), ids=SPOILED)
def test_what_is_no_fork_file(text: str) -> None:
    with pytest.raises(InputError, match="not a fork file"):
        fork_of(text)


def test_the_command_makes_and_checks_a_file(tmp_path, capsys) -> None:
    old, new, file = write(tmp_path / "old", ONE), write(tmp_path / "new", TWO), tmp_path / "fork.json"
    made = ["fork", old / "checkpoint", new, old, new, "--key", KEY, "--output", file]
    assert main([*map(str, made)]) == 0
    said = "house.example/log signed two histories that differ within the first 8 entries; entry 3 differs first"
    assert said in capsys.readouterr().out
    assert main(["fork", "--check", str(file), "--key", KEY]) == 0
    assert said in capsys.readouterr().out
    assert main(["fork", "--check", str(file), "--key", str(NAMESAKE.verifier)]) == 1
    assert capsys.readouterr().out.startswith("NO FORK: ")
    assert file.stat().st_size < 2_000


def test_two_logs_without_a_common_entry_are_told_apart_from_one_rewritten(tmp_path, capsys) -> None:
    old, new = write(tmp_path / "old", ONE), write(tmp_path / "new", ONE[1:] + ONE[:1])
    assert main(["fork", *map(str, (old, new, old, new)), "--key", KEY]) == 0
    assert "entry 0 differs first" in (said := capsys.readouterr().out)
    assert NO_PREFIX in said


def test_the_command_says_where_nothing_is_shown(tmp_path, capsys) -> None:
    old, new = write(tmp_path / "old", ONE), write(tmp_path / "new", MORE)
    assert main(["fork", str(old), str(new), str(new), "--key", KEY, "--output", str(tmp_path / "f")]) == 1
    assert "NO FORK: " in capsys.readouterr().out
    assert not (tmp_path / "f").exists()
    assert main(["fork", str(old), str(new), "--key", str(OTHER.verifier)]) == 1
    assert "no signature by other.example" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["a"], ["a", "b", "--check", "c"], ["--check", "c", "--output", "d"]])
def test_wrong_usage_of_fork(words: list[str], capsys) -> None:
    assert main(["fork", *words, "--key", KEY]) == 2
    assert "--check FILE" in capsys.readouterr().err


def test_a_fork_file_that_is_not_there(tmp_path) -> None:
    assert main(["fork", "--check", str(tmp_path / "none"), "--key", KEY]) == 2
    (tmp_path / "bad").write_text("{}")
    assert main(["fork", "--check", str(tmp_path / "bad"), "--key", KEY]) == 2
