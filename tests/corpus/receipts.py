"""Files of receipts beside logs, honest and not, with what each receipt comes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit_cli.cases.receipts.file import receipts_in
from audit_cli.cases.receipts.judge import ReceiptJudge
from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from fairshoe.log.note import verifier_of

RECEIPTS = Path(__file__).parents[1] / "data" / "receipts"
VERDICTS = RECEIPTS / "verdicts.json"


def words(folder: Path, key: str) -> dict[str, list[Any]]:
    """Of each receipt, by its place in the file, the word, and the entry and the field that decide where it differs."""
    watcher, audit = ReceiptJudge(receipts_in(folder / "receipts", verifier_of(key))), new_audit(Report())
    for line in (folder / "log.jsonl").read_bytes().splitlines():
        watcher(audit, line)
    audit.finish()
    return {str(case.receipt.place): [case.word, case.entry, case.field] for case in watcher.judge_rest()}


def verdicts() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return found
