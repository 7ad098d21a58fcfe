"""Logs made to be costly: time grows with the bytes and no faster, and what has no end is refused before it is read.

docs/log.md lists the bounds. A log four times as large may run about four times as many lines of Python: no clock
decides."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from audit_cli.verify.run import verify
from audit_cli.verify.walk import state
from fairshoe.engine.table import Bet
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import CHECKPOINT, ENTRIES
from fairshoe.log.times import timestamp
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import deck_of
from fairshoe.protocol.shoe import seal
from fairshoe.protocol.transcript import MAX_CONTRIBUTORS
from fairshoe.record import entries
from fairshoe.record.rounds import Betting, open_entry

from .planting import log

Lines = Iterator[dict[str, Any]]
POLICY = {"hash": 30, "seed": 30, "cut": 30, "bet": 60, "decision": 30, "shoe": 86_400}
START = 1_800_000_000_000_000


def audited(lines: list[bytes]) -> tuple[Report, int]:
    """The report, and how many lines of Python it took; what earlier tests left is collected before."""
    audit, count, before = new_audit(Report()), 0, sys.gettrace()

    def trace(*_: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    gc.collect()
    gc.disable()
    sys.settrace(trace)
    try:
        for line in lines:
            audit.take(line)
        audit.finish()
    finally:
        sys.settrace(before)
        gc.enable()
    return audit.report, count


def written(steps: Lines) -> list[bytes]:
    """Entries with times that rise."""
    return [encode(entry | {"at": timestamp(START + turn)}) for turn, entry in enumerate(steps)]


def shoe(name: str, number: int, **fields: Any) -> dict[str, Any]:
    """A commitment; without more, of a shoe that stands alone. Its key is found by its number."""
    form: dict[str, Any] = {"deck": "french:1", "cards": 52, "roster": [], "draws": {}, "policy": POLICY} | fields
    if "table" in fields:
        del form["policy"]
    return entries.shoe_entry("", name, commitment=commitment_of(key(number)), **form)


def key(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()


def table(name: str, kind: str) -> list[dict[str, Any]]:
    """The beginning of an honest log of a game: its table, and who sits down."""
    seated = [json.loads(line) for line in log(kind)[:3]]
    return [entry | {"table": name} for entry in seated if entry["kind"] in ("table", "chips")]


# What is costly.

Steps = Callable[[int], Lines]
COSTLY: dict[str, tuple[Steps, int, set[str]]] = {}
"""Ways to make a log of some size, a size, and which codes are found, in words of one line."""


def costly(size: int, *codes: str) -> Callable[[Steps], Steps]:
    def register(steps: Steps) -> Steps:
        COSTLY[steps.__name__] = steps, size, set(codes)
        return steps

    return register


@costly(100, "shoe-differs")
def french_decks_of_many_sizes(size: int) -> Lines:
    """Beyond eight packs none is built."""
    for number in range(size):
        packs = 9 + number % 1_200
        yield shoe(f"s{number}", number, deck=f"french:{packs}", cards=52 * packs)


@costly(26, "shoe-differs")
def a_deck_with_more_labels_than_there_may_be(size: int) -> Lines:
    for part in range(size):
        yield entries.entry("deck", "", deck="0" * 64, part=part + 1, parts=size + 1, labels=["a"] * 5_000)


@costly(100, "shoe-differs", "step-out-of-order")
def many_live_shoes_void_from_the_last(size: int) -> Lines:
    yield from table("t", "casino")
    for number in range(1, size):
        yield shoe(f"t/{number}", number)
    for number in range(size - 1, 0, -1):
        yield entries.void_entry("", f"t/{number}", key(number).hex(), "idle")


@costly(100)
def starts_beside_many_tables(size: int) -> Lines:
    for number in range(size):
        yield table(f"t{number}", "casino")[0]
    for _ in range(size):
        yield entries.start_entry("")


@costly(200, "shoe-differs", "step-out-of-order")
def rosters_of_thousands(size: int) -> Lines:
    """The protocol knows 64 contributors, and no more are followed."""
    names = [f"p{number}" for number in range(size)]
    yield shoe("s", 1, roster=names)
    for name in names:
        yield entries.lapse_entry("", "s", name)


@costly(5, "seed-uninvited")
def hashes_of_thousands(size: int) -> Lines:
    for number in range(size):
        yield shoe(f"s{number}", number, roster=["a"])
        hashes = {f"p{n}": hashlib.sha256(b"%d %d" % (number, n)).hexdigest() for n in range(500)}
        yield entries.seeds_entry("", f"s{number}", hashes, None)


@costly(50, "seats-unaccounted")
def openings_that_never_end(size: int) -> Lines:
    """Rounds opened one after the other, each with seats that nobody sits in."""
    betting = Betting((Bet(1, 10, 1),), waived=(1, 2, 3), late=tuple(range(1, 200)))
    yield from table("t", "casino")
    yield shoe("t/1", 1)
    for number in range(size):
        yield open_entry("", "t/1", number + 1, betting)


@costly(80, "chips-not-allowed")
def debts_without_end(size: int) -> Lines:
    yield from table("t", "casino")
    for number in range(1, size):
        name = f"p{number}"
        yield entries.chips_entry("", "t", "buy-in", 5, name, 100, {5: 100})
        yield shoe(f"t/{number}", number, roster=[name])
        yield entries.seeds_entry("", f"t/{number}", {name: hashlib.sha256(b"%d" % number).hexdigest()}, None)
        yield entries.void_entry("", f"t/{number}", key(number).hex(), "seed", name)
        yield entries.chips_entry("", "t", "cash-out", 5, name, 100, {5: 0}, leaves=True)


@costly(100)
def games_without_end(size: int) -> Lines:
    """Payments are looked at as long as they may still win gifts; refunds find theirs by name."""
    yield table("t", "lounge")[0]
    yield entries.chips_entry("", "t", "buy-in", 1, "a", 10_000, {1: 0, 0: 1_000, -1: 9_000})
    for _ in range(size):
        yield entries.chips_entry("", "t", "buy-in", 2, "b", 10_000, {2: 0, 0: 2_000, -1: 18_000})
        moved = {2: 10_000, 0: 1_000, -1: 9_000}
        yield entries.chips_entry("", "t", "refund", 2, "b", 10_000, moved, game=1, why="round")
        yield entries.chips_entry("", "t", "cash-out", 2, "b", 10_000, {2: 0}, leaves=True)


@costly(25)
def a_large_deck_gathered_again_and_again(size: int) -> Lines:
    """Its key is not out: nobody counts the cards of each order."""
    labels = deck_of([f"{number}" for number in range(5_000)])
    yield entries.entry("deck", "", deck=labels.hash, part=1, parts=1, labels=list(labels))
    yield shoe("game", 0, deck=labels.hash, cards=5_000, told=True)
    yield entries.seal_entry("", "game", cards_root="ab" * 32)
    for _ in range(size):
        yield entries.gathered_entry("", "game", 0, (), "ab" * 32)
    yield entries.drawn_entry("", "game", 0, cards=["1"], gathered=size)


@pytest.mark.parametrize("name", COSTLY)
def test_time_grows_with_the_bytes_and_no_faster(name: str) -> None:
    steps, size, codes = COSTLY[name]
    small, large = written(steps(size)), written(steps(4 * size))
    ratio = sum(map(len, large)) / sum(map(len, small))
    _, few = audited(small)
    report, many = audited(large)
    assert many < 1.5 * ratio * few, f"{ratio:.1f} times the bytes take {many / few:.1f} times as many steps"
    found = {finding.code for finding in report.findings}
    assert found >= codes
    assert "entry-inexplicable" not in found
    assert report.failed == bool(codes)


def test_bounds_of_what_is_followed() -> None:
    steps, size, _ = COSTLY["french_decks_of_many_sizes"]
    report, _ = audited(written(steps(size)))
    assert {f"french:{state.MAX_PACKS}" in finding.expected for finding in report.findings} == {True}
    assert state.MAX_ROSTER == MAX_CONTRIBUTORS


def test_a_large_deck_put_in_order_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a root of cards asks for it, and only so many of them are looked at."""
    monkeypatch.setattr("audit_cli.verify.walk.audit.FREE_CARDS", 1 << 15)
    labels = deck_of([f"{number}" for number in range(5_000)])
    sealed = [seal(key=key(n), shoe=f"s{n}", deck=labels) for n in range(2)]
    roots = [each.cards_root for each in sealed]

    def steps(size: int) -> Lines:
        yield entries.entry("deck", "", deck=labels.hash, part=1, parts=1, labels=list(labels))
        for number in range(size):
            yield shoe(f"s{number}", number, deck=labels.hash, cards=5_000)
            yield entries.seal_entry("", f"s{number}", cards_root=roots[number % 2])
            yield entries.reveal_entry("", f"s{number}", key(number).hex(), {}, 0, "worn")

    report, many = audited(written(steps(100)))
    assert [f.code for f in report.findings if f.code.startswith("bound")]
    _, few = audited(written(steps(8)))
    assert many < 4 * few
    honest, _ = audited(written(steps(2)))
    assert not honest.failed
    assert (honest.checks["shuffle"], honest.checks["cards"]) == ("pass", "not-checked")


# What has no end.


@pytest.mark.parametrize("name", [ENTRIES, CHECKPOINT])
@pytest.mark.parametrize("device", ["pipe", "/dev/zero"])
def test_what_is_no_file_is_refused_before_it_is_opened(name: str, device: str, tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(b"".join(line + b"\n" for line in log("banker")))
    (tmp_path / name).unlink(missing_ok=True)
    if device == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to(device)
    with pytest.raises(FairshoeError, match=r"pipe|device"):
        verify(tmp_path)


def test_a_checkpoint_of_a_gigabyte(tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(b"".join(line + b"\n" for line in log("banker")))
    with open(tmp_path / CHECKPOINT, "wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(InputError, match="at most 65536 bytes"):
        verify(tmp_path)
