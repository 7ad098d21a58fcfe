"""What a house signs, and a proof of one hand shows of it; a file with one byte changed is nobody's fault."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.walk.shapes import ENVELOPE, KINDS
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import encode
from fairshoe.record.entries import lost_entry

from .planting import KEY, at_table, dealt_at, sealed_at
from .proofs import GAMES, ROUND, checked, entries_for, file_of, played, proven
from .tamper import tamperings
from .telling import said

# What nobody can follow: nothing can be said, and nobody else is at fault.


@cache
def chosen(rules: str) -> tuple[tuple[int, bytes], ...]:
    """The entries that the hand of a game needs."""
    return tuple(entries_for(played(rules), f"{rules}#{ROUND}"))


def signed(rules: str, number: int, line: bytes) -> bytes:
    """The proof of a hand of whose entries one is another, all signed as if nothing were."""
    lines = [line if i == number else own for i, (_, own) in enumerate(chosen(rules))]
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
    for number, (_, own) in enumerate(chosen(rules)):
        for field, other in malformed(own):
            found = checked(signed(rules, number, other))
            assert found.outcome.word == "CANNOT SAY", (number, field)
            (why,) = found.form["why"]
            assert why.startswith(f"entry {number}: "), why
            assert field in why


def test_it_is_said_with_the_entry_and_exit_code_1(tmp_path: Path) -> None:
    entries = [json.loads(line) for _, line in chosen("boxes")]
    number, entry = next((i, entry) for i, entry in enumerate(entries) if entry["kind"] == "round")
    file = tmp_path / "proof"
    file.write_bytes(signed("boxes", number, encode({k: v for k, v in entry.items() if k != "decisions"})))
    told = said("hand", file, "--key", KEY)
    assert (told.code, told.err) == (1, "")
    assert told.first == told.last == f"CANNOT SAY: round boxes#{ROUND} could not be followed"
    assert f"  entry {number}: malformed: decisions\n" in told.out
    assert said("hand", file, "--key", KEY, "--round", "boxes#1").code == 2, "another round was asked for"


# A shoe that was lost: that is all that fails, whichever round was open then.


def lost(rounds: int, named: int | None, *, key: bool = True) -> list[bytes]:
    """So many rounds are dealt, another is open where `named` is not None, and the shoe is lost."""
    table = at_table()
    shoe, sealed = sealed_at(table)
    dealt_at(table, shoe, sealed, rounds)
    if named is not None:
        table.open(shoe)
    table.house.log(lost_entry(table.house.at(), shoe.id, shoe.key.hex() if key else None, named))
    return list(table.house.lines)


@pytest.mark.parametrize(("named", "key"), [(None, True), (4, True), (4, False)])
def test_a_round_of_a_lost_shoe_fails_by_that_alone(named: int | None, key: bool) -> None:
    lines = lost(3, named, key=key)
    assert [json.loads(line)["kind"] for line in lines].count("round") == 3
    for number in (1, 2, 3) if named is None else (1, 2, 3, 4):
        answer = checked(file_of(lines, f"casino#{number}"))
        assert answer.outcome.word == "FAIL"
        assert {each["code"] for each in answer.form["findings"] if each["severity"] == "fail"} == {"shoe-lost"}


# One byte, and one field.


MUTATIONS = 600
"""Over all games."""


def mutated(data: bytes, number: int, chance: random.Random) -> bytes:
    """The file with one byte exchanged, dropped or put in."""
    at = chance.randrange(len(data))
    byte = bytes([chance.choice([data[at] ^ 1 << chance.randrange(8), chance.randrange(256), chance.choice(data)])])
    return data[:at] + (b"" if number % 8 == 0 else byte) + data[at + (number % 8 != 1) :]


@pytest.mark.parametrize("rules", GAMES)
def test_a_file_with_one_byte_changed_is_refused_with_a_cause(rules: str) -> None:
    chance, data = random.Random(f"one byte of {rules}"), proven(rules)
    refused: Counter[str] = Counter()
    while refused.total() < -(-MUTATIONS // len(GAMES)):
        other = mutated(data, refused.total(), chance)
        if other == data:
            continue
        with pytest.raises(FairshoeError) as caught:
            checked(other)
        error = caught.value
        assert error.what
        assert error.where
        assert error.remedy or error.expected
        assert error.fault in ("caller", "unknown"), "not the house's: anybody may have changed it"
        refused[type(error).__name__] += 1
    assert set(refused) == {"InputError", "ProofRefused"}


# A house that signs another log.

BALANCE = frozenset(("chips", "chips.*"))
OPEN = {
    "table": frozenset(("at", "rules", "options", "policy")),
    "shoe": BALANCE | {"memory", "paid"},
    "open": frozenset(("-passed", "-late", "passed to late", "late to passed")),
    "round": BALANCE,
    "reveal": frozenset(("at", "end", "why")),
}
"""What a house may state otherwise in an entry so that only the whole log shows it: rules and options that this hand
does not hang on, limits that nobody waited for, balances before the round, who let the betting pass, when and why the
shoe ended later."""


def signed_anew(rules: str) -> Iterator[tuple[str, str, bytes]]:
    """Proof files in which one field of one entry is another, signed by the house as if nothing were; the field."""
    for number, (_, line) in enumerate(chosen(rules)):
        for field, other in tamperings(json.loads(line)):
            if encode(other) != line:
                yield json.loads(line)["kind"], field, signed(rules, number, encode(other))


def general(field: str) -> str:
    top, _, rest = field.partition(".")
    top = top.removeprefix("-") if top in ("-memory", "-paid") else top
    if top in ("memory", "paid", "options", "policy"):
        return top
    return "chips.*" if top == "chips" and rest else field


@pytest.mark.parametrize("rules", GAMES)
def test_a_house_that_signs_a_changed_entry_is_caught_or_it_is_documented(rules: str) -> None:
    verdicts: Counter[str] = Counter()
    for kind, field, data in signed_anew(rules):
        try:
            word = checked(data).outcome.word
        except FairshoeError:
            word = "refused"
        verdicts[word] += 1
        if word == "PASS":
            assert general(field) in OPEN.get(kind, frozenset()), (kind, field)
    assert verdicts["FAIL"] > 100
    assert verdicts["CANNOT SAY"] > 100, "malformed, and signed"
    assert verdicts["refused"] > 20, "another hand's, or one too many or too few"


@pytest.mark.parametrize("rules", GAMES)
def test_a_round_dealt_and_paid_from_other_cards_is_caught(rules: str) -> None:
    """Consistent in itself: cards, totals, outcomes, payouts and balances are those of another round of the game."""
    lines, name = list(played(rules, 8)), f"{rules}#{ROUND}"
    entries = [json.loads(line) for line in lines]
    at = next(i for i, e in enumerate(entries) if e["kind"] == "round" and e["round"] == ROUND)
    opened = next(e for e in entries if e["kind"] == "open" and e["round"] == ROUND)
    caught: list[Any] = []
    for donor in entries:
        if donor["kind"] != "round" or donor["cards"] == entries[at]["cards"]:
            continue
        if [hand["seat"] for hand in donor["hands"]] != [bet["seat"] for bet in opened["bets"]]:
            continue
        other = donor | {key: entries[at][key] for key in ("at", "round", "shoe", "pos")}
        planted = [encode(other) if i == at else line for i, line in enumerate(lines)]
        outcome = checked(file_of(planted, name)).outcome
        assert outcome.word == "FAIL", outcome
        caught.append(outcome.what)
    assert any("card-differs" in what or "order-differs" in what for what in caught)
