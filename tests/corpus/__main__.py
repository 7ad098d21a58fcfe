"""Add to the corpus what is missing: `python -m tests.corpus`. What exists is frozen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from unittest.mock import patch

from audit_cli.registry import CATALOGUE
from fairshoe.log.directory import write_log
from tests import everything
from tests.audit import planting
from tests.audit.frauds import FRAUDS
from tests.audit.planting import Fraud
from tests.audit.walk import full
from tests.data.test_corpus import NOT_HERE
from tests.house import SIGNER, House, Seating

from . import hands
from .case import FOLDER, VERDICTS, Form, verdict, verdicts


def main() -> None:
    forms = verdicts()
    new = {folder: verdict(folder) for folder in FOLDER.iterdir() if folder.is_dir() and folder.name not in forms}
    taken_down(VERDICTS, forms, new)
    told = {
        code for case in forms.values() for code in (case.get("code"), *case.get("also", ()), *case.get("notes", ()))
    }
    for code in CATALOGUE.keys() - told - NOT_HERE.keys():
        name, lines = planted(code)
        folder = FOLDER / f"fails-{code}"
        write_log(folder, lines, SIGNER)
        forms[folder.name] = {"shows": name.replace("_", " "), **verdict(folder)}
    taken_down(VERDICTS, forms, {})
    outcomes = hands.outcomes()
    files = [file for file in hands.FOLDER.glob("*.json") if file != hands.OUTCOMES and file.stem not in outcomes]
    taken_down(hands.OUTCOMES, outcomes, {file: hands.outcome(file) for file in files})


def taken_down(file: Path, forms: dict[str, Form], new: dict[Path, Form]) -> None:
    """Write down what is said of new cases, which show what their names say."""
    forms |= {path.stem: {"shows": path.stem.replace("-", " "), **said} for path, said in new.items()}
    file.write_text(f"{json.dumps(dict(sorted(forms.items())), indent=2, ensure_ascii=False)}\n", encoding="utf-8")


def planted(code: str) -> tuple[str, Sequence[bytes]]:
    """The smallest planted log that fails by this code, first if there is one that does, and the fraud's name."""
    found = sorted(_logs(code), key=lambda each: sum(map(len, each[1])))
    if not found:
        raise SystemExit(
            f"{code}: plant a fraud in tests/audit/frauds that it finds, or put a log with it into {FOLDER}"
        )
    return next((each for each in found if _first_code(each[1]) == code), found[0])


def _logs(code: str) -> Iterator[tuple[str, list[bytes]]]:
    """Planted in short logs where that is possible."""
    for case in FRAUDS:
        if case.code == code:
            for lines in (_planted_in_short(case), case.plant().lines):
                if lines is not None and code in {finding.code for finding in full(lines).findings}:
                    yield case.name, lines
                    break


def _planted_in_short(case: Fraud) -> list[bytes] | None:
    try:
        with patch.object(planting, "log", short):
            return case.plant().lines
    except (AssertionError, LookupError, StopIteration, ValueError, TypeError):
        return None


@cache
def short(name: str) -> tuple[bytes, ...]:
    """A short honest log in the place of the one that frauds are planted in."""
    house = House()
    if name == "everything":
        everything.raffles(house)
    else:
        Seating(house, name, name, (1,) if name == "banker" else (1, 2), careless=0).play(12, close=True)
    return tuple(house.lines)


def _first_code(lines: Sequence[bytes]) -> str:
    fails = [finding for finding in full(lines).findings if finding.severity == "fail"]
    return min(fails, key=lambda finding: (finding.entry is None, finding.entry)).code


if __name__ == "__main__":
    main()
