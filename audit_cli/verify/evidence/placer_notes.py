"""Whether a table waits for its placer, or the house keeps a round back (`verify --notes`): what placer and house
answered, held against the log's end."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.choices import handed_in, unpublished
from fairshoe.ceremony.ending import waits_for_places
from fairshoe.ceremony.placing import chain_of
from fairshoe.ceremony.policy import LONGEST_DELAY
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.note import Verifier, open_note, verifier_of
from fairshoe.log.times import SECOND, is_moment, microseconds
from fairshoe.protocol.placing import (
    RECEIPT,
    Chain,
    ParsedQuestion,
    RepeatedPlace,
    asked,
    lines_with,
    split_places,
    step_of,
    take_places,
)
from fairshoe.terminal.files import read_utf8

from ..findings.wording import WAITS
from ..walk.audit import Audit
from ..walk.state import AuditedShoe

MAX_FILE_BYTES = 1 << 26
"""Bytes of a file of answers."""
MAX_DECISIONS = 8
"""Time limits of one chair, between two cards or after the last of a round, for which a round may go on."""


class ShownTable(NamedTuple):
    """A table as its house shows it: when, the shoe in play, and how many steps its placer has taken."""

    at: int
    shoe: str = ""
    steps: int = 0


NOT_SHOWN = ShownTable(0)


class WaitEvidence(NamedTuple):
    """What a file has: questions of the house, each with the places given to it (None: unanswered), notes of placers
    by their text, receipts of the house; by table what the house showed last. Nothing of it is checked."""

    questions: list[tuple[str, list[int] | None]]
    notes: dict[str, list[str]]
    receipts: list[str]
    shown: dict[str, ShownTable]


def read_answers(file: Path) -> WaitEvidence:
    """Read lines of JSON: answers of a placer to `GET /shoes/C2`, and tables as their house shows them. Raises
    InputError."""
    found = WaitEvidence([], defaultdict(list), [], {})
    try:
        for line in read_utf8(file, MAX_FILE_BYTES).splitlines():
            form = json.loads(line)
            questions = [str(question) for question in form.get("questions", ())]
            places = split_places(questions, [int(place) for place in form.get("given", ())])
            found.questions.extend(zip(questions, places, strict=True))
            shown = [*form.get("awaited", {}).get("questions", ()), form.get("placer", {})]
            found.questions.extend((str(each["question"]), None) for each in shown if "question" in each)
            if "table" in form:
                found.shown[form["table"]] = max(_shown(form), found.shown.get(form["table"], NOT_SHOWN))
            for note in filter(None, [form.get("note"), *form.get("notes", ())]):
                found.notes[str(note).partition("\n\n")[0] + "\n"].append(str(note))
            found.receipts.extend(map(str, filter(None, [form.get("answer_receipt")])))
    except (ValueError, AttributeError, TypeError, LookupError, RecursionError):
        expected = "a line of JSON for each answer of GET /shoes/C2, or of the house's GET /v1/tables/TABLE"
        raise InputError("not such answers", where=str(file), expected=expected) from None
    return found


def _shown(form: dict[str, Any]) -> ShownTable:
    """Read a table as its house shows it. While a round has all places that it was asked for, it shows its steps."""
    shoe, round = form.get("shoe") or {}, form.get("round") or {}
    steps = int(shoe.get("placer", {}).get("steps", 0)) + len(round.get("placed", {}).get("steps", ()))
    return ShownTable(microseconds(form["at"]), str(shoe.get("shoe", "")), steps)


def check_waits(audit: Audit, answers: WaitEvidence | None, house: Verifier | None) -> None:
    """At the log's end: say of which tables nobody can tell whether they wait for their placer, and report those whose
    house has kept a round back for a day since it took the last answer that it needed."""
    by_house = None if answers is None or house is None else _verified(answers, house)
    for shoe in audit.shoes.values():
        if shoe.book is None or not waits_for_places(shoe.book, shoe.told):
            continue
        known = None if shoe.astray is not None else by_house
        if answers is None or known is None or not _is_kept_back(audit, shoe, known, answers):
            audit.report.leave("completeness", f"whether {shoe.book.id} {WAITS}")


class HouseSignatures(NamedTuple):
    """What the house signed: by the chain before it each question, with the places given; the C2 of these; by C2, steps
    and head the moment at which it took an answer."""

    questions: dict[Chain, list[tuple[ParsedQuestion, list[int] | None]]]
    placers: set[str]
    taken: dict[tuple[str, str, str], int]


class PlacerProgress(NamedTuple):
    """How far a placer is: its chain, the places given under the present digest, a bit for each, the deck's size."""

    chain: Chain
    taken: int
    size: int

    def is_next(self, question: ParsedQuestion) -> bool:
        """Whether a question wants the next cards, or begins a deck where none lies or none is left of it. No placer
        answers another one for long, so that it excuses no wait."""
        dealt, lines = self.taken.bit_count(), list(question.lines)
        if lines[0].startswith("shuffle") and (not self.chain.steps or dealt >= self.size):
            dealt = 0
            del lines[0]
        return (
            lines == [f"card {place}" for place in range(dealt, dealt + len(lines))] and dealt + len(lines) <= self.size
        )


def _verified(answers: WaitEvidence, house: Verifier) -> HouseSignatures:
    """Keep what the house has signed, of what a file has."""
    found = HouseSignatures(defaultdict(list), set(), {})
    for note, given in answers.questions:
        try:
            question = asked(open_note(note, house))
        except FairshoeError:
            continue
        found.questions[question.chain].append((question, given))
        found.placers.add(question.chain.placer)
    for note in answers.receipts:
        try:
            kind, _, placer, steps, head, at = open_note(note, house).removesuffix("\n").split("\n")
        except (FairshoeError, ValueError):
            continue
        if kind == RECEIPT and at.startswith("at ") and is_moment(at[3:]):
            named, taken = (placer, steps, head), microseconds(at[3:])
            found.taken[named] = min(taken, found.taken.get(named, taken))
    return found


def _is_kept_back(audit: Audit, shoe: AuditedShoe, signed: HouseSignatures, answers: WaitEvidence) -> bool:
    """Whether the shoe's round is due for more than a day: the house took the placer's newest answer, and when it was
    asked after that day it was no further, and showed no question. Who did not ask it accuses nobody, nor who leaves
    later answers out: it may wait for the next place, or for a seat. Reports and counts what is found."""
    placer, book = shoe.told.placer, shoe.book
    if placer is None or book is None:
        return False
    stand = PlacerProgress(chain_of(audit.origin, shoe.told, placer, shoe.commitment), shoe.taken, shoe.told.cards)
    if placer.commitment not in signed.placers:
        return False
    for after in _rebuilt(stand, signed):
        if _is_noted(after.chain, answers, verifier_of(placer.key)):
            stand = after
    chain = stand.chain
    taken = signed.taken.get((chain.placer, str(chain.steps), chain.head.hex()))
    if taken is not None:
        audit.report.choices.add(book.id, handed_in())
    if any(given is None and stand.is_next(question) for question, given in signed.questions.get(chain, ())):
        return False
    if taken is None:
        audit.report.choices.add(book.id, unpublished())
        return False
    due = taken + MAX_DECISIONS * len(book.chairs) * shoe.told.policy.decision * SECOND
    shown = answers.shown.get(book.id, NOT_SHOWN)
    further = any(each.placer == chain.placer and each.steps > chain.steps for each in signed.questions)
    if further or shown.shoe != shoe.id or shown.steps > chain.steps:
        return False
    if min(shown.at - due, audit.delay(due, audit.last_at)) <= LONGEST_DELAY:
        return False
    return audit.report_delay(shoe.place, due, audit.last_at, shoe.index)


def _rebuilt(stand: PlacerProgress, signed: HouseSignatures) -> Iterator[PlacerProgress]:
    """Yield each stand that questions and places lead to. A house refuses a place that was given before, so that this
    leads nowhere."""
    left, seen = [stand], {stand.chain}
    while left:
        chain, taken, size = left.pop()
        for question, given in signed.questions.get(chain, ()):
            if given is None:
                continue
            after, since, lines = chain, question.since, lines_with(question.lines, given)
            for line in lines:
                after, since = after.after(line, since), ""
            if after in seen:
                continue
            seen.add(after)
            shuffled = [step.number for step in map(step_of, question.lines) if step.kind == "shuffle"]
            with suppress(RepeatedPlace):
                left.append(PlacerProgress(after, take_places(taken, lines), [size, *shuffled][-1]))
                yield left[-1]


def _is_noted(chain: Chain, answers: WaitEvidence, placer: Verifier) -> bool:
    """Whether the placer has signed a note under this chain."""
    for note in answers.notes.get(chain.note(), ()):
        with suppress(FairshoeError):
            open_note(note, placer)
            return True
    return False
