"""Who sat where, by a proof of one hand: whoever left, came back or was not in the roster, an honest hand holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from audit_cli.hand.parts import ProofRefused
from fairshoe.log.canonical import encode
from tests.house import House, Seating

from .proofs import checked, entries_for, file_of, rounds_of
from .walk import full

Entry = dict[str, Any]


def kinds_of(lines: list[tuple[int, bytes]]) -> list[str]:
    return [json.loads(line)["kind"] for _, line in lines]


# A contributor who leaves.


@pytest.mark.parametrize(("rules", "leaver"), [("boxes", 2), ("chinese", 1), ("chinese", 3)])
def test_a_contributor_who_leaves_before_the_bets_stand_is_no_reason_to_refuse(rules: str, leaver: int) -> None:
    class Leaving(Seating):
        def open(self, shoe: Any) -> Any:
            if self.played == 2 and leaver in self.table.players and leaver != self.table.bank:
                self.leave(leaver)
            return super().open(shoe)

    house = House()
    Leaving(house, rules, rules, (1, 2, 3), chips=100_000, careless=0).play(5)
    left = False
    for name in rounds_of(house.lines):
        left |= "chips" in kinds_of(entries_for(house.lines, name))
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name
    assert left or any(b'"bank":"%d"' % leaver in line for line in house.lines)


@pytest.mark.parametrize(("back", "owed"), [(2, False), (2, True), (5, True)])
def test_a_player_who_leaves_and_comes_back_waives_with_proof_of_it(back: int, owed: bool) -> None:
    """Into the same chair or another; with a seed in the shoe, or left out of its roster."""
    house = House()
    table = Seating(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, packs=3)
    who = table.table.players[2]
    table.lapsing = {who} if owed else set()
    for number, _ in enumerate(table.steps(30)):
        table.lapsing = set()
        if not number:
            table.leave(2)
            table.chips("buy-in", back, 5_000, player=who)
    assert not [each for each in full(house.lines).findings if each.severity == "fail"]
    assert any(b'"waived"' in line for line in house.lines)
    for name in rounds_of(house.lines):
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name


# Who sat where.


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
    assert "chips" not in kinds_of(needed)
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


def test_who_comes_back_into_the_chair_is_no_reason_to_refuse_or_fail() -> None:
    """A contributor tops up, or leaves and comes back into the same chair and waives: no choice of `chips` entries
    makes an honest hand fail."""
    house = House()
    table = Seating(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, packs=3)
    who = table.table.players[2]
    for number, _ in enumerate(table.steps(12)):
        if number == 2:
            table.chips("buy-in", 3, 50)
        elif number == 4:
            table.leave(2)
            table.chips("buy-in", 2, 5_000, player=who)
    chips = [(i, line) for i, line in enumerate(house.lines) if b'"kind":"chips"' in line]
    waived = 0
    for name in rounds_of(house.lines):
        needed = entries_for(house.lines, name)
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name
        waived += b'"waived":[2]' in b"".join(line for _, line in needed)
        for each in needed:
            for more in chips[::2]:
                try:
                    other = sorted({more, *needed} - {each})
                    assert checked(file_of(house.lines, name, other)).outcome.good, (name, each[0], more[0])
                except ProofRefused:
                    continue
    assert waived
