"""One change is one item of the report, whatever follows from it; and nothing of its own is hidden beneath."""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_cli.findings.finding import CHECKS
from audit_cli.findings.report import Group, Report
from audit_cli.verify import verify
from fairshoe.log.canonical import encode
from fairshoe.log.directory import ENTRIES, write_log
from tests.house import SIGNER, honest

from . import frauds, test_edits
from .planting import FRAUDS, KEY, at_table, dealt_at, encoded, entries_of, log, places, sealed_at
from .tamper import tamperings
from .test_every_field import horizons, is_newer, neighbours, samples
from .walk import Entry, decoded, full, states, subject, variants

BUSY = ("casino", "pontoon", "boxes", "lounge", "banker", "chinese")


def fails(report: Report) -> list[Group]:
    return [group for group in report.groups if group.code.severity == "fail"]


def items(lines: list[bytes]) -> list[str]:
    return [group.code.code for group in fails(full(lines))]


def the(lines: list[bytes]) -> Group:
    """The only item that fails."""
    (group,) = fails(full(lines))
    return group


def check_alone(code: str, lines: list[bytes], changed: dict[int, bytes]) -> None:
    """Each of these lines in the place of the one with its number is one item with one finding."""
    for index, report in variants(lines, changed):
        (group,) = fails(report)
        assert (group.code.code, group.count, group.follows) == (code, 1, {}), lines[index]


# The form of an entry.


@pytest.mark.parametrize("name", [*BUSY, "everything"])
def test_a_field_that_nobody_knows_is_one_item_and_nothing_follows(name: str) -> None:
    entries = entries_of(name)
    changed = {index: encode(entries[index] | {"note": "x"}) for index in samples(entries)}
    check_alone("field-invalid", encoded(entries), changed)


@pytest.mark.parametrize("name", [*BUSY, "everything"])
def test_a_version_that_is_none_is_one_item_and_nothing_follows(name: str) -> None:
    entries = entries_of(name)
    changed = {index: encode(entries[index] | {"v": 0}) for index in samples(entries)}
    check_alone("field-invalid", encoded(entries), changed)


@pytest.mark.parametrize(
    "write",
    [
        lambda line: line.replace(b'"kind":', b'"kind": '),
        lambda line: line + b" ",
        lambda line: b'{"v":1,' + line[1:].replace(b',"v":1}', b"}"),
    ],
    ids=["white space", "a space at the end", "another order"],
)
def test_a_line_written_otherwise_is_one_item_and_nothing_follows(write: Callable[[bytes], bytes]) -> None:
    lines = list(log("everything"))
    changed = {index: write(lines[index]) for index in samples(decoded(lines))}
    check_alone("entry-not-canonical", lines, changed)


@pytest.mark.parametrize("name", BUSY)
@pytest.mark.parametrize("kind", ["round", "open", "opened", "seal", "seeds", "reveal"])
def test_an_entry_that_cannot_be_read_is_one_item(name: str, kind: str) -> None:
    """Whatever else goes wrong for want of it follows from it."""
    entries = entries_of(name)
    for index in places(entries, kind)[:6]:
        for field in ("cards", "bets", "seed", "hashes", "end", "shoe"):
            if field in entries[index]:
                changed = copy.deepcopy(entries)
                changed[index][field] = {"a": True}
                assert items(encoded(changed)) == ["field-invalid"], (index, field)


# Order.


@pytest.mark.parametrize("name", ["casino", "pontoon", "boxes"])
@pytest.mark.parametrize("kind", ["round", "open", "opened", "seal", "reveal"])
def test_an_entry_dropped_is_one_item(name: str, kind: str) -> None:
    entries = entries_of(name)
    for index in places(entries, kind)[1:-1][:4]:
        found = items(encoded([*entries[:index], *entries[index + 1 :]]))
        assert len(found) == 1, (index, found)


def test_an_entry_doubled_is_one_item() -> None:
    entries = entries_of("casino")
    for kind in ("round", "open", "opened", "seal", "reveal", "seeds"):
        index = places(entries, kind)[0]
        assert len(items(encoded([*entries[: index + 1], *entries[index:]]))) == 1, kind


# Cards.


def with_another_seed(rehash: bool) -> list[bytes]:
    entries = decoded(honest("casino", 400, seats=(1, 2, 3), packs=8).lines)
    index = places(entries, "opened")[0]
    entry = entries[index]
    entry["seed"] = entry["seed"][2:] + entry["seed"][:2]
    if rehash:
        hashes = entries[places(entries, "seeds", shoe=entry["shoe"])[0]]["hashes"]
        hashes[entry["player"]] = hashlib.sha256(bytes.fromhex(entry["seed"])).hexdigest()
    return encoded(entries)


def test_a_seed_exchanged_is_one_item_with_its_cards_beneath() -> None:
    group = the(with_another_seed(rehash=False))
    assert (group.code.code, group.count, group.shoes) == ("seed-mismatch", 1, 1)
    assert group.follows["card-differs"] > 250


def test_a_seed_exchanged_together_with_its_hash_is_one_item() -> None:
    group = the(with_another_seed(rehash=True))
    assert (group.code.code, group.count, group.shoes) == ("order-differs", 1, 1)
    assert group.follows["card-differs"] > 250


def test_a_label_exchanged_is_one_item_whatever_the_round_makes_of_it() -> None:
    """The round does not add up with that card, and does with the one that the key gives."""
    entries = entries_of("casino")
    seen: Counter[str] = Counter()
    for index in places(entries, "round")[:12]:
        for offset in range(len(entries[index]["cards"])):
            changed = copy.deepcopy(entries)
            label = changed[index]["cards"][offset]
            changed[index]["cards"][offset] = "Ac" if label[0] != "A" else "5d"
            group = the(encoded(changed))
            assert (group.code.code, group.count) == ("card-differs", 1)
            assert {finding.field for finding in group.first} == {f"cards[{offset}]"}
            seen.update(group.follows)
    assert {"total-differs", "dealer-total-differs", "decision-illegal"} <= seen.keys()


def test_a_bet_changed_after_it_stood_is_one_item() -> None:
    entries = entries_of("casino")
    entries[places(entries, "open")[3]]["bets"][0]["amount"] += 2
    group = the(encoded(entries))
    assert group.code.code == "bet-differs"
    assert group.follows.keys() == {"payout-differs", "chips-differ"}


def test_of_the_changes_of_a_field_most_are_one_item() -> None:
    """Any field of any kind of entry, changed, retyped, removed or added. What is honestly more, docs/audit.md says."""
    lines = list(log("everything"))
    entries, source = decoded(lines), random.Random(7)
    ends, donors = horizons(entries), defaultdict[str, Entry](dict)
    for entry in entries:
        donors[entry["kind"]] |= entry
    counts: Counter[int] = Counter()
    for index, state in states(lines, samples(entries)):
        entry = entries[index]
        made = tamperings(entry, donors[entry["kind"]], neighbours(entries, index))
        every = [changed for _, changed in made if not is_newer(changed)]
        behind = lines[index + 1 : min(ends[subject(entry)], index + 100) + 1]
        for changed in source.sample(every, min(8, len(every))):
            audit = pickle.loads(state)
            for line in (encode(changed), *behind):
                audit.take(line)
            audit.finish()
            counts[len(fails(audit.report))] += 1
    failed = counts.total() - counts[0]
    assert failed > 500
    assert counts[1] > 0.85 * failed, counts


# Nothing is hidden.

Edit = Callable[[Entry], Any]
LATER: dict[str, Edit] = {
    "payout-differs": lambda entry: entry["hands"][0].update(net=entry["hands"][0]["net"] + 2),
    "total-differs": lambda entry: entry["hands"][0].update(total=entry["hands"][0]["total"] + 1),
    "outcome-differs": lambda entry: entry["hands"][0].update(outcome="other"),
    "chips-differ": lambda entry: entry["chips"].update(
        {name: chips + 1 for name, chips in [*entry["chips"].items()][:1]}
    ),
    "position-differs": lambda entry: entry.update(pos=entry["pos"] + 1),
}


@pytest.mark.parametrize("how", ["dropped", "unread"])
@pytest.mark.parametrize("kind", ["round", "open", "reveal"])
@pytest.mark.parametrize("code", LATER)
@pytest.mark.parametrize("name", ["casino", "pontoon", "boxes"])
def test_a_fraud_of_its_own_three_rounds_later_is_its_own_item(name: str, code: str, kind: str, how: str) -> None:
    entries = entries_of(name)
    first = places(entries, kind)[0]
    later = [index for index in places(entries, "round") if index > first][3]
    LATER[code](entries[later])
    if how == "unread":
        entries[first]["shoe"] = 7
    else:
        del entries[first]
        later -= 1
    groups = {group.code.code: group for group in fails(full(encoded(entries)))}
    assert len(groups) == 2
    assert later in [finding.entry for finding in groups[code].first]


def two_hands(entries: list[Entry]) -> Entry:
    """A round with just two hands."""
    return next(entry for entry in entries if entry["kind"] == "round" and len(entry["hands"]) == 2)


def test_two_hands_paid_wrongly_in_a_round_are_two_findings() -> None:
    entries = entries_of("casino")
    for hand in two_hands(entries)["hands"]:
        hand["net"] += 2
    group = the(encoded(entries))
    assert (group.code.code, group.count, group.rounds) == ("payout-differs", 2, 1)


def test_a_wrong_total_of_one_hand_does_not_explain_the_payout_of_another() -> None:
    entries = entries_of("casino")
    hands = two_hands(entries)["hands"]
    hands[0]["total"] += 1
    hands[1]["net"] += 2
    assert sorted(items(encoded(entries))) == ["payout-differs", "total-differs"]


def test_a_swapped_card_does_not_hide_a_wrong_payout_of_its_round() -> None:
    """With the card that the key gives the round does not add up either, so the card is not all that is wrong."""
    entries = entries_of("casino")
    entry = two_hands(entries)
    entry["cards"][0] = "Ac" if entry["cards"][0][0] != "A" else "5d"
    entry["hands"][1]["net"] += 2
    assert {*items(encoded(entries))} > {"card-differs"}


# Money is never hidden.


def stolen(entries: list[Entry]) -> Entry:
    """A round with two hands, of which the first is logged as lost instead of won, chips and all."""
    entry = next(
        entry
        for entry in entries
        if entry["kind"] == "round" and len(entry["hands"]) == 2 and entry["hands"][0]["outcome"] == "win"
    )
    hand = entry["hands"][0]
    entry["chips"][str(hand["seat"])] -= 2 * hand["net"]
    entry["chips"]["house"] += 2 * hand["net"]
    hand.update(outcome="lose", net=-hand["net"])
    return entry


BESIDE: dict[str, tuple[str, Edit]] = {
    "two offsets swapped": ("hand-cards-differ", lambda entry: entry["hands"][0]["cards"].reverse()),
    "a bet misprinted": ("bet-differs", lambda entry: entry["hands"][0].update(bet=entry["hands"][0]["bet"] - 1)),
    "the hands change places": ("bet-differs", lambda entry: entry["hands"].reverse()),
    "a hand too many": ("hands-differ", lambda entry: entry["hands"].append(dict(entry["hands"][1]))),
    "a total misprinted": (
        "total-differs",
        lambda entry: entry["hands"][0].update(total=entry["hands"][0]["total"] - 1),
    ),
    "the dealer's total misprinted": (
        "dealer-total-differs",
        lambda entry: entry["dealer"].update(total=entry["dealer"]["total"] + 1),
    ),
    "an offset of the dealer's changed": ("dealer-cards-differ", lambda entry: entry["dealer"]["cards"].reverse()),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_misprint_beside_a_theft_does_not_hide_it(name: str) -> None:
    entries = entries_of("casino")
    code, misprint = BESIDE[name]
    entry = stolen(entries)
    misprint(entry)
    groups = {group.code.code: group for group in fails(full(encoded(entries)))}
    assert groups.keys() == {code, "payout-differs"}
    assert groups["payout-differs"].count == 1
    assert groups["payout-differs"].first[0].found < 0 < groups["payout-differs"].first[0].expected
    assert groups["payout-differs"].follows["outcome-differs"] == 1
    assert "payout-differs" not in groups[code].follows


def test_a_theft_is_one_item_and_what_was_paid_is_named_first() -> None:
    entries = entries_of("casino")
    stolen(entries)
    group = the(encoded(entries))
    assert (group.code.code, group.count) == ("payout-differs", 1)
    assert group.follows["outcome-differs"] == 1


def test_hands_that_change_places_are_one_item_where_each_was_paid_rightly() -> None:
    entries = entries_of("casino")
    two_hands(entries)["hands"].reverse()
    group = the(encoded(entries))
    assert (group.code.code, group.count, group.follows) == ("bet-differs", 2, {})


def test_an_outcome_alone_is_an_item_of_its_own_beside_a_total() -> None:
    entries = entries_of("casino")
    two_hands(entries)["hands"][0].update(outcome="other", total=1)
    assert sorted(items(encoded(entries))) == ["outcome-differs", "total-differs"]


def test_every_planted_fraud_is_an_item_or_follows_from_one() -> None:
    assert {case.module for case in FRAUDS} >= {test_edits.__name__, frauds.bank.__name__}
    alone = 0
    for case in FRAUDS[::4]:
        report = full(case.plant().lines)
        groups = fails(report)
        told = {group.code.code for group in groups}.union(*(group.follows for group in groups))
        assert case.code in told, case.name
        alone += [group.code.code for group in groups] == [case.code]
    assert alone > 0.9 * len(FRAUDS[::4])


# Counts and the cap.


def test_whatever_is_listed_each_code_is_counted_and_each_check_that_fails_is_shown(tmp_path: Path) -> None:
    """1,500 wrong payouts do not hide that the root is another, too."""
    entries = decoded(honest("casino", 1500, seats=(1,), chips=10_000_000).lines)
    for index in places(entries, "round"):
        entries[index]["hands"][0]["net"] += 2
    write_log(tmp_path, encoded(entries), SIGNER)
    changed = bytearray((tmp_path / ENTRIES).read_bytes())
    place = changed.index(b"casino-p1")
    changed[place : place + 9] = b"casino-pX"
    (tmp_path / ENTRIES).write_bytes(changed)
    report = verify(tmp_path, key=KEY)
    groups = {group.code.code: group for group in fails(report)}
    wrong = len(places(entries, "round"))
    assert groups["payout-differs"].count == groups["payout-differs"].rounds == wrong >= 1500
    assert sum(finding.code == "payout-differs" for finding in report.findings) == 1000
    assert "root-differs" in groups
    assert "root-differs" in {finding.code for finding in report.findings}
    failed = {name for name, state in report.checks.items() if state == "fail"}
    shown = {group.code.check for group in report.groups}
    assert {"settlement", "tree"} <= failed
    assert {"settlement", "tree"} <= shown
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


def test_reading_a_report_changes_nothing() -> None:
    lines = with_another_seed(rehash=False)
    once, again = full(lines), full(lines)
    assert once.findings
    assert once.groups
    assert once.as_json() == once.as_json() == again.as_json()


# What was checked.


def test_a_log_of_one_line_is_checked_for_its_form_alone() -> None:
    report = full(list(log("casino")[:1]))
    passed = [name for name in CHECKS if report.checks[name] == "pass"]
    assert passed == ["syntax", "policy"]
    assert report.complete


def test_shoes_without_a_table_are_checked_for_form_and_order() -> None:
    lines = [line for line in log("everything") if b'"raffle' in line or b'"kind":"deck"' in line]
    report = full(lines)
    assert not report.failed
    passed = [name for name in CHECKS if report.checks[name] == "pass"]
    assert passed == ["syntax", "order", "completeness", "commitment", "contributions", "shuffle", "policy"]


def test_a_log_where_nothing_can_be_read_passes_nothing() -> None:
    report = full([b'{"kind":"round"}', b"[]", b"nothing"])
    assert report.failed
    assert set(report.checks.values()) == {"fail", "not-checked"}
    assert [tuple(each) for each in report.unchecked] == [("syntax", 3, "entries that could not be read")]


def test_cards_of_shoes_in_play_are_not_checked_and_no_failure() -> None:
    table = at_table()
    dealt_at(table, *sealed_at(table), 3)
    report = full(table.house.lines)
    assert not report.failed
    assert not report.complete
    assert report.checks["cards"] == "not-checked"
    assert [tuple(each) for each in report.unchecked] == [("cards", 1, "shoes in play")]


def test_shoes_whose_key_does_not_fit_are_counted_in_one_line() -> None:
    entries = entries_of("casino")
    reveals = places(entries, "reveal")
    for index in reveals[:2]:
        entries[index]["key"] = hashlib.sha256(b"another").hexdigest()
    report = full(encoded(entries))
    assert ("cards", 2, "shoes whose key does not fit: their cards") in [tuple(each) for each in report.unchecked]
    assert not report.complete


def test_a_shoe_without_its_commitment_is_not_checked_and_says_so() -> None:
    entries = entries_of("casino")
    del entries[places(entries, "shoe")[1]]
    report = full(encoded(entries))
    wanted = ("cards", 1, "shoes whose commitment is missing or could not be read: their cards")
    assert wanted in [tuple(each) for each in report.unchecked]


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
