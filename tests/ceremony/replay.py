"""The machine writes a log again: for each entry it gets the input that explains it, and must log the same bytes.

Before each entry the machine's state is what the log so far tells, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import pytest

from fairshoe.ceremony.acting.commands import Refused
from fairshoe.ceremony.acting.machine import create
from fairshoe.ceremony.acting.shoes import lose
from fairshoe.ceremony.acting.state import Keys, State, copy, fold
from fairshoe.ceremony.policy import policy_of
from fairshoe.engine.rules import rules_of
from fairshoe.log.canonical import Entry, encode, parse
from fairshoe.log.times import microseconds

from .inputs import Step, Told, step_of

SERVICE = "start: the service writes it"
ALONE = "a deck, or a shoe without a table: the machine has none"
KEYLESS = "a shoe whose key is not in the log"
BACK = "somebody sits down who had a part in the shoe in play: the machine has them wait, the format does not"

NOBODYS = bytes(32)


class Replay:
    """`keys`: those of shoes that the log does not reveal, by their commitments.

    `same` counts by kind the entries that the machine writes to the byte. `but_moment`: rounds and moves of the bank
    that are the same but for `at`: where the table decides last, the machine has the entry at that moment, a log may
    have it later. `left_out` counts by the reason what the machine is not asked for."""

    def __init__(self, lines: Iterable[bytes], keys: Mapping[str, bytes] | None = None) -> None:
        self.log = list(map(parse, lines))
        self.same: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.but_moment = 0
        self._states: dict[str, State] = {}
        self._starts: dict[str, list[Entry]] = {}
        given = keys or {}
        begun = [entry for entry in self.log if entry["kind"] == "shoe" and entry["commitment"] in given]
        self._keys = {entry["shoe"]: given[entry["commitment"]] for entry in begun}
        self._keys |= {entry["shoe"]: bytes.fromhex(entry["key"]) for entry in self.log if "key" in entry}
        self._rounds = {(entry["shoe"], entry["round"]): entry for entry in self.log if entry["kind"] == "round"}
        self._going: dict[str, tuple[State, Step, int]] = {}

    def run(self) -> Replay:
        """Raises AssertionError at the first entry that the machine writes otherwise, or not at all."""
        for number, entry in enumerate(self.log):
            try:
                self._take(entry)
            except Exception as error:
                raise AssertionError(f"entry {number}, {encode(entry).decode()}\n{error!r}") from error
            fold(self._states, [entry])
        return self

    def _take(self, entry: Entry) -> None:
        kind, at = entry["kind"], microseconds(entry["at"])
        state = self._states.get(entry.get("table") or entry.get("shoe", "").rpartition("/")[0])
        if kind == "table":
            rules, policy = rules_of(entry["rules"], entry["options"]), policy_of(entry["policy"])
            self._compare(entry, create(entry["table"], rules, policy, at).entries)
        elif kind == "start":
            for name in entry.get("tables", self._states):
                self._starts.setdefault(name, []).append(entry)
            self.left_out[SERVICE] += 1
        elif state is None:
            self.left_out[ALONE] += 1
        elif kind == "lost":
            self._compare(entry, lose(state, self._keys.get(entry["shoe"]), at)[1])
        elif kind == "shoe" and entry["shoe"] not in self._keys:
            self.left_out[KEYLESS] += 1
        elif kind == "chips" and _comes_back(state, entry):
            with pytest.raises(Refused):
                self._take_step(entry, state)
            self.left_out[BACK] += 1
        else:
            self._take_step(entry, state)

    def _take_step(self, entry: Entry, state: State) -> None:
        """The reshuffles of a round, the round, and the reveal of a worn shoe are one step of the machine. Where the
        log has time between them, the same step is done later."""
        kind = entry["kind"]
        going = self._going.pop(state.id, None)
        if going is None or kind not in ("reshuffle", "round", "reveal"):
            told = Told(state, self._starts.get(state.id, ()), self._rounds)
            going = copy(state), step_of(entry, told), 0
        before, step, number = going
        last = microseconds(entry["at"]) - number
        made = entry.get("decisions", [])
        if made and "at" in made[-1]:
            last = microseconds(made[-1]["at"])
        key = self._keys.get(entry.get("shoe") or state.shoe_id, NOBODYS)
        logged = step.entries(before, Keys(lambda: key, key), last)[number:]
        self._compare(entry, logged)
        if kind in ("reshuffle", "round") and len(logged) > 1:
            self._going[state.id] = before, step, number + 1

    def _compare(self, entry: Entry, logged: Sequence[Entry]) -> None:
        """With the first of what was logged."""
        if not logged:
            raise AssertionError("the machine logs nothing")
        if encode(logged[0]) == encode(entry):
            self.same[entry["kind"]] += 1
        elif entry.get("decisions") and logged[0] | {"at": entry["at"]} == entry and logged[0]["at"] < entry["at"]:
            self.but_moment += 1
        else:
            raise AssertionError(f"the machine logs {encode(logged[0]).decode()}")


def _comes_back(state: State, entry: Entry) -> bool:
    shoe = state.shoe
    takes = entry["op"] == "buy-in" and entry["seat"] not in state.book.chairs
    return takes and shoe is not None and entry["player"] in shoe.roster
