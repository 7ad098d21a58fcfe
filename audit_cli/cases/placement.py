"""`fairshoe-audit placed`: who is at fault where house and placer disagree, from the signed questions and notes that
both keep, held against the steps that a log implies."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.ceremony.placer_steps import chain_of, final_question
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.note import Verifier, open_note, signatures_of, verifier_of
from fairshoe.protocol import placer_chain
from fairshoe.terminal.files import read_utf8

from ..verify.findings.report import Report
from ..verify.run import verify
from ..verify.walk.audit import Audit
from ..verify.walk.state import ImpliedStep

MAX_NOTES_BYTES = 1 << 26
"""Bytes of a file of questions and notes."""
ASK = "ask the other side for its questions and notes, and give both (--other)"


class Fault(NamedTuple):
    """A difference: at which step of which shoe, what shows it, and whose fault it is, "" where only the other side's
    questions and notes can tell."""

    shoe: str
    placer: str
    step: int
    by: str
    what: str

    def __str__(self) -> str:
        said = f"the {self.by}: {self.what}" if self.by else f"{self.what}; {ASK}"
        return f"shoe {self.shoe}, {self.placer}, step {self.step}: {said}"


class KeptAnswers(NamedTuple):
    """Signed records of one shoe at one placer: the house's questions, and of each note of the placer the number
    of steps and the head; `answers` are questions with the lines of the chain that the places kept with them make."""

    questions: list[placer_chain.ParsedQuestion]
    notes: list[tuple[int, str]]
    answers: list[tuple[placer_chain.ParsedQuestion, list[str]]]


class ImpliedChain(NamedTuple):
    """The chain that a log implies for one commitment of a placer: the steps, `end` of a shoe that is over included;
    its key; up to which step the log has the placer's own signature for them."""

    steps: Sequence[ImpliedStep]
    key: Verifier
    signed: int
    over: bool


class PlacementVerdict(NamedTuple):
    """The result of comparing a placer's file with the log: how many questions and notes were compared, how many are
    about what is not in the log, who is at fault."""

    held: int
    left: int
    faults: Sequence[Fault]
    report: Report


def audit_placement(file: Path, log: Path, house: Verifier, other: Path | None = None) -> PlacementVerdict:
    """Audit a log, and hold a file of questions and notes against it: JSON, an object as a placer answers, with `note`
    or `notes` and `questions`, a list of these, or one on each line, as a house keeps them. `other`: the file of the
    other side. Without it nobody is at fault for what is missing: only signatures that contradict each other convict.
    Raises InputError, LogError."""
    seen: list[Audit] = []

    def watch(audit: Audit, line: bytes) -> None:
        if not seen:
            audit.steps = {}
            seen.append(audit)
        audit.take(line)

    questions, notes, given = _read(*filter(None, [file, other]))
    report = verify(log, key=str(house), watch=watch, everything=True)
    implied = _implied(seen[0], {finding.shoe for finding in report.findings if finding.code == "placing-differs"})
    kept, left = _kept(questions, notes, given, house, {name: each.key for name, each in implied.items()})
    faults: list[Fault] = []
    for commitment, each in kept.items():
        by_log = implied[commitment]
        shoe = by_log.steps[0].before.shoe if by_log.steps else ""
        both = {*_faults(each, by_log, sides=other is not None), *_repeated(each, by_log)}
        found = sorted({fault for fault in both if fault[1]} or both)
        first = {by: (step, by, what) for step, by, what in reversed(found) if step == found[0][0]}
        faults += (Fault(shoe, by_log.key.name, *fault) for fault in sorted(first.values()))
    held = sum(len(each.questions) + len(each.notes) for each in kept.values())
    return PlacementVerdict(held, left, faults, report)


def _implied(audit: Audit, broken: Collection[str | None]) -> dict[str, ImpliedChain]:
    """By commitment. `broken`: shoes of which a signature is not there, or under something else."""
    made, found = defaultdict(list, audit.steps or {}), {}
    for shoe in (*audit.shoes.values(), *audit.over):
        placer = shoe.book_shoe.placer
        if placer is None:
            continue
        steps, over = made[placer.commitment], shoe.id not in audit.shoes
        if over and shoe.astray is None:
            last = final_question(shoe.book_shoe, chain_of(audit.origin, shoe.book_shoe, placer, shoe.commitment))
            steps.append(ImpliedStep(last.chain, "end", last.since))
        whole = shoe.astray is None and shoe.id not in broken
        signed = len(steps) if whole else placer.steps
        found[placer.commitment] = ImpliedChain(steps, verifier_of(placer.key), signed, over)
    return found


def _kept(
    questions: Sequence[str],
    notes: Sequence[str],
    given: Mapping[str, list[list[int]]],
    house: Verifier,
    keys: Mapping[str, Verifier],
) -> tuple[dict[str, KeptAnswers], int]:
    """Collect the validly signed records by commitment, and count those that are not, or are about no shoe of the
    log."""
    found: dict[str, KeptAnswers] = defaultdict(lambda: KeptAnswers([], [], []))
    left = 0
    for note in questions:
        try:
            question = placer_chain.parse_question(open_note(note, house))
            _ = keys[question.chain.placer]
        except (FairshoeError, LookupError):
            left += 1
        else:
            found[question.chain.placer].questions.append(question)
            answers = [(question, placer_chain.lines_with(question.lines, places)) for places in given.get(note, ())]
            found[question.chain.placer].answers.extend(answers)
    for note in notes:
        try:
            commitment = signatures_of(note)[0].split("\n")[2]
            kind, _, _, steps, head, *_ = open_note(note, keys[commitment]).split("\n")
            signed = int(steps) if kind == placer_chain.CHAIN else -1
        except (FairshoeError, LookupError, ValueError):
            left += 1
        else:
            found[commitment].notes.append((signed, head))
    return found, left


def _faults(kept: KeptAnswers, by_log: ImpliedChain, *, sides: bool) -> Iterator[tuple[int, str, str]]:
    """By step: who is at fault, and why. `sides`: what both sides keep is at hand, so that what neither shows is not
    there; else "" is at fault for it."""
    steps, asked_for = by_log.steps, {0}
    for question in kept.questions:
        yield from _of_house(question, steps, by_log.over)
        first = question.chain.steps + 1
        asked_for.update(range(first, first + len(question.lines)))
    heads: dict[int, set[str]] = defaultdict(set)
    for step, head in kept.notes:
        heads[step].add(head)
    for step, several in sorted(heads.items()):
        if len(several) > 1:
            yield step, "placer", "it signed two heads of this step"
        unasked = min((each for each in range(1, step + 1) if each not in asked_for), default=0)
        implied = _head(steps, step)
        if several == {implied}:
            continue
        if unasked:
            what = "the placer signed a step for which no question of the house is shown"
            yield unasked, "placer" if sides else "", what
        elif implied is not None and step <= by_log.signed:
            yield step, "placer", "it signed two heads of this step"
        elif implied is not None:
            what = "the log shows other steps than were asked for, or other places than were given"
            yield step, "house" if sides else "", what


def _repeated(kept: KeptAnswers, by_log: ImpliedChain) -> Iterator[tuple[int, str, str]]:
    """By step: a place that was given before, as the log shows it, or as the placer signed it after the log's steps."""
    taken, before = 0, {}
    for number, step in enumerate(by_log.steps, 1):
        before[step.before] = taken
        try:
            taken = placer_chain.take_places(taken, [step.line])
        except placer_chain.RepeatedPlace as error:
            yield number, "house", f"it took a place again: {error.what}"
            if number <= by_log.signed:
                yield number, "placer", error.what
    if by_log.steps:
        before[by_log.steps[-1].before.extend(by_log.steps[-1].line, by_log.steps[-1].since)] = taken
    for question, lines in kept.answers:
        chain = question.chain.extend_all(lines, question.since)
        if question.chain in before and (chain.steps, chain.head.hex()) in kept.notes:
            try:
                placer_chain.take_places(before[question.chain], lines)
            except placer_chain.RepeatedPlace as error:
                yield question.chain.steps + 1, "placer", error.what


def _of_house(
    question: placer_chain.ParsedQuestion, steps: Sequence[ImpliedStep], over: bool
) -> Iterator[tuple[int, str, str]]:
    """A question that the log does not imply, at the first step that differs."""
    start, since = question.chain.steps, question.since
    for number, line in enumerate(question.lines, start):
        if number >= len(steps):
            if over:
                yield number + 1, "house", f"it asked `{line}`, and nothing in the log asks for that"
            return
        step = steps[number]
        wanted = step.line.rpartition(" ")[0] if step.line.startswith("card") else step.line
        if number == start and question.chain != step.before:
            yield number + 1, "house", "it asked after other steps than the log implies"
            return
        if (line, since) != (wanted, step.since):
            yield number + 1, "house", f"it asked `{line}`, since {since or 'nothing'}; the log implies `{wanted}`"
            return
        since = ""


def _head(steps: Sequence[ImpliedStep], number: int) -> str | None:
    """Return the head after so many steps; None where the log implies fewer."""
    if number > len(steps):
        return None
    if not number:
        return steps[0].before.head.hex() if steps else None
    step = steps[number - 1]
    chain: placer_chain.Chain = step.before.extend(step.line, step.since)
    return chain.head.hex()


def _parts(text: str) -> list[Any]:
    """One JSON value, a list of some, or a line each."""
    try:
        form = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]
    return form if type(form) is list else [form]


def _read(*files: Path) -> tuple[list[str], list[str], dict[str, list[list[int]]]]:
    """Read the questions and notes of files, each once, and the places that stand beside a question. Raises
    InputError."""
    given: dict[str, list[list[int]]] = defaultdict(list)
    try:
        parts = [part for file in files for part in _parts(read_utf8(file, MAX_NOTES_BYTES))]
        questions = [str(note) for part in parts for note in part.get("questions", ())]
        notes = [str(note) for part in parts for note in (*part.get("notes", ()), *filter(None, [part.get("note")]))]
        for part in parts:
            places = part.get("given")
            if type(places) is list and all(type(place) is int for place in places):
                for question, some in zip(
                    part["questions"], placer_chain.split_places(part["questions"], places), strict=True
                ):
                    given[question].append(some)
    except (ValueError, AttributeError, TypeError, LookupError, RecursionError):
        expected = '{"note": …, "questions": […]}, or several of these'
        raise InputError("not questions and notes", where=", ".join(map(str, files)), expected=expected) from None
    return list(dict.fromkeys(questions)), list(dict.fromkeys(notes)), given
