"""A log of many tables, which are shared out among workers: the report is that of one pass."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_cli.evidence.remembered import RememberedCheckpoint
from audit_cli.findings.report import Report
from audit_cli.sharing import OnePass, Share, Workers, shared
from fairshoe.cards import named_deck
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.tree import Tree
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import seal
from fairshoe.record import entries as forms
from tests import everything
from tests.house import SIGNER, House, Seating, honest
from tests.house_table import POLICY

from . import frauds
from .planting import FRAUDS, Fraud, encoded, retimed, without
from .sharing import Here, here, interleaved, same

SOME = [case for case in FRAUDS if case.module.startswith(frauds.__name__)][::5]


@cache
def log() -> tuple[bytes, ...]:
    return tuple(interleaved(6, 8).lines)


def entries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in log()]


@pytest.mark.parametrize(("many", "shares"), [(1, [6]), (2, [3, 3]), (3, [2, 2, 2]), (4, [1, 1, 2, 2]), (8, [])])
def test_many_tables(many: int, shares: list[int], tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(many), log())
    assert not report.failed
    assert whole is not None
    assert whole.tables == (shares or [1] * 6 + [0] * 2)


def test_games_that_come_in_turn_are_not_each_one_worker_s() -> None:
    shares = [Share(Path(), 0, number, 2) for number in range(2)]
    assert [[table for table in range(8) if share.has(table)] for share in shares] == [[0, 3, 4, 7], [1, 2, 5, 6]]


def test_one_table(tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(2), honest("boxes", 20).lines)
    assert not report.failed
    assert whole is not None
    assert whole.tables == [1, 0]


@pytest.mark.parametrize(
    "of",
    [
        everything.casinos,
        everything.quiet_casino,
        everything.banker,
        everything.pontoon,
        everything.chinese,
        everything.boxes,
        everything.lounge,
        everything.unfinished_lounge,
    ],
)
def test_everything_that_may_happen_at_tables(of: Callable[[House], None], tmp_path: Path) -> None:
    """Closings, voids, lapses, debts, starts, put-out players, refunds, a first banker's draws, resting tables."""
    house = House(5)
    Seating(house, "before", "casino", (1, 2)).play(30)
    of(house)
    for name in "ab":
        Seating(house, name, "casino", (1, 2)).play(30)
    report, whole = same(tmp_path, here(3), house.lines)
    assert not report.failed
    assert whole is not None


def test_everything_at_once_is_left_to_one_pass_for_its_raffles(tmp_path: Path) -> None:
    report, whole = same(tmp_path, here(), everything.everything().lines)
    assert not report.failed
    assert whole is None, "shoes without a table"


def test_tree_heads_that_somebody_asks_for(tmp_path: Path) -> None:
    """Checkpoints of earlier days, and one of another log."""
    tree, olds = Tree(), []
    for size in (0, 1, 77, len(log())):
        tree.extend(log()[tree.size : size])
        olds.append(RememberedCheckpoint(Checkpoint(SIGNER.verifier.name, size, tree.root).signed(SIGNER)))
    report, whole = same(tmp_path, here(), log(), remembered=olds)
    assert not report.failed
    assert whole is not None
    assert whole.roots.keys() == {0, 1, 77, len(log())}
    other = RememberedCheckpoint(Checkpoint(SIGNER.verifier.name, 78, tree.root).signed(SIGNER))
    assert same(tmp_path, here(), log(), remembered=[other])[0].failed


def changed(folder: Path, lines: list[bytes]) -> bool:
    """Whether the log fails, as one pass says and so do three shares."""
    write_log(folder, lines, SIGNER)
    report, whole = same(folder, here())
    assert whole is None or not report.failed
    return report.failed


def test_an_entry_is_changed_dropped_or_moved(tmp_path: Path) -> None:
    times = [entry["at"] for entry in entries()]
    for index in range(5, len(times), len(times) // 7):
        there = entries()
        assert changed(tmp_path, encoded(retimed(without(there, index), times)))
        there[index], there[index - 1] = there[index - 1], there[index]
        changed(tmp_path, encoded(retimed(there, times)))
        there = entries()
        there[index]["shoe"] = "nobody/1"
        assert changed(tmp_path, encoded(there))


def test_time_goes_back_between_two_tables(tmp_path: Path) -> None:
    there = entries()
    for index in range(1, len(there), len(there) // 9):
        with patch.dict(there[index], at=there[index - 1]["at"]):
            lines = encoded(there)
        assert changed(tmp_path, lines)


class Again(Seating):
    """Takes the keys of another table's shoes, one shoe later."""

    keys: list[bytes]

    def new_key(self) -> bytes:
        return self.keys[self.shoes] if self.shoes < len(self.keys) else super().new_key()


class First(Seating):
    keys: list[bytes]

    def new_key(self) -> bytes:
        self.keys.append(super().new_key())
        return self.keys[-1]


def test_a_key_comes_again_at_another_table(tmp_path: Path) -> None:
    house = House(2)
    one, other = First(house, "a", "boxes", (1, 2)), Again(house, "b", "boxes", (1, 2))
    one.keys = other.keys = []
    one.play(4)
    other.play(6)
    write_log(tmp_path, house.lines, SIGNER)
    report, whole = same(tmp_path, here(2))
    assert whole is None
    assert {found.code for found in report.findings if found.severity == "fail"} == {"commitment-reused"}


def test_a_table_is_called_like_another_one(tmp_path: Path) -> None:
    """A table that opens twice, and one whose `table` entry is missing."""
    there = entries()
    tables = [index for index, entry in enumerate(there) if entry["kind"] == "table"]
    times = [entry["at"] for entry in there]
    assert changed(tmp_path, encoded(retimed(without(there, tables[1]), times)))
    twice = [*there, there[tables[2]] | {"at": "2027-01-01T00:00:00.000000Z"}]
    assert changed(tmp_path, encoded(twice))


def test_cards_beyond_the_bound_are_left_to_one_pass(tmp_path: Path) -> None:
    with patch("audit_cli.sharing.FREE_CARDS", 0), patch("audit_cli.sharing.CARDS_AN_ENTRY", 1):
        report, whole = same(tmp_path, here(2), log())
    assert not report.failed
    assert whole is None


@pytest.mark.parametrize("case", SOME, ids=[case.name for case in SOME])
def test_a_planted_fraud(case: Fraud, tmp_path: Path) -> None:
    """Whatever one pass finds the shares leave to it; what is missing at the log's end is found in the end."""
    assert same(tmp_path, here(2), case.plant().lines)[0].failed


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_change_anywhere(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    there = entries()
    index = data.draw(st.integers(0, len(there) - 1))
    field = data.draw(st.sampled_from(sorted(there[index])))
    value = data.draw(st.sampled_from([0, 1, -1, "x", "", [], {}, None, True, 2**60, "t1/3", "t2", [1, 2]]))
    lines = encoded([*there[:index], there[index] | {field: value}, *there[index + 1 :]])
    same(tmp_path_factory.mktemp("log"), here(data.draw(st.integers(1, 7))), lines)


def test_a_file_that_changes_between_two_readings_is_left_to_one_pass(tmp_path: Path) -> None:
    """The first worker's first line, for which the second has no use but the time."""
    write_log(tmp_path, log(), SIGNER)
    path = tmp_path / "log.jsonl"

    class Changing(Here):
        def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            future = super().submit(function, *args, **kwargs)
            future.result()
            path.write_bytes(path.read_bytes().replace(b'"at":"2026', b'"at":"2025', 1))
            return future

    assert shared(path, Report(), here(2)).tables == [3, 3]
    with pytest.raises(OnePass):
        shared(path, Report(), Workers(Changing(), 2))


# A house that knows how the lines are dealt out.


def raffle(house: House, name: str, *, revealed: bool) -> None:
    """A shoe without a table."""
    key, seeds = house.random.randbytes(32), {who: house.random.randbytes(16) for who in ("ann", "bob")}
    draws = {"cut": 52, "win": 1000}
    about = {"deck": "french:1", "cards": 52, "draws": draws, "policy": POLICY}
    house.log(forms.shoe_entry(house.at(), name, commitment=commitment_of(key), roster=list(seeds), **about))
    hashes = {who: hashlib.sha256(seed).hexdigest() for who, seed in seeds.items()}
    house.log(forms.seeds_entry(house.at(), name, hashes, forms.cut_form(7, "bob")))
    for who in ("bob", "ann"):
        house.log(forms.opened_entry(house.at(), name, who, seeds[who].hex()))
    house.log(forms.seal_entry(house.at(), name))
    if revealed:
        made = seal(key=key, shoe=name, deck=named_deck("french:1"), seeds=list(seeds.items()), cut=7, draws=draws)
        numbers = {each: made.number(each) for each in draws}
        house.log(forms.reveal_entry(house.at(), name, key.hex(), numbers, 3, "worn"))


def test_a_shoe_without_a_table_that_is_called_like_one_cannot_be_drawn_twice(tmp_path: Path) -> None:
    house = House(3)
    table = Seating(house, "a", "casino", (1, 2))
    table.play(30)
    raffle(house, "a/x", revealed=False)
    table.play(150)
    raffle(house, "a/x", revealed=True)
    table.play(60)
    house.write(tmp_path)
    assert same(tmp_path, here(2))[0].failed
