"""Last time beside this time: what an earlier report's JSON says, and what has changed since beyond chance."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import signatures_of
from fairshoe.terminal.files import read_utf8

from ..report.blocks import LEVEL, Block, Cell, Items, ReportTable, Section, Text, columns
from ..report.luck.sums import DETECTABLE_ERRORS, LOG
from ..report.luck.tails import holm, two_sided
from ..verify.findings.wording import count_text
from .exceptions import is_note

VERSION = 2
"""Of the JSON form."""
MAX_REPORT_BYTES = 1 << 28
MAX_TOLD = 30
MIN_VARIANCE = 20.0
"""With less of both times together, of counts fewer events, the normal law says nothing."""

Form = Mapping[str, Any]
"""A report, or a part of one, as JSON."""


def read_report(file: Path) -> dict[str, Any]:
    """Read a report's JSON, signed or not; its signature is not checked. Raises InputError."""
    return report_in(read_utf8(file, MAX_REPORT_BYTES), str(file))


def report_in(text: str, where: str) -> dict[str, Any]:
    """Read a report's JSON from the text of a file. Raises InputError."""
    try:
        form = json.loads(signatures_of(text)[0] if "\n\n— " in text else text)
        if form["v"] != VERSION:
            raise KeyError("v")
        options = form["options"]
        _ = form["cover"], form["sections"]["exceptions"], options["once"], options["standards"]
        _ = [log["name"] for log in form["logs"]]
    except (ValueError, KeyError, TypeError, VerificationError):
        remedy = "give what `fairshoe-audit report --format json` wrote"
        expected = f"a report's JSON of version {VERSION}"
        raise InputError("no report", where=where, expected=expected, remedy=remedy) from None
    return dict(form)


class Rate(NamedTuple):
    """A rate of the last report and of this one: `before` and `now` of so much each, `z` standard errors apart; None
    where there is too little to say."""

    house: str
    what: str
    amount_before: int
    amount: int
    before: float | None
    now: float | None
    z: float | None


def previous(then: Form, now: Form) -> Section:
    """Set two reports beside each other, both as JSON: house by house, since a log may go on or begin anew."""
    was, found = dict(_found(then)), dict(_found(now))
    new = sorted((text for name, text in found.items() if name not in was), key=is_note)
    gone = sorted((text for name, text in was.items() if name not in found), key=is_note)
    rates = [rate for house in sorted(_houses(now)) for rate in _rates(house, then, now)]
    tested = [rate for rate in rates if rate.z is not None]
    adjusted = holm([two_sided(rate.z or 0.0) for rate in tested])
    chances: dict[int, float] = {id(rate): p for rate, p in zip(tested, adjusted, strict=True)}
    changed = [rate for rate in rates if chances.get(id(rate), 1.0) < LEVEL]
    says = (
        f"{count_text(len(new), 'new exception')}, {len(gone)} gone; "
        f"{len(changed) or 'no'} of {len(tested)} rates changed beyond chance."
    )
    rows: list[tuple[Cell, ...]] = []
    for rate in rates:
        p = chances.get(id(rate))
        status = "plain" if p is None else "look" if p < LEVEL else "good"
        rows.append((rate.house, rate.what, rate.amount_before, rate.amount, rate.before, rate.now, p, status))
    titles = columns(
        "house", "rate", "before:count", "now:count", "rate before:percent", "rate now:percent", "p, corrected:p",
        "changed:status",
    )  # fmt: skip
    caption = "Rates: returns, busts a draw, choices a shoe. Where a log goes on, this time is what came since"
    blocks: list[Block] = [ReportTable(caption, titles, rows)]
    for title, texts in (("New", new), ("Gone", gone)):
        if texts:
            more = [f"and {len(texts) - MAX_TOLD:,} more"] if len(texts) > MAX_TOLD else []
            blocks += [Text(f"{title}:"), Items([*texts[:MAX_TOLD], *more])]
    data = {"new": new, "gone": gone, "rates": [rate._asdict() for rate in rates]}
    return Section("previous", "Since the last report", "plain", says, blocks, data)


def _found(form: Form) -> Iterator[tuple[str, str]]:
    for row in form["sections"]["exceptions"]["data"]:
        if row["found"]:
            yield row["id"], row["what"]


def _houses(form: Form) -> set[str]:
    return {_house(log) for log in form["logs"]}


def _house(log: Form) -> str:
    return log["audit"]["log"]["origin"] or ""


# The sums of a house, and what came since.


@dataclass
class RateSums:
    """Events among an `amount` of chances, with what was to be expected of them and its variance. `kept`: what comes
    back of a stake beside its net result."""

    amount: int = 0
    events: float = 0
    expected: float = 0
    variance: float = 0
    kept: bool = False

    def add(self, other: RateSums, sign: int) -> None:
        """Add another's, or take it off."""
        self.amount += sign * other.amount
        self.events += sign * other.events
        self.expected += sign * other.expected
        self.variance += sign * other.variance
        self.kept = other.kept

    @property
    def rate(self) -> float | None:
        return self.kept + self.events / self.amount if self.amount > 0 else None

    def z(self, before: RateSums) -> float | None:
        """Return by how many standard errors the rate differs from the one before, what was expected of each taken
        off."""
        if min(self.amount, before.amount) <= 0 or self.variance + before.variance < MIN_VARIANCE:
            return None
        shares = [(each.events - each.expected) / each.amount for each in (self, before)]
        return (shares[0] - shares[1]) / math.hypot(
            *(math.sqrt(max(each.variance, 0.0)) / each.amount for each in (self, before))
        )


def _rates(house: str, then: Form, now: Form) -> Iterator[Rate]:
    """Yield the rates of a house; where a log of this report goes on from one of the last, that one's part is taken
    off."""
    earlier, logs = ([log for log in form["logs"] if _house(log) == house] for form in (then, now))
    if not earlier:
        return
    choices = {name for log in (*earlier, *logs) for name in log["audit"]["choices"]["log"]}
    before, sums = _sum(earlier, choices), _sum(logs, choices)
    for log in earlier:
        if any(_goes_on(log, each) for each in logs):
            for name, part in _sums_of(log, choices):
                sums[name].add(part, -1)
    for name in sorted(before.keys() | sums.keys()):
        one, other = before[name], sums[name]
        yield Rate(house, name, one.amount, other.amount, one.rate, other.rate, other.z(one))


def _goes_on(before: Form, now: Form) -> bool:
    old, new = before["audit"]["log"], now["audit"]["log"]
    return bool(old["first"] == new["first"] and old["size"] <= new["size"])


def _sum(logs: Iterable[Form], choices: Collection[str]) -> dict[str, RateSums]:
    found: dict[str, RateSums] = defaultdict(RateSums)
    for log in logs:
        for name, part in _sums_of(log, choices):
            found[name].add(part, 1)
    return found


def _sums_of(log: Form, choices: Collection[str]) -> Iterator[tuple[str, RateSums]]:
    """Yield what a log's report counted, by name; `choices` also where there was none."""
    sections, audit = log["sections"], log["audit"]
    for name, game in (sections["games"]["data"] or {}).items():
        rules = name.partition(" ")[0]
        variance = game["deviation"] ** 2
        yield f"return, {rules}", RateSums(game["staked"], game["net"], game["expected"], variance, game["kept"])
    for test in sections["busts"]["data"] or ():
        if tuple(test["scope"]) == LOG:
            variance = (test["visible"] * test["draws"] / DETECTABLE_ERRORS) ** 2
            yield f"busts, {test['test']}", RateSums(test["draws"], test["busts"], test["expected"], variance)
    for name in choices:
        count = audit["choices"]["log"].get(name, 0)
        yield f"choice, {name}", RateSums(audit["shoes"], count, 0, count)
