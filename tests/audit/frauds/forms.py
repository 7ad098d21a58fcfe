"""Entries of another form than the format has: fields that are empty, that went, versions that there are none of."""

from __future__ import annotations

from typing import Any

from audit_cli.registry import KINDS

from ..planting import Planted, caught, entries_of, fraud, places

LISTS = {
    "shoe": ["owes", "waits", "away", "paid"],
    "seeds": ["unheard"],
    "open": ["waived", "passed", "late", "uncovered", "unfunded"],
    "round": ["reshuffled"],
    "bank": ["decisions", "cards"],
    "start": ["lost", "tables"],
}
OBJECTS = {
    "shoe": ["memory", "policy", "beacon"],
    "seeds": ["cut"],
    "opened": ["cut"],
    "bank": ["chips"],
    "seal": ["beacon"],
}
"""Optional fields that are objects."""
EMPTY = [f"{kind}.{field}" for kind, fields in LISTS.items() for field in fields]
EMPTY_OBJECTS = [f"{kind}.{field}" for kind, fields in OBJECTS.items() for field in fields]


def changed(kind: str, field: str, value: Any) -> Planted:
    """The first entry of the kind that has not this field, with it."""
    entries = entries_of("everything")
    index = next(i for i in places(entries, kind) if field not in entries[i])
    entries[index][field] = value
    return caught(entries, index, field=field, found=value)


@fraud("field-invalid", each=EMPTY)
def a_list_that_is_empty(name: str) -> Planted:
    """What says nothing is left out: of one thing there is one way to write it."""
    kind, field = name.split(".")
    return changed(kind, field, [])


@fraud("field-invalid", each=EMPTY_OBJECTS)
def an_object_that_is_empty(name: str) -> Planted:
    kind, field = name.split(".")
    return changed(kind, field, {})


@fraud("field-invalid", each=["table.digest", "seal.seeds", "seal.cut", "shoe.later", "start.note"])
def a_field_that_no_kind_lists(name: str) -> Planted:
    """As an earlier form of the log had some."""
    values = {"digest": "ab" * 32, "seeds": {"ann": "ab"}, "cut": {"at": 7}}
    kind, field = name.split(".")
    assert field not in KINDS[kind].required | KINDS[kind].optional
    return changed(kind, field, values.get(field, 1))


MOMENTS: dict[str, dict[str, Any]] = {
    "the table's without": {"by": "table"},
    "a seat's with one": {"at": "2026-01-01T00:00:00.000000Z"},
    "no moment": {"at": "2026-01-01T00:00:00Z", "by": "table"},
    "nobody's": {"at": "2026-01-01T00:00:00.000000Z", "by": "house"},
}


@fraud("field-invalid", each=[f"round: {wrong}" for wrong in MOMENTS])
@fraud("field-invalid", "decision-missing", each=[f"bank: {wrong}" for wrong in MOMENTS])
def the_moment_of_a_decision(name: str) -> Planted:
    """Those of the table have one, those of seats have none."""
    kind, wrong = name.split(": ")
    entries = entries_of("everything")
    index = next(i for i in places(entries, kind) if entries[i].get("decisions"))
    for field in ("at", "by"):
        entries[index]["decisions"][0].pop(field, None)
    entries[index]["decisions"][0] |= MOMENTS[wrong]
    return caught(entries[: index + 1], field="decisions", found=entries[index]["decisions"])


@fraud("field-invalid", each=[0, -1, "1", "", None, True, [1], {}])
def a_version_that_is_none(version: Any) -> Planted:
    """It is an integer from 1."""
    entries = entries_of("casino")
    entries[1]["v"] = version
    return caught(entries, 1, field="v", found=version)


@fraud("field-invalid")
def no_version() -> Planted:
    entries = entries_of("casino")
    del entries[1]["v"]
    return caught(entries, 1, field="v", found=None)
