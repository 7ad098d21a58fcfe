"""The report of an audit: what was audited, the checks, findings by cause, choices, the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fairshoe import __version__
from fairshoe.ceremony.choices import Choices

from ..state.seen import Seen
from .advice import doubted, doubtful, next_step
from .causes import Causes
from .finding import CATALOGUE, CHECKS, LOG, SIGNED, Code, Finding, Place
from .groups import Group

TOOL = f"fairshoe-audit {__version__}"
MOST_FINDINGS = 1000
"""How many findings of one code and cause are listed unless all are asked for; groups count every one."""
MOST_HELD = 10_000
"""How many findings about rounds wait for the key of their shoe, which may show a cause."""
STILL_SIGNED = frozenset(("witnesses-missing", "tile-differs", "logs-joined"))
"""Findings of signature and tree that leave the entries what the house signed."""
AROUND = (*SIGNED, "remembered")
"""The checks of what stands around a log."""
UNSEEN = {"settlement": ("dealer", "settlement", "chips"), "cards": ("cards", "shuffle")}
"""Which checks saw nothing of what could not be checked for one of them."""


class Unchecked(NamedTuple):
    """Something that could not be checked: which check, how many of what, in words."""

    check: str
    count: int | None  # type: ignore[assignment]
    what: str


class Log(NamedTuple):
    """What was audited. `origin` is the signed checkpoint's; `root` the RFC 6962 tree head over the entries, in hex;
    `first` and `last` their times."""

    origin: str | None = None
    size: int = 0
    root: str | None = None
    first: str | None = None
    last: str | None = None


class Report:
    """Collects findings. A check passes only where something was put to it and nothing failed.

    Findings about one entry are held until it is done with: then each has a cause of its own or follows from
    another. `parameters` are those that change what is checked; `tables` say by which rules and options each
    was audited. `doubtful`: signature or tree fails, so that this copy is not what the house signed.
    """

    def __init__(self, *, everything: bool = False) -> None:
        self.log = Log()
        self.parameters: dict[str, Any] = {}
        self.tables: list[dict[str, Any]] = []
        self.shoes = 0
        self.rounds = 0
        self.cards = 0
        self.open = 0
        self.choices = Choices()
        self.held: list[Finding] = []
        self.causes = Causes()
        self._findings: list[Finding] = []
        self._most = None if everything else MOST_FINDINGS
        self._groups: dict[str, Group] = {}
        self._seen = Seen()
        self._listed: dict[tuple[str, str | None], int] = {}
        self._waiting: dict[tuple[Place, int | None], list[tuple[int | None, Finding]]] = {}
        self.doubtful = False
        self._failed: set[str] = set()
        self._checked: set[str] = set()
        self._unchecked: list[Unchecked] = []

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
        self._unchecked.append(Unchecked(check, count, what))

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
    ) -> None:
        """Report something; `follows`: the code of the finding about the same entry that it follows from."""
        about = CATALOGUE[code]
        if about.severity == "fail":
            self._failed.add(about.check)
            self.doubtful |= about.check in SIGNED and code not in STILL_SIGNED
        self.held.append(
            Finding(
                code,
                about.severity,
                about.fault,
                entry,
                *place,
                field,
                subject,
                expected,
                found,
                about.cause,
                next_step(about, place),
                follows,
            )
        )

    def settle(self, kind: str = "", left_out: Place | None = None) -> None:
        """The entry that the held findings are about is done with. `left_out`: what it was about, where it could not be
        followed."""
        held, self.held = self.held, []
        for finding, follows in zip(held, self.causes.judge(held, kind, left_out), strict=True):
            finding = finding._replace(follows=follows)
            index = self._list(finding)
            if finding.round is not None and finding.severity == "fail":
                self._waiting.setdefault((finding.place, finding.entry), []).append((index, finding))
            else:
                self._count(finding)
        if len(self._waiting) > MOST_HELD:
            self._count_waiting()

    def explain(self, place: Place, entry: int, code: str) -> None:
        """Findings about the round in this entry follow from another one, of this code, that came to light since."""
        self._settle_held()
        waiting = self._waiting.get((place, entry), [])
        for number, (index, finding) in enumerate(waiting):
            if finding.code != code:
                finding = finding._replace(follows=code)
                waiting[number] = index, finding
                if index is not None:
                    self._findings[index] = finding

    def conclude(self) -> None:
        """The audit is at its end. Of a copy that is not what the house signed nothing is the house's fault: all such
        findings become `unknown`."""
        self._settle_held()
        self._count_waiting()
        if self.doubtful:
            self._findings[:] = map(doubtful, self._findings)
            for group in self._groups.values():
                group.doubt()

    def about(self, code: str) -> Code:
        """What a code means, and whose fault it is in this report."""
        return doubted(CATALOGUE[code]) if self.doubtful else CATALOGUE[code]

    def notes(self) -> dict[str, Any]:
        """What the walk has found so far where nothing fails, as JSON; not what was found around the log."""
        groups = {name: group for name, group in self._groups.items() if group.code.check not in AROUND}
        return {
            "checked": sorted(self._checked.difference(AROUND)),
            "unchecked": [each for each in self._unchecked if each.check not in AROUND],
            "findings": [each for each in self._findings if each.code in groups],
            "listed": {code: count for (code, _), count in self._listed.items() if code in groups},
            "groups": {name: group.counted() for name, group in groups.items()},
            "seen": [record.hex() for record in self._seen],
        }

    def put_notes(self, form: Mapping[str, Any]) -> None:
        """Have what an earlier walk found, in what was found around the log."""
        self._checked.update(form["checked"])
        self._unchecked += [Unchecked(*each) for each in form["unchecked"]]
        self._findings += [Finding(*each) for each in form["findings"]]
        self._listed.update({(code, None): count for code, count in form["listed"].items()})
        for name, counted in form["groups"].items():
            self._groups[name] = Group(CATALOGUE[name], self._seen, **counted)
            self._groups[name].first = [Finding(*each) for each in counted["first"]]
        for record in form["seen"]:
            self._seen.add(bytes.fromhex(record))

    def _settle_held(self) -> None:
        if self.held:
            self.settle()

    def _list(self, finding: Finding) -> int | None:
        """Where the finding stands among those listed, if it does."""
        name = finding.code, finding.follows
        listed = self._listed[name] = self._listed.get(name, 0) + 1
        if self._most is not None and listed > self._most:
            return None
        self._findings.append(finding)
        return len(self._findings) - 1

    def _count(self, finding: Finding) -> None:
        code = finding.follows or finding.code
        group = self._groups.setdefault(code, Group(CATALOGUE[code], self._seen))
        if finding.follows is None:
            group.add(finding)
        else:
            group.add_following(finding.code)

    def _count_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for findings in waiting.values():
            for _, finding in findings:
                self._count(finding)

    @property
    def findings(self) -> list[Finding]:
        """Those that are listed, as they were found."""
        self._settle_held()
        return self._findings

    @property
    def failed(self) -> bool:
        return bool(self._failed)

    @property
    def unchecked(self) -> list[Unchecked]:
        """What could not be checked, in the order of the checks."""
        play = [Unchecked("cards", self.open, "shoes in play")] if self.open else []
        return sorted([*self._unchecked, *play], key=lambda each: CHECKS.index(each.check))

    @property
    def complete(self) -> bool:
        """Whether everything was checked that the log and the reader gave a means to."""
        return not self.unchecked

    @property
    def groups(self) -> list[Group]:
        """By cause: what fails before notes, of that what the reader can mend, then by the first entry."""
        self._settle_held()
        self._count_waiting()
        self._adopt()
        return sorted((group for group in self._groups.values() if group.count), key=lambda group: group.rank)

    def _adopt(self) -> None:
        """What followed from findings whose own cause was found later follows from that."""
        orphans = [group for group in self._groups.values() if group.follows and not group.count]
        for group in orphans:
            heirs = (heir for heir in self._groups.values() if group.code.code in heir.follows and heir is not group)
            heir = next(heirs, None)
            if heir is not None:
                for name, count in group.follows.items():
                    heir.add_following(name, count)
                group.follows = {}

    @property
    def first(self) -> Finding | None:
        """The finding to look at first."""
        return next((group.first[0] for group in self.groups), None)

    def unchecked_of(self, check: str) -> list[Unchecked]:
        """What a check could not look at."""
        return [each for each in self.unchecked if check in UNSEEN.get(each.check, (each.check,))]

    @property
    def checks(self) -> dict[str, str]:
        """By check: `pass` only where all was looked at, but for the cards of shoes in play."""
        unseen = {name for each in self._unchecked for name in UNSEEN.get(each.check, (each.check,))}

        def state(name: str) -> str:
            if name in self._failed:
                return "fail"
            return "pass" if name in self._checked and name not in unseen else "not-checked"

        return {name: state(name) for name in CHECKS}

    def as_json(self) -> dict[str, Any]:
        """The report as docs/audit.md describes it."""
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
