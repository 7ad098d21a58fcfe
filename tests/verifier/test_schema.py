"""docs/log.schema.json says which fields each kind has, as both readings know them, and refuses every entry whose form
the auditor refuses; docs/receipt.schema.json takes every receipt that a house gives, and describes its fields."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from audit_cli.verify.registry import ENTRIES
from audit_cli.verify.walk.shapes import KINDS, entry_faults
from fairshoe.ceremony.receipts import HEADING
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.receipts import fault_of, shoe_receipt
from fairshoe.record.entries import table_entry
from fairshoe.record.forms import FIRST, LATER, newest, version_of
from tests.audit.tamper import tamperings
from tests.corpus.case import FOLDER, verdicts
from tests.house import POLICY
from tests.verifier.node import node

ROOT = Path(__file__).parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "log.schema.json").read_text(encoding="utf-8"))
ENTRY = jsonschema_rs.Draft202012Validator(SCHEMA)
OF_RECEIPTS: dict[str, Any] = json.loads((ROOT / "docs" / "receipt.schema.json").read_text(encoding="utf-8"))
RECEIPT = jsonschema_rs.Draft202012Validator(OF_RECEIPTS)
ENVELOPE = {"v", "kind", "at"}
FIELDS_OF_THE_SECOND = """
import { KINDS } from "./fairshoe/web/verifier/shapes.ts";
const names = Object.entries(KINDS).map(([kind, forms]) => [kind, Object.keys(forms)]);
console.log(JSON.stringify(Object.fromEntries(names)));
"""
Fields = dict[str, tuple[set[str], set[str]]]


@cache
def honest() -> list[dict[str, Any]]:
    """Every entry of the logs of the corpus that pass."""
    passing = [name for name, case in verdicts().items() if case["verdict"] == "pass"]
    return [json.loads(line) for name in passing for line in (FOLDER / name / "log.jsonl").read_bytes().splitlines()]


def fields() -> Fields:
    """Required and optional fields by kind."""
    kinds = {kind: SCHEMA["$defs"][f"kind-{kind}"] for kind in SCHEMA["properties"]["kind"]["enum"]}
    needed = {kind: set(form["required"]) - ENVELOPE for kind, form in kinds.items()}
    return {kind: (needed[kind], form["properties"].keys() - needed[kind] - ENVELOPE) for kind, form in kinds.items()}


def test_each_kind_has_the_fields_that_both_readings_know() -> None:
    command = [node(), "--input-type=module", "--eval", FIELDS_OF_THE_SECOND]
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    second = {
        kind: ({name for name in names if name[-1] != "?"}, {name[:-1] for name in names if name[-1] == "?"})
        for kind, names in told.items()
    }
    first = {each.name: (set(each.shape.required), set(each.shape.optional)) for each in ENTRIES}
    assert fields() == first == second


def test_honest_entries_are_valid() -> None:
    assert [entry for entry in honest() if not ENTRY.is_valid(entry)] == []


def test_a_table_of_each_rule_set_and_of_each_later_option_has_its_version() -> None:
    """An option beside its default, as `LATER` names it."""
    tables = [rules_of(name) for name in sorted(RULES)]
    for path in LATER:
        of, name, *option = path.split(".") if path.count(".") == 2 else ("", "")
        if of == "table" and name in RULES:
            default = rules_of(name).options[option[0]]
            tables.append(rules_of(name, {option[0]: not default if isinstance(default, bool) else default + 1}))
    for rules in tables:
        entry = table_entry("2026-01-01T00:00:00.000000Z", "t1", rules, POLICY)
        assert {v for v in range(FIRST, newest() + 1) if ENTRY.is_valid(entry | {"v": v})} == {entry["v"]}, rules
    assert {rules.name for rules in tables} == set(SCHEMA["$defs"]["kind-table"]["properties"]["rules"]["enum"])


def test_what_is_wrong_in_form_is_refused() -> None:
    """Of entries of every kind, with every set of fields, every field changed."""
    some = {(entry["kind"], *sorted(entry)): entry for entry in honest()}
    refused: defaultdict[str, int] = defaultdict(int)
    taken = []
    for entry in some.values():
        for field, changed in tamperings(entry):
            kind = changed.get("kind")
            if kind not in KINDS or not (entry_faults(changed) or changed["v"] != version_of(kind, changed)):
                continue
            refused[entry["kind"]] += 1
            if ENTRY.is_valid(changed):
                taken.append((entry["kind"], field, changed))
    assert taken == []
    assert refused.keys() == {entry["kind"] for entry in honest()}
    assert sum(refused.values()) > 1000


def receipts() -> list[dict[str, Any]]:
    """What the receipts of the corpus say, and those of a shoe without a table."""
    files = sorted((ROOT / "tests" / "data" / "receipts").rglob("*receipts*"))
    lines = [line for file in files if file.is_file() for line in file.read_text(encoding="utf-8").splitlines()]
    notes = [note.split("\n") for line in lines if line[:1] == '"' and (note := json.loads(line)).startswith(HEADING)]
    sent: dict[str, dict[str, Any]] = {"hash": {"hash": "0" * 64}, "seed": {"seed": "00"}, "show": {"pos": [0]}}
    lone = [shoe_receipt("s", "ann", "2026-01-01T00:00:00.000000Z", do, said) for do, said in sent.items()]
    return [*(json.loads(note[1]) for note in notes), *lone]


def test_receipts_are_valid_and_without_a_field_that_they_need_not() -> None:
    some = {(says["do"], *sorted(says)): says for says in receipts()}
    assert {do for do, *_ in some} == {"hash", "seed", "bet", "decision", "chips", "show"}
    assert [says for says in receipts() if fault_of(says) or not RECEIPT.is_valid(says)] == []
    for says in some.values():
        for field in says:
            less = {name: value for name, value in says.items() if name != field}
            assert (fault_of(less) is None) == RECEIPT.is_valid(less), (field, says)


def test_every_field_of_a_receipt_is_described() -> None:
    for name in ("of-a-table", "of-a-lone-shoe", "view", "shoe", "round", "hand"):
        properties = OF_RECEIPTS["$defs"][name]["properties"]
        assert [field for field, form in properties.items() if field != "v" and not form.get("description")] == []
