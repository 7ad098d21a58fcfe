"""Who sits where and who opens next, as a client tells it from a part of the signed log."""

from __future__ import annotations

from typing import Any

from fairshoe.ceremony.policy import Policy
from fairshoe.client.openings import LONG_AGO, SignedTable
from fairshoe.engine.rules import rules_of
from fairshoe.log.canonical import Entry
from fairshoe.log.times import timestamp
from fairshoe.record import entries
from fairshoe.record.hand_entries import unnamed

RULES = rules_of("casino", {})


class Told:
    """A table that is told entry by entry, a second after the other."""

    def __init__(self) -> None:
        self.second = 0
        self.table = SignedTable(entries.table_entry(self.at(), "t", RULES, Policy()._asdict()))

    def at(self) -> str:
        self.second += 1
        return timestamp(self.second * 1_000_000)

    def chips(self, op: str, seat: int, player: str, amount: int, held: int, **more: Any) -> Entry:
        entry = entries.chips_entry(self.at(), "t", op, seat, player, amount, {seat: held}, **more)
        self.table.take(entry)
        return entry

    def shoe(self, number: int, roster: list[str], chips: dict[str, int], **more: Any) -> None:
        entry = entries.shoe_entry(
            self.at(), f"t/{number}", deck=RULES.deck, cards=RULES.cards, commitment="0" * 64, roster=roster, draws={}
        )
        self.table.take(entry | {"bank": "house", "chips": chips | {"house": 0}} | more)

    def seeds(self, number: int, *players: str) -> None:
        self.table.take(entries.seeds_entry(self.at(), f"t/{number}", dict.fromkeys(players, "00" * 32)))

    @property
    def waits_for(self) -> list[str]:
        shoe = self.table.book.shoe
        return [] if shoe is None else self.table.waits_for(shoe)


def test_the_roster_sits_where_the_shoe_says_and_of_others_the_chair_is_known() -> None:
    told = Told()
    told.chips("buy-in", 4, "eve", 50, 50)
    told.shoe(1, ["ann", "eve"], {"1": 5, "2": 5, "3": 5, "4": 50}, owes=[2], away=[3])
    assert dict(told.table.book.table.players) == {1: "ann", 2: unnamed(2), 3: unnamed(3), 4: "eve"}
    assert told.table.book.chairs[1].order_time == LONG_AGO < told.table.book.chairs[4].order_time
    told.seeds(1, "ann", "eve")
    assert told.waits_for == ["eve", "ann"], "who sat down since is the newer one"


def test_who_buys_more_in_a_chair_that_is_taken_sat_there_all_the_time() -> None:
    told = Told()
    told.shoe(1, ["ann"], {"1": 5, "2": 0}, away=[2])
    told.chips("buy-in", 2, "bob", 50, 50)
    assert told.table.book.chairs[2].player == "bob"
    assert told.table.book.chairs[2].order_time == LONG_AGO
    assert not told.table.newcomers


def test_whose_chair_was_left_and_taken_again_is_new() -> None:
    told = Told()
    told.shoe(1, ["ann"], {"1": 5, "2": 5}, away=[2])
    told.chips("cash-out", 2, "bob", 5, 0, leaves=True)
    entry = told.chips("buy-in", 2, "bob", 50, 50)
    assert told.table.book.chairs[2].order_time == entry["at"]
    assert told.table.newcomers == {"bob"}


def test_whom_the_house_puts_out_is_no_newer_for_coming_back() -> None:
    told = Told()
    told.shoe(1, ["ann"], {"1": 5, "2": 5}, away=[2])
    told.chips("cash-out", 2, "bob", 5, 0, leaves=True, by="house")
    told.chips("buy-in", 3, "bob", 50, 50)
    assert told.table.book.chairs[3].order_time == LONG_AGO
    assert not told.table.newcomers


def test_a_shoe_that_forgets_a_newcomer_does_not_make_the_next_one_think_them_old() -> None:
    told = Told()
    told.chips("buy-in", 2, "bob", 50, 50)
    told.shoe(1, ["ann"], {"1": 5})
    told.table.take(entries.void_entry(told.at(), "t/1", "00" * 32, "idle"))
    told.shoe(2, ["ann", "bob"], {"1": 5, "2": 50})
    told.seeds(2, "ann", "bob")
    assert told.waits_for == ["bob", "ann"]


def test_a_table_whose_name_begins_with_this_ones_is_another() -> None:
    told = Told()
    told.shoe(1, ["ann"], {"1": 5})
    told.table.take(entries.void_entry(told.at(), "t/x/1", "00" * 32, "idle"))
    assert (told.table.ended_shoes, told.table.shoe("t/1") is None) == (set(), False)


def test_who_hands_a_seed_in_is_the_newest() -> None:
    told = Told()
    told.shoe(1, ["ann"], {"1": 5, "2": 5}, owes=[2])
    told.table.take(entries.late_entry(told.at(), "t/0", "bob", "00"))
    told.table.take(entries.void_entry(told.at(), "t/1", "00" * 32, "idle"))
    assert told.table.ended_shoes == {"t/1"}
    told.shoe(2, ["ann", "bob"], {"1": 5, "2": 5})
    told.seeds(2, "ann", "bob")
    assert told.waits_for == ["bob", "ann"]


def test_a_sole_players_seed_opens_and_the_seal_ends_it() -> None:
    told = Told()
    told.table = SignedTable(entries.table_entry(told.at(), "t", rules_of("banker", {}), Policy()._asdict()))
    told.shoe(1, ["ann"], {"1": 50})
    shoe = told.table.shoe("t/1")
    assert shoe is not None
    assert shoe.alone
    told.table.take({"at": told.at(), "kind": "open", "shoe": "t/1", "round": 1, "bets": [{"amount": 2, "seat": 1}]})
    assert (told.waits_for, told.table.bets) == (["ann"], [{"amount": 2, "seat": 1}])
    told.table.take(entries.opened_entry(told.at(), "t/1", "ann", "00"))
    told.table.take(entries.seal_entry(told.at(), "t/1"))
    assert (told.waits_for, bool(shoe.sealed)) == ([], True)
