"""`fairshoe-audit hand --round`, as a person runs it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from fairshoe.log.canonical import encode
from fairshoe.protocol.shoe import Sealed
from fairshoe.record.entries import lost_entry
from tests.house import House, Seating, honest

from .planting import KEY, at_table, crooked, log, sealed_at
from .proofs import GAMES, played
from .tamper import tamperings
from .telling import Said, said, written
from .walk import decoded as entries
from .walk import full

Entry = dict[str, Any]
Lines = Sequence[bytes]
OK = "is what the key and the rules give"


def index_of(kind: str, lines: Lines, number: int = 0) -> int:
    return [i for i, entry in enumerate(entries(lines)) if entry["kind"] == kind][number]


def first(kind: str, lines: Lines) -> Entry:
    return entries(lines)[index_of(kind, lines)]


def changed(lines: Lines, index: int, **fields: Any) -> list[bytes]:
    """The log with some fields of one entry changed."""
    return [encode(json.loads(line) | fields) if i == index else line for i, line in enumerate(lines)]


def replaced(lines: Lines, index: int, line: bytes) -> list[bytes]:
    return [line if i == index else old for i, old in enumerate(lines)]


def hand(folder: Path, lines: Lines, name: str, *more: object) -> Said:
    """What is said of a round, by one who knows the house's key."""
    return said("hand", written(folder, lines), "--round", name, "--key", KEY, *more)


def form(folder: Path, lines: Lines, name: str, *more: object) -> Entry:
    told: Entry = json.loads(hand(folder, lines, name, "--format", "json", *more).out)
    return told


# The story.


@pytest.mark.parametrize("rules", GAMES)
def test_a_hand_is_told_card_by_card(rules: str, tmp_path: Path) -> None:
    rounds = [entry for entry in entries(played(rules)) if entry["kind"] == "round"]
    for entry in (rounds[0], rounds[-1]):
        name = f"{rules}#{entry['round']}"
        told = hand(tmp_path, played(rules), name)
        assert told.code == 0, told.out + told.err
        assert told.first == told.last == f"PASS: every card, decision and payout of round {name} {OK}"
        for offset, card in enumerate(entry["cards"]):
            assert told.out.count(f"✓ {card}   i = ") >= entry["cards"][: offset + 1].count(card)
        for account, chips in entry["chips"].items():
            assert f"seat {account}) {chips:,}" in told.out or f"the {account} {chips:,}" in told.out
        assert "✗" not in told.out


def test_arithmetic_transcript_and_times_are_those_of_the_log(tmp_path: Path) -> None:
    """Each line `i + w mod m = j` is right; the transcript has the digest that is shown; every step has its entry."""
    lines = played("casino")
    told = hand(tmp_path, lines, "casino#1").out
    sums = re.findall(r"i = (\d+), w = (\d+).*?: (\d+) \+ (\d+) mod (\d+) = (\d+)", told)
    assert len(sums) >= 6
    for i, w, again, word, m, j in sums:
        assert (i, w, int(m)) == (again, word, 312 - int(i))
        assert int(i) + int(w) % int(m) == int(j)
    shown = told.split("this transcript:\n")[1].split("     its SHA-256")[0].splitlines()
    text = "".join(f"{line.strip()}\n" for line in shown)
    assert f"its SHA-256 is {hashlib.sha256(text.encode()).hexdigest()}" in told
    for kind in ("shoe", "seeds", "opened", "seal", "open", "round", "reveal"):
        assert f"{first(kind, lines)['at']}  entry {index_of(kind, lines)}: " in told


# Reshuffles in the middle of a deal.


def test_a_reshuffle_in_the_middle_of_a_deal_is_told_with_its_arithmetic(tmp_path: Path) -> None:
    lines = played("pontoon", 40)
    entry = first("reshuffle", lines)
    told = hand(tmp_path, lines, f"pontoon#{entry['round']}")
    assert told.code == 0
    assert "✗" not in told.out
    assert f"the {entry['cards']} cards" in told.out
    assert f"reshuffle {entry['k']} {entry['cards']} {entry['deck']}" in told.out
    assert f"mod {entry['cards']} = {entry['cut']}" in told.out
    assert f"its first card, {entry['burn']}, was burned" in told.out
    dealt = entries(lines)[index_of("reshuffle", lines) + 1]
    assert told.out.count("   i = ") == len(dealt["cards"]) + 1, "each card, and the first burned one"
    assert f"{entry['cards']} - " not in told.out
    later = told.out.split("was burned\n")[1]
    for i, m in re.findall(r"i = (\d+), .* mod (\d+) = ", later):
        assert int(i) + int(m) == entry["cards"], "after it the words swap places of the gathered cards alone"


class NeverRetired(Seating):
    """Deals on from a shoe that was reshuffled in the middle of a deal."""

    def worn(self, sealed: Sealed) -> bool:
        return sealed.position == len(sealed) or self.played > 60


def test_an_earlier_reshuffle_of_the_shoe_says_how_its_order_came_about(tmp_path: Path) -> None:
    house, _ = crooked(NeverRetired, "pontoon", 45, seats=(1, 2, 3), chips=100_000)
    lines = tuple(house.lines)
    found = first("reshuffle", lines)
    shoe, number = found["shoe"], found["round"]
    after = [e["round"] for e in entries(lines) if e["kind"] == "round" and e["shoe"] == shoe and e["round"] > number]
    assert after, "the shoe was dealt from again"
    told = hand(tmp_path, lines, f"pontoon#{after[0]}")
    assert "gathered and shuffled anew" in told.out
    assert f"Before card {found['after'] + 1} of round {number}:" in told.out
    assert "✗" not in told.out.split("6. The rules")[0].split("5. Key and seeds")[1]


# What fails.


def test_a_changed_payout_shows_in_the_hand(tmp_path: Path) -> None:
    lines = played("casino")
    hands = first("round", lines)["hands"]
    hands[0]["net"] += 2
    told = hand(tmp_path, changed(lines, index_of("round", lines), hands=hands), "casino#1")
    assert told.code == 1
    assert told.first == told.last
    assert re.match("FAIL: .*casino#1.*payout-differs", told.first)
    assert "hands[0].net" in told.out
    other = said("hand", tmp_path, "--round", "casino#2")
    assert other.code == 0, "another round of the same log is as it should be"
    assert "1 thing that fails elsewhere" in other.out


def test_a_changed_card_says_which_it_should_be_and_what_steers_a_terminal_is_escaped(tmp_path: Path) -> None:
    lines = played("casino")
    index, cards = index_of("round", lines), first("round", lines)["cards"]
    for card, shown in (("5d" if cards[0] != "5d" else "6d",) * 2, ("\x1b[2J\u202e\x85", "\\x1b[2J\\u202e")):
        told = hand(tmp_path, changed(lines, index, cards=[card, *cards[1:]]), "casino#1")
        assert told.code == 1
        assert shown in told.out
        assert f", which is {cards[0]}" in told.out
    assert form(tmp_path, changed(lines, index, cards=[card, *cards[1:]]), "casino#1")["outcome"] == "FAIL"


@pytest.mark.parametrize("fields", [{"pos": "x"}, {"hands": 5}, {"cards": None}, {"decisions": [{}]}])
def test_a_round_that_cannot_be_read_is_told_from_what_can(fields: Entry, tmp_path: Path) -> None:
    lines = played("casino")
    index = index_of("round", lines)
    told = hand(tmp_path, changed(lines, index, **fields), "casino#1")
    assert told.code == 1
    assert told.first.startswith(f"FAIL: entry {index}, ")
    assert "field-invalid" in told.out


# What cannot be said.


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("reveal", "PASS so far: the key of shoe casino/1 is not revealed yet, its cards are not checked"),
        ("round", "PASS so far: round casino#1 is not over, its cards are not checked"),
    ],
)
def test_a_hand_that_has_not_come_to_its_end(kind: str, says: str, tmp_path: Path) -> None:
    lines = played("casino")
    told = hand(tmp_path, lines[: index_of(kind, lines)], "casino#1")
    assert (told.code, told.first, told.last) == (0, says, says)
    assert "not revealed yet" in told.out
    assert "othing is wrong" not in told.out
    assert said("hand", tmp_path, "--round", "casino#1", "--require-complete").code == 1
    assert said("hand", tmp_path, "--round", "casino#1").first.endswith("; nor signature")


@pytest.mark.parametrize(
    "line", [b"{", b'{"kind":"chips"}', b"\xff\xfe", b'{"at":1,"kind":"round","shoe":"casino/1","v":1}']
)
def test_nothing_is_said_of_a_round_after_an_entry_that_could_not_be_read(line: bytes, tmp_path: Path) -> None:
    lines = played("casino")
    index = index_of("round", lines, 1)
    told = hand(tmp_path, replaced(lines, index, line), "casino#3")
    assert told.code == 1
    assert told.first == told.last
    assert re.match(f"CANNOT SAY: .* entry {index} ", told.first)
    assert hand(tmp_path, replaced(lines, index, line), "casino#1").last.endswith(OK), "what stands before it is told"


@pytest.mark.parametrize(
    ("kind", "fields", "says"),
    [
        ("reveal", {"key": "x"}, "the end of shoe casino/1 cannot be followed: entry "),
        ("table", {"rules": "x"}, "there is no round casino#1 that could be read"),
    ],
)
def test_what_cannot_be_followed_leaves_the_round_untold(kind: str, fields: Entry, says: str, tmp_path: Path) -> None:
    lines = played("casino")
    told = hand(tmp_path, changed(lines, index_of(kind, lines), **fields), "casino#1")
    assert told.code == 1
    assert told.first.startswith(f"CANNOT SAY: {says}")


def test_an_unreadable_entry_of_another_table_does_no_harm(tmp_path: Path) -> None:
    house = House()
    for name in ("other", "one"):
        Seating(house, name, "banker", (1,)).play(1)
    bad = changed(house.lines, index_of("round", house.lines), pos="x")
    assert hand(tmp_path, bad, "one#1").last.endswith(OK)
    assert hand(tmp_path, bad, "other#1").code == 1


@pytest.mark.parametrize("name", ["casino#99", "nowhere#1", "casino", "casino#x", "casino#" + "9" * 30])
def test_a_round_that_is_not_there(name: str, tmp_path: Path) -> None:
    told = hand(tmp_path, played("casino"), name)
    assert (told.code, told.out) == (2, "")
    assert "expected" in told.err
    assert re.search(r"fault: +reader", told.err)


def test_a_round_whose_shoe_is_void_was_not_dealt_and_one_whose_shoe_is_lost_fails(tmp_path: Path) -> None:
    table = at_table("boxes", (1, 2))
    table.unopened_seed()
    told = hand(tmp_path, table.house.lines, "boxes#1")
    assert told.code == 0
    assert told.first.startswith("PASS: round boxes#1 ")
    assert "shoe-void" in told.out
    table = at_table()
    shoe, _ = sealed_at(table)
    table.open(shoe)
    table.house.log(lost_entry(table.house.at(), shoe.id, shoe.key.hex(), 1))
    told = hand(tmp_path, table.house.lines, "casino#1")
    assert (told.code, told.first.split(": ")[::2]) == (1, ["FAIL", "shoe-lost"])


def test_signature_tree_and_remembered_are_told_in_words(tmp_path: Path) -> None:
    lines = played("casino")
    whole = f"every card, decision and payout of round casino#1 {OK}"
    plain = said("hand", written(tmp_path, lines), "--round", "casino#1")
    assert "signature not checked; tree holds; remembered not checked" in plain.out
    assert "--key" in plain.out
    assert (plain.code, plain.first, plain.last) == (0, *[f"PASS so far: {whole}; not checked: signature"] * 2)
    assert said("hand", tmp_path, "--round", "casino#1", "--require-complete").code == 1
    old = written(tmp_path / "old", lines[:20])
    both = said("hand", tmp_path, "--round", "casino#1", "--key", KEY, "--checkpoint", old, "--require-complete")
    assert (both.code, both.first, both.last) == (0, f"PASS: {whole}", f"PASS: {whole}")
    assert "signature holds; tree holds; remembered holds" in both.out
    (tmp_path / "checkpoint").unlink()
    assert said("hand", tmp_path, "--round", "casino#1").first == f"PASS so far: {whole}; not checked: signature, tree"


def test_a_log_that_is_not_the_signed_one_fails_whatever_the_round_says(tmp_path: Path) -> None:
    lines = played("casino")
    written(tmp_path, lines)
    at = json.loads(lines[-1])["at"].encode()
    data = (tmp_path / "log.jsonl").read_bytes()
    (tmp_path / "log.jsonl").write_bytes(data.replace(at, at[:-2] + b"9Z"))
    told = said("hand", tmp_path, "--round", "casino#1")
    assert told.code == 1
    assert told.first.startswith("FAIL: ")
    old = written(tmp_path / "old", tuple(honest("casino", 1, seed=2, chips=10_000).lines))
    told = hand(tmp_path, lines, "casino#1", "--checkpoint", old)
    assert (told.code, told.first[:5]) == (1, "FAIL:")


def renamed(lines: tuple[bytes, ...], *names: str) -> list[bytes]:
    """The log in which its players call themselves so, the first name for seat 1."""
    return [
        encode(e | {"name": names[e["seat"] - 1]}) if e["kind"] == "chips" and e["seat"] <= len(names) else line
        for line, e in zip(lines, entries(lines), strict=True)
    ]


@pytest.mark.parametrize("name", ["the dealer", "casino-p1", "PASS", "x” (seat 1) bets 5", "the house", "n" * 60])
def test_a_name_stands_once_in_quotes_beside_the_id_and_nowhere_else(name: str, tmp_path: Path) -> None:
    told = hand(tmp_path, renamed(played("casino"), "alice", name), "casino#1")
    (line,) = [line for line in told.out.splitlines() if "casino-p2 “" in line]
    assert line.startswith("     casino-p2 “")
    assert re.search(r"” \(seat 2\) bets [\d,]+$", line)
    assert line.count("”") == 1
    plain = hand(tmp_path, renamed(played("casino"), "alice", "x"), "casino#1").out.splitlines()
    assert [line for line in told.out.splitlines() if "casino-p2 “" not in line] == [
        line for line in plain if "casino-p2 “" not in line
    ]


def test_who_was_struck_is_told(tmp_path: Path) -> None:
    table = at_table("pontoon", (1, 2, 3))
    table.lapsing = {table.opening_order(table.table.players.values())[0]}
    while b'"kind":"round"' not in b"".join(table.house.lines):
        table.play(1)
    told = hand(tmp_path, table.house.lines, "pontoon#1")
    assert "is struck from" in told.out
    assert "struck before any seed" in told.out


def opens(name: str, field: str) -> Iterator[str]:
    """Rounds whose `open` has a field, and that were dealt."""
    dealt = {(e["shoe"], e["round"]) for e in entries(log(name)) if e["kind"] == "round"}
    for entry in entries(log(name)):
        if entry["kind"] == "open" and field in entry and (entry["shoe"], entry["round"]) in dealt:
            yield f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}"


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("waived", "without a seed of their own in the shoe, by a waiver"),
        ("passed", " passes"),
        ("late", "is too late to bet"),
        ("uncovered", "not taken, since the bank does not cover it"),
    ],
)
def test_who_bets_how_is_told(field: str, says: str, tmp_path: Path) -> None:
    told = hand(tmp_path, log("everything"), next(opens("everything", field)))
    assert told.code == 0
    assert says in told.out


def test_the_drawn_cut_and_the_burned_card_are_told_with_their_arithmetic(tmp_path: Path) -> None:
    lines = played("pontoon", 60)
    dealt = {entry["shoe"]: entry["round"] for entry in entries(lines) if entry["kind"] == "round"}
    chosen = {entry["shoe"] for entry in entries(lines) if entry["kind"] == "seeds" and "cut" in entry}
    ends = [entry for entry in entries(lines) if entry["kind"] == "reveal" and entry["shoe"] in dealt]
    end = next(entry for entry in ends if entry["shoe"] not in chosen)
    seal = next(entry for entry in entries(lines) if entry["kind"] == "seal" and entry["shoe"] == end["shoe"])
    name, cut = f"pontoon#{dealt[end['shoe']]}", end["draws"]["cut"]
    told = hand(tmp_path, lines, name)
    assert told.code == 0
    assert f" cut at {cut}, " in told.out
    assert re.search(rf"✓ the cut: .*mod 52 = {cut}\n", told.out)
    assert re.search(rf"✓ {seal['burn']}   i = .*\(burned\)", told.out)
    assert form(tmp_path, lines, name)["cut"] == {"at": cut, "by": None}
    before = hand(tmp_path, lines[: entries(lines).index(end)], name)
    assert "Nobody chose the cut" in before.out


def tampered(rules: str, kind: str, few: int) -> Iterator[tuple[str, list[bytes]]]:
    """Logs of a house that changes one entry on the way of a round, signed again."""
    lines = played(rules, 1)
    shoe = first("round", lines)["shoe"]
    index = next(i for i, e in enumerate(entries(lines)) if e["kind"] == kind and e.get("shoe", shoe) == shoe)
    before, after = (entries(lines)[i]["at"] for i in (index - 1, min(index + 1, len(lines) - 1)))
    cases = list(tamperings(entries(lines)[index], neighbours=(before, after)))
    for field, entry in cases[:: max(1, len(cases) // few)]:
        yield field, replaced(lines, index, encode(entry))


CASES = [
    *((rules, kind) for rules in GAMES for kind in ("shoe", "open", "round", "reveal")),
    *(("casino", kind) for kind in ("seeds", "opened", "seal", "table", "chips")),
]


@pytest.mark.parametrize(("rules", "kind"), CASES)
def test_a_change_on_the_way_of_a_round_never_passes(rules: str, kind: str, tmp_path: Path) -> None:
    """Only where the audit of the whole log finds nothing either: the change is consistent, or was none."""
    for field, lines in tampered(rules, kind, 20):
        told = hand(tmp_path, lines, f"{rules}#1")
        assert told.code in (0, 1, 2)
        if told.code == 0 or told.out.startswith("PASS"):
            elsewhere = kind == "chips" or (kind == "table" and field.startswith(("at", "options", "policy")))
            assert elsewhere or not full(lines).failed, f"{field}: {told.first}"


SPOILS: list[Callable[[bytes], bytes]] = [
    lambda line: line[:-2],
    lambda line: encode(json.loads(line) | {"v": 1000, "note": "x"}),
    lambda line: encode(dict.fromkeys(json.loads(line), "x")),
    lambda line: line.replace(b'"shoe"', b'"shoo"').replace(b'"table"', b'"tabel"'),
]


@pytest.mark.parametrize("rules", GAMES)
def test_two_malformed_neighbours_never_pass(rules: str, tmp_path: Path) -> None:
    """Every place from the commitment to the round, each spoiled in another of the ways than the one before."""
    lines = played(rules, 1)
    last = index_of("round", lines)
    shoe = entries(lines)[last]["shoe"]
    begun = next(i for i, e in enumerate(entries(lines)) if e["kind"] == "shoe" and e["shoe"] == shoe)
    for number, index in enumerate(range(begun, last + 1), list(GAMES).index(rules)):
        spoil, bad = SPOILS[number % len(SPOILS)], list(lines)
        bad[index], bad[index + 1] = spoil(bad[index]), spoil(bad[index + 1])
        told = hand(tmp_path, bad, f"{rules}#1")
        assert told.code in (1, 2), (index, told.first)
