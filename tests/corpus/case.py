"""A case of the corpus: a log in a folder, and what an audit says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.verify import verify
from fairshoe.errors import LogError
from fairshoe.log.directory import write_log
from tests.house import SIGNER, House

FOLDER = Path(__file__).parents[1] / "data" / "logs"
VERDICTS = FOLDER / "verdicts.json"

Form = dict[str, Any]


class Case(NamedTuple):
    """`name` is the folder's, `shows` a sentence. `lines` makes the log; `spoil` then changes the folder. `code` is the
    one that fails first; "" where nothing fails."""

    name: str
    shows: str
    lines: Callable[[], Sequence[bytes]]
    code: str = ""
    spoil: Callable[[Path], None] | None = None

    def write(self, folder: Path) -> None:
        write_log(folder, list(self.lines()), SIGNER)
        if self.spoil is not None:
            self.spoil(folder)


def verdict(folder: Path) -> Form:
    """What the auditor says of a log by its folder alone: `verdict`; where it fails the first `entry` that does, its
    `code` and `fault`, and the other codes that fail (`also`); `notes`: codes of what is no failure.

    `newer`: the log cannot be judged, since an entry is of a version that is not known yet.
    """
    try:
        report = verify(folder, everything=True)
    except LogError as error:
        if "newer" not in str(error):
            raise
        return {"verdict": "newer"}
    fails = [finding for finding in report.findings if finding.severity == "fail"]
    notes = sorted({finding.code for finding in report.findings} - {finding.code for finding in fails})
    said: Form = {"verdict": report.as_json()["verdict"]}
    if fails:
        first = min(fails, key=lambda finding: (finding.entry is None, finding.entry))
        also = sorted({finding.code for finding in fails} - {first.code})
        said |= {"entry": first.entry, "code": first.code, "fault": first.fault} | ({"also": also} if also else {})
    return said | ({"notes": notes} if notes else {})


def verdicts() -> dict[str, Form]:
    """Every case of the corpus by its name: what it `shows`, and its verdict."""
    forms: dict[str, Form] = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return forms


HONEST: list[Case] = []


def shows(sentence: str) -> Callable[[Callable[[House], object]], Callable[[House], object]]:
    """Register a log that an honest house writes; the function's name is the case's."""

    def register(play: Callable[[House], object]) -> Callable[[House], object]:
        def lines() -> Sequence[bytes]:
            house = House()
            play(house)
            return house.lines

        HONEST.append(Case(play.__name__.replace("_", "-"), sentence, lines))
        return play

    return register
