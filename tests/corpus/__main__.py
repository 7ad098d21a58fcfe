"""Make the cases of the corpus that are missing: `python -m tests.corpus`. What exists is frozen."""

from __future__ import annotations

import json

from . import honest
from .case import FOLDER, HONEST, VERDICTS, verdict, verdicts
from .failing import failing
from .hands import write_hands
from .receipts import write_receipts

__all__ = ["honest"]


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    forms = verdicts() if VERDICTS.exists() else {}
    for case in (*HONEST, *failing()):
        if case.name in forms:
            continue
        case.write(FOLDER / case.name)
        said = verdict(FOLDER / case.name)
        told = {said.get("code", ""), *said.get("also", ()), *said.get("notes", ())}
        if case.code not in told:
            raise SystemExit(f"{case.name}: {case.code or 'nothing'} was to be found, and {said} was")
        forms[case.name] = {"shows": case.shows, **said}
        print(case.name, said)
    text = json.dumps(dict(sorted(forms.items())), indent=2, ensure_ascii=False)
    VERDICTS.write_text(f"{text}\n", encoding="utf-8")
    write_hands()
    write_receipts()


if __name__ == "__main__":
    main()
