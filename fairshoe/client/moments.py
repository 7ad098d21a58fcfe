"""When the entries of the signed log were written, and what receipts say of the same moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..log.canonical import Entry, parse
from ..log.times import microseconds
from .errors import WrongReceipt

MOST_STEPS = 4_096
"""Receipts that wait for the log; of more the newest."""


class _Step(NamedTuple):
    """The receipt `note` says that the log had `before` entries at the time `at`, and `size` once the step was done."""

    note: str
    at: str
    before: int
    size: int


class Moments:
    """Receipts wait here until the log that is followed has come to them; what comes before that is not known."""

    def __init__(self) -> None:
        self._waiting: list[_Step] = []
        self._known: dict[int, Entry] = {}

    def add(self, note: str, form: Entry) -> None:
        """A receipt of a step."""
        self._waiting = [*self._waiting[1 - MOST_STEPS :], _Step(note, form["at"], form["before"], form["size"])]

    def wanted(self, size: int) -> set[int]:
        """The numbers of the entries that are to be looked at in a log of so many."""
        return {size - 1, *(number for step in self._waiting for number in (step.before - 1, step.before))}

    def hold(self, size: int, lines: Mapping[int, bytes]) -> None:
        """Hold the receipts against a signed log of `size` entries; `lines` are those that were wanted and are new.

        Raises WrongReceipt where one cannot be of this log; KeyError, TypeError, ValueError for what is no entry."""
        self._known |= {number: parse(line) for number, line in lines.items()}
        for step in self._waiting:
            fault = self._fault(step, size)
            if fault:
                raise WrongReceipt(fault, step.note)
        self._waiting = [step for step in self._waiting if step.size >= size]
        wanted = self.wanted(size)
        self._known = {number: entry for number, entry in self._known.items() if number in wanted}

    def _fault(self, step: _Step, size: int) -> str:
        # Where the service starts again its clock may have been set back, to its last entry at most.
        last, first, following = (self._known.get(number) for number in (size - 1, step.before - 1, step.before))
        if first is not None and first["at"] >= step.at:
            return f"it is dated {step.at}, and entry {step.before - 1}, which was there before, {first['at']}"
        if size < step.size and last is not None and _is_over(step, last["at"]):
            return f"it says that the log had {step.size} entries at {step.at}, and entry {size - 1} is of {last['at']}"
        if following is not None and following["at"] < step.at and following["kind"] != "start":
            return f"it is dated {step.at}, and entry {step.before}, which came then or later, {following['at']}"
        return ""


def _is_over(step: _Step, at: str) -> bool:
    """Whether a time is after the step: its own entries have a microsecond each."""
    return microseconds(at) > microseconds(step.at) + step.size - step.before
