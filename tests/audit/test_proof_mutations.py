"""What a house with the signing key, or anybody without it, may change in a proof file: nothing that decides a hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import encode
from fairshoe.record.hand_entries import entries_for

from .proofs import GAMES, ROUND, checked, file_of, played, proven
from .tamper import tamperings

MUTATIONS = 2_000
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
    chosen = entries_for(played(rules), f"{rules}#{ROUND}")
    for number, (_, line) in enumerate(chosen):
        entry = json.loads(line)
        for field, other in tamperings(entry):
            lines = [encode(other) if i == number else each for i, (_, each) in enumerate(chosen)]
            if lines[number] != line:
                yield entry["kind"], field, file_of(lines, f"{rules}#{ROUND}", enumerate(lines))


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
