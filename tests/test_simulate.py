"""`fairshoe simulate`: honest logs of every game, which the auditor finds whole; the same bytes from one key; a whole
log or none, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.cli import main
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.log.directory import read_lines
from fairshoe.simulate.house import HousePlan, plan_house, write_house_log
from fairshoe.terminal import EXIT_INTERRUPTED
from tests.cli.process import command_of, run

KEY = bytes(range(32))
UNLUCKY = bytes(32)
"""A key with which somebody loses all chips in every game."""
GAMES = sorted(RULES)
FEWEST = {game: rules_of(game).chairs[0] for game in GAMES}
FULL = {game: min(rules_of(game).chairs[1], 7) for game in GAMES}
LOG = ("log.jsonl", "checkpoint", "log.vkey")
SIMULATE = ("simulate", "--log")


def written(folder: Path, plan: HousePlan) -> Path:
    log = folder / "log"
    write_house_log(log, plan)
    return log


def passed(log: Path) -> Report:
    """The auditor finds nothing wrong, and nothing missing."""
    report = verify(log, key=(log / "log.vkey").read_text())
    assert not report.failed
    assert report.complete
    return report


def whole(log: Path) -> dict[str, bytes]:
    return {name: (log / name).read_bytes() for name in LOG}


def entries(log: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, read_lines(log))


@pytest.mark.parametrize("seats", [FEWEST, FULL], ids=["fewest", "full"])
@pytest.mark.parametrize("game", GAMES)
def test_a_log_of_every_game_is_honest_and_complete(tmp_path: Path, game: str, seats: dict[str, int]) -> None:
    strategy = "mimic" if seats is FEWEST else "random"
    plan = plan_house([game], 60, KEY, seats=seats[game], careless=0.3, strategy=strategy)
    assert passed(written(tmp_path, plan)).rounds == 60


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("casino", {"minimum": 500, "maximum": 500, "packs": 3}),
        ("chinese", {"minimum": 400, "maximum": 1_000}),
        ("pontoon", {"minimum": 100, "maximum": 100, "participants": 3}),
        ("lounge", {"gift": 9_000}),
    ],
)
def test_whoever_runs_out_of_chips_buys_in(tmp_path: Path, game: str, options: dict[str, int]) -> None:
    log = written(tmp_path, plan_house([game], 150, UNLUCKY, options=options, careless=0.05))
    passed(log)
    assert sum(entry.get("op") == "buy-in" for entry in entries(log)) > 3


OPTIONAL = ("cut", "unheard", "away", "owes", "waits", "paid", "waived", "passed", "late", "uncovered", "unfunded")


def test_a_mix_shows_what_may_happen_at_a_table(tmp_path: Path) -> None:
    log = written(tmp_path, plan_house(GAMES, 1_200, KEY, tables=12, careless=0.1))
    report = passed(log)
    assert (report.rounds, len(report.tables)) == (1_200, 12)
    seen: Counter[str] = Counter()
    for entry in entries(log):
        kind = entry["kind"]
        seen[kind] += 1
        seen.update(f"{kind} {entry[name]}" for name in ("op", "why") if name in entry)
        seen.update(f"{kind} {name}" for name in OPTIONAL if name in entry)
        seen.update(f"decision by {each['by']}" for each in entry.get("decisions", ()) if "by" in each)
    wanted = {"table", "chips", "shoe", "seeds", "opened", "lapse", "late", "seal", "open", "round", "reveal", "void"}
    wanted |= {"bank first", "bank change", "bank rotation", "chips share", "chips cash-out", "void reshuffle"}
    wanted |= {"void seed", "reveal left", "reveal worn", "reveal bank", "shoe away", "shoe owes", "seeds cut"}
    wanted |= {"shoe paid", "seeds unheard"}
    wanted |= {"open waived", "open passed", "open late", "decision by table", "reshuffle"}
    assert wanted <= seen.keys()


def test_tables_are_interleaved_and_end_without_chips_or_shoes(tmp_path: Path) -> None:
    log = written(tmp_path, plan_house(["casino", "banker"], 61, KEY, tables=4))
    tables = [entry.get("table") or entry["shoe"].rpartition("/")[0] for entry in entries(log)]
    assert sum(one != other for one, other in pairwise(tables)) > len(tables) // 2
    rounds = Counter(entry["shoe"].split("/")[0] for entry in entries(log) if entry["kind"] == "round")
    assert rounds == {"casino-1": 16, "banker-2": 15, "casino-3": 15, "banker-4": 15}
    purses: dict[tuple[str, str], int] = {}
    for entry, table in zip(entries(log), tables, strict=True):
        if entry["kind"] in ("chips", "round"):
            purses |= {(table, account): chips for account, chips in entry["chips"].items()}
    assert {chips for (_, account), chips in purses.items() if account != "house"} == {0}
    assert (log / "checkpoint").read_text().startswith("simulated.example/log\n")


def test_the_same_key_and_plan_have_the_same_bytes_and_others_have_others(tmp_path: Path) -> None:
    plans = [
        plan_house(["casino"], 20, KEY),
        plan_house(["casino"], 20, bytes(32)),
        plan_house(["casino"], 21, KEY),
        plan_house(["casino"], 20, KEY, options={"packs": 8}),
        plan_house(["casino"], 20, KEY, seats=2),
        plan_house(["casino"], 20, KEY, careless=0.2),
        plan_house(["casino"], 20, KEY, strategy="mimic"),
    ]
    logs = [whole(written(tmp_path / str(number), plan)) for number, plan in enumerate(plans)]
    for name in LOG:
        assert len({log[name] for log in logs}) == len(plans)
    assert whole(written(tmp_path / "again", plans[0])) == logs[0]


def test_nothing_is_written_beside_anything_but_a_torn_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.jsonl.part").write_text("torn")
    words = [*SIMULATE, str(tmp_path), "--rules", "casino", "--rounds", "5"]
    assert main(words) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(LOG)
    before = whole(tmp_path)
    assert main(words) == 2
    assert "not empty" in capsys.readouterr().err
    assert whole(tmp_path) == before


SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))"


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run("fairshoe", *SIMULATE, log, "--rounds", "3000", prelude=SMALL_FILES)
    assert done.returncode == 2
    assert "cannot" in done.stderr
    assert "Traceback" not in done.stderr
    assert not log.exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupt_leaves_nothing_and_says_so_and_a_kill_leaves_no_log(tmp_path: Path, how: signal.Signals) -> None:
    log = tmp_path / "log"
    command = command_of("fairshoe", *SIMULATE, log, "--rounds", 10**7)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
    part = log / "log.jsonl.part"
    end = time.monotonic() + 120
    while not part.exists() or part.stat().st_size == 0:
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, how)
    try:
        _, told = process.communicate(timeout=120)
    finally:
        process.kill()
    if how == signal.SIGKILL:
        assert [path.name for path in log.iterdir()] == ["log.jsonl.part"]
        return
    assert process.returncode == EXIT_INTERRUPTED
    assert told.decode().splitlines() == [f"fairshoe: interrupted; {log} holds no log"]
    assert not log.exists()


def test_the_command_tells_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    words = ("--rounds", "1000", "--key", KEY.hex())
    assert main([*SIMULATE, str(log), *words, "--rules", "casino,boxes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rules"] == ["casino", "boxes"]
    assert (told["tables"], told["rounds"], told["key"]) == (2, 1000, KEY.hex())
    assert told["verifier"] == (log / "log.vkey").read_text().strip()
    assert told["entries"] == len(list(read_lines(log)))
    assert main([*SIMULATE, str(tmp_path / "again"), *words, "--rules", "casino", "--rules", "boxes"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert (lines["rules"], lines["rounds"], lines["root"]) == ("casino, boxes", "1,000", told["root"])
    assert whole(log) == whole(tmp_path / "again")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--rounds"),
        (["--rounds", "5"], "rounds"),
        (["--rounds", "0"], "--rounds"),
        (["--rounds", "50", "--rules", "whist"], "whist"),
        (["--rounds", "50", "--rules", "casino,casino"], "given twice"),
        (["--rounds", "50", "--rules", "casino,"], "no rule set ''"),
        (["--rounds", "50", "--tables", "5"], "tables"),
        (["--rounds", "50", "--tables", "10001"], "tables"),
        (["--rounds", "50", "--seats", "2"], "seats"),
        (["--rounds", "50", "--seats", "8", "--rules", "casino"], "seats"),
        (["--rounds", "50", "--careless", "0.6"], "careless"),
        (["--rounds", "50", "--careless", "nan"], "careless"),
        (["--rounds", "50", "--careless", "often"], "--careless"),
        (["--rounds", "50", "--strategy", "bicycle"], "bicycle"),
        (["--rounds", "50", "--strategy", "luck"], "luck"),
        (["--rounds", "50", "--option", "insert=61"], "insert"),
        (["--rounds", "50", "--rules", "casino", "--option", "packs=2"], "packs"),
        (["--rounds", "50", "--rules", "casino", "--option", "packs"], "packs"),
        (["--rounds", "50", "--rules", "casino", "--option", "packs=six"], "packs"),
        (["--rounds", "50", "--rules", "casino", "--option", "packs=4", "--option", "packs=4"], "given twice"),
        (["--rounds", "50", "--rules", "chinese", "--option", "free_hand=1"], "true or false"),
        (["--rounds", "50", "--rules", "chinese", "--option", "direction=up"], "direction"),
        (["--rounds", "50", "--key", "00"], "key"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    log = tmp_path / "log"
    assert main([*SIMULATE, str(log), *words]) == 2
    assert told in capsys.readouterr().err
    assert not log.exists()
