"""`fairshoe-audit hand` without a round: the hands of a log, or of a player, with their verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .planting import KEY, log
from .proofs import played
from .telling import Said, said, written
from .test_hand import Lines, changed, entries, index_of

Entry = dict[str, Any]


def listed(folder: Path, lines: Lines, *more: object) -> Said:
    return said("hand", written(folder, lines), "--key", KEY, *more)


def rows(folder: Path, lines: Lines, *more: object) -> list[Entry]:
    found: list[Entry] = json.loads(listed(folder, lines, "--format", "json", *more).out)["rounds"]
    return found


def rounds_of(lines: tuple[bytes, ...]) -> list[Entry]:
    return [entry for entry in entries(lines) if entry["kind"] == "round"]


def test_every_round_is_a_line_and_a_list_without_the_houses_key_passes_only_so_far(tmp_path: Path) -> None:
    lines = played("casino")
    told = listed(tmp_path, lines)
    count = len(rounds_of(lines))
    assert (told.code, told.first, told.last) == (0, *[f"PASS: {count} rounds: {count} ok"] * 2)
    for entry in rounds_of(lines):
        (line,) = [line for line in told.out.splitlines() if line.startswith(f"casino#{entry['round']} ")]
        assert " ok " in line
    told = said("hand", tmp_path)
    assert (told.code, told.first[:13]) == (0, "PASS so far: ")
    assert told.first.endswith(" ok; not checked: signature")
    assert said("hand", tmp_path, "--require-complete").code == 1


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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--player", "nobody"], "no player 'nobody' in this log"),
        (["--round", "1", "--player", "casino-p1"], "--player lists the hands of a log"),
        (["--receipt", "FILE"], "say which with --round ID"),
        (["t1#1", "--round", "t1#1"], "name the hand once"),
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


def test_after_an_entry_that_could_not_be_read_nothing_is_sure(tmp_path: Path) -> None:
    lines = played("casino")
    index = index_of("round", lines, 2)
    bad = [b"{" if i == index else line for i, line in enumerate(lines)]
    assert [row["verdict"] for row in rows(tmp_path, bad)[:4]] == ["ok", "ok", "cannot say", "cannot say"]
    told = listed(tmp_path, bad)
    assert (told.code, told.first) == (1, told.last)
    assert f"entry {index} could not be read" in told.first


def test_the_rounds_of_all_tables_are_listed(tmp_path: Path) -> None:
    found = rows(tmp_path, log("everything"))
    opened = [entry for entry in entries(log("everything")) if entry["kind"] == "open"]
    assert [row["at"] is not None for row in found].count(True) == len(opened)
    assert {row["verdict"] for row in found} == {"ok", "not dealt"}


def test_no_round_is_no_pass(tmp_path: Path) -> None:
    lines = played("casino")[: index_of("open", played("casino"))]
    for more, says in (((), "no round stands"), (("--player", "casino-p1"), "no round of casino-p1 stands")):
        told = listed(tmp_path, lines, *more)
        assert (told.code, told.first) == (1, told.last)
        assert told.first.startswith(f"CANNOT SAY: {says} ")
        assert entries(lines)[-1]["at"] in told.first, "how far the log goes"
    form = json.loads(said("hand", tmp_path, "--format", "json").out)
    assert (form["outcome"], form["complete"], form["rounds"]) == ("CANNOT SAY", False, [])


def test_nobody_is_found_by_anothers_id(tmp_path: Path) -> None:
    """Casino-p2 calls himself casino-p1."""
    lines = tuple(
        changed((line,), 0, name="casino-p1")[0] if e["kind"] == "chips" and e["player"] == "casino-p2" else line
        for line, e in zip(played("casino"), entries(played("casino")), strict=True)
    )
    found = rows(tmp_path, lines, "--player", "casino-p1")
    assert {player["player"] for row in found for player in row["players"]} == {"casino-p1"}
    assert len(found) == sum(any(hand["seat"] == 1 for hand in e["hands"]) for e in rounds_of(lines))
    assert "casino-p2 “casino-p1” bets" in listed(tmp_path, lines).out
