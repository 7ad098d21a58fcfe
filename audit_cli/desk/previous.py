"""Last time beside this time: what an earlier report's JSON says, and what has changed since beyond chance."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import signatures_of
from fairshoe.terminal.files import read_utf8

from ..report.blocks import LEVEL, Block, Cell, Items, Question, ReportTable, Section, Text, columns
from ..report.cover import Cover
from ..report.luck.sums import DETECTABLE_ERRORS
from ..report.luck.tails import holm, two_sided
from ..verify.findings.wording import count_text
from .exceptions import ReportedException
from .histories import head_of

VERSION = 2
"""Of the JSON form."""
MAX_REPORT_BYTES = 1 << 28
MAX_ROWS = 12
"""Of the page, beside all that changed."""
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
        _ = [head_of(log) for log in form["logs"]]
    except (ValueError, KeyError, TypeError, VerificationError):
        remedy = "give what `fairshoe-audit report --format json` wrote"
        expected = f"a report's JSON of version {VERSION}"
        raise InputError("no report", where=where, expected=expected, remedy=remedy) from None
    return dict(form)


class Rate(NamedTuple):
    """A rate of the last report and of this one, of a house, or of its log or table `scope`: `before` and `now` of so
    much each, `z` standard errors apart; None where there is too little to say."""

    house: str
    scope: str
    what: str
    amount_before: int
    amount: int
    before: float | None
    now: float | None
    z: float | None


def previous(then: Form, now: Form, asked: Sequence[ReportedException], *, checked: bool) -> Section:
    """Set two reports beside each other, both as JSON: by house, log and table, since a log may go on or begin anew.
    `asked`: about logs of the last one that do not go on; `checked`: its signature holds."""
    rates = [rate for house in sorted(_houses(now)) for rate in _rates(house, then, now)]
    tested = [rate for rate in rates if rate.z is not None]
    adjusted = holm([two_sided(rate.z or 0.0) for rate in tested])
    chances: dict[int, float] = {id(rate): p for rate, p in zip(tested, adjusted, strict=True)}
    changed = [rate for rate in rates if chances.get(id(rate), 1.0) < LEVEL]
    says = "No rate had enough play in both reports to be compared."
    if tested:
        says = f"Of {count_text(len(rates), 'rate')} {len(tested)} had enough play to be compared; "
        says += f"{len(changed) or 'none'} of these changed beyond chance."
    rows: list[tuple[Cell, ...]] = []
    for rate in sorted(rates, key=lambda rate: (chances.get(id(rate), 1.0) >= LEVEL, rate.z is None, bool(rate.scope))):
        p = chances.get(id(rate))
        status = "plain" if p is None else "look" if p < LEVEL else "good"
        rows.append((rate.house, rate.scope or "all its logs", *rate[2:-1], p, status))
    titles = columns(
        "house", "log or table", "rate", "before:count", "now:count", "rate before:percent", "rate now:percent",
        "p, corrected:p", "changed:status",
    )  # fmt: skip
    caption = (
        "Rates: returns, busts a draw, choices a shoe; those that changed first, without a mark those with too little "
        "play. Where a log goes on, this time is what came since. Assumed: choices hang together within a shoe, not "
        "from shoe to shoe; other players choose otherwise"
    )
    cover = Cover.of_json(then["cover"])
    last = f"The last report: {cover.number or 'no number'}, signed by {cover.signer}."
    if not checked:
        last = f"The last report is {cover.number or 'without a number'}; its signature was not checked (--reviewer)."
    blocks: list[Block] = [Text(last), ReportTable(caption, titles, rows, shown=max(len(changed), MAX_ROWS))]
    if asked:
        says = f"{count_text(len(asked), 'question')} on how the last report's logs go on. {says}"
        blocks.insert(1, Items([each.what for each in asked]))
    data = {
        "asked": [each._asdict() for each in asked],
        "checked": checked,
        "rates": [rate._asdict() for rate in rates],
    }
    asks = [Question(each.id, each.what) for each in asked]
    return Section("previous", "Since the last report", "question" if asked else "plain", says, blocks, data, asks)


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
    """Yield the rates of a house, then of its logs and tables; where a log of this report goes on from one of the last,
    that one's part is taken off."""
    earlier, logs = ([log for log in form["logs"] if _house(log) == house] for form in (then, now))
    if not earlier:
        return
    choices = {name for log in (*earlier, *logs) for name in log["audit"]["choices"]["log"]}
    on = {id(log): next((each["name"] for each in logs if _goes_on(log, each)), "") for log in earlier}
    names = {on[id(log)] or log["name"] for log in earlier} & {log["name"] for log in logs}
    before: dict[tuple[str, str], RateSums] = defaultdict(RateSums)
    sums: dict[tuple[str, str], RateSums] = defaultdict(RateSums)
    for log in logs:
        for key, part in _sums_of(log, log["name"] if log["name"] in names else "", choices):
            sums[key].add(part, 1)
    for log in earlier:
        name = on[id(log)] or log["name"]
        for key, part in _sums_of(log, name if name in names else "", choices):
            before[key].add(part, 1)
            if on[id(log)]:
                sums[key].add(part, -1)
    told = set()
    for scope, what in sorted(before.keys() | sums.keys(), key=lambda key: (key[0] not in names, bool(key[0]), key)):
        one, other = before[scope, what], sums[scope, what]
        same = what, one.amount, other.amount
        if same not in told and (not scope or (one.amount and other.amount)):
            told.add(same)
            yield Rate(house, scope, what, one.amount, other.amount, one.rate, other.rate, other.z(one))


def _goes_on(before: Form, now: Form) -> bool:
    old, new = before["audit"]["log"], now["audit"]["log"]
    return bool(old["first"] == new["first"] and old["size"] <= new["size"])


def _sums_of(log: Form, name: str, choices: Collection[str]) -> Iterator[tuple[tuple[str, str], RateSums]]:
    """Yield what a log's report counted, by scope and name of the rate: of the whole house, of the log if it has a
    `name`, of each table; `choices` also where there was none: they depend on the games, so of those of one log."""
    sections, audit = log["sections"], log["audit"]
    whole = dict.fromkeys(("", name))
    games = [(scope, of) for of in (sections["games"]["data"] or {}).values() for scope in whole]
    games += [(_table(name, of["table"]), of) for of in sections["results"]["data"] or ()]
    for scope, of in games:
        sums = RateSums(of["staked"], of["net"], of["expected"], of["deviation"] ** 2, of["kept"])
        yield (scope, f"return, {of['rules']}"), sums
    for test in sections["busts"]["data"] or ():
        variance = (test["visible"] * test["draws"] / DETECTABLE_ERRORS) ** 2
        sums = RateSums(test["draws"], test["busts"], test["expected"], variance)
        kind, of_whom = test["scope"]
        for scope in whole if kind == "log" else (_table(name, of_whom),) * (kind == "table"):
            yield (scope, f"busts, {test['test']}"), sums
    played = ", ".join(sorted({table["rules"] for table in audit["tables"]})) or "shoes without a table"
    for choice in choices:
        count, spread = audit["choices"]["log"].get(choice, 0), (sections["choices"]["data"] or {}).get(choice, 0)
        yield (name, f"choice in {played}: {choice}"), RateSums(audit["shoes"], count, 0, spread)


def _table(log: str, table: str) -> str:
    return f"{log}, table {table}" if log else f"table {table}"
