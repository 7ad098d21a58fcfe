"""The logs of the corpus, a folder each, and what an audit says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit_cli.verify.run import verify
from fairshoe.errors import LogError, NotALog

FOLDER = Path(__file__).parents[1] / "data" / "logs"
VERDICTS = FOLDER / "verdicts.json"

Form = dict[str, Any]


def verdict(folder: Path) -> Form:
    """What the auditor says of a log by its folder alone: `verdict`; where it fails the first `entry` that does, its
    `code` and `fault`, and the other codes that fail (`also`); `notes`: codes of what is no failure.

    `newer`: the log cannot be judged, since an entry is of a version that is not known yet. `none`: it is no log.
    """
    try:
        report = verify(folder, everything=True)
    except NotALog:
        return {"verdict": "none"}
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
