"""The hands of a sitting: each is checked by the auditor once its shoe is revealed, and has its mark in a file."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from audit_cli.cases.hand.formats import CheckedRound
from audit_cli.cases.hand.run import TrustedInputs, check_hand_proof
from audit_cli.cases.outcome import decisive_findings

from ..client import Problem, Seat
from ..client.book import append, open_lines, receipts_of, whole_lines
from ..errors import FairshoeError, InputError
from ..log.note import verifier_of

SO_FAR = "PASS so far"
EVIDENCE = {"kind": "fairshoe evidence", "v": 1}
"""How the file begins that `fairshoe-audit hand` reads."""


class HandVerdicts:
    """Verdicts by round, with their text; those not final are checked again at each shoe's end. `first`: the round
    before this sitting. Kept beside the seat's book."""

    def __init__(self, seat: Seat, book: Path) -> None:
        self.marks: dict[int, tuple[str, str]] = {}
        self._seat = seat
        self._house = seat.table.client.with_token(None)
        self._book = book
        self._path = book.with_name(book.name + ".hands")
        self._shoe: str | None = None
        self._pending: list[int] = []
        self.first = self._begin()

    def _begin(self) -> int:
        """Go on with the marks of this sitting; gives its first round."""
        first = int(self._seat.state["rounds"])
        with open_lines(self._path) as file:
            lines, _ = whole_lines(file)
            known: dict[str, Any] = {}
            for form in map(json.loads, lines):
                if "token" in form:
                    known, self.marks = form, {}
                else:
                    self.marks[form["round"]] = form["word"], form["says"]
            digest = self._seat.book.seat, self._seat.book.sat
            if known.get("token") == list(digest):
                return int(known["first"])
            self.marks = {}
            append(file, {"token": digest, "first": first})
        return first

    def check_next(self) -> bool:
        """Check one hand of ended shoes; return whether there are more. Raises Unreachable."""
        state = self._seat.state
        shoe = (state["shoe"] or {}).get("shoe", "") if "you" in state else None
        if shoe != self._shoe:
            over = state["last"]["round"] if state["last"] else 0
            hands = range(self.first + 1, over + 1)
            self._pending = [number for number in hands if self.marks.get(number, (SO_FAR, ""))[0] == SO_FAR]
            self._shoe = shoe
        if self._pending:
            self._check(self._pending[0])
            del self._pending[0]
        return bool(self._pending)

    def close(self) -> None:
        self._house.close()

    def _check(self, number: int) -> None:
        try:
            proof = self._house.proof(f"{self._seat.table.name}#{number}").encode()
            word, says = self._verdict(number, proof)
        except Problem as problem:
            word, says, proof = "CANNOT SAY", problem.what, b""
        before = self.marks.get(number)
        if word == "FAIL":
            says = f"{says}; kept in {self._save(number, proof)}"
        self.marks[number] = word, says
        if before != self.marks[number]:
            with open_lines(self._path) as file:
                append(file, {"round": number, "word": word, "says": says})

    def _verdict(self, number: int, proof: bytes) -> tuple[str, str]:
        """Audit a hand by the house's key in the book and the receipts beside it."""
        receipts = receipts_of(self._book)
        try:
            found = check_hand_proof(
                proof,
                verifier_of(self._seat.book.house),
                f"{self._seat.table.name}#{number}",
                TrustedInputs((), receipts=receipts),
            )
        except InputError as error:
            return "CANNOT SAY", error.what
        except FairshoeError as error:
            return "FAIL", error.what
        says = found.outcome.what
        if isinstance(found, CheckedRound):
            steps = [f"{each.code} ({each.cause})" for each in decisive_findings(found.findings)]
            steps += [match.what for match in found.matches if not (match.same or match.left)]
            says = "; ".join(dict.fromkeys([*steps, says] if not found.outcome.good else [says]))
        return found.outcome.word, says

    def _save(self, number: int, proof: bytes) -> Path:
        """All that convicts the house, in one file."""
        path = self._book.with_name(f"{self._book.name}.hand-{number}.json")
        receipts = ""
        with suppress(OSError):
            receipts = receipts_of(self._book).read_text(encoding="utf-8")
        parts = {"proof": proof.decode(), "receipts": receipts, "checkpoint": self._seat.book.checkpoint or None}
        path.write_text(json.dumps(EVIDENCE | parts, separators=(",", ":")), encoding="utf-8")
        return path
