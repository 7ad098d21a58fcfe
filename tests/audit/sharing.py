"""Audit a log in one pass and in shares of its tables, in this process; and say whether the shares did it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

from audit_cli import sharing
from audit_cli.findings.report import Report
from audit_cli.sharing import Shared, Workers
from audit_cli.verify import verify
from fairshoe.log.directory import write_log
from tests.house import SIGNER, House, Seating

KEY = str(SIGNER.verifier)
GAMES = ("casino", "lounge", "pontoon", "chinese", "boxes")


class Here(Executor):
    """Does the work at once, and sends it through pickle both ways as if it were done elsewhere."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            found = function(*pickle.loads(pickle.dumps(args)), **kwargs)
            future.set_result(pickle.loads(pickle.dumps(found)))
        except Exception as error:
            future.set_exception(error)
        return future


def here(many: int = 3) -> Workers:
    return Workers(Here(), many)


def same(folder: Path, workers: Workers, lines: Sequence[bytes] = (), **options: Any) -> tuple[Report, Shared | None]:
    """The report of one pass, after both were compared to the byte, and what the shares came to: None where the log was
    left to one pass. `lines`: write them as a log first."""
    if lines:
        write_log(folder, lines, SIGNER)
    wholes: list[Shared] = []

    def shared(*args: Any, **kwargs: Any) -> Shared:
        wholes.append(sharing.shared(*args, **kwargs))
        return wholes[-1]

    one = verify(folder, key=KEY, **options)
    with patch("audit_cli.verify.shared", shared):
        two = verify(folder, key=KEY, workers=workers, **options)
    assert json.dumps(two.as_json()) == json.dumps(one.as_json())
    return one, wholes[0] if wholes else None


def interleaved(tables: int, rounds: int, seed: int = 3, **options: object) -> House:
    """Tables of all games in turn, step by step."""
    house = House(seed)
    seatings = [Seating(house, f"t{i}", GAMES[i % len(GAMES)], careless=0.05, **options) for i in range(tables)]  # type: ignore[arg-type]
    for _ in zip_longest(*(seating.steps(rounds) for seating in seatings)):
        pass
    return house
