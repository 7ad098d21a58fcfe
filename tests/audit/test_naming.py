"""Fields are named as people name them, and a finding reads as a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_cli.verify.findings.field_names import subject_of
from audit_cli.verify.findings.finding import LOG, Finding, Place, next_step
from audit_cli.verify.findings.wording import sentence, value
from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.walk.shapes import KINDS
from fairshoe.record.forms import LATER

from .planting import log

PLAYERS = {1: "alice", 2: "bob"}
ROUND = {
    "kind": "round",
    "hands": [{"seat": 2}, {"seat": 1}, {"seat": 1}],
    "decisions": [{"seat": 1}, {"seat": 2}, {"seat": 1}],
}
NAMES = [
    (ROUND, "hands[0].net", "bob's payout"),
    (ROUND, "hands[2].net", "the payout of alice's 2nd hand"),
    (ROUND, "hands[0].cards[1]", "bob's 2nd card"),
    (ROUND, "hands[0].seat", "the seat of hand 1"),
    (ROUND, "cards[3]", "card 4"),
    (ROUND, "decisions[2]", "alice's 2nd decision"),
    (ROUND, "decisions[1].amount", "the amount of bob's 1st decision"),
    (ROUND, "dealer.total", "the dealer's total"),
    (ROUND, "chips.1", "alice's chips"),
    (ROUND, "chips.7", "seat 7's chips"),
    (ROUND, "chips.house", "the house's chips"),
    ({"kind": "open", "bets": [{"seat": 2}]}, "bets[0].amount", "bob's bet"),
    ({"kind": "open", "uncovered": [{"seat": 1}]}, "uncovered[0]", "alice's bet without cover"),
    ({"kind": "chips", "seat": 1, "player": "carol"}, "chips.1", "carol's chips"),
    ({"kind": "opened", "player": "carol"}, "seed", "carol's seed"),
    ({"kind": "seeds"}, "hashes.a.b:c/d", "the hash of a.b:c/d's seed"),
    ({"kind": "reveal"}, "draws.insert", "the random number `insert`"),
    ({"kind": "shoe"}, "roster[1]", "the 2nd name in the roster"),
    ({"kind": "shoe"}, "waits[0]", "the 1st of the seats that wait for another shoe"),
    (ROUND, "placed.places[3]", "place 4 that the placer gave"),
    ({"kind": "placed"}, "steps", "the number of the placer's steps"),
    ({"kind": "table"}, "policy.bet", "the time limit `bet`"),
    (None, "cards[3]", "card 4"),
    (None, "nothing.like[3].it", None),
    (None, "entries 0 to 19", None),
]


@pytest.mark.parametrize(("entry", "field", "name"), NAMES)
def test_a_field_has_the_name_that_people_give_it(entry: Any, field: str, name: str | None) -> None:
    assert subject_of(field, entry, PLAYERS) == name


def paths(value: Any, path: str = "") -> Iterator[str]:
    if path:
        yield path
    if type(value) is dict:
        for name in value:
            yield from paths(value[name], f"{path}.{name}" if path else name)
    elif type(value) is list:
        for i, item in enumerate(value):
            yield from paths(item, f"{path}[{i}]")


UNNAMED = re.compile(r".*(?:chosen\[\d+\]|labels\[\d+\])")


def test_every_field_of_every_kind_has_a_name() -> None:
    seen = set()
    for line in log("everything"):
        entry = json.loads(line)
        for path in paths(entry):
            seen.add((entry["kind"], path.partition(".")[0].partition("[")[0]))
            assert subject_of(path, entry, PLAYERS) or UNNAMED.fullmatch(path), (entry["kind"], path)
    wanted = {(kind, field) for kind, shape in KINDS.items() for field in shape.required | shape.optional}
    elsewhere = {"lost", "start", "opened"} | {path.partition(".")[0] for path in LATER if path != "void.why.beacon"}
    assert {kind for kind, _ in wanted - seen} == elsewhere, "of a house that lost something; a sole player's cut"
    assert all(subject_of(field, {"kind": kind}, PLAYERS) for kind, field in wanted - seen)


ANYTHING: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["round", "house", "seat", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["seat", "player", "1"]), inner),
    max_leaves=8,
)
ENTRIES = st.none() | st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("kind", "seat", "player", "hands", "bets", "uncovered", "decisions", "chips"), ANYTHING)
    | {"kind": st.sampled_from(list(KINDS))},
)
TOPS = sorted({field for shape in KINDS.values() for field in shape.required | shape.optional} | {"", "v", "refund"})
STEPS = st.sampled_from(
    ["[0]", "[1]", "[99999]", "[-1]", "[]", ".net", ".seat", ".cards", ".1", ".house", ".", "..", "]["]
)
FIELDS = st.builds(lambda top, steps: top + "".join(steps), st.sampled_from(TOPS), st.lists(STEPS, max_size=5))


@given(FIELDS | st.text(), ENTRIES, st.dictionaries(st.integers(), st.just("alice")))
def test_a_malformed_entry_or_field_is_named_or_not_but_never_an_error(field: str, entry: Any, players: Any) -> None:
    name = subject_of(field, entry, players)
    assert name is None or name


@given(ANYTHING, ANYTHING, FIELDS | st.none() | st.text(), st.none() | st.text())
def test_a_finding_is_a_sentence_whatever_it_says(expected: Any, found: Any, field: Any, subject: Any) -> None:
    for place in (LOG, Place("casino"), Place("casino", "casino/1"), Place("casino", "casino/1", 2)):
        said = sentence(finding("payout-differs", place, field, subject, expected, found))
        assert said
        assert said.isprintable()
        assert len(said) < 2000 + len(subject or "")


def finding(code: str, place: Place, field: Any, subject: Any, expected: Any, found: Any, entry: Any = 7) -> Finding:
    about = CATALOGUE[code]
    told = about.cause, next_step(about, place)
    return Finding(code, about.severity, about.fault, entry, *place, field, subject, expected, found, *told)


CASINO = Place("casino", "casino/3", 17)
SENTENCES = [
    (
        ("payout-differs", CASINO, "hands[0].net", "alice's payout", -20, 30, 203),
        "alice's payout in round casino#17 is +30, should be −20 (entry 203, hands[0].net)",
    ),
    (
        ("chips-differ", Place("casino"), "chips.1", "alice's chips", 5000, 15000),
        "alice's chips at table casino are 15,000, should be 5,000 (entry 7, chips.1)",
    ),
    (
        ("seed-missing", Place(None, "raffle"), None, None, "the seed of bob", None),
        "Shoe raffle: expected the seed of bob (entry 7)",
    ),
    (
        ("seeds-differ", Place("a", "a/3"), "unheard", "the players who sent no hash", ["bob"], None),
        "The players who sent no hash in shoe a/3 are not there; expected: bob (entry 7, unheard)",
    ),
    (
        ("step-out-of-order", Place("casino"), None, None, "a sealed shoe", "round"),
        "Table casino: found round, expected a sealed shoe (entry 7)",
    ),
    (
        ("key-mismatch", Place("a", "a/1"), "key", "the revealed key", "ab" * 32, "hashes to cd"),
        "The revealed key in shoe a/1: hashes to cd, should be ababababababa…ababab (entry 7, key)",
    ),
    (
        ("root-differs", LOG, None, None, "ab" * 32, "cd" * 32, None),
        "The root of the log is cdcdcdcdcdcdc…cdcdcd, should be ababababababa…ababab",
    ),
]


@pytest.mark.parametrize(("made", "said"), SENTENCES)
def test_a_finding_reads_as_a_sentence(made: Any, said: str) -> None:
    assert sentence(finding(*made)) == said


def test_values_are_written_for_people() -> None:
    assert [value(n) for n in (0, -1, 1234567)] == ["0", "−1", "1,234,567"]
    assert [value(n, signed=True) for n in (0, -1, 30)] == ["0", "−1", "+30"]
    assert (value([]), value({}), value(""), value(None), value(True)) == ("none", "none", "empty", "null", "true")
    assert value({"move": "double", "seat": 2, "amount": 4}) == "double 4"
    long = value("x" * 1000 + "y" * 1000)
    assert len(long) == 48
    assert re.fullmatch("x+…y+", long)
    assert value(10**40).startswith("a number of ")
