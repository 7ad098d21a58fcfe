"""The lines that a log is made of are taken without parsing: else an audit is several times slower."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import FAST_PATHS, HANDLERS
from audit_cli.verify.walk.audit import Audit, Handler
from audit_cli.verify.walk.shapes import entry_faults, read_usual
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import check_canonical, parse
from fairshoe.record.forms import version_of
from tests.house import honest

from .planting import log

GAMES = sorted(name for name in RULES if RULES[name].__module__.startswith("fairshoe."))
CHARACTERS = b' "{}[],:-.0123456789abefz/T'
USUAL = {"open", "round", "shoe"}
"""What comes with every round, and the longest line of every shoe."""
FULL = {"banker": 1, "chinese": 10, "lounge": 12}
"""So many seats has a full table, or a large one; else 7."""


def parsed(lines: Iterable[bytes]) -> Counter[str]:
    """How many lines of each kind were not taken as text."""
    counts: Counter[str] = Counter()

    def counted(kind: str, judge: Handler) -> Handler:
        return lambda audit, entry, line: (counts.update([kind]), judge(audit, entry, line))[1]

    audit = Audit(Report(), {kind: counted(kind, judge) for kind, judge in HANDLERS.items()}, FAST_PATHS)
    for line in lines:
        audit.take(line)
    assert audit.report.rounds > 0
    assert not audit.report.failed or b'{ "at"' in b"".join(lines), audit.report.findings
    return counts


@pytest.mark.parametrize("careless", [0.0, 0.3])
@pytest.mark.parametrize("game", GAMES)
def test_no_usual_line_of_a_full_table_is_parsed(game: str, careless: float) -> None:
    """Seats that are late, pass, waive, let limits lapse; a `shoe` that leaves one of them out is a rare one."""
    seats = range(1, FULL.get(game, 7) + 1)
    counts = parsed(honest(game, 12, seats=seats, careless=careless).lines)
    assert USUAL.isdisjoint(counts.keys() - {"shoe"})
    assert counts["shoe"] == 0 or careless


STEPS = {"shoe", "seeds", "opened", "seal", "reveal", "void", "late", "lapse", "close"}


def steps(name: str) -> list[bytes]:
    return [line for line in log(name) if json.loads(line)["kind"] in STEPS]


@pytest.mark.parametrize("name", ["banker", "everything"])
def test_usual_steps_need_no_look_at_their_fields(name: str) -> None:
    assert all(read_usual(line.decode()) for line in steps(name) if b'"kind":"shoe"' not in line)


def test_a_map_whose_members_are_out_of_order_or_doubled_is_not_usual() -> None:
    line = next(line.decode() for line in steps("casino") if line.count(b'":{') and b'"kind":"seeds"' in line)
    start = line.index('"hashes":{') + len('"hashes":{')
    members = line[start : line.index("}", start)]
    first, *rest = members.split(",")
    assert read_usual(line) is not None
    for altered in (",".join([*rest, first]), f"{first},{members}"):
        assert read_usual(line.replace(members, altered)) is None


@pytest.mark.parametrize("name", ["casino", "everything"])
def test_what_fits_the_pattern_of_its_kind_has_its_form_and_is_canonical(name: str) -> None:
    """Of lines altered anywhere: a character left out, doubled, exchanged, or a part of one line put into another."""
    chance, lines, fit = random.Random(name), steps(name), 0
    for line in lines:
        other = chance.choice(lines)
        start, end = sorted(chance.sample(range(len(line)), 2))
        copies = [line, line.replace(b'"v":1', b'"v":2'), line[:start] + line[end:], line[:start] + other[start:]]
        copies += [line[:start] + bytes([chance.choice(CHARACTERS)]) + line[start + cut :] for cut in (0, 1)]
        copies += [line[: start + 1] + line[start:], line[:end] + line[start:end] + line[end:]]
        copies += [re.sub(rb'"why":"\w+"', b'"why":"beacon"', line)]
        for copy in copies:
            entry = read_usual(copy.decode())
            if entry is not None:
                fit += 1
                assert entry == parse(copy)
                assert entry_faults(entry) == []
                assert entry["v"] == version_of(entry["kind"], entry)
                check_canonical(entry, copy)
    assert fit > len(lines)


def test_a_line_that_is_not_the_usual_one_is_counted() -> None:
    lines = [line.replace(b'{"at"', b'{ "at"') if b'"kind":"open"' in line else line for line in log("casino")]
    assert parsed(lines)["open"] == sum(b'"kind":"open"' in line for line in lines)
