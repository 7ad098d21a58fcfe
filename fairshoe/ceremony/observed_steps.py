"""The steps of a round's placer as a table's state shows them (docs/placer-protocol.md), for clients. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json import loads
from typing import Any, NamedTuple

from ..engine.moves import SEAT
from ..errors import VerificationError
from ..log.canonical import Entry, text_of
from ..log.tree import TreeHead
from ..protocol.placer_chain import Chain, ParsedQuestion, lines_with, since_of
from ..record.forms import is_decision
from .book import UNKNOWN_TREES, ShoeTrees
from .placer_steps import OF_TREES, PlacerStep


def trees_of(entries: Iterable[tuple[Entry, TreeHead]], shoe: str) -> ShoeTrees:
    """Return the trees that the next step of a shoe's placer may name, from entries with the trees they end."""
    stands, sealed = UNKNOWN_TREES, False
    for entry, stand in entries:
        if entry.get("shoe") != shoe or entry["kind"] not in OF_TREES:
            continue
        sealed |= entry["kind"] == "seal"
        newest = str(stand.size), stand.root.hex()
        stands = ShoeTrees(stands.unsealed if sealed else newest, newest)
    return stands


class RoundParts(NamedTuple):
    """What a placer must be told of a round, in order: parts of the trees, then decisions as canonical text."""

    parts: tuple[str, ...]
    trees: int

    @property
    def decisions(self) -> tuple[str, ...]:
        return self.parts[self.trees :]


def round_parts(stands: ShoeTrees, *, begins: bool, decisions: Iterable[str] = ()) -> RoundParts:
    """`begins`: the shoe's placer has not shuffled before this round."""
    trees = (*(stands.unsealed if begins else ()), *stands.newest)
    return RoundParts((*trees, *decisions), len(trees))


class ObservedSteps(NamedTuple):
    """A round's steps so far, and what happened since the last one."""

    steps: tuple[PlacerStep, ...]
    since: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """Everything that was told, in order."""
        return (*(part for step in self.steps for part in step.since), *self.since)

    def continues(self, before: ObservedSteps) -> bool:
        """Whether it is the same round later on."""
        known = len(before.steps)
        return self.steps[:known] == before.steps and self.parts[: len(before.parts)] == before.parts

    @property
    def lines(self) -> list[str]:
        """The lines of the placer's chain."""
        return [step.line if step.place is None else f"{step.line} {step.place}" for step in self.steps]

    def chains(self, start: Chain) -> list[Chain]:
        """Return the placer's chain from `start` on: as it was, and after each step."""
        found = [start]
        for line, step in zip(self.lines, self.steps, strict=True):
            found.append(found[-1].extend(line, since_of(step.since)))
        return found


def read_steps(placed: Any) -> ObservedSteps:
    """Read `round.placed` of a state. VerificationError."""
    try:
        steps = tuple(
            PlacerStep(tuple(step.get("since", ())), step["line"], step.get("given")) for step in placed["steps"]
        )
        found = ObservedSteps(steps, tuple(placed["since"]))
        texts = [*found.parts, *(step.line for step in steps)]
        whole = all(type(text) is str and "\n" not in text for text in texts)
        whole = whole and all((type(step.place) is int) == step.line.startswith("card") for step in steps)
    except (KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        raise VerificationError("the state does not show the round's places as it must", where="placed")
    return found


def check_steps(shown: ObservedSteps, stands: ShoeTrees, *, begins: bool) -> list[Entry]:
    """The decisions that a round's steps tell of, in order. VerificationError unless the trees are those of the log."""
    trees, told = round_parts(stands, begins=begins).parts, shown.parts
    first = next((step.since for step in shown.steps if step.line.startswith("card")), trees[-2:])
    begun = next((step.since for step in shown.steps), trees[:2])
    if told[: len(trees)] != trees or first[:2] != trees[-2:] or (begins and begun != trees[:2]):
        what = "the first card did not come after what the signed log has of the shoe and its bets"
        raise VerificationError(what, where="placed", expected=" ".join(trees[-2:]))
    return [decision_in(part) for part in told[len(trees) :]]


def decision_in(part: str) -> Entry:
    """A decision as it is told. VerificationError."""
    try:
        form: Entry = loads(part)
        whole = is_decision(form) and text_of(form) == part
    except (ValueError, RecursionError):
        whole = False
    if not whole:
        raise VerificationError("a part that is no decision", where="placed", expected="a decision as it is logged")
    return form


def is_own_decision(form: Entry, seat: int, sent: Entry | None, *, unsure: bool = False) -> bool:
    """Whether a decision may be a seat's that `sent` these fields or nothing; `unsure`: perhaps too late."""
    by_seat = form.get("by", SEAT) == SEAT
    if sent is None or not by_seat:
        return not by_seat and (sent is None or unsure)
    said = seat, sent["move"], sent.get("amount") or 0, sorted(sent.get("chosen") or ())
    return said == (form["seat"], form["move"], form.get("amount", 0), sorted(form.get("chosen", ())))


def chain_after(chain: Chain, questions: Sequence[ParsedQuestion], given: Sequence[int], parts: Sequence[str]) -> Chain:
    """Return the chain after the rest of an entry's `given` places, by the house's signed questions, each of which must
    tell the next of `parts`. Raises VerificationError."""
    places, left, known = list(given), list(parts), {each.chain.steps: each for each in questions}
    while places:
        question = known.get(chain.steps)
        if question is None:
            raise VerificationError(f"no question of the house for step {chain.steps + 1}", where="placed")
        if question.chain != chain:
            raise VerificationError(f"the house asked for step {chain.steps + 1} after other steps", where="placed")
        many = next((n for n in range(len(left) + 1) if since_of(left[:n]) == question.since), None)
        if many is None:
            what = f"the house asked for step {chain.steps + 1} after something else than happened"
            raise VerificationError(what, where="placed", expected="; ".join(left) or "nothing")
        cards = sum(line.startswith("card") for line in question.lines)
        chain = chain.extend_all(lines_with(question.lines, places[:cards]), question.since)
        places, left = places[cards:], left[many:]
    return chain
