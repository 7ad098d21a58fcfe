"""What is read from a line without parsing is what parsing gives, and has the form that is checked otherwise."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_cli.kinds import HANDLERS
from audit_cli.walk.shapes import KINDS, entry_faults
from fairshoe.log.canonical import Entry, NotCanonical, decode, encode
from fairshoe.record.steps import cut_shoe, read_step
from tests.everything import everything
from tests.house import honest

AT = "2026-01-01T00:00:00.000000Z"
KEY = "0" * 64
AGE = '"shoe":"a/1","v":1,"why":"age"}'
STEPS = {"seeds", "opened", "seal", "reveal"}
EVERYTHING = [line.decode() for line in everything().lines]
LINES = [line for line in EVERYTHING if json.loads(line)["kind"] in STEPS]


def checked(text: str) -> Entry | None:
    """What is read, held against parsing, canonical form and shape."""
    entry = read_step(text)
    if entry is None:
        return None
    assert entry == decode(text.encode())
    assert encode(entry).decode() == text, "True is not 1"
    faults = entry_faults(entry)
    assert faults in ([], ["at"])
    return entry


def test_steps_of_every_game_are_read() -> None:
    assert HANDLERS.keys() == KINDS.keys() >= STEPS
    counts: Counter[str] = Counter()
    for game, seats in (("banker", [1]), ("casino", [1, 2]), ("pontoon", [1, 2, 3])):
        for line in honest(game, 30, seats=seats).lines:
            entry = checked(line.decode())
            kind = json.loads(line)["kind"]
            assert (entry is None) == (kind not in STEPS), line
            counts[kind] += entry is not None
    assert counts.keys() >= STEPS


def test_a_rare_line_is_left_to_be_parsed() -> None:
    beacon = [line for line in LINES if '"beacon"' in line]
    assert beacon, "a beacon is among everything"
    assert not any(map(read_step, beacon))


@pytest.mark.parametrize(
    "text",
    [
        f'{{"at":"{AT}","draws":{{"cut":1,"cut":2}},"end":0,"key":"{KEY}","kind":"reveal",{AGE}',
        f'{{"at":"{AT}","draws":{{"z":1,"a":2}},"end":0,"key":"{KEY}","kind":"reveal",{AGE}',
        f'{{"at":"{AT}","draws":{{}},"end":00,"key":"{KEY}","kind":"reveal",{AGE}',
        f'{{"at":"{AT}","draws":{{}},"end":{10**15},"key":"{KEY}","kind":"reveal",{AGE}',
        f'{{"at":"{AT}","draws":{{}},"end":0,"key":"{KEY.replace("0", "A")}","kind":"reveal",{AGE}',
        f'{{"at":"{AT}","draws":{{}},"end":0,"key":"{KEY}","kind":"reveal",{AGE.replace("age", "bored")}',
        f'{{"at":"{AT}","hashes":{{}},"kind":"seeds","shoe":"a/1","v":1}}',
        f'{{"at":"{AT}","kind":"opened","player":"a","seed":"0","shoe":"a/1","v":1}}',
        f'{{"at":"{AT}","kind":"opened","player":"é","seed":"00","shoe":"a/1","v":1}}',
        f'{{"at":"{AT}","kind":"opened","player":"a","seed":"00","shoe":"a/1","v":2}}',
        f'{{"at":"{AT}","kind":"opened","player":"a","seed":"00","shoe":"a/1","v":1}}\n',
        f'{{"at":"{AT}","kind":"seal","seeds":{{"a":"00","a":"01"}},"shoe":"a/1","v":1}}',
        f'{{"at":"{AT}","burn":"1c","kind":"seal","shoe":"a/1","v":1}}',
        f'{{"at":"{AT}","kind":"seal","shoe":"{"a" * 65}","v":1}}',
        f'{{"at":"{AT}","cut":{{"by":"a"}},"kind":"seal","shoe":"a/1","v":1}}',
    ],
)
def test_what_is_not_the_one_form_is_not_read(text: str) -> None:
    assert read_step(text) is None


@given(st.sampled_from(LINES), st.data())
def test_a_changed_line_is_read_as_it_is_parsed_or_not_at_all(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start, min(len(line), start + 40)))
    put = data.draw(st.sampled_from(['"', ",", "0", "1", "a", ":", "{}", "é", " ", line[end : end + 20], ""]))
    changed = line[:start] + put + line[end:]
    try:
        checked(changed)
    except NotCanonical as error:
        raise AssertionError(f"{changed} is read, and cannot be parsed") from error


def test_a_shoe_is_cut() -> None:
    line = next(line for line in EVERYTHING if '"kind":"shoe"' in line)
    entry = json.loads(line)
    assert cut_shoe(line) == (entry["shoe"], entry["commitment"])
