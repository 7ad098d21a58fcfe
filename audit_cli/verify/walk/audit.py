"""The walk through a log: one pass, entry by entry, in one order, failing closed.

What stands around a log is checked before and after the walk, by `verify`: first the checkpoint with its signatures, by
which it is known what the log has to be; then the walk, which puts each line into the tree; then the tree's head and
its tiles against the checkpoint, what somebody remembers, and the log before.

Of an entry is checked, in this order:

1. **Line.** It is JSON of the profile and one object (`parse`). One that is not is left out: what nobody can read
   changes no book. Its place is what it seems to be about.
2. **Version.** An entry of a version that is not known yet ends the audit: nobody can judge the rest.
3. **Kind.** It is one of `KINDS`, else the entry is left out.
4. **Form.** It has the fields of its kind, and no others, of the right types, in the first version that lists them, and
   its bytes are those of what it says. Without what is wrong the entry is gone on with where it still says what its
   kind needs; else it is left out.
5. **Time.** It is later than the entry before it.
6. **Place.** The table is open, the shoe in play, and it is this entry's turn (`step-out-of-order`, `number-gap`); its
   limit was over, and it did not come a day too late (`limit-early`, `step-overdue`).
7. **Content.** From the table's book the entry is built anew as the rules have it, and compared, field by field:
   roster, hashes, bets, each card's hand, each total, result, payout and purse. A finding names the field.
8. **Book.** The table's book follows what the log says, whether it was right or not, so that one change is found once.

With the key of a shoe (`reveal`, `void`, `lost`) what had to wait for it is checked, in this order: the key against the
commitment; whether the whole shoe was dealt in another order; the draws and the end; the root and the burned card of
the seal; each card that was dealt, through reshuffles, told at the round that dealt it; each round after which the shoe
was worn; the reason why it ended.

At the log's end every shoe in play is looked at for a step that is overdue, and every table for a share that is.

Whatever goes wrong in the auditor itself is a finding about the entry (`entry-inexplicable`), never a pass.

Steps 6 to 8 stand in the files of `kinds`, one function a kind. Lines of the three kinds that a log is made of are
taken in one step: where a line is later than the one before, and exactly the text that the steps would have written,
they all hold. Any other line goes through them one by one, a usual one through the first four by one pattern.

The first failure of a shoe is told, and what else fails in it counted beneath (`findings.report`). A shoe is judged by
itself from its `shoe` on: chips, bank and memory that the one before it left wrong are taken as they stand there, and
counted with that one; debts and lapses go on as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from fairshoe.ceremony.book import Book, OpenRound, Shoe, standing_bets
from fairshoe.ceremony.choices import MISSING_KEY, count_choices, count_unfinished, count_unfinished_shoe
from fairshoe.ceremony.claims import COMMITMENT, SEED, claims_in
from fairshoe.ceremony.fold import end_shoe
from fairshoe.ceremony.placer_steps import record_shoe_tree, record_tree
from fairshoe.ceremony.policy import CARDS_AN_ENTRY, FREE_CARDS, MAX_WAIT
from fairshoe.engine.table import Bet
from fairshoe.errors import LogError, NotCanonical
from fairshoe.log.canonical import MAX_ENTRY, Entry, check_canonical, parse
from fairshoe.log.times import is_moment, is_within_hour, microseconds
from fairshoe.log.tree import Tree, TreeHead
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.openings import Opening
from fairshoe.protocol.shoe import Sealed
from fairshoe.record.forms import FIRST, newest, version_of

from ..findings.finding import Place
from ..findings.report import BEACONS, Report
from .bound_cards import check_bound
from .comparison import EntryComparison
from .digest_set import DigestSet, digest_of
from .labels import check_labels
from .shapes import (
    ENVELOPE,
    KINDS,
    EntrySubject,
    KindFields,
    drop_bad_fields,
    entry_faults,
    entry_subject,
    is_entry,
    line_subject,
    read_usual,
)
from .state import AuditedShoe, AuditedTable, ImpliedStep, StandingBets

NO_END = "the end of this shoe before the next one has its turn"
ENDS = ("reveal", "void", "lost")
REUSED = {COMMITMENT: "commitment-reused", SEED: "seed-reused"}
"""The code of a claim that stands in the log already, by its kind."""
About = TypeVar("About", AuditedShoe, AuditedTable)
Handler = Callable[["Audit", Entry, bytes], None]
FastPath = Callable[["Audit", str, str], bool]
"""Takes a time and the whole line; returns whether it took it, without a finding of form. Else it is parsed."""


class EntryKind(NamedTuple):
    """A kind of entry: its fields and check. `fast_path` takes a line unparsed; `starts`: seven characters after its
    time."""

    name: str
    shape: KindFields
    check: Handler
    starts: str = ""
    fast_path: FastPath | None = None


class Audit(EntryComparison):
    """Takes the entries of a log in order and reports what does not hold.

    A handler checks one kind of entry, which is canonical and has its shape, and then has `follow` change the
    table's book. After a finding the book follows what the log says, so that one change is not reported
    again at every later entry.
    """

    def __init__(self, report: Report, handlers: Mapping[str, Handler], quick: Mapping[str, FastPath]) -> None:
        super().__init__(report)
        self.handlers = handlers  # by kind
        self.quick = quick  # fast paths, by how a line goes on after its time
        self.followed = False  # the present entry could be given to its handler, which took it into the books
        self.dealt_shoe: AuditedShoe | None = None  # the shoe on which it dealt a round
        self.ended_shoe: AuditedShoe | None = None  # the shoe that it ended
        self.standing: StandingBets | None = None  # the bets that stood on either before
        self.rebuilt: Sealed | None = None  # a shoe's order from its key
        self.unchecked: Counter[tuple[str, str]] = Counter()  # what could not be checked: by the check, and in words
        self.known_count = 0  # entries of a known kind so far
        self.first_at = ""
        self.last_at = ""
        self.continuing = (-1, "")  # the last entry that named a log before this one, and how
        self.ordered = 0  # cards that were put in order
        self.shares = 1  # how many audits share out the log, and the cards that it may ask for
        self.replayed = False  # a round was played again to its end
        self.shoes: dict[str, AuditedShoe] = {}  # in play, by id
        self.names = DigestSet()  # digests of all shoes' ids so far, and of beacons of shoes without a table
        self.alone = 0  # number of shoes without a table
        self.passed: dict[str, AuditedShoe] = {}  # shoes that the log went on without having ended
        self.unknown: set[str] = set()  # shoes without a commitment
        self.claims = DigestSet()  # values that a log has only once, by their kind
        self.decks: dict[str, Deck] = {}  # that are not named ones, by hash
        self.parts: dict[str, tuple[int, int, list[str]]] = {}  # decks of which entries are missing yet
        self.origin = ""  # the log's, "" if not known
        self.tree: Tree | TreeHead | None = None  # ends with the present entry
        self.unplaced: dict[str, AuditedShoe] = {}  # shoes that are over and whose placer's key is to come
        self.has_placer = False  # a table has a placer
        self.openings: Mapping[str, Sequence[Opening]] | None = None  # at hand, by the shoe; None if nobody gave any
        self.covered = Counter(shoes=0, bound=0, left=0)  # what these show
        self.steps: dict[str, list[ImpliedStep]] | None = None  # implied for placers, by commitment, if wanted
        self.over: list[AuditedShoe] = []  # the shoes of these that have ended

    def take(self, line: bytes) -> None:
        """Check the next entry: its bytes without the LF."""
        self.index += 1
        self.entry, self.followed = None, True
        self.dealt_shoe = self.ended_shoe = self.standing = self.rebuilt = None
        try:
            text = _text_of(line)
            if not self._take_text(text):
                usual = read_usual(text)
                self._take_entry(line) if usual is None else self._take_formed(usual, line)
        except LogError:  # of the disk of this machine, or of a later version
            raise
        except Exception as error:  # a hostile log must not stop the audit: fail closed
            self.find("entry-inexplicable", found=f"{type(error).__name__}: {error}")
            self._leave_out(self._find_subject(line))
        if self.has_placer and self.tree is not None:
            self._record_tree(line, self.tree)

    def _record_tree(self, line: bytes, tree: Tree | TreeHead) -> None:
        """A shoe with a placer: its newest entry is the tree's last one."""
        about = self._find_subject(line)
        state, name = self.tables.get(about.place.table or ""), about.place.shoe
        if name is None:
            return
        entry = {"kind": about.kind, "shoe": name, "at": self.last_at}
        if state is not None:
            record_tree(state.book, entry, tree.size, tree.root)
        elif (shoe := self.shoes.get(name) or self.unplaced.get(name)) is not None and shoe.table is None:
            record_shoe_tree(shoe.book_shoe, entry, tree.size, tree.root)

    def _find_subject(self, line: bytes) -> EntrySubject:
        """Return the subject of the present entry, as far as it was read."""
        return line_subject(line, self.tables) if self.entry is None else entry_subject(self.entry, self.tables)

    def _take_text(self, text: str) -> bool:
        """All steps at once, where the line is the text that they would have written."""
        at, quick = text[7:34], self.quick.get(text[36:43])
        if quick is None or at <= self.last_at:
            return False
        if at[:13] != self.last_at[:13] or not is_within_hour(at, 13):
            if not is_moment(at):
                return False
            self.time.pass_on(self.last_at, at)
        if not quick(self, at, text):
            return False
        self.last_at = at
        self.known_count += 1
        return True

    def _take_entry(self, line: bytes) -> None:
        """Step by step."""
        try:
            entry = self.entry = parse(line)  # 1. line
        except NotCanonical as error:
            subject = line_subject(line, self.tables)
            self.known_count += not self.known_count and is_entry(line)
            self.find("entry-not-canonical", subject.place, expected=error.expected, found=error.what)
            self._leave_out(subject)
            return
        self._check_version(entry.get("v"))  # 2. version
        kind: Any = entry.get("kind")
        handler = self.handlers.get(kind) if type(kind) is str else None
        if handler is None:  # 3. kind
            subject = entry_subject(entry, self.tables)
            self.find("kind-unknown", subject.place, field="kind", expected=sorted(KINDS), found=kind)
            self._leave_out(subject)
            return
        formed = self._check_form(entry, line)  # 4. form
        if formed is None:
            self.known_count += 1
        else:
            self._take_formed(*formed)

    def _take_formed(self, entry: Entry, line: bytes, timed: bool = True) -> None:
        """The steps after the form; `timed`: its time is its own."""
        self.entry = entry
        self.known_count += 1
        if timed:
            self.clock(entry["at"])  # 5. time
        self.handlers[entry["kind"]](self, entry, line)  # 6. place, 7. content, 8. book

    def _check_form(self, entry: Entry, line: bytes) -> tuple[Entry, bytes, bool] | None:
        """Return the entry and its line without faults of form, and whether its time can be read; None if
        unreadable."""
        faults = entry_faults(entry)
        if not faults and entry["v"] != version_of(entry["kind"], entry):
            faults.append("v")
        error = _not_canonical(entry, line)
        if not faults and error is None:
            return entry, line, True
        subject = entry_subject(entry, self.tables)
        self._report_form(entry, faults, error, subject.place)
        again = drop_bad_fields(entry, faults, self.last_at)
        if again is None:
            self._leave_out(subject)
            return None
        return *again, "at" not in faults

    def _check_version(self, version: Any) -> None:
        """An entry of a version that is not known yet cannot be judged, and so neither can the log. LogError."""
        if type(version) is int and version > FIRST and version > newest():
            what = f"an entry of version {version}, written by a newer fairshoe"
            expected = f"version {newest()} at most"
            remedy = "audit the log with a newer fairshoe"
            first = self.report.first if self.report.failed else None
            if first is not None:
                remedy += f"; before it the log fails by itself ({first.code}): audit its first {self.index:,} entries"
            raise LogError(what, where=f"entry {self.index}", expected=expected, remedy=remedy)

    def clock(self, at: str) -> None:
        """Time rises from entry to entry."""
        if not self.last_at:
            self.first_at = at
        self.time.pass_on(self.last_at, at)
        if at <= self.last_at:
            place = entry_subject(self.entry or {}, self.tables).place
            self.find("time-order", place, field="at", expected=f"after {self.last_at}", found=at)
        self.last_at = at

    def _report_form(self, entry: Entry, faults: list[str], error: NotCanonical | None, place: Place) -> None:
        """Say what is wrong with the form of an entry."""
        if error is not None:
            self.find("entry-not-canonical", place, expected=error.expected, found=error.what)
        required, optional = KINDS[entry["kind"]]
        for name in faults:
            expected = None if name in (ENVELOPE | required | optional) else "no field of that name"
            if name == "v":
                expected = f"{version_of(entry['kind'], entry)}, the first version that lists what stands here"
            self.find("field-invalid", place, field=name, expected=expected, found=entry.get(name))

    def _leave_out(self, subject: EntrySubject) -> None:
        """The entry cannot be followed. A shoe that it would have ended is over."""
        self.followed = False
        self.unchecked["syntax", "entries that could not be read"] += 1
        shoe = self.shoes.get(subject.place.shoe or "")
        if shoe is not None and subject.kind in ENDS:
            self.unchecked["cards", "shoes whose end could not be read: their cards"] += 1
            end_shoe(shoe.book, shoe.book_shoe, self.last_at)
            self.end(shoe)

    def leave_beacons(self) -> None:
        """Say how many beacons could not be checked, where the books are not closed: of one hand."""
        if unsigned := self.unchecked["contributions", BEACONS]:
            self.report.leave("contributions", BEACONS, unsigned)

    def finish(self) -> None:
        """Close the books at the log's end."""
        report = self.report
        report.checked("syntax")
        if self.first_at != self.last_at:
            report.checked("order")
        for shoe in self.shoes.values():
            self.report.open += 1
            if shoe.table is not None:
                self.apply_starts(shoe.table)
            else:
                self.report.choices.add(shoe.id, count_unfinished_shoe(shoe.book_shoe))
            try:
                check_labels(self, shoe)
                self.check_openings(shoe)
                self.check_late(shoe, self.last_at, entry=shoe.index)
            except Exception as error:  # the same as for an entry
                found = f"{type(error).__name__}: {error}"
                self.find("entry-inexplicable", shoe.place, entry=shoe.index, found=found)
        for state in self.tables.values():
            self.report.choices.add(state.id, count_unfinished(state.book, self.last_at))
            self.check_share(state, self.last_at)
        awaited = [self.check_unplaced(shoe, self.last_at, shoe.index) for shoe in self.unplaced.values()]
        if any(awaited):
            self.unchecked["cards", "shoes without their placer's key: the places that it gave"] += sum(awaited)
        report.tables = [state.as_json() for state in self.tables.values()]
        if self.passed:
            self.unchecked["cards", "shoes whose end is missing: their cards"] += len(self.passed)
        for (check, what), count in sorted(self.unchecked.items()):
            report.leave(check, what, count)

    def check_openings(self, shoe: AuditedShoe) -> None:
        """Check the cards of a shoe in play against its openings, with a placer or if there are any; count them."""
        given, placed = (self.openings or {}).get(shoe.id, ()), shoe.book_shoe.placer is not None
        if not (given or placed):
            return
        left = check_bound(self, shoe, given)
        if placed and left:
            self.unchecked["cards", "cards not bound, of a shoe with a placer whose key is not out"] += left
        if self.openings is not None:
            self.covered.update({"shoes": 1, "bound": shoe.bound.total(), "left": left})
            self.report.choices.add(shoe.place.table, [("card without opening", None, left)] if left else [])

    # What handlers use.

    def shoe(self, entry: Entry) -> AuditedShoe | None:
        """Return the shoe in play that an entry is about; else the finding is reported."""
        shoe = self.shoes.get(entry["shoe"])
        if shoe is None:
            code = "step-out-of-order" if digest_of(entry["shoe"]) in self.names else "shoe-unknown"
            place = entry_subject(entry, self.tables).place._replace(round=None)
            self.find(code, place, field="shoe", expected="a shoe in play", found=entry["shoe"])
            if code == "shoe-unknown" and entry["shoe"] not in self.unknown:
                self.unknown.add(entry["shoe"])
                self.unchecked["cards", "shoes whose commitment is missing or could not be read: their cards"] += 1
        elif self.begun and shoe.table is not None:
            self.apply_starts(shoe.table)
        return shoe

    def ending_shoe(self, entry: Entry) -> AuditedShoe | None:
        """Return the shoe in play that an entry ends, and note which bets stand on it; else the finding is reported."""
        shoe = self.shoe(entry)
        book = None if shoe is None else shoe.book
        if shoe is not None and book is not None and (opened := book.open_round) is not None:
            self.standing = StandingBets(book.table, opened, bets_dealt(book, shoe.book_shoe, opened))
        return shoe

    def table(self, name: str) -> AuditedTable | None:
        """A table that is open; else the finding is reported."""
        state = self.tables.get(name)
        if state is None:
            self.find("table-unknown", Place(name), field="table", expected="a table with a `table` entry", found=name)
        elif self.begun:
            self.apply_starts(state)
        return state

    def table_of(self, entry: Entry) -> AuditedTable | None:
        """Return the open table that an entry names; else the finding is reported."""
        return self.table(entry["table"])

    def apply_starts(self, state: AuditedTable) -> None:
        """A table is told of starts when it is next looked at, so that one costs the same however many tables are."""
        state.book.last_start = max(self.starts.last, state.starts.last)

    def last_limit_restart(self, shoe: AuditedShoe) -> str:
        """Return the last start by which limits of this shoe began anew."""
        return self.starts.last if shoe.book is None else shoe.book.last_start

    def count(self, state: AuditedTable | None, shoe: AuditedShoe | None, entry: Mapping[str, Any]) -> None:
        """Count what an entry shows to have been chosen, before its book follows it."""
        book = None if state is None else state.book
        self.report.choices.add(book.id if book else None, count_choices(book, shoe.book_shoe if shoe else None, entry))

    def claim(self, entry: Entry, place: Place) -> None:
        """Remember an entry's claims, and report earlier ones; of commitment and seed hash a note if it is version
        1."""
        for kind, value, field in claims_in(entry):
            before = self.claims.add(bytes.fromhex(value), kind)
            if before:
                code = "claimed-before" if not before & kind and entry["v"] == FIRST else REUSED[kind]
                found = entry.get("seed", value)
                self.find(code, place, field=field, expected="a value that stands once in a log", found=found)

    def note_shoe(self, entry: Entry) -> bool:
        """Note a `shoe`'s id, and without a table its beacon; return whether another shoe had that, since a house may
        open many for one round and use one."""
        self.names.add(digest_of(entry["shoe"]))
        number = entry.get("beacon_round") if "told" in entry else None
        return number is not None and bool(self.names.add(digest_of(f"round {number}")))  # no id has a space

    def end(self, shoe: AuditedShoe) -> None:
        """A shoe is revealed, void or lost."""
        del self.shoes[shoe.id]
        self.ended_shoe = shoe
        self.report.shoes += 1
        if shoe.book_shoe.placer is not None:
            self.unplaced[shoe.id], shoe.end_time = shoe, self.last_at
            if self.steps is not None:
                self.over.append(shoe)

    def report_missing_end(self, shoe: AuditedShoe, found: str) -> None:
        """A shoe is in play when the next one is committed to: its end is missing, or comes too late."""
        self.wrong_step(shoe.place, NO_END, found)
        end_shoe(shoe.book, shoe.book_shoe, self.last_at)
        self.end(shoe)
        self.ended_shoe = None
        self.passed[shoe.id] = shoe

    def check_unplaced(self, shoe: AuditedShoe, at: str, entry: int | None = None) -> bool:
        """Report a placer's key over an hour late, or missing at `at`; return whether it is still awaited. A player's
        is counted after thirty days or once forgotten, and then awaited no more."""
        if shoe.book is None:
            self.report_delay(shoe.place, microseconds(shoe.end_time), at, entry, MAX_WAIT, "placer-key-overdue")
        else:
            over = shoe.book.unrevealed_placers.get(shoe.id)
            by = None if over is None else microseconds(over.at)
            if not shoe.book_shoe.player_places:
                if by is not None:
                    self.report_delay(shoe.place, by, at, entry, MAX_WAIT, "placer-key-overdue")
            elif by is None or self.delay(by, at) > MAX_WAIT:
                self.report.choices.add_one(shoe.book.id, MISSING_KEY, next(iter(shoe.book_shoe.roster), None))
                return False
        return True

    def key_fits(self, shoe: AuditedShoe, key: str) -> bool:
        """Whether a key, in hex, is the one that the shoe was committed with; else the finding is reported."""
        self.report.checked("commitment")
        digest = commitment_of(bytes.fromhex(key))
        if digest != shoe.commitment:
            found = f"hashes to {digest}"
            self.find("key-mismatch", shoe.place, field="key", expected=shoe.commitment, found=found)
            if shoe.book_shoe.sealed:
                self.unchecked["cards", "shoes whose key does not fit: their cards"] += 1
        return digest == shoe.commitment

    def may_order(self, shoe: AuditedShoe) -> bool:
        """Whether the cards of a shoe may be put in order; a log that asks for too many is reported."""
        told = shoe.book_shoe.told_cards
        self.ordered += len(shoe.deck) * (1 if told is None else 1 + len(told.gathers))
        if self.ordered * self.shares <= FREE_CARDS + CARDS_AN_ENTRY * self.index:
            return True
        self.find("bound-exceeded", shoe.place, expected="fewer cards in shoes than that", found=self.ordered)
        self.unchecked["cards", "shoes of a log that asks for too many cards: their cards"] += 1
        return False


def handler_of(
    find: Callable[[Audit, Entry], About | None], check: Callable[[Audit, About, Entry, bytes], None]
) -> Handler:
    """Return the handler that checks what `find` finds; where it finds nothing it has reported that."""
    return partial(_check_found, find, check)  # an audit with its handlers can be pickled


def _check_found(
    find: Callable[[Audit, Entry], About | None],
    check: Callable[[Audit, About, Entry, bytes], None],
    audit: Audit,
    entry: Entry,
    line: bytes,
) -> None:
    if (about := find(audit, entry)) is not None:
        check(audit, about, entry, line)


def bets_dealt(book: Book, told: Shoe, opened: OpenRound) -> Sequence[Bet]:
    """Return the bets of an open round that are dealt: all, if nobody's seed was let lapse."""
    return standing_bets(book, told, opened) if told.struck else opened.betting.bets


def _text_of(line: bytes) -> str:
    """Return the text of a line; "" where it has none, or is too long for an entry."""
    try:
        return line.decode() if len(line) <= MAX_ENTRY else ""
    except UnicodeDecodeError:
        return ""


def _not_canonical(entry: Entry, line: bytes) -> NotCanonical | None:
    """Why a line is not what the entry in it says, written canonically."""
    try:
        check_canonical(entry, line)
    except NotCanonical as error:
        return error
    return None
