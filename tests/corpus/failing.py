"""Logs that fail: each code of finding once, the logs on which readings parted, and what stands around a log.

A house planted each of them and signed it; `tests/audit/frauds` has many more.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from audit_cli.registry import CATALOGUE
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER
from fairshoe.log.note import Signer
from fairshoe.record.entries import start_entry
from tests import everything
from tests.audit import frauds, planting
from tests.audit.planting import FRAUDS, Fraud
from tests.audit.walk import full
from tests.house import House

from . import honest
from .case import Case

__all__ = ["failing"]


def failing() -> Iterator[Case]:
    yield from versions()
    yield from parted()
    yield from before()
    yield from spoiled()
    taken = {case.code for case in (*versions(), *parted(), *before(), *spoiled())}
    yield from planted(CATALOGUE.keys() - taken)


def played(play: Callable[[House], object]) -> list[bytes]:
    house = House()
    play(house)
    return house.lines


def changed(play: Callable[[House], object], kind: str, change: Callable[[dict[str, Any]], object]) -> list[bytes]:
    """An honest log whose last entry of a kind was changed."""
    lines = played(play)
    index = max(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    entry = json.loads(lines[index])
    change(entry)
    lines[index] = encode(entry)
    return lines


# The version of an entry.


def versions() -> Iterator[Case]:
    table, closing = honest.table_closed, partial(changed, honest.table_closed, "close")

    def case(name: str, shows: str, change: dict[str, Any], code: str = "field-invalid") -> Case:
        return Case(f"version-{name}", shows, lambda: closing(lambda entry: entry.update(change)), code)

    yield case("newer", "an entry of a version that nobody knows yet: no verdict", {"v": 1_000}, "")
    yield case("newer-kind", "the same, of a kind that nobody knows yet", {"v": 1_000, "kind": "gong"}, "")
    yield case("text", "a version that is no integer", {"v": "1"})
    yield case("zero", "a version below 1", {"v": 0})
    yield case("without-cause", "a known version with a field that it does not have", {"gong": True})
    yield case("kind", "a known version with a kind that it does not have", {"kind": "gong"}, "kind-unknown")
    yield Case("version-missing", "an entry without its version", lambda: _without_v(played(table)), "field-invalid")


def _without_v(lines: Sequence[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].replace(b',"v":1}', b"}")]


# Where readings of an earlier format said different things.


def parted() -> Iterator[Case]:
    early = {
        "before-a-decision": ("casino", 0, 10, "the table decides 30 seconds after the deal, 20 after the start"),
        "in-a-round-of-one": ("banker", 0, 2, "the same where a player sits alone, 2 seconds after the deal"),
        "between-two-decisions": (
            "casino",
            1,
            10,
            "the table decides again after 30 seconds, 20 after the start",
        ),
    }
    for name, (rules, after, pause, shows) in early.items():
        play = partial(honest.restarted, rules=rules, after=after, pause=pause, anew=False)
        yield Case(f"start-{name}-too-soon", shows, partial(played, play), "limit-early")

    def another_card(entry: dict[str, Any]) -> None:
        entry["burn"] = "As" if entry["burn"] != "As" else "Ks"

    yield Case(
        "burn-named-at-the-seal",
        "another card burned than the top one: named where it stands, at the seal, once the key is there",
        lambda: changed(honest.game_pontoon, "seal", another_card),
        "burn-differs",
    )
    yield Case(
        "cut-of-somebody-else",
        "a cut by somebody who may not: named where it stands, at the hashes",
        lambda: changed(honest.game_casino, "seeds", lambda entry: entry.update(cut={"at": 60, "by": "casino-p2"})),
        "cut-differs",
    )
    yield Case(
        "cutter-of-a-first-bankers-shoe",
        "somebody is said to cut the shoe that finds the first banker, which nobody cuts",
        lambda: _first(honest.game_pontoon, "shoe", {"cutter": "pontoon-p1"}),
        "shoe-differs",
    )


def _first(play: Callable[[House], object], kind: str, change: dict[str, Any]) -> list[bytes]:
    lines = played(play)
    index = next(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    lines[index] = encode(json.loads(lines[index]) | change)
    return lines


# A log in the place of another one.


def before() -> Iterator[Case]:
    signer = Signer("house.example/before", b"k" * 32)
    continues = Checkpoint("house.example/before", 5_000, b"r" * 32).signed(signer)

    def case(name: str, shows: str, code: str, **more: Any) -> Case:
        entry = encode(start_entry("2025-12-31T00:00:00.000000Z", continues, **more))
        return Case(f"before-{name}", shows, lambda: [entry, *played(honest.game_banker)], code)

    yield case("lost", "a log in the place of one that the house lost", "log-before")
    yield case("shoes", "the same, with shoes that were in play", "log-before", lost=[("casino/4", "ab" * 32)])
    yield case("unknown", "the same, of which only an older copy was at hand", "log-before", copy=3, unknown=True)


# What stands around a log.


def spoiled() -> Iterator[Case]:
    banker = partial(played, honest.game_banker)

    def case(code: str, shows: str, spoil: Callable[[Path], None]) -> Case:
        return Case(f"around-{code}", shows, banker, code, spoil)

    yield case("checkpoint-missing", "no checkpoint beside the log", lambda log: (log / CHECKPOINT).unlink())
    yield case("checkpoint-malformed", "a checkpoint that is none", _no_checkpoint)
    yield case("key-differs", "the checkpoint is signed by another key than the one beside it", _another_key)
    yield case("signature-invalid", "a signature with a bit changed", _another_signature)
    yield case("root-differs", "an entry changed after the house had signed", partial(_text, b'"pos":0', b'"pos":1'))
    yield case("log-truncated", "the last two entries are missing", partial(_lines, slice(None, -2)))
    yield case("entries-unsigned", "an entry that the checkpoint does not cover", _one_more)
    yield case("entry-cut-off", "the last line is not whole", lambda log: _bytes(log, lambda data: data[:-9]))
    yield case("log-resaved", "lines that end with CR LF", lambda log: _bytes(log, lambda d: d.replace(b"\n", b"\r\n")))
    yield case("logs-joined", "the same log twice in one file", lambda log: _bytes(log, lambda data: data * 2))


def _bytes(log: Path, change: Callable[[bytes], bytes]) -> None:
    (log / ENTRIES).write_bytes(change((log / ENTRIES).read_bytes()))


def _text(before: bytes, after: bytes, log: Path) -> None:
    _bytes(log, lambda data: data.replace(before, after, 1))


def _lines(kept: slice, log: Path) -> None:
    _bytes(log, lambda data: b"".join(data.splitlines(keepends=True)[kept]))


def _one_more(log: Path) -> None:
    _bytes(log, lambda data: data + data.splitlines(keepends=True)[-1])


def _no_checkpoint(log: Path) -> None:
    (log / CHECKPOINT).write_text("hello\n")


def _another_key(log: Path) -> None:
    (log / VERIFIER).write_text(f"{Signer('fairshoe.test/log', b'another key'.ljust(32)).verifier}\n")


def _another_signature(log: Path) -> None:
    head, _, encoded = (log / CHECKPOINT).read_text().rstrip("\n").rpartition(" ")
    signature = bytearray(base64.b64decode(encoded))
    signature[40] ^= 1
    (log / CHECKPOINT).write_text(f"{head} {base64.b64encode(signature).decode()}\n")


# The planted frauds.


@cache
def small(name: str) -> tuple[bytes, ...]:
    """A short honest log in the place of the one that frauds are planted in."""
    if name == "everything":
        return tuple(played(everything.raffles))
    return tuple(played(lambda house: honest.played(house, name, 12, (1,) if name == "banker" else (1, 2))))


@contextmanager
def short_logs() -> Iterator[None]:
    with patch.object(planting, "log", small):
        yield


def planted(codes: Sequence[str] | set[str]) -> Iterator[Case]:
    """For each of these codes the smallest planted log that fails by it first, if there is one."""
    for code in CATALOGUE:
        if code in codes:
            found = sorted(_logs(code), key=lambda each: sum(map(len, each[1])))
            best = next((each for each in found if _first_code(each[1]) == code), None) or next(iter(found), None)
            if best is not None:
                name, lines = best
                yield Case(f"fails-{code}", name.replace("_", " "), lambda lines=lines: lines, code)  # type: ignore[misc]


def _logs(code: str) -> Iterator[tuple[str, list[bytes]]]:
    """Planted in short logs where that is possible."""
    for case in FRAUDS:
        if case.code == code and case.module.startswith(frauds.__name__):
            for lines in (_planted(case, short_logs()), _planted(case)):
                if lines is not None and code in {finding.code for finding in full(lines).findings}:
                    yield case.name, lines
                    break


def _planted(case: Fraud, short: Any = None) -> list[bytes] | None:
    try:
        if short is None:
            return case.plant().lines
        with short:
            return case.plant().lines
    except (AssertionError, LookupError, StopIteration, ValueError, TypeError):
        return None


def _first_code(lines: Sequence[bytes]) -> str:
    fails = [finding for finding in full(lines).findings if finding.severity == "fail"]
    return min(fails, key=lambda finding: (finding.entry is None, finding.entry)).code
