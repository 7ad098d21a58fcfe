"""Neither reading convicts an honest house, whatever its players do; and both find at the same entry what the house
makes of it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.policy import MAX_DEBTS
from fairshoe.engine.moves import Decision
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.record.entries import bank_entry, chips_entry
from tests.ceremony.walk import CHIPS, SIGNER, Walk

from .readings import Reading, first_reading, reading, second_readings

PASSES = reading("pass")


def walk(game: str, seats: int, **options: Any) -> Walk:
    return Walk(game, random.Random(game), 0, seats=seats, **options)


def readings(folder: Path, log: Sequence[Entry]) -> list[Reading]:
    write_log(folder, map(encode, log), SIGNER)
    return [first_reading(folder), *second_readings([folder / "log.jsonl"])]


def to_first_bank(table: Walk) -> tuple[list[Entry], Entry]:
    """Play until it is settled who banks. Returns the log before that entry, and the entry."""
    while not (places := [place for place, entry in enumerate(table.log) if entry["kind"] == "bank"][1:]):
        table.turn()
    return table.log[: places[0]], table.log[places[0]]


def hash_alone(table: Walk, player: str) -> tuple[int, str]:
    """Have a player ask for a shoe, send a hash and let the seed lapse. Returns the chair and the seed."""
    seat = table.state.book.seat_of(player)
    assert seat is not None
    table.do(say.AskShoe(seat))
    shoe = table.state.shoe
    assert shoe is not None
    assert shoe.roster == [player]
    seed = f"{player} {shoe.id}".encode()
    table.do(say.GiveHash(seat, hashlib.sha256(seed).hexdigest(), 9 if shoe.cutter == player else None))
    while table.state.shoe is not None:
        table.wait()
    return seat, seed.hex()


def test_more_players_owe_a_seed_than_are_remembered(tmp_path: Path) -> None:
    """The oldest debt is forgotten: the house has that player contribute again, as the readings do."""
    table = walk("casino", 1)
    hash_alone(table, "p1")
    for number in range(MAX_DEBTS):
        player = f"q{number}"
        table.do(say.TakeSeat(player, CHIPS))
        seat, seed = hash_alone(table, player)
        table.do(say.GiveSeed(seat, seed))
        table.do(say.CashOut(seat, None, leave=True))
    assert len(table.state.book.debts) == MAX_DEBTS
    table.do(say.AskShoe(1))
    assert table.log[-1]["roster"] == ["p1"]
    assert readings(tmp_path, table.log) == [PASSES] * 2


def test_nobody_covers_the_bank_as_the_limit_for_hashes_passes(tmp_path: Path) -> None:
    """Who sent no hash has let it pass all the same, and may be left out after two."""
    table = walk("pontoon", 3)
    for seat in (1, 2):
        table.do(say.CashOut(seat, CHIPS - 1))
    for _ in range(2):
        table.do(say.AskShoe(3))
        moment = due(table.state, table.now)
        assert moment is not None
        table.now = moment
        table.apply(say.CashOut(3, table.state.table.purse[3] - 1))
        table.do(say.BuyIn(3, CHIPS))
    table.do(say.AskShoe(3))
    assert (table.log[-1]["roster"], table.log[-1]["away"]) == (["p3"], [1, 2])
    assert readings(tmp_path, table.log) == [PASSES] * 2


def test_a_banker_who_no_longer_covers_leaves_while_another_is_being_found(tmp_path: Path) -> None:
    table = walk("pontoon", 3)
    bank = to_first_bank(table)[1]["to"]
    while table.state.shoe is not None:
        table.wait()
    table.do(say.CashOut(bank, table.state.table.purse[bank] - 1))
    table.do(say.AskShoe())
    assert (table.log[-1]["purpose"], table.log[-1]["bank"]) == ("bank", str(bank))
    table.do(say.CashOut(bank, None, leave=True))
    assert (table.log[-1]["kind"], table.log[-1]["why"]) == ("void", "bank")
    assert readings(tmp_path, table.log) == [PASSES] * 2


def test_the_bank_moves_only_after_the_end_of_a_first_bankers_shoe(tmp_path: Path) -> None:
    table = walk("pontoon", 2)
    (*before, reveal), bank = to_first_bank(table)
    assert (reveal["kind"], bank["kind"]) == ("reveal", "bank")
    assert readings(tmp_path / "as it is", [*before, reveal, bank]) == [PASSES] * 2
    late = [*before, bank, reveal]
    late[-1] = reveal | {"at": bank["at"][:-4] + f"{int(bank['at'][-4:-1]) + 1:03}Z"}
    assert readings(tmp_path / "late", late) == [reading("fail", len(before))] * 2


@pytest.mark.parametrize("asked", [False, True])
def test_a_chair_alone_has_the_bank_at_once(asked: bool, tmp_path: Path) -> None:
    table = walk("pontoon", 2)
    log, bank = to_first_bank(table)
    seat = table.log[len(log) - 2]["to"]
    other = 3 - seat
    at = bank["at"][:-4] + f"{int(bank['at'][-4:-1]) - 1:03}Z"
    left = chips_entry(at, "t", "cash-out", other, f"p{other}", CHIPS, {other: 0}, leaves=True)
    decisions = [Decision(seat, "accept")] if asked else []
    last = bank_entry(bank["at"], "t", "change", seat, decisions=decisions)
    expected = reading("fail", len(log) + 1) if asked else PASSES
    assert readings(tmp_path, [*log, left, last]) == [expected] * 2


def test_a_round_that_was_wrong_is_refunded_after_the_pool_was_shared(tmp_path: Path) -> None:
    """LO-07: also while another game is played, or waits for its shares; each buy-in once, and none between the shares
    of its own game."""
    table = walk("lounge", 2)
    for seat in (1, 2):
        table.do(say.CashOut(seat, None, leave=True))
    first, second = table.log[-2:]
    assert [entry["op"] for entry in (first, second)] == ["share", "share"]
    table.do(say.Refund("p1", 1, "round"))
    between = [*table.log[:-2], table.log[-1] | {"at": second["at"]}]
    table.do(say.TakeSeat("p3", BUY_IN))
    table.do(say.CashOut(1, None, leave=True))
    table.do(say.Refund("p2", 1, "round"))
    *before, share, refund = table.log
    assert (share["op"], refund["op"]) == ("share", "refund")
    assert readings(tmp_path / "refunded", table.log) == [PASSES] * 2
    swapped = [*before, refund | {"at": share["at"]}, share | {"at": refund["at"]}]
    assert readings(tmp_path / "before the share", swapped) == [PASSES] * 2
    again = table.log[-1] | {"at": table.log[-1]["at"][:-4] + "999Z"}
    assert readings(tmp_path / "twice", [*table.log, again]) == [reading("fail", len(table.log))] * 2
    assert readings(tmp_path / "between", between) == [reading("fail", len(between) - 1)] * 2
