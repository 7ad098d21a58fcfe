"""The report of an audit: what was audited, the checks, the findings by shoe and code, choices, the verdict.

A shoe's first failure is told, its others are counted beneath by code. Findings of no shoe are told as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairshoe import __version__
from fairshoe.ceremony.choices import Choices
from fairshoe.errors import InputError
from fairshoe.record.forms import table_of

from .finding import CATALOGUE, CHECKS, LOG, SIGNED, Code, Finding, Place, as_doubtful, next_step

TOOL = f"fairshoe-audit {__version__}"
MAX_FINDINGS = 1000
"""How many findings of one code are listed unless all are asked for; groups count every one."""
MAX_PLACES = 3
"""How many places of a group are shown."""
STILL_SIGNED = frozenset(("witnesses-missing", "tile-differs", "logs-joined"))
"""Findings of signature and tree that leave the entries what the house signed."""
EVIDENCE_CHECKS = (*SIGNED, "remembered")
"""The checks of what stands around a log."""
WITHOUT_TABLE = "shoes without a table: their cards"
"""Text for the unchecked cards of shoes without a table: no entry says which of their cards were shown."""
BEACONS = "beacons"
"""Text for beacons whose signatures cannot be checked, for want of the extra `beacon`."""
UNSEEN = {
    "settlement": ("dealer", "settlement", "chips"),
    "cards": ("cards", "shuffle"),
    WITHOUT_TABLE: ("cards",),
}
"""Which checks saw nothing of what could not be checked for one of them, by that check, or by what it is in words."""
OF_ENTRY = ("card-differs", "payout-differs")
"""Of the failures in one entry the first to tell; the others come as they were found."""
CARRIED = {
    "shoe-differs": ("chips", "bank", "memory", "paid"),
    "bank-not-settled": ("",),
    "number-gap": ("shoe", "round"),
}
"""Findings, by code and field, that a shoe inherits from the one before it: they count there alone."""


class UncheckedItem(NamedTuple):
    """Something that could not be checked: which check, how many of what, in words."""

    check: str
    count: int | None  # type: ignore[assignment]
    what: str

    @property
    def unseen(self) -> tuple[str, ...]:
        """The checks that did not see it."""
        return UNSEEN.get(self.what) or UNSEEN.get(self.check, (self.check,))


class AuditedLog(NamedTuple):
    """The log that was audited. `origin` is the signed checkpoint's; `root` the RFC 6962 tree head over the entries, in
    hex; `first` and `last` their times."""

    origin: str | None = None
    size: int = 0
    root: str | None = None
    first: str | None = None
    last: str | None = None


@dataclass
class Group:
    """The findings of one code, of no shoe or in shoes where it failed first. `first`: some of them, one a shoe;
    `follows`: counts by code of what else failed there."""

    code: Code
    count: int = 0
    first: list[Finding] = field(default_factory=list)
    follows: Counter[str] = field(default_factory=Counter)

    def add(self, finding: Finding, count: int = 1, most: int = MAX_PLACES) -> None:
        self.count += count
        if len(self.first) < most:
            self.first.append(finding)

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, int, bool, str]:
        """Sort key: failures first, of these what the reader can mend, then doubt about the log, the first entry,
        payouts."""
        entry = self.first[0].entry
        code = self.code
        return (
            code.severity != "fail",
            code.fault != "reader",
            code.check not in SIGNED,
            entry is None and code.check not in SIGNED,
            entry or 0,
            code.code != "payout-differs",
            code.code,
        )

    @property
    def cause(self) -> str:
        """The likely cause: that of the findings if all are listed and have the same, else what the code says."""
        causes = {finding.cause for finding in self.first}
        return causes.pop() if len(causes) == 1 and self.count == len(self.first) else self.code.cause

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code.code,
            "check": self.code.check,
            "severity": self.code.severity,
            "fault": self.code.fault,
            "count": self.count,
            "follows": dict(sorted(self.follows.items())),
            "cause": self.cause,
            "next": self.first[0].next,
            "first": [finding._asdict() for finding in self.first],
        }


class _FailedShoe:
    """A shoe in which something failed: the failure to tell, and how many there are, by code."""

    def __init__(self, first: Finding) -> None:
        self.first = first
        self.counts: Counter[str] = Counter()

    def add(self, finding: Finding) -> None:
        self.counts[finding.code] += 1
        # That a whole shoe has another order, as its reveal shows, says more than the cards that stand before it.
        is_known = finding.code == "card-differs" and "order-differs" in self.counts
        if not is_known and _order(finding) < _order(self.first):
            self.first = finding


def _order(finding: Finding) -> tuple[int, int]:
    """Which failure of a shoe is told: the lowest, and of several the one that was found first."""
    code = finding.code
    return finding.entry or 0, OF_ENTRY.index(code) if code in OF_ENTRY else len(OF_ENTRY)


class Report:
    """Collects findings. A check passes only if something was put to it and nothing failed."""

    def __init__(self, *, everything: bool = False) -> None:
        self.log = AuditedLog()
        self.parameters: dict[str, Any] = {}  # which change what is checked
        self.tables: list[dict[str, Any]] = []  # the rules of each
        self.shoes = 0
        self.rounds = 0
        self.cards = 0
        self.open = 0
        self.choices = Choices()
        self.finding_count = 0  # how many findings
        self.doubtful = False  # signature or tree fails: all findings are `unknown`, and none the house's fault
        self.not_told: frozenset[str] = frozenset()  # codes that rest on missing entries
        self._most = None if everything else MAX_FINDINGS
        self._listed: list[tuple[Finding, str]] = []
        self._told: list[Finding] | None = None
        self._groups: dict[str, Group] = {}
        self._beneath: dict[str, str] = {}
        self._failing: dict[str, _FailedShoe] = {}
        self._counts: Counter[str] = Counter()
        self._failed: set[str] = set()
        self._checked: set[str] = set()
        self._unchecked: list[UncheckedItem] = []

    def checked(self, *names: str) -> None:
        """Say that these checks were put to something."""
        self._checked.update(names)

    def count(self, other: Report) -> None:
        """Add what a report over other entries of the same log counted; its findings are not among that."""
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.cards += other.cards
        self.choices.count(other.choices)
        self._checked |= other._checked

    def leave(self, check: str, what: str, count: int | None = None) -> None:
        """Say that something could not be checked."""
        self._unchecked.append(UncheckedItem(check, count, what))

    def add(
        self,
        code: str,
        place: Place = LOG,
        *,
        entry: int | None = None,
        field: str | None = None,
        subject: str | None = None,
        expected: Any = None,
        found: Any = None,
        follows: str | None = None,
        cause: str = "",
    ) -> None:
        """Report something. `follows`: the code of a finding about the file that this one, too, is due to; `cause`:
        what is known of its cause beyond what the code says."""
        about = CATALOGUE[code]
        named = (code, about.severity, about.fault, entry, *place, field, subject)
        self.add_finding(Finding(*named, expected, found, cause or about.cause, next_step(about, place), follows))

    def add_finding(self, finding: Finding) -> None:
        """Report what was found."""
        code, about = finding.code, CATALOGUE[finding.code]
        if code in self.not_told:
            return
        self.finding_count += 1
        self._told = None
        owner = ""
        if about.severity == "fail":
            self._failed.add(about.check)
            self.doubtful |= about.check in SIGNED and code not in STILL_SIGNED
            owner = self._owner(finding)
        if owner:
            self._failing.setdefault(owner, _FailedShoe(finding)).add(finding)
        else:
            finding = finding._replace(follows=self._root(finding))
            group = self._groups.setdefault(finding.follows or code, Group(CATALOGUE[finding.follows or code]))
            if finding.follows is None:
                group.add(finding)
            else:
                group.follows[code] += 1
        self._counts[code] += 1
        if self._most is None or self._counts[code] <= self._most:
            self._listed.append((finding, owner))

    def _owner(self, finding: Finding) -> str:
        """Return the shoe that a failure is counted in."""
        shoe = finding.shoe or ""
        if finding.code in CARRIED and (finding.field or "").partition(".")[0] in CARRIED[finding.code]:
            try:
                table, number = table_of(shoe)
            except InputError:
                return shoe
            before = f"{table}/{number - 1}"
            return before if before in self._failing else shoe
        return shoe

    def _root(self, finding: Finding) -> str | None:
        """Return the code that a finding about the file is counted beneath."""
        if finding.follows is None:
            return None
        root = self._beneath.get(finding.follows, finding.follows)
        if root not in self._groups:
            return None
        self._beneath[finding.code] = root
        return root

    def notes(self) -> dict[str, Any]:
        """Return the findings of the entries so far as JSON, if nothing fails, without those of the evidence."""
        groups = {name: group for name, group in self._groups.items() if group.code.check not in EVIDENCE_CHECKS}
        return {
            "checked": sorted(self._checked.difference(EVIDENCE_CHECKS)),
            "unchecked": [each for each in self._unchecked if each.check not in EVIDENCE_CHECKS],
            "findings": [each for each, _ in self._listed if each.code in groups],
            "counts": {name: group.count for name, group in groups.items()},
        }

    def add_saved_notes(self, form: Mapping[str, Any]) -> None:
        """Have what an earlier walk found, in what was found around the log."""
        self._checked.update(form["checked"])
        self._unchecked += [UncheckedItem(*each) for each in form["unchecked"]]
        for each in form["findings"]:
            self.add_finding(Finding(*each))
        for name, count in form["counts"].items():
            self._groups[name].count = self._counts[name] = count

    @property
    def findings(self) -> list[Finding]:
        """Those that are listed, as they were found; `follows` is the code that each is counted beneath."""
        if self._told is None:
            self._told = list(map(as_doubtful, self._named()) if self.doubtful else self._named())
        return self._told

    def _named(self) -> Iterable[Finding]:
        for finding, owner in self._listed:
            first = self._failing[owner].first.code if owner else finding.code
            yield finding if first == finding.code else finding._replace(follows=first)

    @property
    def failed(self) -> bool:
        return bool(self._failed)

    @property
    def unchecked(self) -> list[UncheckedItem]:
        """The lines on what could not be checked, in the order of the checks."""
        play = [UncheckedItem("cards", self.open, "shoes in play")] if self.open else []
        return sorted([*self._unchecked, *play], key=lambda each: CHECKS.index(each.check))

    @property
    def complete(self) -> bool:
        """Whether everything was checked that the log and the reader gave a means to."""
        return not self.unchecked

    @property
    def groups(self) -> list[Group]:
        """The items: what fails before notes, of that what the reader can mend, then by the first entry."""
        groups: dict[str, Group] = {}
        for name, group in self._groups.items():
            groups[name] = Group(group.code, group.count, list(group.first), Counter(group.follows))
        for shoe in sorted(self._failing.values(), key=lambda shoe: shoe.first.entry or 0):
            code = shoe.first.code
            group = groups.setdefault(code, Group(CATALOGUE[code]))
            group.add(shoe.first, shoe.counts[code], 2 * MAX_PLACES)
            group.follows.update({name: count for name, count in shoe.counts.items() if name != code})
        for group in groups.values():
            group.first = sorted(group.first, key=lambda finding: finding.entry or 0)[:MAX_PLACES]
            if self.doubtful:
                group.code, group.first = as_doubtful(group.code), list(map(as_doubtful, group.first))
        return sorted(groups.values(), key=lambda group: group.rank)

    @property
    def first(self) -> Finding | None:
        """The finding to look at first."""
        return next((group.first[0] for group in self.groups), None)

    def unchecked_of(self, check: str) -> list[UncheckedItem]:
        """Return what a check could not look at."""
        return [each for each in self.unchecked if check in each.unseen]

    @property
    def checks(self) -> dict[str, str]:
        """The result of each check: `pass` only if all was looked at, but for the cards of shoes in play."""
        unseen = {name for each in self._unchecked for name in each.unseen}

        def state(name: str) -> str:
            if name in self._failed:
                return "fail"
            return "pass" if name in self._checked and name not in unseen else "not-checked"

        return {name: state(name) for name in CHECKS}

    def as_json(self) -> dict[str, Any]:
        """Return the report as docs/audit.md describes it."""
        return {
            "tool": TOOL,
            "verdict": "fail" if self.failed else "pass",
            "complete": self.complete,
            "log": self.log._asdict(),
            "parameters": self.parameters,
            "tables": self.tables,
            "entries": self.log.size,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "cards": self.cards,
            "open": self.open,
            "checks": self.checks,
            "unchecked": [each._asdict() for each in self.unchecked],
            "groups": [group.as_json() for group in self.groups],
            "findings": [finding._asdict() for finding in self.findings],
            "choices": self.choices.as_json(),
        }
