"""My hands at a table, kept in a file: each is checked when its shoe is over, and gets its mark."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit_cli.hand.run import of_proof

from ..client import Problem, Seat, Unreachable
from ..client.book import append, open_lines, whole_lines
from ..errors import FairshoeError, VerificationError
from ..log.note import verifier_of
from ..terminal.files import write_whole

OPEN, GOOD, WRONG, UNSURE = "open", "✓", "✗", "?"


class Hands:
    """`told` are the hands by round: `shoe`, `net`, `mark`, and `words` for a mark that is not good."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: dict[int, dict[str, Any]] = {}
        with open_lines(path) as file:
            for line in whole_lines(file)[0]:
                form = json.loads(line)
                self.told.setdefault(form["round"], {}).update(form)

    def _keep(self, **form: Any) -> None:
        with open_lines(self.path) as file:
            append(file, form)
        self.told.setdefault(form["round"], {}).update(form)

    def seen(self, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """Remember the last round where this seat had a hand in it; gives it where it is new."""
        last, seat = state["last"], state["you"]["seat"]
        if not last or last["round"] in self.told or not any(hand["seat"] == seat for hand in last["hands"]):
            return None
        net = sum(hand.get("net", 0) for hand in last["hands"] if hand["seat"] == seat)
        self._keep(round=last["round"], shoe=last["shoe"], net=net, mark=OPEN)
        return self.told[last["round"]]

    def check(self, seat: Seat) -> list[dict[str, Any]]:
        """Check the hands whose shoe is not in play any more; gives those that have a mark now. Raises Unreachable."""
        in_play = (seat.state["shoe"] or {}).get("shoe")
        waiting = [hand for hand in self.told.values() if hand["mark"] in (OPEN, UNSURE) and hand["shoe"] != in_play]
        return [hand for hand in waiting if self._check(seat, hand)]

    def _check(self, seat: Seat, hand: dict[str, Any]) -> bool:
        name = f"{seat.table.name}#{hand['round']}"
        try:
            proof = seat.table.client.proof(name)
            key = seat.book.house or seat.table.client.verifier()
            outcome = of_proof(proof.encode(), verifier_of(key), name).outcome
        except Unreachable:
            raise
        except VerificationError as error:
            mark, words = WRONG, f"the proof does not hold: {error}"
        except (Problem, FairshoeError) as error:
            mark, words = UNSURE, f"not checked: {error}"
        else:
            if outcome.word == "PASS so far" and "key" in outcome.what:
                return False
            mark = GOOD if outcome.good else WRONG if outcome.word == "FAIL" else UNSURE
            words = outcome.line
        if mark == WRONG:
            words += f"; the evidence is in {self._evidence(seat, name, hand, words)}"
        if (mark, words) == (hand["mark"], hand.get("words")):
            return False
        self._keep(round=hand["round"], mark=mark, words=words)
        return True

    def _evidence(self, seat: Seat, name: str, hand: Mapping[str, Any], words: str) -> Path:
        """Save what shows it: the proof as the house gives it. Receipts and checkpoint stand beside it already."""
        path = self.path.with_suffix(f".{hand['round']}.proof")
        try:
            write_whole({path: seat.table.client.proof(name).encode()})
        except FairshoeError as error:
            return Path(f"nothing: {error}")
        return path
