"""A table with a placer, played through the machine alone by random players (tests/ceremony/walk.py), with a placer in
memory that answers as `fairshoe placer` does, at once or later."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit_cli.verify.findings.report import Report
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.placers import commitment_request, final_questions, question
from fairshoe.ceremony.placer_steps import PlacerQuestion, record_tree
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placer_chain import new_chain, parse_question, shoe_of
from fairshoe.protocol.placer_state import PlacerState, answer_question
from tests.ceremony.walk import CHIPS, SIGNER, Form, Walk

from .house import PLACER


class PlacedWalk(Walk):
    """`slow`: how often nobody asks the placer after a step. `at` are shoes at their placers by C2."""

    def __init__(
        self,
        rules: str,
        rng: random.Random,
        trouble: float = 0.0,
        *,
        signer: Signer = PLACER,
        slow: float = 0.0,
        **more: Any,
    ) -> None:
        self.signer, self.slow = signer, slow
        self.placer = str(signer.verifier)
        self.tree = Tree()
        self.at: dict[str, tuple[PlacerState, bytes]] = {}
        self.by: dict[str, Signer] = {}
        self.asked: list[PlacerQuestion] = []
        self.notes: list[str] = []
        super().__init__(rules, rng, trouble, **more)

    def apply(self, command: say.Command | say.Answer | None) -> list[Entry]:
        made = super().apply(command)
        for entry in self.log[self.tree.size :]:
            self.tree.append(encode(entry))
            record_tree(self.state.book, entry, self.tree.size, self.tree.root)
        if not isinstance(command, say.Answer) and self.rng.random() >= self.slow:
            self.serve()
        return made

    def serve(self) -> None:
        """Ask for all that is awaited, until nothing is."""
        while (answer := self.answer()) is not None:
            self.now += 1
            self.apply(answer)

    def answer(self) -> say.Answer | None:
        """The next answer of a placer, if one is awaited."""
        state = self.state
        if state.placer_commitment == "":
            return self.commit()
        wanted = question(state, self.key)
        if wanted is not None:
            given, note, _ = self.ask(wanted)
            return say.GivePlaces(state.shoe_id, wanted.chain.steps, tuple(given), note)
        for shoe, _, last in final_questions(state):
            _, note, key = self.ask(last)
            return say.GiveKey(shoe, key.hex(), note)
        return None

    def signer_now(self) -> Signer:
        return self.signer

    def commit(self) -> say.GiveCommitment:
        origin, shoe, commitment = shoe_of(commitment_request(self.state, SIGNER.verifier.name))
        key = self.rng.randbytes(32)
        chain = new_chain(origin, shoe, commitment, self.signer_now().verifier.name, commitment_of(key))
        self.at[chain.placer] = PlacerState(chain), key
        self.by[chain.placer] = self.signer_now()
        return say.GiveCommitment(shoe, chain.placer)

    def ask(self, wanted: PlacerQuestion) -> tuple[list[int], str, bytes]:
        self.asked.append(wanted)
        now, key = self.at[wanted.chain.placer]
        after, given = answer_question(now, key, parse_question(wanted.text))
        self.at[wanted.chain.placer] = after, key
        note = self.by[wanted.chain.placer].sign(after.chain.note(key if after.ended else b""))
        self.notes.append(note)
        return given, note, key


class OwnWalk(PlacedWalk):
    """A table whose player places: the same, by the key that each brings."""

    def __init__(self, rules: str, rng: random.Random, trouble: float = 0.0, **more: Any) -> None:
        self.own: dict[str, Signer] = {}
        super().__init__(rules, rng, trouble, seats=1, **more)

    @property
    def placer(self) -> str:
        return "player"

    @placer.setter
    def placer(self, key: str) -> None:
        """Nobody else places."""

    def signer_now(self) -> Signer:
        return self.own[self.state.table.players[1]]

    def sit(self) -> None:
        self.names += 1
        name = f"p{self.names}"
        self.own[name] = Signer(name, self.rng.randbytes(32))
        self.do(say.TakeSeat(name, CHIPS, placer=str(self.own[name].verifier)))

    def waiting(self) -> Iterator[tuple[int, Form]]:
        """What a client does by itself is done by `serve`, at once or later."""
        for seat, form in super().waiting():
            if form["do"] in ("commitment", "places"):
                self.serve()
                return
            yield seat, form


def told(report: Report) -> list[tuple[str, str, object, object]]:
    return [(f.code, str(f.place), f.field, f.found) for f in report.findings if f.severity == "fail"]


def walked_clean(walk: PlacedWalk, folder: Path) -> PlacedWalk:
    """Twelve rounds to the last key, of which an auditor finds nothing."""
    walk.play(12)
    walk.serve()
    report = walk.audit(folder)
    assert told(report) == []
    assert report.complete or report.checks["signature"] == "not-checked"
    assert not walk.state.book.unrevealed_placers
    return walk
