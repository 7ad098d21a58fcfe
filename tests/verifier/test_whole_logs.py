"""Whole logs read twice: the auditor and `fairshoe/verifier` agree on honest logs of every game, and on where each
tampered one fails first. What is changed is chosen at random, by a fixed seed."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify import verify
from fairshoe.simulate.house import plan_house, write_house_log

from .node import node

HERE = Path(__file__).parent
KEY = bytes(range(32))
ROUNDS = 14
COPIES = 24

OPTIONS: dict[str, dict[str, Any]] = {
    "banker": {"maximum": 8000, "minimum": 500},
    "boxes": {"maximum": 8000},
    "casino": {"packs": 3},
    "chinese": {"free_hand": True, "direction": "anticlockwise", "twenty_one_double": True},
    "lounge": {"gift": 4000},
    "pontoon": {"maximum": 500},
}


def second(paths: list[Path]) -> list[dict[str, Any]]:
    """What the second reading says of each log: verdict, the first entry that fails, rounds."""
    script = HERE / "support" / "audits.mjs"
    done = subprocess.run(
        [node(), str(script), *map(str, paths)], capture_output=True, text=True, timeout=120, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def first(path: Path) -> tuple[str, int | None]:
    """The auditor's verdict, and the first entry that fails."""
    report = json.loads(json.dumps(verify(path).as_json()))
    places = [finding["entry"] for finding in report["findings"] if finding["severity"] == "fail"]
    return report["verdict"], min(places, default=None)


def simulated(folder: Path, game: str) -> list[dict[str, Any]]:
    plan = plan_house([game], ROUNDS, KEY, careless=0.1, options=OPTIONS[game])
    write_house_log(folder / game, plan)
    return [json.loads(line) for line in (folder / game / "log.jsonl").read_bytes().splitlines()]


def changed(entries: list[dict[str, Any]], chance: random.Random) -> str:
    """One change of a log, and what it was."""
    index = chance.randrange(1, len(entries) - 1)
    entry = entries[index]
    match chance.choice(["drop", "swap", "field", "field", "field", "round", "round"]):
        case "drop":
            del entries[index]
        case "swap":
            after = entries[index + 1]
            entry["at"], after["at"] = after["at"], entry["at"]
            entries[index : index + 2] = [after, entry]
        case "round":
            entry = chance.choice([entry for entry in entries if entry["kind"] == "round"])
            hand, decisions = chance.choice(entry["hands"]), entry["decisions"]
            match chance.choice(["card", "net", "decision", "chips"]):
                case "card":
                    entry["cards"][chance.randrange(len(entry["cards"]))] = chance.choice(["2c", "9h", "Kd", "As"])
                case "net":
                    hand["net"] += 2
                case "decision" if decisions:
                    decisions[-1]["move"] = "hit" if decisions[-1]["move"] == "stand" else "stand"
                case _:
                    entry["chips"][str(hand["seat"])] += 10
        case "field":
            names = [name for name, value in entry.items() if name not in ("v", "kind", "at", "burn", "cut") and value]
            name = chance.choice(names)
            match entry[name]:
                case bool() | list() | dict():
                    del entry[name]
                case int():
                    entry[name] += chance.choice([1, -1, 10])
                case str() as text if len(text) >= 16:
                    entry[name] = text[:-1] + ("0" if text[-1] != "0" else "1")
                case text:
                    entry[name] = chance.choice(["house", "worn", "left", f"{text}x"])
    return f"entry {index}, {entry['kind']}"


@pytest.mark.parametrize("game", OPTIONS)
def test_both_readings_agree(game: str, tmp_path: Path) -> None:
    honest = simulated(tmp_path, game)
    assert second([tmp_path / game / "log.jsonl"]) == [{"verdict": "pass", "first": None, "rounds": ROUNDS}]
    chance, paths, whats = random.Random(f"second reading of {game}"), [], []
    for copy in range(COPIES):
        entries = json.loads(json.dumps(honest))
        whats.append(changed(entries, chance))
        paths.append(tmp_path / f"{copy}.jsonl")
        lines = (json.dumps(one, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n" for one in entries)
        paths[-1].write_text("".join(lines), encoding="utf-8")
    for path, what, read in zip(paths, whats, second(paths), strict=True):
        assert (read["verdict"], read["first"]) == first(path), f"{path.name}: {what}"


@pytest.mark.parametrize("game", OPTIONS)
def test_from_the_command_line(game: str, tmp_path: Path) -> None:
    simulated(tmp_path, game)
    log, script = tmp_path / game, HERE.parents[1] / "fairshoe" / "verifier" / "verify.mjs"

    def run(*options: str) -> tuple[int, dict[str, Any]]:
        done = subprocess.run([node(), str(script), *options], capture_output=True, text=True, timeout=60)
        return done.returncode, json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}

    code, verdict = run(str(log), "--key", str(log / "log.vkey"))
    assert (code, verdict["verdict"], verdict["signature"]) == (0, "pass", "pass")
    lines = (log / "log.jsonl").read_bytes().splitlines(keepends=True)
    (log / "log.jsonl").write_bytes(b"".join(lines[:-1]))
    assert run(str(log))[0] == 1
    (log / "log.jsonl").write_bytes(b"".join(lines)[:-1])
    assert run(str(log))[0] == 1
    assert run(str(log / "nothing"))[0] == 2
    assert run(str(log), "--key", "no key")[0] == 2
