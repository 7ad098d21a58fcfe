"""Every fraud of tests/audit/frauds is found, by the proofs of its rounds too; and what only a memory finds."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from audit_cli.cases.hand.parts import ProofRefused
from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.ceremony.chairs import GAMES_KEPT
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.errors import InputError
from fairshoe.log.directory import write_log
from fairshoe.log.times import DAY, SECOND
from tests.house import POLICY, SIGNER, Prepared, Seating, find_chairs

from .frauds import FRAUDS
from .planting import KEY, Fraud, at_table, check_found, crooked, entries_in, log, log_open, notes, places, sealed_table
from .proofs import checked, file_of, rounds_of
from .walk import full

WHOLE_LOG = {
    "bank-not-settled": "how the bank came to its seat",
    "bet-illegal": "balances: whether a bet was covered",
    "bet-without-seed": "that nobody left a chair and came back",
    "bets-not-forced": "who had joined",
    "card-too-often": "which cards the other rounds of the shoe had",
    "chips-differ": "balances",
    "cover-differs": "balances",
    "limit-early": "since when a limit ran",
    "number-gap": "which numbers there are",
    "position-differs": "where the round before ended",
    "seats-unaccounted": "who else sat there",
    "shoe-not-retired": "whether the shoe was worn before",
    "step-out-of-order": "what stood between the entries",
    "table-closed": "what stood between the entries",
}
"""Findings about a round that a proof may miss, and what they rest on: docs/proof.md says so."""


@pytest.mark.parametrize("case", FRAUDS, ids=[case.name for case in FRAUDS])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_proofs(case, check_found(case, tmp_path))


def check_proofs(case: Fraud, report: Report) -> None:
    """No proof of a round in which the audit finds it passes."""
    found = {f"{each.table}#{each.round}" for each in report.findings if each.code == case.code and each.round}
    lines = list(case.plant().lines)
    for name in [name for name in dict.fromkeys(rounds_of(lines)) if name in found][:2]:
        try:
            word = checked(file_of(lines, name)).outcome.word
        except (ProofRefused, InputError):
            continue
        assert case.code in WHOLE_LOG or word in ("FAIL", "CANNOT SAY"), word


# What only a memory finds.


class NewKey(Seating):
    """Another key for the second shoe, after everybody's seeds were known."""

    def new_key(self) -> bytes:
        drawn = super().new_key()
        return drawn[::-1] if self.shoes == 2 else drawn


class NewSeed(Seating):
    """Another seed for a sole contributor, whose hash nobody published."""

    def opened(self, shoe: Prepared, who: str) -> None:
        if self.shoes == 2:
            shoe.seeds[who] = shoe.seeds[who][::-1]
        super().opened(shoe, who)


@pytest.mark.parametrize(
    ("kind", "game", "steps"), [(NewKey, "casino", ("shoe", "seeds")), (NewSeed, "banker", ("opened",))]
)
def test_a_log_written_anew_is_found_by_whoever_remembers(
    kind: type[Seating], game: str, steps: tuple[str, ...], tmp_path: Path
) -> None:
    seats = find_chairs(game)
    honest, _ = crooked(Seating, game, 20, seats=seats)
    forged, _ = crooked(kind, game, 20, seats=seats)
    write_log(tmp_path / "now", forged.lines, SIGNER)
    alone = verify(tmp_path / "now", key=KEY)
    assert not alone.failed, "consistent in itself"
    assert alone.checks["remembered"] == "not-checked", "and the report says what was not checked"
    size = places(entries_in(honest), steps[-1])[1] + 1
    write_log(tmp_path / "then", honest.lines[:size], SIGNER)
    report = verify(tmp_path / "now", key=KEY, remembered=[tmp_path / "then"])
    assert report.failed
    assert report.checks["remembered"] == "fail"
    assert [(f.code, f.fault) for f in report.findings] == [("remembered-differs", "house")]


def test_the_honest_logs_of_these_frauds_are_clean(tmp_path: Path) -> None:
    for name in ("casino", "pontoon", "boxes", "lounge", "banker", "everything"):
        write_log(tmp_path / name, log(name), SIGNER)
        report = verify(tmp_path / name, key=KEY)
        assert not report.failed
    alone = [f.shoe for f in report.findings if f.code == "entropy-house-only"]
    assert alone == ["raffle-3"], "a raffle without a contributor says so"


# What is no fraud: a note at most, since it may have been so.


def test_a_word_closes_the_betting_in_boxes() -> None:
    table = at_table("boxes")
    log_open(table, table.prepare(), table.offers([1]), late=(2,))
    assert notes(table.house) == []


def test_a_start_makes_limits_begin_anew_and_they_pass() -> None:
    table, shoe, sealed = sealed_table()
    table.house.now += 50 * SECOND
    table.house.start()
    table.house.now += POLICY["bet"] * SECOND
    log_open(table, shoe, bets := table.offers([1]), late=(2,))
    table.round(shoe, sealed, bets)
    assert notes(table.house) == []
    counted = full(table.house.lines).as_json()["choices"]["log"]
    assert counted["start"] == counted["start while a shoe was in play"] == 1


def test_shoes_void_one_after_the_other_never_fail() -> None:
    """They are counted."""
    table = at_table("banker", (1,))
    for _ in range(20):
        table.asked_reshuffle("banker-p1")
    assert notes(table.house) == ["shoe-void"] * 20


def test_a_closed_lounge_plays_its_game_on() -> None:
    table = at_table("lounge", gift=1000)
    table.play(1)
    table.close()
    table.house.now += 29 * DAY
    table.play(1)
    assert notes(table.house) == []


def test_an_age_is_over_when_the_last_round_is() -> None:
    """A round that is open at the shoe's age is finished, and the reveal follows."""
    table, shoe, sealed = sealed_table()
    table.house.now = shoe.sealed + DAY - 2 * SECOND
    log_open(table, shoe, bets := table.offers([1, 2]))
    table.house.now += 10 * SECOND
    table.round(shoe, sealed, bets)
    table.reveal(shoe, sealed, "age")
    assert set(notes(table.house)) <= {"step-late"}


def test_a_log_that_asks_for_more_cards_than_its_size_explains() -> None:
    table = at_table("boxes")
    table.play(3)
    with patch("audit_cli.verify.walk.audit.FREE_CARDS", 600), patch("audit_cli.verify.walk.audit.CARDS_AN_ENTRY", 1):
        report = full(table.house.lines)
    found = [(f.code, f.shoe, f.found) for f in report.findings]
    assert found == [("bound-exceeded", "boxes/2", 832), ("bound-exceeded", "boxes/3", 1248)]


def test_a_buy_in_into_one_of_the_last_games_is_refunded() -> None:
    table = at_table("lounge", (1, 2), gift=9000)
    while table.table.memory.get("game", 0) < GAMES_KEPT:
        table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    assert notes(table.house) == []


@pytest.mark.parametrize("players", [(1, 2), (1,)])
def test_a_buy_in_is_refunded_before_the_house_could_know_the_order(players: tuple[int, ...]) -> None:
    """Until `seeds`, or until a sole player's `open`."""
    table = at_table("lounge", players, gift=1000)
    table.play(1)
    table.commit()
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    assert notes(table.house) == []


def test_who_was_refunded_plays_on_and_has_a_part_in_the_pool() -> None:
    """LO-07: a refund of a round that went wrong leaves the pool alone; LO-04: it is every payer's."""
    table = at_table("lounge", (1, 2, 3), gift=1000)
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")
    table.play(1)
    payers = table.rules.payers(table.table)  # type: ignore[attr-defined]
    assert payers == [1, 2, 3]
    for seat in payers:
        table.leave(seat)
    table.chips("refund", 2, BUY_IN, player="lounge-p2", game=1, why="round")
    table.share(payers)
    assert notes(table.house) == []
