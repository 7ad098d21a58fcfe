"""The ceremony as one table: which entry may stand at each stage of a shoe, and at which stage the shoe is after it.

The machine, which writes entries, and the auditor, which reads them, both go by it. A row says nothing about chairs,
chips and time: its guards do, which are functions of `contributing` and `ending`. The entries `chips`, `late`, `close`,
`start` and `placed` change no stage; docs/log.md says when they stand.

`python -m fairshoe.ceremony.stages` prints what the documents show of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple


class Stage(StrEnum):
    """A shoe's stage; IDLE is a table without a shoe in play."""

    IDLE = "idle"
    HASH = "hash"
    BET = "bet"
    SEED = "seed"
    DRAW = "draw"
    ROUND = "round"
    OVER = "over"


class Course(StrEnum):
    """A shoe's purpose: one round, many rounds, the draw for the first banker (PO-04), or no table."""

    ONE = "one round"
    MANY = "many rounds"
    FIRST = "first banker"
    APART = "no table"


IDLE, HASH, BET, SEED, DRAW, ROUND, OVER = Stage
ONE, MANY, FIRST, APART = Course
"""The same by themselves: an enumeration looks its attributes up slowly."""


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
    Row("seal",      "seed → round",           "seed → bet",            "seed → draw",       "hash, seed → draw"),
    Row(FIRST_BANK,  "",                       "",                      "draw → over",       ""),
    Row("drawn",     "",                       "",                      "",                  "draw"),
    Row("shown",     "",                       "",                      "",                  "draw"),
    Row("gathered",  "",                       "",                      "",                  "draw"),
    Row("reshuffle", "round",                  "round",                 "",                  ""),
    Row("round",     "round → over",           "round → bet",           "",                  ""),
    Row("reveal",    "over → idle",            "bet → idle",            "over → idle",       "draw → idle"),
    Row("void",      "hash, bet, seed → idle", "hash, seed → idle",     "hash, seed → idle", "hash, seed → idle"),
    Row("lost",      "any → idle",             "any → idle",            "any → idle",        "any → idle"),
    Row("bank",      "idle, hash, bet, over",  "idle, hash, seed, bet", "",                  ""),
)
# fmt: on
OPEN_TABLE = "the table is not [closed](#a-closed-table)"
TURN = "the player is `openers()[0]`"
TELLS = "its `shoe` has `v` 2"
GUARDS: Mapping[str, Mapping[str, str]] = {
    "shoe": {"may_begin_shoe": OPEN_TABLE},
    "seeds": {"may_begin_shoe": OPEN_TABLE},
    "open": {"may_begin_shoe": OPEN_TABLE, "bank_left": "nor the bank left", "why_ends": "nor the shoe due to end"},
    "opened": {"openers": TURN},
    "lapse": {"openers": TURN, "only_strikes": "`only_strikes()`"},
    "seal": {"openers": "`openers()` is empty", "may_seal": "a seed is open", "all_bets_returned": "a bet remains"},
    "drawn": {"faults_of_drawn": TELLS},
    "shown": {"faults_of_shown": TELLS},
    "gathered": {"faults_of_gathered": TELLS},
    "reveal": {"why_ends": "`why_ends()`"},
    "void": {"may_void": "`may_void()`"},
}
"""By entry the functions of `contributing` and `ending` that it asks besides, and how docs/log.md says so."""


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


class Phase(NamedTuple):
    """A phase of a table: the routes that may be used, most urgent first; the limits that run, and their effect."""

    says: tuple[str, ...]
    limits: tuple[str, ...] = ()
    at_limit: str = ""


ALWAYS = ("seats", "chips", "refund", "here", "evict", "token", "close")
"""Chairs and chips, which have rules of their own: see `chairs`; and a chair that nobody waits for is back."""

PHASES: Mapping[str, Phase] = {
    "idle": Phase(("seed", "shoe", *ALWAYS)),
    "bank": Phase(
        ("seed", "decisions", "here", "evict", "token", "close"),
        ("decision",),
        "the bank is accepted, an offer refused",
    ),
    "hash": Phase(
        ("seed", "hash", "reshuffle", *ALWAYS),
        ("hash", "shoe", "beacon"),
        "the hashes that are here stand in `seeds`; without any the shoe is void (idle); once its beacon is out, void",
    ),
    "bet": Phase(
        ("seed", "waiver", "bets", "no-more-bets", "reshuffle", *ALWAYS),
        ("bet", "shoe", "beacon"),
        "the round opens with the bets that are here; a shoe of one round without any is void (idle)",
    ),
    "seed": Phase(
        ("seed", *ALWAYS),
        ("seed", "beacon"),
        "while nobody has opened and somebody else remains, the player in turn is struck; else the shoe is void",
    ),
    "round": Phase(("seed", "decisions", *ALWAYS), ("decision",), "the table decides by default"),
    "beacon": Phase(("seed", *ALWAYS), ("beacon",), "the shoe is void (beacon)"),
    "places": Phase(("seed", *ALWAYS)),
    "closed": Phase(("seed", *ALWAYS)),
}
"""The stages as a seat is told of them, and four in which a table waits for something that is in no log: `bank` for a
decision about the bank, `beacon` for its signature, `places` for a placer; `closed` for nothing more."""


# What the documents show.


def order_table() -> str:
    """Return the table of docs/log.md."""
    lines = ["| entry | " + " | ".join(Course) + " | if |", "|---|---|---|---|---|---|"]
    for row in ROWS:
        kind, variant, rest = row.entry.partition(" (")
        cells = (f"`{kind}`{variant}{rest}", *row[1:], ", ".join(GUARDS.get(kind, {}).values()))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def phase_table() -> str:
    """Return the table of docs/ceremony.md."""
    always = ", ".join(f"`{do}`" for do in ALWAYS)
    lines = ["| phase | what may be sent | limits | what a limit does |", "|---|---|---|---|"]
    for name, phase in PHASES.items():
        says = ", ".join(f"`{do}`" for do in phase.says).replace(always, "*always*")
        limits = ", ".join(f"`{limit}`" for limit in phase.limits)
        lines.append(f"| `{name}` | {says} | {limits} | {phase.at_limit} |")
    return "\n".join(lines) + f"\n\n*Always*: {always}.\n"


def diagram() -> str:
    """Return the Mermaid diagram of docs/ceremony.md, of shoes with a table that are not lost."""
    edges: dict[tuple[Stage, Stage], dict[str, list[str]]] = {}
    for (course, at, entry), to in NEXT.items():
        if at != to and entry != "lost" and course is not Course.APART:
            edges.setdefault((at, to), {}).setdefault(entry, []).append(course)
    lines = ["stateDiagram-v2", "    [*] --> idle"]
    for (at, to), entries in edges.items():
        says = (entry if len(of) == 3 else f"{entry}, {' or '.join(of)}" for entry, of in entries.items())
        lines.append(f"    {at} --> {to}: {', or '.join(says)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(order_table(), phase_table(), diagram(), sep="\n", end="")
