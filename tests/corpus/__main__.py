"""Add to the corpus what is missing: `python -m tests.corpus`. What exists is frozen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from audit_cli.verify.registry import CATALOGUE
from fairshoe.log.directory import write_log
from tests.audit.frauds import FRAUDS
from tests.data.test_corpus import NOT_HERE
from tests.house import SIGNER

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
        forms[folder.name] = {"shows": name, **verdict(folder)}
    taken_down(VERDICTS, forms, {})
    outcomes = hands.outcomes()
    files = [file for file in hands.FOLDER.glob("*.json") if file != hands.OUTCOMES and file.stem not in outcomes]
    taken_down(hands.OUTCOMES, outcomes, {file: hands.outcome(file) for file in files})


def taken_down(file: Path, forms: dict[str, Form], new: dict[Path, Form]) -> None:
    """Write down what is said of new cases, which show what their names say."""
    forms |= {path.stem: {"shows": path.stem.replace("-", " "), **said} for path, said in new.items()}
    file.write_text(f"{json.dumps(dict(sorted(forms.items())), indent=2, ensure_ascii=False)}\n", encoding="utf-8")


def planted(code: str) -> tuple[str, Sequence[bytes]]:
    """The smallest planted log that fails by this code, and the fraud's name."""
    found = [(case.name, case.plant().lines) for case in FRAUDS if case.code == code]
    if not found:
        raise SystemExit(
            f"{code}: plant a fraud in tests/audit/frauds that it finds, or put a log with it into {FOLDER}"
        )
    return min(found, key=lambda each: sum(map(len, each[1])))


if __name__ == "__main__":
    main()
