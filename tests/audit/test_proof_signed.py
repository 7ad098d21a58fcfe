"""What the house signed and nobody can follow, in a proof file: nothing can be said, and nobody else is at fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_cli.walk.shapes import ENVELOPE, KINDS
from fairshoe.log.canonical import encode
from fairshoe.record.hand_entries import entries_for
from tests.house import SIGNER

from .proofs import GAMES, ROUND, checked, file_of, played
from .telling import said

KEY = str(SIGNER.verifier)


def signed(rules: str, change: Any) -> bytes:
    """The proof of a hand whose entries are signed as `change` makes them of number and line."""
    lines = [change(i, line) for i, (_, line) in enumerate(entries_for(played(rules), f"{rules}#{ROUND}"))]
    return file_of(lines, f"{rules}#{ROUND}", enumerate(lines))


def malformed(line: bytes) -> Iterator[tuple[str, bytes]]:
    """The line with something in it that no reader follows, and what that is called."""
    entry = json.loads(line)
    for field in (*KINDS[entry["kind"]].required, *ENVELOPE):
        yield field, encode({name: value for name, value in entry.items() if name != field})
    yield "more", encode(entry | {"more": 1})
    yield "kind", encode(entry | {"kind": "raffle"})
    yield "kind", encode(entry | {"kind": ["table"]})
    yield "at", encode(entry | {"at": "yesterday"})
    yield "v", encode(entry | {"v": 0})
    yield "v", encode(entry | {"v": "1"})
    yield "", line.replace(b'"v":1', b'"v": 1')
    yield "", line[:-1]
    yield "", b"[]"


@pytest.mark.parametrize("rules", GAMES)
def test_of_a_signed_entry_that_is_malformed_nothing_can_be_said(rules: str) -> None:
    count = len(entries_for(played(rules), f"{rules}#{ROUND}"))
    for number in range(count):
        own = entries_for(played(rules), f"{rules}#{ROUND}")[number][1]
        for field, other in malformed(own):
            found = checked(signed(rules, lambda i, line, n=number, o=other: o if i == n else line))
            assert found.outcome.word == "CANNOT SAY", (number, field)
            (why,) = found.form["why"]
            assert why.startswith(f"entry {number}: "), why
            assert field in why


def test_it_is_said_with_the_entry_and_exit_code_1(tmp_path: Path) -> None:
    def without_decisions(_: int, line: bytes) -> bytes:
        entry = json.loads(line)
        return encode({name: value for name, value in entry.items() if name != "decisions"})

    file = tmp_path / "proof"
    file.write_bytes(signed("boxes", without_decisions))
    told = said("hand", file, "--key", KEY)
    assert (told.code, told.err) == (1, "")
    assert told.first == told.last == f"CANNOT SAY: round boxes#{ROUND} could not be followed"
    number = [json.loads(line)["kind"] for _, line in entries_for(played("boxes"), f"boxes#{ROUND}")].index("round")
    assert f"  entry {number}: malformed: decisions\n" in told.out
    assert said("hand", file, "--key", KEY, "--round", "boxes#1").code == 2, "another round was asked for"


def test_a_cutter_that_does_not_follow_fails() -> None:
    """Banker's has no cut."""

    def with_cutter(_: int, line: bytes) -> bytes:
        entry = json.loads(line)
        return encode(entry | {"cutter": entry["roster"][0]}) if entry["kind"] == "shoe" else line

    outcome = checked(signed("banker", with_cutter)).outcome
    assert outcome.line == f"FAIL: round banker#{ROUND} does not hold: shoe-differs"
