"""Receipts read twice: the second reading decides each as `fairshoe-audit receipt` does, against honest logs and logs
that the house wrote anew."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from audit_cli.receipts.run import decide
from fairshoe.engine.rules import RULES, rules_of
from tests.kept import Played, altered, altered_bets, altered_decisions, altered_seeds, played

from .node import node

VERIFY = Path(__file__).parents[2] / "fairshoe" / "verifier" / "verify.mjs"
GAMES = sorted(RULES)
OF_EACH = 2

Word = tuple[str, int | None]
AGAINST = ("differs", "missing")


def first(log: Path, receipts: Path, key: str) -> list[Word]:
    """The auditor's word about each receipt, and the entry that says otherwise."""
    cases = decide(receipts, log, key=key).cases
    return [(case.word, case.entry if case.word in AGAINST else None) for case in cases]


def second(log: Path, receipts: Path, key: str) -> tuple[list[Word], str]:
    """The second reading's, and what they come to."""
    command = [node(), str(VERIFY), str(log), "--key", key, "--receipts", str(receipts)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    words = [case for case in told if "receipt" in case]
    assert done.returncode == (told[-1]["verdict"] != "pass" or told[-1]["receipts"] == "fail"), done.stderr
    return [(case["verdict"], case["entry"] if case["verdict"] in AGAINST else None) for case in words], told[-1][
        "receipts"
    ]


def check_alike(game: Played, folder: Path, lines: list[bytes] | None = None) -> set[str]:
    """Both decide alike; what each player's receipts come to."""
    log, key = game.write(folder, lines), str(game.signer.verifier)
    outcomes = set()
    for player in game.files:
        words, outcome = second(log, folder / player, key)
        assert words == first(log, folder / player, key), player
        outcomes.add(outcome)
    return outcomes


def anew(game: Played, rules: str) -> Iterator[list[bytes]]:
    """Logs in which a decision, bets or a seed is another, and all that follows from it."""
    for _, _, choices in islice(altered_decisions(game), OF_EACH):
        yield altered(game, {}, choices) or []
    if rules != "lounge":
        for _, entry, more in islice(altered_bets(game, rules_of(rules).bet_unit), OF_EACH):
            yield altered(game, {entry: more}) or []
    for _, _, _, changes in islice(altered_seeds(game), OF_EACH):
        yield altered(game, changes) or []


@pytest.mark.parametrize("rules", GAMES)
def test_an_honest_log_and_earlier_copies(rules: str, tmp_path: Path) -> None:
    game = played(rules)
    assert check_alike(game, tmp_path) <= {"pass", "pass so far"}
    for size in range(5, len(game.lines), 15):
        assert check_alike(game, tmp_path, game.lines[:size]) <= {"pass", "pass so far"}


@pytest.mark.parametrize("rules", GAMES)
def test_logs_that_the_house_wrote_anew(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for lines in anew(game, rules):
        if lines:
            shown += "fail" in check_alike(game, tmp_path, lines)
    assert shown
