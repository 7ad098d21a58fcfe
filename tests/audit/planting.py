"""What the planted frauds share: a crooked table, ways to rewrite a log consistently, and what must be found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import ANY, patch

from audit_cli.verify.findings.finding import Finding
from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.run import verify
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask
from fairshoe.engine.table import Bet
from fairshoe.log.directory import write_log
from fairshoe.log.times import HOUR, SECOND, microseconds, timestamp
from fairshoe.protocol.shoe import Sealed
from fairshoe.record.rounds import Betting, open_entry
from tests.everything import everything
from tests.house import SIGNER, House, Prepared, Seating, find_chairs, honest

from .walk import encoded as encoded
from .walk import full

Entry = dict[str, Any]
KEY = str(SIGNER.verifier)


class Planted(NamedTuple):
    """A log with a fraud in it, and what the finding must say; what is left out may be anything, but for `cause`: that
    of the code, unless one is named."""

    lines: list[bytes]
    entry: Any = ANY
    table: Any = ANY
    shoe: Any = ANY
    round: Any = ANY
    field: Any = ANY
    expected: Any = ANY
    found: Any = ANY
    cause: str = ""


class Fraud(NamedTuple):
    """A way to cheat: `code` and `fault` are those of the finding, `also` other codes that fail with it."""

    name: str
    plant: Callable[[], Planted]
    code: str
    also: frozenset[str]


FRAUDS: list[Fraud] = []
"""Every planted fraud, in all files of this folder."""


Plant = Callable[[], Planted]


def planted(cases: Mapping[str, Mapping[str, Plant]]) -> None:
    """Register ways to cheat: by the codes that fail, first that of the finding that must be there, and by name."""
    for codes, plants in cases.items():
        code, *also = codes.split()
        FRAUDS.extend(Fraud(name, plant, code, frozenset(also)) for name, plant in plants.items())


def fraud(
    code: str, *also: str, each: Iterable[Any] = ()
) -> Callable[[Callable[..., Planted]], Callable[..., Planted]]:
    """Register a function that plants a fraud; its name names the case. `each`: once for each of these arguments."""

    def register(plant: Callable[..., Planted]) -> Callable[..., Planted]:
        name = plant.__name__.replace("_", " ")
        cases: dict[str, Plant] = {f"{name}: {arg}": partial(plant, arg) for arg in each} or {name: plant}
        planted({" ".join((code, *also)): cases})
        return plant

    return register


def check_found(case: Fraud, folder: Path) -> Report:
    """Write the log as its house would, audit it, and hold the findings against what was planted."""
    planted = case.plant()
    write_log(folder, planted.lines, SIGNER)
    report = verify(folder, key=KEY)
    assert report.failed
    about = CATALOGUE[case.code]
    assert report.checks[about.check] == "fail"
    assert report.checks["signature"] == report.checks["tree"] == "pass", "the house signed it all again"
    fails = [f for f in report.findings if f.severity == "fail"]
    assert {f.code for f in fails} == {case.code} | case.also, [told(f) for f in fails]
    wanted = (case.code, about.severity, about.fault, *planted[1:-1], planted.cause or about.cause)
    assert any(told(f) == wanted for f in fails), f"{wanted[:-1]}\nbut\n" + "\n".join(str(told(f)) for f in fails)
    json.dumps(report.as_json())
    return report


def told(finding: Finding) -> tuple[Any, ...]:
    """What a finding says, but for what people call the field and what to do next."""
    return (*finding[:8], finding.expected, finding.found, finding.cause)


def notes(house: House) -> list[str]:
    """The codes of what is found in a log in which nothing fails."""
    report = full(house.lines)
    assert [told(f) for f in report.findings if f.severity == "fail"] == []
    return [f.code for f in report.findings]


# Logs.


@cache
def log(name: str) -> tuple[bytes, ...]:
    """An honest log: of a game with two seats and a few shoes, or with everything."""
    if name == "everything":
        return tuple(everything().lines)
    rounds = {"casino": 45, "pontoon": 30, "lounge": 4}.get(name, 8)
    options: dict[str, Any] = {"casino": {"packs": 3}, "lounge": {"gift": 3000}}.get(name, {})
    return tuple(honest(name, rounds, seats=find_chairs(name), **options).lines)


def entries_of(name: str) -> list[Entry]:
    return [json.loads(line) for line in log(name)]


def places(entries: list[Entry], kind: str, **fields: Any) -> list[int]:
    """Where the entries of a kind with these fields stand."""
    return [i for i, e in enumerate(entries) if e["kind"] == kind and all(e.get(k) == v for k, v in fields.items())]


def later_chips(entries: list[Entry], index: int, deltas: Mapping[str, int]) -> None:
    """Write a change of some accounts through an entry and every later one."""
    for entry in entries[index:]:
        chips = entry.get("chips", {})
        for account, delta in deltas.items():
            if account in chips:
                chips[account] += delta


def retimed(entries: list[Entry], times: list[str]) -> list[Entry]:
    """The entries with the times of the honest log, in order."""
    return [entry | {"at": at} for entry, at in zip(entries, times, strict=False)]


def after(entries: list[Entry]) -> str:
    """A moment just after the last entry."""
    return timestamp(microseconds(entries[-1]["at"]) + SECOND)


def without(entries: list[Entry], *indexes: int) -> list[Entry]:
    return [entry for i, entry in enumerate(entries) if i not in indexes]


def inserted(entries: list[Entry], index: int, entry: Entry) -> list[Entry]:
    """The entries with one more, just after the one before it."""
    at = timestamp(microseconds(entries[index - 1]["at"]) + 1)
    return [*entries[:index], entry | {"at": at}, *entries[index:]]


# What must be found.

OF_ROUNDS = ("open", "round", "reshuffle")


def caught(log: House | list[Entry], index: int = -1, **wanted: Any) -> Planted:
    """The finding is at an entry, by default the last, and about the table, shoe and round that the entry names."""
    entries = entries_in(log) if isinstance(log, House) else log
    entry = entries[index]
    shoe = entry.get("shoe")
    table = shoe.rpartition("/")[0] or None if shoe else entry.get("table")
    place = {"table": table, "shoe": shoe, "round": entry["round"] if entry["kind"] in OF_ROUNDS else None}
    return Planted(encoded(entries), index % len(entries), **{**place, **wanted})


# A crooked house.


class Swapped(ShoeCards):
    """Deals another card than it drew, once: at place `at` of the round."""

    def __init__(self, shoe: Any, at: int, label: str) -> None:
        super().__init__(shoe)
        self.at, self.label = at, label

    def draw(self) -> str:
        drawn = super().draw()
        self.at -= 1
        return self.label if self.at == -1 else drawn


def crooked(kind: type[Seating], game: str = "casino", rounds: int = 8, **options: Any) -> tuple[House, Seating]:
    """A house with one table of a crooked kind, played."""
    house = House(options.pop("seed", 1))
    seats = options.pop("seats", (1, 2))
    if game == "casino":
        options.setdefault("packs", 3)
    table = kind(house, game, game, seats, **options)
    table.play(rounds)
    return house, table


def at_table(
    rules: str = "casino", seats: Sequence[int] = (1, 2), kind: type[Seating] = Seating, **more: Any
) -> Seating:
    """A table where nobody forgets anything, for a fraud that is played step by step."""
    if rules == "casino":
        more.setdefault("packs", 3)
    return kind(House(more.pop("seed", 1)), rules, rules, seats, **{"careless": 0, **more})


def sealed_at(table: Seating) -> tuple[Prepared, Sealed]:
    """A sealed shoe of a table that deals many rounds from one."""
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    return shoe, table.seal(shoe)


def sealed_table(*about: Any, **more: Any) -> tuple[Seating, Prepared, Sealed]:
    """Such a table with its first shoe sealed."""
    table = at_table(*about, **more)
    return table, *sealed_at(table)


def bets_at(seats: Sequence[int] = (1, 2)) -> tuple[Seating, Prepared, list[Bet]]:
    """A table of shoes of one round, all bets of the first one, and nobody's seed opened yet."""
    table = at_table("boxes", seats)
    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers(list(seats)))
    return table, shoe, bets


def dealt_at(table: Seating, shoe: Prepared, sealed: Sealed, rounds: int = 1) -> None:
    """So many rounds more, unless the shoe is worn before."""
    for _ in range(rounds):
        betting = table.open(shoe)
        assert betting is not None
        table.round(shoe, sealed, list(betting.bets))


def meanwhile(house: House, seconds: int, *, starts: bool = False) -> None:
    """The house goes on writing for so long, at another table, or at least starts again, twice an hour."""
    table = None if starts else Seating(house, f"other/{len(house.lines)}", "boxes", (1,))
    until = house.now + seconds * SECOND
    while house.now < until:
        house.now = min(house.now + HOUR // 2, until)
        if table is None:
            house.start()
        else:
            table.chips("buy-in", 1, 1)


def log_open(table: Seating, shoe: Prepared, bets: Iterable[Bet], **more: tuple[Any, ...]) -> None:
    """Bets stand, whatever the table thinks of them."""
    table.rounds += 1
    table.house.log(open_entry(table.house.at(), shoe.id, table.rounds, Betting(tuple(bets), **more)))
    table.betting_since = table.house.now


def entries_in(house: House) -> list[Entry]:
    return [json.loads(line) for line in house.lines]


@contextmanager
def anything_goes() -> Iterator[None]:
    """A table that takes every decision as legal."""
    with patch.object(Ask, "allows", lambda self, decision: True):
        yield
