"""Logs, audited while what is counted looks on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from audit_cli.report.counting.observations import Count, EndedShoe, ObservedShoe
from audit_cli.report.counting.watcher import CountWatcher
from audit_cli.report.luck.busts import Busts
from audit_cli.report.luck.house import Luck
from audit_cli.report.luck.reference import reference
from audit_cli.report.luck.sums import LOG
from audit_cli.report.run import ReportCounts
from audit_cli.report.statistics.collection import OrderCount
from audit_cli.verify.findings.report import Report
from audit_cli.verify.kinds.reveal import rebuild_order
from audit_cli.verify.run import verify
from audit_cli.verify.walk.state import AuditedShoe
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import Entry, encode, parse
from fairshoe.log.directory import ENTRIES, write_log
from fairshoe.protocol.shoe import Sealed
from fairshoe.simulate.house import plan_house, write_house_log
from tests.long.house import SIGNER, TRICKS

KEY = bytes(range(32))
ROUNDS = 100


class Watched(Count):
    """What was told of a log."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.shoes: list[ObservedShoe] = []
        self.orders: dict[str, Sequence[int]] = {}
        self.luck, self.busts, self.shuffles = Luck(), Busts(), OrderCount()
        self.watcher = CountWatcher(self, self.luck, self.busts, self.shuffles)
        self.report: Report = verify(log, watch=self.watcher)

    def add_shoe(self, seen: EndedShoe) -> None:
        if seen.entry is not None and seen.order is not None:
            self.orders[seen.entry["shoe"]] = seen.order

    def shoe(self, seen: ObservedShoe) -> None:
        self.shoes.append(seen)

    @property
    def rounds(self) -> int:
        return sum(len(shoe.rounds) for shoe in self.shoes)


@cache
def simulated(directory: Path, name: str, rounds: int = ROUNDS) -> tuple[Watched, list[Entry]]:
    write_house_log(directory, plan_house([name], rounds, KEY, careless=0.1))
    return Watched(directory), [parse(line) for line in (directory / ENTRIES).read_bytes().splitlines()]


Logs = Callable[[str], tuple[Watched, list[Entry]]]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    root = tmp_path_factory.mktemp("luck")
    return lambda name: simulated(root / name, name)


def tricked(directory: Path, name: str, rounds: int = 60) -> Watched:
    write_log(directory, map(encode, TRICKS[name](rounds).play().log), SIGNER)
    return Watched(directory)


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_round_is_told_as_it_stands(name: str, log: Logs) -> None:
    watched, entries = log(name)
    assert not watched.report.failed
    rounds = {(entry["shoe"], entry["round"]): entry for entry in entries if entry["kind"] == "round"}
    assert watched.rounds >= len(rounds) == ROUNDS
    dealt = [seen for shoe in watched.shoes for seen in shoe.rounds if seen.hands]
    assert len(dealt) == ROUNDS
    for seen, entry in zip(
        sorted(dealt, key=lambda seen: (list(seen.cards), seen.position)),
        sorted(rounds.values(), key=lambda entry: (_known(entry), entry["pos"])),
        strict=True,
    ):
        assert (seen.position, list(seen.cards)) == (entry["pos"], _known(entry))
        assert [hand.seat for hand in seen.hands] == [hand["seat"] for hand in entry["hands"]]
        assert {stake.seat for stake in seen.stakes} == {hand["seat"] for hand in entry["hands"]}
        assert all(stake.player for stake in seen.stakes)
        assert bool(seen.banker) == (name in ("chinese", "pontoon"))
    for shoe in watched.shoes:
        for seen in shoe.rounds:
            assert list(shoe.order[seen.position :][: len(seen.cards)]) == list(seen.cards)


def _known(entry: Entry) -> list[str]:
    cards: list[str] = entry["cards"]
    return cards[: entry["reshuffled"][0]] if "reshuffled" in entry else cards


@pytest.mark.parametrize("name", sorted(RULES))
def test_an_honest_log_shows_nothing(name: str, log: Logs) -> None:
    """Where every shoe has one round nothing is left of it."""
    watched, entries = log(name)
    assert name != "boxes" or all(not shoe.rest for shoe in watched.shoes if shoe.dealt)
    assert watched.luck.shoes == len(watched.shoes)
    assert watched.luck.unplayed == 0
    assert min(each.p_holm for each in watched.luck.result()) > 0.01
    assert min(each.p_holm for each in watched.busts.result()) > 0.01
    shuffles = watched.shuffles.result(0.01)
    assert shuffles.shoes == sum(entry["kind"] == "reveal" for entry in entries)
    assert (shuffles.left_out, shuffles.unordered, shuffles.found) == (0, 0, [])
    voids = [entry for entry in entries if entry["kind"] == "void" and entry["why"] == "seed"]
    late = {entry["shoe"] for entry in entries if entry["kind"] == "late"}
    known = [entry for entry in voids if entry["shoe"] in late or "by" not in entry]
    assert sum(not shoe.dealt for shoe in watched.shoes) <= len(known)
    assert watched.watcher.unknown <= len(voids)


def test_a_shoe_that_its_players_left_is_played_to_its_end(log: Logs) -> None:
    watched, entries = log("casino")
    why = {entry["shoe"]: entry["why"] for entry in entries if entry["kind"] == "reveal"}
    assert sum(bool(shoe.rest) for shoe in watched.shoes if shoe.dealt) == sum(each == "left" for each in why.values())
    assert "left" in why.values()


@pytest.mark.parametrize("name", ["no-bet-heard", "stopped"])
def test_what_a_shoe_was_ended_for(name: str, tmp_path: Path) -> None:
    """The house looked before each round, by `mimic`, and ended the shoe where the players would have won."""
    watched = tricked(tmp_path, name)
    avoided = [shoe for shoe in watched.shoes if shoe.rest]
    assert len(avoided) > 20
    play = reference(avoided[0].rules).play
    assert sum(sum(play(shoe.order, shoe.start, len(shoe.rest)).nets) for shoe in avoided) > 0
    (found,) = [each for each in watched.luck.result() if each.scope == LOG and each.test == "next"]
    assert found.z > 2
    assert found.rounds == len(avoided)


def test_bets_that_were_not_heard(tmp_path: Path) -> None:
    watched = tricked(tmp_path, "late-bets", 120)
    late = [seen for shoe in watched.shoes for seen in shoe.rounds if seen.late]
    assert late
    assert {stake.player for seen in late for stake in seen.late} == {"h1"}
    found = {each.test: each for each in watched.luck.result() if each.scope == LOG}
    assert found["next"].z > 3
    assert found["avoided"].always < 0.05


def test_a_void_shoe_whose_seed_came_later_is_weighed(tmp_path: Path) -> None:
    watched = tricked(tmp_path, "last-seed-unheard", 60)
    void = [shoe for shoe in watched.shoes if not shoe.dealt]
    assert len(void) > 20
    assert any({"h1", "h2", "h3"} == set(shoe.players) for shoe in void)
    assert all(shoe.rest and not shoe.rounds for shoe in void)
    found = {each.test: each for each in watched.luck.result() if each.scope == LOG}
    assert found["avoided"].always_holm < 0.001
    assert abs(found["shoes"].z) < 3
    assert watched.watcher.unknown <= 1


def test_a_sole_players_seed_that_was_not_heard_is_unknown(tmp_path: Path) -> None:
    watched = tricked(tmp_path, "sole-seed-unheard", 20)
    assert watched.watcher.unknown > 3
    assert all(shoe.dealt for shoe in watched.shoes)


def test_a_seat_that_steers(tmp_path: Path) -> None:
    watched = tricked(tmp_path, "seat-steers", 150)
    found = {(each.scope[1], each.test): each for each in watched.busts.result() if each.scope[0] == "player"}
    assert found["h1", "own"].z > 3
    assert found["h1", "own"].p_holm < 0.001


def test_a_key_that_does_not_fit_tells_no_order(tmp_path: Path) -> None:
    log = [dict(entry) for entry in TRICKS["late-bets"].honest_house(20).log]
    for entry in log:
        if entry["kind"] == "reveal":
            entry["key"] = "00" * 32
    write_log(tmp_path, map(encode, log), SIGNER)
    watched = Watched(tmp_path)
    assert watched.report.failed
    assert not watched.shoes
    assert watched.shuffles.unordered == sum(entry["kind"] == "reveal" for entry in log)
    assert watched.shuffles.result(0.01).shoes == 0


def test_orders_are_those_before_the_cut(log: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut deck's order is counted as the shuffle made it: the cut would hide where cards came to lie."""
    sealed: dict[str, Sealed] = {}

    def noted(shoe: AuditedShoe, key: bytes) -> Sealed:
        sealed[shoe.id] = rebuild_order(shoe, key)
        return sealed[shoe.id]

    monkeypatch.setattr("audit_cli.verify.kinds.reveal.rebuild_order", noted)
    orders = Watched(log("casino")[0].log).orders
    assert orders
    for name, order in orders.items():
        cut = sealed[name].cut
        assert [*order[cut:], *order[:cut]] == sealed[name].order_indexes()
    assert any(each.cut for each in sealed.values())


@pytest.mark.parametrize("name", ["casino", "boxes", "lounge"])
def test_what_was_dealt_is_counted_round_after_round(name: str, log: Logs) -> None:
    watched, entries = log(name)
    watched.shuffles.result(0.01)
    dealt = sum(int(sums.dealt.came.sum()) for sums in watched.shuffles.shoes.values())
    logged = sum(len(entry["cards"]) for entry in entries if entry["kind"] == "round")
    assert 0.8 * logged < dealt <= logged


def changed(value: Any, chance: Random) -> Any:
    """Something else in the place of one value in it."""
    if isinstance(value, dict) and value:
        name = chance.choice(sorted(value))
        return {**value, name: changed(value[name], chance)}
    if isinstance(value, list) and value:
        number = chance.randrange(len(value))
        return [*value[:number], changed(value[number], chance), *value[number + 1 :]]
    if isinstance(value, int):
        return chance.choice([0, 1, value + 1, 99])
    return chance.choice(["As", "xx", "player", ""]) if isinstance(value, str) else value


@pytest.mark.parametrize("name", ["pontoon", "casino"])
def test_no_change_of_an_entry_stops_it(name: str, log: Logs, tmp_path: Path) -> None:
    entries = log(name)[1][:160]
    chance = Random(name)
    rounds = [number for number, entry in enumerate(entries) if entry["kind"] in ("round", "open", "reveal", "seal")]
    reshuffled = [number for number in rounds if "reshuffled" in entries[number]]
    assert reshuffled or name != "pontoon"
    for _ in range(12):
        forged = list(entries)
        for number in (chance.choice(rounds), chance.choice(reshuffled or rounds)):
            forged[number] = changed(forged[number], chance) | {"v": 1}  # nothing is said of a log of a later version
        write_log(tmp_path, map(encode, forged), SIGNER)
        numbers = ReportCounts()
        report = verify(tmp_path, watch=numbers)
        assert report.as_json() == verify(tmp_path).as_json()
        assert numbers.sections(report, False, [])
