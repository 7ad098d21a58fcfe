"""Who sat where, by a proof of one hand: whoever left, came back or was not in the roster, an honest hand holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from audit_cli.cases.hand.parts import ProofRefused
from audit_cli.cases.hand.reach import NOT_DEALT
from fairshoe.errors import InputError
from fairshoe.log.canonical import encode
from tests.ceremony.walk import Walk
from tests.house import House, Seating

from .proofs import GAMES, checked, entries_for, file_of, rounds_of

Entry = dict[str, Any]


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_of_a_walk_is_proved_and_no_choice_of_entries_makes_it_fail(game: str) -> None:
    """They leave, come back, waive, owe seeds and let them lapse. Nobody can accuse an honest house with a part of its
    log: needed entries left out, any from one on, entries about chairs put in."""
    rng = Random(f"proofs {game}")
    walk = Walk(game, rng, 0.4)
    walk.play(8)
    lines = [encode(entry) for entry in walk.log]
    chips = [(index, line) for index, line in enumerate(lines) if b'"kind":"chips"' in line]
    for name in rounds_of(lines):
        needed = entries_for(lines, name)
        outcome = checked(file_of(lines, name)).outcome
        assert outcome.word == "PASS" or outcome.what.startswith(NOT_DEALT.format(name)), (name, outcome)
        for _ in range(8):
            begun = needed[: rng.randint(1, 2 * len(needed))]
            chosen = sorted({*begun, *rng.sample(chips, rng.randrange(2))} - {*rng.sample(begun, rng.randrange(2))})
            try:
                assert not chosen or checked(file_of(lines, name, chosen)).outcome.good, (name, chosen)
            except (ProofRefused, InputError):
                continue


class Owing(Seating):
    """A seat that owes a seed for ever, and then another that lets its seed lapse."""

    def lapses(self, who: str) -> bool:
        wanted = "p3" if self.owing else "p4"
        return who.endswith(wanted) and (bool(self.owing) or super().lapses(who))


@cache
def with_a_chair_left_out() -> tuple[tuple[bytes, ...], str]:
    """A hand of a shoe that leaves a chair out of its roster."""
    for seed in range(1, 12):
        house = House(seed)
        table = Owing(house, "boxes", "boxes", (1, 2, 3, 4), chips=100_000, careless=0.4)
        table.keeping = {"boxes-p4"}
        table.play(14)
        for name in rounds_of(house.lines):
            needed = [json.loads(line) for _, line in entries_for(house.lines, name)]
            if needed[-2]["kind"] == "round" and any("owes" in entry for entry in needed):
                return tuple(house.lines), name
    raise AssertionError("no such hand")


def test_the_shoe_says_who_sat_where_and_no_other_entry_is_taken() -> None:
    lines, name = with_a_chair_left_out()
    needed = entries_for(lines, name)
    assert "chips" not in [json.loads(line)["kind"] for _, line in needed]
    assert checked(file_of(lines, name)).outcome.word == "PASS"
    for index, line in enumerate(lines):
        if b'"kind":"chips"' in line:
            with pytest.raises(ProofRefused):
                checked(file_of(lines, name, sorted([*needed, (index, line)])))


def wrong_where_a_chair_is_left_out() -> Iterator[tuple[str, Entry, str]]:
    """A kind of entry, as the house changes it, and what is found."""
    lines, name = with_a_chair_left_out()
    needed = {entry["kind"]: entry for _, line in entries_for(lines, name) if (entry := json.loads(line))}
    paid, shoe = needed["round"], needed["shoe"]
    hands = [paid["hands"][0] | {"net": paid["hands"][0]["net"] - 2}, *paid["hands"][1:]]
    seat = str(hands[0]["seat"])
    yield "round", {"hands": hands, "chips": paid["chips"] | {seat: paid["chips"][seat] - 2}}, "payout-differs"
    yield "round", {"cards": ["As" if paid["cards"][0] != "As" else "Ks", *paid["cards"][1:]]}, "card-differs"
    yield "shoe", {"roster": shoe["roster"][1:]}, "shoe-differs"
    yield "shoe", {"owes": None}, "shoe-differs"


def test_what_fails_where_a_chair_is_left_out_is_a_failure() -> None:
    lines, name = with_a_chair_left_out()
    for kind, more, code in wrong_where_a_chair_is_left_out():
        where = next(index for index, line in entries_for(lines, name) if json.loads(line)["kind"] == kind)
        entry = {field: value for field, value in (json.loads(lines[where]) | more).items() if value is not None}
        outcome = checked(file_of([*lines[:where], encode(entry), *lines[where + 1 :]], name)).outcome
        assert outcome.word == "FAIL"
        assert code in outcome.what
