"""Says of each finding whether it follows from an earlier one, so that one change is one item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .doubts import (
    AGAIN,
    BANK,
    BREAKS,
    CASTS,
    CHAIRS,
    CHIPS,
    CHIPS_MOVED,
    CUTTER,
    EVERYTHING,
    FIELDS,
    MISSING,
    NO_END,
    OF_FILE,
    OF_SHOE,
    OPENING,
    ORDER,
    OUT_OF_ORDER,
    PLAY,
    POSITION,
    ROUNDS,
    SHOES,
    SHOWN,
    SOFT,
    STEPS,
    TABLE,
    TIME,
    TURN,
    UNKNOWN,
    UNREAD,
    rank,
)
from .finding import CATALOGUE, SIGNED, Finding, Place

Doubt = tuple[str, str]
ENDS = ("reveal", "void", "lost")


class Lead(NamedTuple):
    """A finding that is a likelier cause than those that come after it, and its own cause.

    `is_new`: it was not found just so before.
    """

    finding: Finding
    root: str
    is_new: bool


class Causes:
    """The doubts that findings have cast, each with the code of the finding that cast it."""

    def __init__(self) -> None:
        self.doubts: dict[Doubt, str] = {}
        self._fresh: set[Doubt] = set()
        self._seen: dict[str, set[str]] = {}
        self._broken: dict[str, str] = {}
        self._decks: dict[str, str] = {}
        self._known: set[tuple[str, str | None, str]] = set()
        self._astray: dict[tuple[str, str], int] = {}
        self._clock: tuple[int, str] | None = None

    def judge(self, findings: Sequence[Finding], kind: str, left_out: Place | None) -> list[str | None]:
        """What each of the findings about one entry of this `kind` follows from. `left_out`: what the entry was about,
        if it could not be followed."""
        self._fresh = set()
        follows: list[str | None] = [None] * len(findings)
        roots: dict[str, str] = {}
        leads: list[Lead] = []
        for i in sorted(range(len(findings)), key=lambda i: (rank(findings[i].code), i)):
            finding = findings[i]
            if finding.severity == "note":  # may follow from a failure, and never explains one
                follows[i] = self._root(finding) if finding.code == "step-late" else None
                continue
            root = None
            if finding.follows is not None:
                root = roots.get(finding.follows, finding.follows)
            if not _is_of_file(finding):
                root = root or self._root(finding) or _beside(finding, leads)
            roots.setdefault(finding.code, root or finding.code)
            key = finding.code, finding.shoe, str(finding.expected)
            is_new = root is None or key not in self._known
            if is_new:  # else it is the same again, and what it hides would be hidden for ever
                self._known.add(key)
                self._cast(finding, kind, root or finding.code)
            leads.append(Lead(finding, root or finding.code, is_new))
            follows[i] = None if root == finding.code else root
        if left_out is not None:
            code = next((f.code for f in findings if f.code in UNREAD), None)
            if code is not None:
                self.suspect(roots.get(code, code), kind, left_out)
        return follows

    def suspect(self, code: str, kind: str, place: Place) -> None:
        """Put in doubt what an entry of this kind would have said; the finding `code` is the cause. Where nobody knows
        which table the entry was about, the first one whose log has a gap there is taken."""
        if _table(place) or place.shoe:
            self._put(code, MISSING.get(kind, EVERYTHING), place)
        else:
            self._astray[kind, code] = self._astray.get((kind, code), 0) + 1

    def passed(self, entry: Mapping[str, Any], findings: Sequence[Finding]) -> None:
        """An entry was followed: what it says itself is in doubt no more, unless by its own findings."""
        kind, shoe = entry["kind"], entry.get("shoe", "")
        table = entry.get("table") or shoe.rpartition("/")[0]
        if kind == "deck" and findings:
            self._decks[entry["deck"]] = findings[0].code
        if kind == "shoe" and entry["deck"] in self._decks:
            self.doubts[ORDER, shoe] = self._decks[entry["deck"]]
        if (CHIPS, table) in self.doubts and (CHIPS, table) not in self._fresh and "chips" in entry:
            self._seen[table].update(entry["chips"])
        for account in entry.get("chips", ()):
            if (CHIPS, f"{table} {account}") not in self._fresh:
                self.doubts.pop((CHIPS, f"{table} {account}"), None)
        gone: list[Doubt] = []
        if kind == "shoe":
            gone = [(CHIPS, table), (SHOES, table), (BANK, table), (CUTTER, table)]
            if not findings:
                gone.append((CHAIRS, table))
        elif kind == "open":
            gone = [(ROUNDS, table), (PLAY, shoe)]
        elif kind == "round":
            gone = [(POSITION, shoe)]
        elif kind in ENDS:
            gone = [(domain, shoe) for domain in OF_SHOE]
        if kind in ("open", "seal", "reveal") and not findings:
            gone.append((TURN, table))
        for doubt in gone:
            if doubt not in self._fresh:
                self.doubts.pop(doubt, None)

    @property
    def live(self) -> bool:
        """Whether anything is in doubt, so that entries without findings matter."""
        return bool(self.doubts or self._decks)

    def _root(self, finding: Finding) -> str | None:
        """What an earlier entry has to do with a finding."""
        for doubt in _shown(finding):
            root = self.doubts.get(doubt)
            if root is not None and not self._confirmed(doubt, finding):
                return root
        code, shoe = finding.code, finding.shoe or ""
        if shoe in self._broken and (code in OUT_OF_ORDER or _is_earlier(finding)):
            return self._broken[shoe]
        if code == "time-order" and self._clock is not None and finding.entry == self._clock[0] + 1:
            return self._clock[1]
        shown = {domain for domain, _ in _shown(finding)} if self._astray else set()
        for (kind, root), left in self._astray.items():
            domains = MISSING.get(kind, EVERYTHING)
            if not shown.isdisjoint(domains):
                self._astray[kind, root] = left - 1
                if left == 1:
                    del self._astray[kind, root]
                self._put(root, domains, finding.place)
                return root
        return None

    def _confirmed(self, doubt: Doubt, finding: Finding) -> bool:
        """Whether an account was seen since all chips of its table came in doubt."""
        if doubt[0] != CHIPS or finding.field is None:
            return False
        return finding.field.removeprefix("chips.") in self._seen.get(doubt[1], ())

    def _cast(self, finding: Finding, kind: str, root: str) -> None:
        """Put in doubt what a finding puts in doubt; `root` is its cause, or its own code."""
        code, field, place = finding.code, finding.field or "", finding.place
        if code in BREAKS and place.shoe is not None:
            self._broken.setdefault(place.shoe, root)
        if code in ("step-overdue", "limit-early", "time-order") and finding.entry is not None:
            self._clock = finding.entry, root
        if code in ("chips-differ", "shoe-differs") and field.startswith("chips."):
            self._doubt((CHIPS, f"{_table(place)} {field[6:]}"), root)
        elif code == "shoe-differs":
            self._put(root, FIELDS.get(field.partition(".")[0], ()), place)
        elif code == "step-out-of-order":
            self._put(root, (TURN,) if finding.expected == NO_END else STEPS.get(kind, ()), place)
        elif code == "limit-early" and kind == "seeds":
            self._put(root, (TIME, OPENING, ORDER), place)
        else:
            self._put(root, CASTS.get(code, ()), place)

    def _doubt(self, doubt: Doubt, root: str) -> None:
        self.doubts.setdefault(doubt, root)
        self._fresh.add(doubt)

    def _put(self, code: str, domains: Sequence[str], place: Place) -> None:
        table, shoe = _table(place), place.shoe
        for domain in domains:
            if domain in OF_SHOE and (shoe is not None or domain == TIME):
                self._doubt((domain, shoe or table), code)
            elif domain not in OF_SHOE and table:
                self._doubt((domain, table), code)
                if domain == CHIPS:
                    self._seen[table] = set()


def _beside(finding: Finding, leads: Sequence[Lead]) -> str | None:
    """What a finding follows from of those about the same entry that are likelier causes."""
    code = finding.code
    for lead, root, is_new in leads:
        if lead.entry != finding.entry or lead.code == code:
            continue
        if code in UNREAD or lead.code in UNREAD:
            follows = False
        else:
            same_field = finding.field is not None and finding.field == lead.field
            follows = (
                same_field
                or code in SOFT
                or (is_new and code in AGAIN and lead.code in OUT_OF_ORDER)
                or (is_new and code == "chips-differ" and lead.code in CHIPS_MOVED)
            )
        if follows:
            return root
    return None


def _is_of_file(finding: Finding) -> bool:
    """Whether it is about the copy as a whole, and not about what an entry says."""
    return finding.code in OF_FILE or CATALOGUE[finding.code].check in (*SIGNED, "remembered")


def _is_earlier(finding: Finding) -> bool:
    """Whether a round's number was due earlier: no round was dropped, an entry was moved."""
    expected, found = finding.expected, finding.found
    return finding.code == "number-gap" and type(expected) is type(found) is int and found < expected


def _table(place: Place) -> str:
    return place.table or (place.shoe or "").rpartition("/")[0]


def _shown(finding: Finding) -> Iterator[Doubt]:
    """The doubts that a finding may show."""
    code, field, shoe, table = finding.code, finding.field or "", finding.shoe or "", _table(finding.place)
    if code in UNREAD:
        return
    yield TABLE, table
    yield UNKNOWN, shoe
    if code in ("chips-differ", "shoe-differs") and field.startswith("chips"):
        if "." in field:
            yield CHIPS, f"{table} {field[6:]}"
        yield CHIPS, table
        if finding.expected is None:  # of an account that nobody has heard of
            yield CHAIRS, table
    elif code == "chips-differ":
        yield CHIPS, table
        yield CHAIRS, table
    elif code == "shoe-differs":
        for domain in FIELDS.get(field.partition(".")[0], ()):
            if domain not in OF_SHOE:
                yield domain, table
    elif code == "number-gap":
        yield ROUNDS if finding.round is not None else SHOES, table
    for domain, codes in SHOWN.items():
        if code in codes:
            yield domain, shoe if domain in OF_SHOE else table
            if domain == TIME:
                yield domain, table
