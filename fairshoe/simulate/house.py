"""A simulated honest house: tables played by simulated players on a simulated clock, and the log that they give.

Everything follows from one master key. The key of a shoe is HMAC-SHA256(master, "key SHOE"), a player's seed
HMAC-SHA256(master, "seed SHOE PLAYER"), what players choose comes from the stream of "choices TABLE". Each table has a
clock of its own whose moments no other table's has, so that their order is the log's. The log's signing key
follows from the master key and the whole plan: no two logs are signed by one key.

The order of the steps is played here; what each of them may and must say is asked of `fairshoe.ceremony`.
"""

from __future__ import annotations

import heapq
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.rules import Rules, check_playable, rules_of
from ..engine.strategies import find_strategy
from ..errors import InputError
from ..log.checkpoint import Checkpoint
from ..log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from ..log.note import Signer
from ..record.forms import stated_options
from ..terminal.durable import PART, lock_directory, translate_disk_errors
from .play import lines_of
from .simulated_table import RANDOM, TablePlan

ORIGIN = "simulated.example/log"
"""The origin of every simulated log: nobody can take it for a house's."""
MAX_TABLES = 10_000
USUAL_SEATS = 3
CARELESS_SHARE = 0.01
MAX_CARELESS = 0.5


class HousePlan(NamedTuple):
    """The tables, and the master key that everything follows from."""

    tables: tuple[TablePlan, ...]
    key: bytes

    @property
    def rounds(self) -> int:
        return sum(table.rounds for table in self.tables)

    def signer(self) -> Signer:
        """Signs this plan's log and no other."""
        return Signer(ORIGIN, hmac.digest(self.key, json.dumps(["log", *map(_form, self.tables)]).encode(), "sha256"))


def plan_house(
    rules: Sequence[str],
    rounds: int,
    key: bytes,
    *,
    tables: int | None = None,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    strategy: str = RANDOM,
    careless: float = CARELESS_SHARE,
) -> HousePlan:
    """`rounds` in all, at so many tables (by default one a rule set), which have the rule sets in turn. InputError."""
    games = [rules_of(name, options) for name in rules]
    for name in rules:
        if rules.count(name) > 1:
            raise InputError(f"{name} is given twice", where="rules", remedy="raise the number of tables")
    count = len(games) if tables is None else tables
    if not len(games) <= count <= MAX_TABLES:
        expected = f"{len(games)}, one a rule set, to {MAX_TABLES}"
        raise InputError(f"{count}", where="tables", expected=expected)
    if rounds < count:
        raise InputError(f"{rounds}", where="rounds", expected=f"at least {count}, one a table")
    if not 0 <= careless <= MAX_CARELESS:
        raise InputError(f"{careless}", where="careless", expected=f"0 to {MAX_CARELESS}")
    for game in games:
        check_playable(game)
        _check(game, seats, strategy)
    return HousePlan(
        tuple(
            TablePlan(
                f"{game.name}-{number + 1}",
                game,
                _usual_seats(game) if seats is None else seats,
                rounds // count + (number < rounds % count),
                strategy,
                careless,
            )
            for number in range(count)
            for game in [games[number % len(games)]]
        ),
        key,
    )


def _check(game: Rules, seats: int | None, strategy: str) -> None:
    fewest, most = game.players_needed, game.chairs[1]
    if seats is not None and not fewest <= seats <= most:
        raise InputError(f"{seats}", where="seats", expected=f"{fewest} to {most}, the chairs of {game.name}")
    if strategy != RANDOM:
        find_strategy(game, strategy)


def _usual_seats(game: Rules) -> int:
    fewest, most = game.players_needed, game.chairs[1]
    return max(fewest, min(most, USUAL_SEATS))


def _form(table: TablePlan) -> list[Any]:
    return [stated_options(table.rules) if part is table.rules else part for part in table]


def write_house_log(
    directory: Path, plan: HousePlan, *, progress: Callable[[int], None] = lambda played: None
) -> Checkpoint:
    """Play the plan, and write log, checkpoint and key; `progress` hears how many rounds are over. Raises InputError,
    LogError."""
    with _new(directory):
        return write_log(directory, _entries(plan, progress), plan.signer())


def _entries(plan: HousePlan, progress: Callable[[int], None]) -> Iterator[bytes]:
    """Every line of the plan's log, in the order of time."""
    tables = enumerate(plan.tables)
    played = 0
    for _, rounds, entry in heapq.merge(*[lines_of(each, plan.key, slot, len(plan.tables)) for slot, each in tables]):
        yield entry
        if rounds:
            played += rounds
            progress(played)


@contextmanager
def _new(directory: Path) -> Iterator[None]:
    """A directory that is empty, and is so again, or gone, where anything goes wrong."""
    with translate_disk_errors(directory):
        there = directory.exists()
        directory.mkdir(parents=True, exist_ok=True)
        with lock_directory(directory, "simulation"):
            if any(not path.name.endswith(PART) for path in directory.iterdir()):
                what, expected = "is not empty", "a new directory, or an empty one"
                raise InputError(what, where=str(directory), expected=expected, remedy="name another")
            try:
                yield
            except BaseException:
                for name in (ENTRIES, CHECKPOINT, VERIFIER):
                    (directory / name).unlink(missing_ok=True)
                if not there:
                    directory.rmdir()
                raise
