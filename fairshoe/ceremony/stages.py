"""The ceremony as one table: which entry may stand at each stage of a shoe, and at which stage the shoe is after it.

The machine, which writes entries, and the auditor, which reads them, both go by it. A row says nothing about chairs,
chips and time: its guards do, which are functions of `contributing` and `ending`. The entries `chips`, `late`, `close`,
`start` and `placed` change no stage; docs/log.md says when they stand.

`python -m fairshoe.ceremony.stages` writes what the documents show of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple


class Stage(StrEnum):
    """Where a shoe stands; IDLE is a table without a shoe in play."""

    IDLE = "idle"
    HASH = "hash"
    BET = "bet"
    SEED = "seed"
    DRAW = "draw"
    ROUND = "round"
    OVER = "over"


class Course(StrEnum):
    """What a shoe serves: one round, many rounds, the draw for the first banker (PO-04), or no table."""

    ONE = "one round"
    MANY = "many rounds"
    FIRST = "first banker"
    APART = "no table"


class Row(NamedTuple):
    """An entry; for a shoe of each course the stages at which it may stand and the stage after it, if it changes."""

    entry: str
    one: str
    many: str
    first: str
    apart: str


SOLE_SHOE = "shoe (sole player)"
FIRST_BANK = "bank (first)"
# fmt: off
ROWS = (
    #                one round                 many rounds              first banker         no table
    Row("shoe",      "idle → hash",            "idle → hash",           "idle → hash",       "idle → hash"),
    Row(SOLE_SHOE,   "idle → bet",             "idle → seed",           "",                  ""),
    Row("seeds",     "hash → bet",             "hash → seed",           "hash → seed",       "hash → seed"),
    Row("open",      "bet → seed",             "bet → round",           "",                  ""),
    Row("opened",    "seed",                   "seed",                  "seed",              "seed"),
    Row("lapse",     "seed",                   "seed",                  "seed",              "seed"),
    Row("seal",      "seed → round",           "seed → bet",            "seed → draw",       "hash, seed → over"),
    Row(FIRST_BANK,  "",                       "",                      "draw → over",       ""),
    Row("reshuffle", "round",                  "round",                 "",                  ""),
    Row("round",     "round → over",           "round → bet",           "",                  ""),
    Row("reveal",    "over → idle",            "bet → idle",            "over → idle",       "over → idle"),
    Row("void",      "hash, bet, seed → idle", "hash, seed → idle",     "hash, seed → idle", "hash, seed → idle"),
    Row("lost",      "any → idle",             "any → idle",            "any → idle",        "any → idle"),
    Row("bank",      "idle, hash, bet, over",  "idle, hash, seed, bet", "",                  ""),
)
# fmt: on
GUARDS: Mapping[str, tuple[str, ...]] = {
    "shoe": ("may_begin_shoe", "can_play"),
    "seeds": ("may_begin_shoe",),
    "open": ("may_begin_shoe", "bank_left", "why_ends"),
    "opened": ("openers",),
    "lapse": ("openers", "only_strikes"),
    "seal": ("may_seal", "nothing_left"),
    "reveal": ("why_ends",),
    "void": ("may_void",),
}
"""By entry the functions of `contributing` and `ending` that it asks besides."""


def _cells() -> Iterator[tuple[Course, Stage, str, Stage]]:
    for course, cells in zip(Course, list(zip(*ROWS, strict=True))[1:], strict=True):
        steps = [cell.partition(" → ") for cell in cells]
        any_of = {to for _, _, to in steps} - {"", "idle"}
        for row, (at, _, to) in zip(ROWS, steps, strict=True):
            for stage in any_of if at == "any" else filter(None, at.split(", ")):
                yield course, Stage(stage), row.entry, Stage(to or stage)


NEXT: Mapping[tuple[Course, Stage, str], Stage] = {(course, at, entry): to for course, at, entry, to in _cells()}
"""By course, stage and entry the stage after it."""
ENTERED = {(course, entry): to for (course, _, entry), to in NEXT.items()}
"""By course and entry the stage after an entry, wherever it stands."""


def entries_at(course: Course, stage: Stage) -> str:
    """Return the entries that may stand at a stage of an honest house's shoe, for a reader."""
    return ", ".join(entry for of, at, entry in NEXT if (of, at) == (course, stage) and entry != "lost")
