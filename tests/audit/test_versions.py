"""What comes after version 1: an entry with an option, a field or a kind of a later fairshoe is of the next version,
which an auditor of today does not judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from audit_cli.verify.registry import HANDLERS
from audit_cli.verify.walk import shapes
from audit_cli.verify.walk.shapes import KINDS, shape
from fairshoe.engine.rules import RULES
from fairshoe.engine.rules.casino import Casino
from fairshoe.errors import LogError
from fairshoe.record.entries import close_entry, entry, table_entry
from fairshoe.record.forms import LATER, newest, version_of
from tests.house import POLICY, House, Seating

from .frauds import FRAUDS
from .planting import KEY, Entry, after, check_found, entries_in, entries_of, log, places
from .telling import said, written
from .walk import encoded, full

NEXT = newest() + 1
NEW = {"table.casino.deeper": NEXT, "close.reason": NEXT, "wish": NEXT, "table.rules.deeper": NEXT}
"""An option, a field, a kind and a rule set, with the version that brought them."""


@pytest.fixture
def later() -> Iterator[None]:
    """The fairshoe that knows them."""
    with patch.dict(LATER, NEW), patch.dict(RULES), patch.dict(KINDS), patch.dict(HANDLERS):

        class Deeper(Casino):
            """The insert lies so much deeper."""

            name = "casino"

            deeper: int = 0

            def is_worn_out(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
                return super().is_worn_out(position + self.deeper, present, draws)

        required, optional = KINDS["close"]
        KINDS["close"] = shapes.KindFields(required, optional | {"reason": shapes.text})
        KINDS["wish"] = shape(table=shapes.identifier)
        HANDLERS["wish"] = lambda audit, entry, line: None
        shapes._with_envelope.cache_clear()
        yield
    shapes._with_envelope.cache_clear()


def played(**options: Any) -> House:
    """A casino with some shoes, closed."""
    house = House()
    Seating(house, "casino", "casino", (1, 2), packs=3, **options).play(25, close=True)
    return house


def at_end(entries: list[Entry], new: Entry) -> list[Entry]:
    return [*entries, new | {"at": after(entries)}]


def fails(entries: list[Entry]) -> list[tuple[str, int | None, str | None]]:
    return [(f.code, f.entry, f.field) for f in full(encoded(entries)).findings if f.severity == "fail"]


def test_what_came_later_has_its_version(later: None) -> None:
    at = "2026-01-01T00:00:00.000000Z"
    assert newest() == NEXT
    assert {each["v"] for name in ("casino", "everything") for each in entries_of(name)} == {1}
    assert table_entry(at, "casino", RULES["casino"](deeper=3), POLICY)["v"] == NEXT  # type: ignore[call-arg]
    assert table_entry(at, "boxes", RULES["boxes"](), POLICY)["v"] == 1
    table = table_entry(at, "boxes", RULES["boxes"](), POLICY)
    assert [version_of("table", table | {"rules": rules}) for rules in ("boxes", "deeper")] == [1, NEXT]
    assert close_entry(at, "casino")["v"] == version_of("close", close_entry(at, "casino")) == 1
    assert entry("close", at, table="casino", reason="rain")["v"] == NEXT
    assert entry("wish", at, table="casino")["v"] == NEXT


def test_a_later_option_stands_only_off_its_default(later: None) -> None:
    told = [json.loads(played(deeper=deeper).lines[0]) for deeper in (0, 3)]
    assert ["deeper" in each["options"] for each in told] == [False, True]
    assert [each["v"] for each in told] == [1, NEXT]
    assert told[1]["options"] == {**told[0]["options"], "deeper": 3}


# Judged by who knows them.


@pytest.mark.parametrize("name", ["casino", "everything"])
def test_an_honest_log_of_today_is_judged_as_ever(name: str, request: pytest.FixtureRequest) -> None:
    today = full(log(name)).as_json()
    request.getfixturevalue("later")
    then = full(log(name)).as_json()
    for report in (today, then):
        report.pop("tables")  # where every option stands, also those at their default
    assert then == today
    assert then["verdict"] == "pass"


SOME = FRAUDS[::12]


@pytest.mark.parametrize("case", SOME, ids=[case.name for case in SOME])
def test_a_fraud_of_today_is_found_as_ever(case: Any, later: None, tmp_path: Path) -> None:
    check_found(case, tmp_path)


def test_a_log_with_all_that_is_new_passes(later: None) -> None:
    entries = entries_in(played(deeper=12))
    closed = places(entries, "close")[0]
    entries[closed] |= {"reason": "rain", "v": NEXT}
    assert fails(at_end(entries, {"v": NEXT, "kind": "wish", "table": "casino"})) == []


def test_a_fraud_by_what_is_new_is_found(later: None) -> None:
    """The shoes were worn by another option than the table's entry says."""
    entries = entries_in(played(deeper=12))
    entries[0]["options"]["deeper"] = 40
    assert {code for code, _, _ in fails(entries)} == {"shoe-not-retired"}
    del entries[0]["options"]["deeper"]
    entries[0]["v"] = 1
    assert {code for code, _, _ in fails(entries)} == {"shoe-retired-early"}


@pytest.mark.parametrize("kind", ["table", "shoe", "open", "round", "reveal"])
def test_an_entry_of_version_2_with_nothing_new_in_it(kind: str, later: None) -> None:
    """There is one way to write an entry."""
    entries = entries_of("casino")
    index = places(entries, kind)[0]
    entries[index]["v"] = NEXT
    assert fails(entries) == [("field-invalid", index, "v")]


def test_what_is_new_in_an_entry_of_version_1(later: None) -> None:
    entries = entries_in(played(deeper=12))
    entries[0]["v"] = 1
    assert fails(entries) == [("field-invalid", 0, "v")]
    entries = entries_in(played())
    closed = places(entries, "close")[0]
    entries[closed]["reason"] = "rain"
    assert fails(entries) == [("field-invalid", closed, "v")]
    entries = at_end(entries_in(played()), {"v": 1, "kind": "wish", "table": "casino"})
    assert fails(entries) == [("field-invalid", len(entries) - 1, "v")]


# Not judged by who does not.


def new(what: str) -> list[Entry]:
    """A log with something new, as a later fairshoe writes it."""
    entries = entries_of("casino")
    if what == "option":
        entries[0]["options"]["deeper"] = 12
        entries[0]["v"] = NEXT
        return entries
    more = (
        {"kind": "wish", "table": "casino"}
        if what == "kind"
        else {"kind": "close", "table": "casino", "reason": "rain"}
    )
    return at_end(entries, {"v": NEXT, **more})


@pytest.mark.parametrize("what", ["option", "field", "kind"])
def test_an_entry_of_a_newer_fairshoe_is_not_judged(what: str, tmp_path: Path) -> None:
    """There is no verdict."""
    entries = new(what)
    index = 0 if what == "option" else len(entries) - 1
    with pytest.raises(LogError, match="newer fairshoe") as caught:
        full(encoded(entries))
    assert (caught.value.where, caught.value.expected) == (f"entry {index}", f"version {newest()} at most")
    told = said("verify", written(tmp_path, encoded(entries)), "--key", KEY)
    assert told.code == 2
    assert told.out == ""
    assert f"where:    entry {index}" in told.err
    assert f"of version {NEXT}, " in told.err
    assert "with a newer fairshoe" in told.err


def test_a_fraud_before_an_entry_of_a_newer_fairshoe_is_named() -> None:
    """Else a house could end any log with such an entry, and nobody would hear of what stands before it."""
    entries = new("field")
    index = next(i for i, entry in enumerate(entries) if entry["kind"] == "round")
    entries[index]["hands"][0]["net"] += 2
    with pytest.raises(LogError) as caught:
        full(encoded(entries))
    assert f"(payout-differs): audit its first {len(entries) - 1} entries" in caught.value.remedy


@pytest.mark.parametrize("what", ["option", "field", "kind"])
def test_the_same_under_version_1_is_the_houses_fault(what: str) -> None:
    """Nobody hides a fault behind a version that is not there yet, nor what is new behind version 1."""
    entries = new(what)
    index = 0 if what == "option" else len(entries) - 1
    entries[index]["v"] = 1
    code, field = {
        "option": ("options-invalid", "options.deeper"),
        "field": ("field-invalid", "reason"),
        "kind": ("kind-unknown", "kind"),
    }[what]
    assert fails(entries)[0] == (code, index, field)
