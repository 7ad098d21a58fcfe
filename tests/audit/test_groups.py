"""Of a shoe the first failure is one item of the report, and whatever else fails in it is counted beneath."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_cli.verify.findings.report import Group, Report
from audit_cli.verify.run import verify
from fairshoe.log.canonical import encode
from fairshoe.log.directory import ENTRIES, write_log
from tests.house import SIGNER, honest

from .frauds import FRAUDS
from .planting import KEY, encoded, entries_of, log, places
from .tamper import tamperings
from .test_every_field import is_newer, neighbours, samples
from .walk import Entry, decoded, full, states, variants


def fails(report: Report) -> list[Group]:
    return [group for group in report.groups if group.code.severity == "fail"]


def the(entries: list[Entry]) -> Group:
    """The only item that fails."""
    (group,) = fails(full(encoded(entries)))
    return group


# One change is one item.

FORMS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "an unknown field": ("field-invalid", lambda line: encode(json.loads(line) | {"note": "x"})),
    "no version": ("field-invalid", lambda line: encode(json.loads(line) | {"v": 0})),
    "white space": ("entry-not-canonical", lambda line: line.replace(b'"kind":', b'"kind": ')),
    "a space at the end": ("entry-not-canonical", lambda line: line + b" "),
    "another order": ("entry-not-canonical", lambda line: b'{"v":1,' + line[1:].replace(b',"v":1}', b"}")),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_form_is_one_item_and_nothing_stands_beneath(form: str) -> None:
    code, write = FORMS[form]
    lines = list(log("everything"))
    changed = {index: write(lines[index]) for index in samples(decoded(lines))[::25]}
    for index, report in variants(lines, changed):
        (group,) = fails(report)
        assert (group.code.code, group.count, dict(group.follows)) == (code, 1, {}), lines[index]


ELSEWHERE = {"shoe", "-shoe", "kind", "-kind"}
"""Changed, the entry belongs to another shoe, or to none, and its own shoe lacks it: two places."""


@pytest.mark.parametrize("name", ["casino", "pontoon"])
def test_a_field_changed_in_a_shoe_is_one_item(name: str) -> None:
    """One change of every field of every kind of entry that names its shoe."""
    entries, lines = entries_of(name), list(log(name))
    kinds = {entry["kind"] for entry in entries if "shoe" in entry} - {"bank"}
    failed = 0
    for index, state in states(
        lines, sorted(places(entries, kind)[1:][0] for kind in kinds if places(entries, kind)[1:])
    ):
        made = tamperings(entries[index], None, neighbours(entries, index))
        every = {field: encode(entry) for field, entry in made if field not in ELSEWHERE and not is_newer(entry)}
        for field, line in every.items():
            audit = pickle.loads(state)
            for each in (line, *lines[index + 1 : index + 60]):
                audit.take(each)
            audit.finish()
            found = [group.code.code for group in fails(audit.report)]
            known = found if entries[index]["kind"] != "shoe" else found[:1]  # without it nobody knows who cuts next
            assert len(known) <= 1, (entries[index]["kind"], field, found)
            failed += len(found)
    assert failed > 30


def test_every_planted_fraud_is_an_item_or_stands_beneath_one() -> None:
    alone = 0
    for case in FRAUDS[::9]:
        groups = fails(full(case.plant().lines, SIGNER.verifier.name))
        assert case.code in {group.code.code for group in groups}.union(*(group.follows for group in groups)), case.name
        alone += [group.code.code for group in groups] == [case.code]
    assert alone > 0.8 * len(FRAUDS[::9])


# Which failure of a shoe is told.


def with_another_seed(rehash: bool) -> list[Entry]:
    entries = decoded(honest("casino", 60, seats=(1, 2, 3), packs=8).lines)
    entry = entries[places(entries, "opened")[0]]
    entry["seed"] = entry["seed"][2:] + entry["seed"][:2]
    if rehash:
        hashes = entries[places(entries, "seeds", shoe=entry["shoe"])[0]]["hashes"]
        hashes[entry["player"]] = hashlib.sha256(bytes.fromhex(entry["seed"])).hexdigest()
    return entries


@pytest.mark.parametrize(("rehash", "code"), [(False, "seed-mismatch"), (True, "order-differs")])
def test_a_seed_exchanged_is_one_item_with_its_cards_beneath(rehash: bool, code: str) -> None:
    group = the(with_another_seed(rehash))
    assert (group.code.code, group.count) == (code, 1)
    assert group.follows["card-differs"] > 250


def test_of_a_round_what_was_paid_is_told_first() -> None:
    """A hand that won is logged as lost, chips and all, beside a total that is wrong, too."""
    entries = entries_of("casino")
    rounds = (entry for entry in entries if entry["kind"] == "round" and len(entry["hands"]) == 2)
    entry = next(entry for entry in rounds if entry["hands"][0]["outcome"] == "win")
    hand = entry["hands"][0]
    entry["chips"][str(hand["seat"])] -= 2 * hand["net"]
    entry["chips"]["house"] += 2 * hand["net"]
    hand.update(outcome="lose", net=-hand["net"])
    entry["hands"][1]["total"] += 1
    group = the(entries)
    assert (group.code.code, group.count) == ("payout-differs", 1)
    assert group.first[0].found < 0 < group.first[0].expected
    assert group.follows.keys() == {"outcome-differs", "total-differs", "chips-differ"}


@pytest.mark.parametrize("same", [True, False])
def test_two_wrong_rounds_of_a_shoe_are_one_item_and_of_two_shoes_two(same: bool) -> None:
    """The second by another code, in the same shoe or in one that comes later."""
    entries = entries_of("casino")
    first, *later = [entries[index] for index in places(entries, "round")]
    first["hands"][0]["total"] += 1
    second = next(entry for entry in later if (entry["shoe"] == first["shoe"]) == same)
    second["hands"][0]["net"] += 2
    groups = {group.code.code: group for group in fails(full(encoded(entries)))}
    assert groups["total-differs"].follows["payout-differs"] == same
    assert ("payout-differs" in groups) == (not same)
    report = full(encoded(entries))
    named = {finding.code: finding.follows for finding in report.findings}
    assert named["payout-differs"] == ("total-differs" if same else None)


def test_whatever_is_listed_each_code_is_counted_and_each_check_that_fails_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many wrong payouts do not hide that the root is another, too."""
    monkeypatch.setattr("audit_cli.verify.findings.report.MAX_FINDINGS", 10)
    entries = entries_of("casino")
    wrong = len(places(entries, "round"))
    for index in places(entries, "round"):
        entries[index]["hands"][0]["net"] += 2
    write_log(tmp_path, encoded(entries), SIGNER)
    changed = bytearray((tmp_path / ENTRIES).read_bytes())
    place = changed.rindex(b"casino-p1")
    changed[place : place + 9] = b"casino-pX"
    (tmp_path / ENTRIES).write_bytes(changed)
    report = verify(tmp_path, key=KEY)
    groups = {group.code.code: group for group in fails(report)}
    beneath = sum(group.follows["payout-differs"] for group in groups.values())
    assert groups["payout-differs"].count + beneath == wrong > 40
    assert sum(finding.code == "payout-differs" for finding in report.findings) == 10
    assert "root-differs" in groups
    assert {"settlement", "tree"} <= {name for name, state in report.checks.items() if state == "fail"}
    everything = verify(tmp_path, key=KEY, everything=True)
    assert sum(finding.code == "payout-differs" for finding in everything.findings) == wrong


def test_what_fails_stands_first_and_the_log_is_read_from_its_beginning() -> None:
    entries = entries_of("everything")
    for kind in ("reveal", "round"):
        entries[places(entries, kind)[-1]]["note"] = "x"
    entries[places(entries, "round")[3]]["hands"][0]["net"] += 2
    report = full(encoded(entries))
    severities = [group.code.severity for group in report.groups]
    assert severities == sorted(severities)
    assert [group.code.code for group in fails(report)] == ["payout-differs", "field-invalid"]
    assert report.first is not None
    assert report.first.entry == places(entries, "round")[3]
    assert full(list(log("casino"))).first is None


def test_shoes_whose_cards_cannot_be_checked_are_counted_by_the_reason() -> None:
    entries = entries_of("casino")
    for index in places(entries, "reveal")[:2]:
        entries[index]["key"] = hashlib.sha256(b"another").hexdigest()
    del entries[places(entries, "shoe")[2]]
    report = full(encoded(entries))
    told = [tuple(each) for each in report.unchecked]
    assert ("cards", 2, "shoes whose key does not fit: their cards") in told
    assert ("cards", 1, "shoes whose commitment is missing or could not be read: their cards") in told
    assert not report.complete


def test_a_reveal_that_comes_too_late_is_still_held_against_the_cards() -> None:
    """The next shoe has begun; its key is as good for that."""
    entries = entries_of("casino")
    reveal = places(entries, "reveal")[0]
    moved = places(entries, "open")
    later = next(index for index in moved if index > reveal)
    late = entries.pop(reveal)
    entries.insert(later, late)
    index = places(entries, "round", round=2)[0]
    with_card = copy.deepcopy(entries)
    with_card[index]["cards"][0] = "Ac" if with_card[index]["cards"][0][0] != "A" else "5d"
    assert "card-differs" not in told(entries)
    assert "card-differs" in told(with_card)


def told(entries: list[Entry]) -> set[str]:
    return {finding.code for finding in full(encoded(entries)).findings}
