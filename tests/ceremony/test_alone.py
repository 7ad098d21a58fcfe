"""A shoe without a table: when its next step is due, and why it may be void."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from fairshoe.ceremony.book import Shoe
from fairshoe.ceremony.ending import due_time, may_void_alone
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.stages import Stage
from fairshoe.log.times import SECOND, timestamp

START = 1_800_000_000 * SECOND
POLICY = Policy(hash=10, seed=20, cut=30, bet=40, decision=50, shoe=86_400)
HASHES = {who: hashlib.sha256(who.encode()).hexdigest() for who in ("ann", "bob", "eve")}


def at(seconds: int) -> int:
    return START + seconds * SECOND


def when(seconds: int) -> str:
    return timestamp(at(seconds))


COMMITTED = Shoe("raffle/1", when(0), ["ann", "bob", "eve"], POLICY, 52)
HASHED = replace(COMMITTED, stage=Stage.SEED, hashes=HASHES, seed_wait_since=when(6))
ONE_OPEN = replace(HASHED, opened={"eve": "00"}, seed_wait_since=when(8))
SEALED = replace(ONE_OPEN, stage=Stage.OVER, opened=dict.fromkeys(HASHES, "00"), sealed=when(9))


def void_from(shoe: Shoe, why: str, by: str | None = None, started: str = "") -> int | None:
    """The second from which the shoe may be void for this reason; None: never."""
    if not may_void_alone(shoe, started, why, by, at(10**6)):
        return None
    return next(s for s in range(10**6) if may_void_alone(shoe, started, why, by, at(s)))


def test_a_step_is_due_by_the_limit_that_runs() -> None:
    assert due_time(None, COMMITTED) == at(86_400)
    assert due_time(None, HASHED) == at(6 + 20)
    assert due_time(None, ONE_OPEN) == at(8 + 20)
    assert due_time(None, SEALED) == at(9 + 86_400)


@pytest.mark.parametrize("why", ["seed", "idle", "age"])
@pytest.mark.parametrize("by", [None, "ann", "eve"])
def test_a_sealed_shoe_is_never_void(why: str, by: str | None) -> None:
    assert void_from(SEALED, why, by) is None


def test_a_shoe_to_which_nobody_sends_a_hash_is_idle_after_that_limit() -> None:
    assert void_from(COMMITTED, "idle") == 10
    assert void_from(COMMITTED, "idle", started=when(7)) == 17, "a start begins the limit anew"
    assert void_from(COMMITTED, "idle", "ann") is None, "it is nobody's doing"
    assert void_from(HASHED, "idle") is None, "hashes have come"


def test_a_shoe_is_too_old_after_its_limit_whatever_was_started_since() -> None:
    assert void_from(COMMITTED, "age") == 86_400
    assert void_from(COMMITTED, "age", started=when(7)) == 86_400
    assert void_from(COMMITTED, "age", "ann") is None
    assert void_from(HASHED, "age") is None, "its seeds are being opened"


def test_a_seed_that_is_not_opened_voids_a_shoe_once_another_was() -> None:
    assert void_from(HASHED, "seed", "eve") is None, "the first to be silent is struck"
    assert void_from(ONE_OPEN, "seed", "bob") == 28
    assert void_from(ONE_OPEN, "seed", "bob", started=when(20)) == 40
    for who in ("ann", "eve", "dan", None):
        assert void_from(ONE_OPEN, "seed", who) is None, "it is bob's turn"
    last = replace(HASHED, struck=["eve", "bob"])
    assert void_from(last, "seed", "ann") == 26, "nobody else remains"


def test_no_other_reason_is_known() -> None:
    for why in ("", "close", "bank", "reshuffle"):
        assert void_from(COMMITTED, why) is None
