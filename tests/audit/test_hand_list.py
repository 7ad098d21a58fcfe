"""`fairshoe-audit hand` without a round: finding hands by player and time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .planting import KEY, log
from .proofs import played
from .telling import Said, said, written
from .test_hand import OK, changed, entries, index_of

Entry = dict[str, Any]


def listed(folder: Path, lines: tuple[bytes, ...] | list[bytes], *more: object) -> Said:
    return said("hand", written(folder, lines), "--list", "--key", KEY, *more)


def rows(folder: Path, lines: tuple[bytes, ...] | list[bytes], *more: object) -> list[Entry]:
    found: list[Entry] = json.loads(listed(folder, lines, "--format", "json", *more).out)
    return found


def rounds_of(lines: tuple[bytes, ...]) -> list[Entry]:
    return [entry for entry in entries(lines) if entry["kind"] == "round"]


def test_every_round_is_a_line(tmp_path: Path) -> None:
    lines = played("casino")
    told = listed(tmp_path, lines)
    count = len(rounds_of(lines))
    assert told.code == 0
    assert told.first == told.last == f"PASS: {count} rounds: {count} ok"
    for entry in rounds_of(lines):
        (line,) = [line for line in told.out.splitlines() if line.startswith(f"casino#{entry['round']} ")]
        assert " ok " in line


@pytest.mark.parametrize("name", ["casino-p2", "Bjørn"])
def test_a_players_rounds_have_the_net_of_that_player(name: str, tmp_path: Path) -> None:
    lines = played("casino")
    found = rows(tmp_path, lines, "--player", name)
    for row in found:
        entry = next(e for e in rounds_of(lines) if f"casino#{e['round']}" == row["round"])
        own = [hand for hand in entry["hands"] if hand["seat"] == 2]
        (player,) = row["players"]
        assert (player["player"], player["name"]) == ("casino-p2", "Bjørn")
        assert player["net"] == sum(hand["net"] + hand.get("insurance", 0) for hand in own)
    assert len(found) == sum(any(hand["seat"] == 2 for hand in e["hands"]) for e in rounds_of(lines))


def test_rounds_are_found_by_time(tmp_path: Path) -> None:
    lines = played("casino")
    opened = [entry for entry in entries(lines) if entry["kind"] == "open"]
    at = opened[4]["at"]
    names = [f"casino#{entry['round']}" for entry in opened]
    assert [row["round"] for row in rows(tmp_path, lines, "--until", at)] == names[:5]
    over = rounds_of(lines)[4]["at"]
    assert [row["round"] for row in rows(tmp_path, lines, "--since", over)] == names[4:]
    assert [row["round"] for row in rows(tmp_path, lines, "--since", "2026-01-01", "--until", "2026-01-01")] == names
    assert rows(tmp_path, lines, "--since", "2026-01-02") == []
    east = f"{at[:11]}{int(at[11:13]) + 2:02}{at[13:-1]}+02:00"
    assert [row["round"] for row in rows(tmp_path, lines, "--until", east)] == names[:5]


def test_just_one_round_that_matches_is_told(tmp_path: Path) -> None:
    lines = played("casino")
    over, opened = rounds_of(lines)[4]["at"], [e for e in entries(lines) if e["kind"] == "open"][4]["at"]
    told = said("hand", written(tmp_path, lines), "--since", over, "--until", opened, "--key", KEY)
    assert told.last == f"PASS: every card, decision and payout of round casino#5 {OK}"
    cards = " ".join(rounds_of(lines)[4]["cards"])
    assert said("hand", tmp_path, "--since", over, "--until", opened, "--cards", cards).code == 0
    listed = said("hand", tmp_path, "--since", over, "--until", opened, "--list", "--key", KEY)
    assert listed.first == "PASS: 1 round: 1 ok"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--player", "nobody", "--list"], "no player 'nobody' in this log"),
        (["--list", "--since", "yesterday"], "'yesterday' is not a time"),
        (["--list", "--until", "2026-01-01T10:00:00"], "a time with its zone"),
        (["--list", "--since", "2026-02-30"], "is not a time"),
        (["--list", "--since", "0001-01-01T00:00:00+14:00"], "is not a time"),
        (["--list", "--until", "9999-12-31"], "is not a time"),
        ([], "say which hand"),
        (["--round", "1", "--list"], "--round names one hand"),
        (["--round", "1", "--since", "2026-01-01"], "--round names one hand"),
    ],
)
def test_what_cannot_be_sought_is_said(arguments: list[str], says: str, tmp_path: Path) -> None:
    told = said("hand", written(tmp_path, played("casino")), *arguments)
    assert (told.code, told.out) == (2, "")
    assert says in told.err


def test_each_round_has_its_verdict(tmp_path: Path) -> None:
    lines = played("casino")
    index = index_of("round", lines, 2)
    hands = entries(lines)[index]["hands"]
    hands[0]["net"] += 2
    bad = changed(lines, index, hands=hands)
    assert [row["verdict"] for row in rows(tmp_path, bad)[:4]] == ["ok", "ok", "fail", "ok"]
    told = listed(tmp_path, bad)
    assert (told.code, told.first[:5]) == (1, "FAIL:")
    still = listed(tmp_path, lines[: index_of("reveal", lines)])
    assert (still.code, still.first.split(":")[0]) == (0, "PASS so far")
    assert " cards not checked " in still.out
    assert said("hand", tmp_path, "--list", "--require-complete").code == 1


def test_after_an_entry_that_could_not_be_read_nothing_is_sure(tmp_path: Path) -> None:
    lines = played("casino")
    index = index_of("round", lines, 2)
    bad = [b"{" if i == index else line for i, line in enumerate(lines)]
    assert [row["verdict"] for row in rows(tmp_path, bad)[:4]] == ["ok", "ok", "cannot say", "cannot say"]
    told = listed(tmp_path, bad)
    assert told.code == 1
    assert told.first == told.last
    assert f"entry {index} could not be read, so that rounds may be missing" in told.first


def test_the_rounds_of_all_tables_are_listed(tmp_path: Path) -> None:
    found = rows(tmp_path, log("everything"))
    opened = [entry for entry in entries(log("everything")) if entry["kind"] == "open"]
    assert [row["at"] is not None for row in found].count(True) == len(opened)
    assert {row["verdict"] for row in found} == {"ok", "not dealt"}


# What is not there.


def test_no_round_is_no_pass(tmp_path: Path) -> None:
    lines = played("casino")
    for more in ((), ("--key", KEY)):
        told = said("hand", written(tmp_path, lines), "--player", "casino-p1", "--since", "2026-02-01", *more)
        assert (told.code, told.err) == (1, "")
        assert told.first == told.last
        assert told.first.startswith("CANNOT SAY: no round of casino-p1 over since 2026-02-01T00:00:00.000000Z")
        assert entries(lines)[-1]["at"] in told.first, "how far the log goes"
    sought = ("hand", tmp_path, "--until", "2025-01-01", "--format", "json")
    told = said(*sought)
    form = json.loads(told.out)
    assert (told.code, form["outcome"], form["complete"], form["rounds"]) == (1, "CANNOT SAY", False, [])
    again = said(*sought, "--list")
    assert (again.code, json.loads(again.out)) == (1, [])
    told = listed(tmp_path, lines[: index_of("open", lines)])
    assert (told.code, told.first[:37]) == (1, "CANNOT SAY: no round stands in this l")


def test_a_list_without_the_houses_key_passes_only_so_far(tmp_path: Path) -> None:
    told = said("hand", written(tmp_path, played("casino")), "--list")
    assert told.code == 0
    assert told.first.startswith("PASS so far: ")
    assert told.first.endswith(" ok; not checked: signature")
    assert said("hand", tmp_path, "--list", "--require-complete").code == 1
    (tmp_path / "checkpoint").unlink()
    assert said("hand", tmp_path, "--list").first.endswith(" ok; not checked: signature, tree")


# Whose.


def renamed(lines: tuple[bytes, ...], name: str, player: str = "casino-p2") -> tuple[bytes, ...]:
    """The log in which a player calls himself otherwise."""
    return tuple(
        changed((line,), 0, name=name)[0] if e["kind"] == "chips" and e["player"] == player and "name" in e else line
        for line, e in zip(lines, entries(lines), strict=True)
    )


def test_nobody_is_found_by_anothers_id(tmp_path: Path) -> None:
    """Casino-p2 calls himself casino-p1."""
    lines = renamed(played("casino"), "casino-p1")
    found = rows(tmp_path, lines, "--player", "casino-p1")
    assert {player["player"] for row in found for player in row["players"]} == {"casino-p1"}
    assert len(found) == sum(any(hand["seat"] == 1 for hand in e["hands"]) for e in rounds_of(lines))
    assert "casino-p2 “casino-p1” bets" in listed(tmp_path, lines).out


def test_an_id_of_the_log_is_no_name_in_a_round_without_it(tmp_path: Path) -> None:
    lines = renamed(played("casino"), "casino-p3")
    without = next(e for e in rounds_of(lines) if all(hand["seat"] != 3 for hand in e["hands"]))
    told = said("hand", written(tmp_path, lines), "--round", f"casino#{without['round']}", "--player", "casino-p3")
    assert "casino-p2" not in told.out.split("What you hold")[-1].split("What happened")[0]
    both = rows(tmp_path, lines, "--player", "casino-p3")
    assert all(player["player"] == "casino-p3" for row in both for player in row["players"])


def test_what_is_held_may_be_of_any_round_of_a_shoe_and_one_is_named(tmp_path: Path) -> None:
    lines = played("casino")
    seed = next(e for e in entries(lines) if e["kind"] == "opened" and e["player"] == "casino-p2")["seed"]
    until = rounds_of(lines)[3]["at"]
    sought = ("hand", written(tmp_path, lines), "--player", "casino-p2", "--until", until, "--seed", seed)
    assert "rounds match: `fairshoe-audit hand LOG --round ID` tells one of them." in said(*sought[:-2]).out
    told = said(*sought)
    assert told.code == 2
    assert "all are of shoe casino/1: for --seed and --commitment --round 'casino#1' will do" in told.err
    again = said("hand", tmp_path, "--round", "casino#1", "--player", "casino-p2", "--seed", seed)
    assert again.code == 0
