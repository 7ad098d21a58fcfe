"""Files of receipts beside logs, honest and not, with what each receipt comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.receipts.reading import receipts_in
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.log.note import verifier_of
from fairshoe.receipts.judge import held_against

RECEIPTS = Path(__file__).parents[1] / "data" / "receipts"
VERDICTS = RECEIPTS / "verdicts.json"


class Kept(NamedTuple):
    """A log, a file of receipts, and what they show."""

    name: str
    shows: str
    lines: list[bytes]
    receipts: str
    key: str


def words(folder: Path, key: str) -> dict[str, list[Any]]:
    """Of each receipt, by its place in the file, the word, and the entry and the field that decide where it differs."""
    receipts = receipts_in(folder / "receipts", verifier_of(key))
    cases = held_against(receipts, (folder / "log.jsonl").read_bytes().splitlines())
    return {str(case.receipt.place): [case.word, case.entry, case.field] for case in cases}


def verdicts() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return found


def write_receipts() -> None:
    """Write the cases that are missing; what exists is frozen."""
    forms = verdicts() if VERDICTS.exists() else {}
    for case in _cases():
        if case.name in forms:
            continue
        folder = RECEIPTS / case.name
        folder.mkdir(parents=True)
        (folder / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in case.lines))
        (folder / "receipts").write_text(case.receipts, encoding="utf-8")
        forms[case.name] = {"shows": case.shows, "key": case.key, "receipts": words(folder, case.key)}
        print(case.name)
    RECEIPTS.mkdir(exist_ok=True)
    VERDICTS.write_text(f"{json.dumps(dict(sorted(forms.items())), ensure_ascii=False, indent=1)}\n", encoding="utf-8")


def _cases() -> Iterator[Kept]:
    from tests.kept import altered, altered_bets, altered_decisions, altered_seeds, played

    for rules in sorted(RULES):
        game = played(rules)
        key, kept = str(game.signer.verifier), game.files["p1"]
        first, *notes = kept.splitlines(keepends=True)
        yield Kept(f"honest-{rules}", "an honest game of two rounds or more", game.lines, kept, key)
        gap = first + "".join(note for i, note in enumerate(notes) if i % 3)
        yield Kept(f"gaps-{rules}", "every third receipt is gone: nobody is convicted", game.lines, gap, key)
        decisions = (altered(game, {}, choices) for form, _, choices in altered_decisions(game) if _of(form))
        if (lines := next((found for found in decisions if found), None)) is not None:
            yield Kept(f"decision-{rules}", "another decision, and all that follows from it", lines, kept, key)
        if rules != "lounge":
            bets = altered_bets(game, rules_of(rules).bet_unit)
            more = (altered(game, {entry: change}) for form, entry, change in bets if _of(form))
            if (lines := next((found for found in more if found), None)) is not None:
                yield Kept(f"bet-{rules}", "a higher bet than the seat offered", lines, kept, key)
                yield Kept(f"bet-gaps-{rules}", "the same, and every third receipt is gone", lines, gap, key)
        seeds = (altered(game, changes) for form, _, _, changes in altered_seeds(game) if _of(form))
        if (lines := next((found for found in seeds if found), None)) is not None:
            yield Kept(f"seed-{rules}", "another seed in the player's name", lines, kept, key)


def _of(form: dict[str, Any]) -> bool:
    return bool(form["player"] == "p1")
