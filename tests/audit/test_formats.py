"""Every format can be read whatever stands in the log, is the same to the byte everywhere, and steers no terminal."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

import click
import pytest

from audit_cli.main import PROGRAM, main
from audit_cli.verify.findings.finding import Place
from audit_cli.verify.findings.formats import FORMATS
from audit_cli.verify.findings.report import TOOL, AuditedLog, Report
from audit_cli.verify.findings.wording import shallow
from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.run import verify
from fairshoe.log.directory import write_log
from tests.house import SIGNER
from tests.other_houses.test_foreign import RESULTS

from .frauds import FRAUDS
from .planting import KEY, log
from .test_hostile import HOSTILE
from .walk import full

ROOT = Path(__file__).parents[2]
FRAUD_LOGS = {case.name: case for case in FRAUDS[::40]}
HOSTILE_LINES = [line for line, _ in HOSTILE.values() if len(line) < 100_000]
NASTY = "\x1b[2J\x9b\u202e\ud800\x00\ufffe\U000e0001<&>\"']]>\n\r\t千代"
LONG = NASTY + "x" * 70_000


def hostile() -> tuple[bytes, ...]:
    return (*log("banker")[:1], *HOSTILE_LINES, *log("banker")[2:])


def in_play() -> tuple[bytes, ...]:
    """A log that ends while a shoe is in play."""
    lines = log("banker")
    last = max(i for i, line in enumerate(lines) if b'"kind":"reveal"' in line)
    return lines[:last]


LOGS = {
    "honest": lambda: log("banker"),
    "everything": lambda: log("everything"),
    "in play": in_play,
    "hostile": hostile,
    "one line": lambda: log("banker")[:1],
    **{name: case.plant for name, case in FRAUD_LOGS.items()},
}


@cache
def report_of(name: str) -> Report:
    made: Any = LOGS[name]()
    lines = made.lines if hasattr(made, "lines") else made
    report = full(lines)
    report.log = AuditedLog(
        "a.test/log", len(lines), "ab" * 32, "2026-01-01T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z"
    )
    return report


@cache
def nasty() -> Report:
    """A report in which everything that could come from a log is as bad as it can be."""
    report = Report()
    report.log = AuditedLog(NASTY, 3, NASTY, NASTY, NASTY)
    report.parameters = {"key": NASTY, "remembered": [{"origin": NASTY, "size": 10**40, "root": NASTY}, NASTY]}
    report.tables = [{"table": NASTY, "rules": NASTY, "options": {NASTY: NASTY}, "shoes": 1, "rounds": 1}]
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    values = [NASTY, 10**40, -(10**40), deep, {"a": deep}, [NASTY] * 9, True, None, {}, [], "", LONG]
    for code, value in zip(CATALOGUE, cycle(values), strict=False):
        text = LONG if value is LONG else NASTY
        report.add(code, Place(text, text, 3), entry=7, field=text, subject=text, expected=value, found=value)
    report.leave("cards", NASTY, 3)
    report.leave("tree", NASTY)
    return report


def reports() -> Iterator[Report]:
    yield from map(report_of, LOGS)
    yield nasty()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_no_character_that_steers_a_terminal_or_is_no_unicode(name: str) -> None:
    for report in reports():
        text = FORMATS[name](report)
        text.encode()
        assert text.endswith("\n")
        assert text.replace("\n", "").isprintable()


def test_the_json_report_is_the_report() -> None:
    for name in LOGS:
        report = report_of(name)
        assert json.loads(FORMATS["json"](report)) == json.loads(json.dumps(shallow(report.as_json())))


def test_what_is_nested_too_deeply_is_left_out() -> None:
    report = Report()
    report.add("field-invalid", found=[[[[]]]])
    report.add("field-invalid", found=nasty().findings[3].found)
    short, deep = (finding["found"] for finding in json.loads(FORMATS["json"](report))["findings"])
    assert short == [[[[]]]]
    assert "nested too deeply" in json.dumps(deep)


def test_the_lines_are_the_report_its_groups_and_its_findings() -> None:
    for report in reports():
        lines = [json.loads(line) for line in FORMATS["jsonl"](report).split("\n")[:-1]]
        whole = json.loads(FORMATS["json"](report))
        groups, findings = whole.pop("groups"), whole.pop("findings")
        assert lines[0] == {"type": "report", **whole}
        assert lines[1:] == [
            *({"type": "group", **group} for group in groups),
            *({"type": "finding", **finding} for finding in findings),
        ]


def test_a_check_of_which_something_was_not_looked_at_is_no_pass() -> None:
    report = Report()
    report.checked("cards", "shuffle", "dealer", "settlement", "chips", "decisions")
    report.open = 1
    assert report.checks["cards"] == "pass"
    report.leave("settlement", "rounds that could not be played again: what was paid", 1)
    states = [report.checks[name] for name in ("cards", "decisions", "dealer", "settlement", "chips")]
    assert states == ["pass", "pass", "not-checked", "not-checked", "not-checked"]
    assert json.loads(FORMATS["json"](report))["checks"]["settlement"] == "not-checked"
    for name in ("dealer", "settlement", "chips"):
        assert f"· {name:14} not checked: 1 round " in FORMATS["text"](report)


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_the_verdict_stands_first_and_last() -> None:
    for name in LOGS:
        report = report_of(name)
        lines = FORMATS["text"](report).split("\n")[:-1]
        assert lines[0] == lines[-1]
        word = "FAIL: " if report.failed else "PASS: " if report.complete else "PASS so far: "
        assert lines[0].startswith(word)
    assert FORMATS["text"](report_of("in play")).startswith("PASS so far: 1 shoe")


def test_the_last_screen_shows_what_was_found_however_much_that_is() -> None:
    for report in reports():
        lines = FORMATS["text"](report).split("\n")[:-1]
        begin = max(i for i, line in enumerate(lines) if line.startswith("───"))
        screen = lines[begin:]
        assert len(screen) <= 22
        assert max(map(columns, screen)) <= 80
        if not report.groups:
            continue
        shown = [group for group in report.groups if any(group.code.code in line for line in screen)]
        assert shown == report.groups[: len(shown)]
        assert len(shown) >= min(3, len(report.groups))
        for group in shown:
            (row,) = [line for line in screen if line[2:].split()[:1] == [group.code.code] and line[0] in "✗·"]
            assert row.split()[2] == f"{group.count:,}"
            assert row.endswith(group.code.fault)
        if len(shown) < len(report.groups):
            assert any("more, with" in line for line in screen)
        assert any(line.startswith("Look first at:") for line in screen) == report.failed


def test_a_group_has_its_first_places() -> None:
    report = Report(everything=True)
    for number in range(1, 1501):
        place = Place("casino", f"casino/{number // 100}", number)
        about = {"field": "hands[0].net", "subject": "alice's payout", "expected": -20, "found": 30}
        report.add("payout-differs", place, entry=number, **about)  # type: ignore[arg-type]
    text = FORMATS["text"](report).replace("\n      ", " ")
    assert "  1,500 findings; fault: house\n" in text
    said = "    alice's payout in round casino#{0} is +30, should be −20 (entry {0}, hands[0].net)\n"
    assert [number for number in range(1, 1501) if said.format(number) in text] == [1, 100, 200]
    assert "and 1,497 more; " in text
    assert FORMATS["jsonl"](report).count('"type": "finding"') == 1500


def test_what_follows_stands_under_its_cause() -> None:
    report = Report()
    shoe = Place("casino", "casino/1")
    report.add("seed-mismatch", shoe, entry=4, field="seed", subject="bob's seed", expected="a" * 64, found="b" * 64)
    for i in range(5027):
        report.add("card-differs", shoe._replace(round=i), entry=i + 5, field="cards[0]", expected="Ah", found="2c")
    screen = FORMATS["text"](report).split("\n")[-23:]
    rows = [line.split() for line in screen]
    assert ["card-differs", "5,027", "beneath", "it"] in rows
    assert rows[-2][:1] == ["FAIL:"]
    assert "at 5,028 places" in screen[-2]


def test_colour_marks_the_verdict_and_nothing_else() -> None:
    for report in reports():
        plain, colour = (FORMATS["text"](report, colour=coloured) for coloured in (False, True))
        assert re.sub(r"\x1b\[(?:0|3\d)m", "", colour) == plain
        marked = [line for line in colour.split("\n") if "\x1b" in line]
        assert all(re.match(r" *\x1b\[3\dm(?:✓|✗|·|PASS:|PASS so far:|FAIL:)\x1b\[0m ", line) for line in marked)


def test_the_text_says_what_was_audited_and_by_what(tmp_path: Path) -> None:
    write_log(tmp_path, list(log("casino")), SIGNER)
    report = verify(tmp_path, key=KEY)
    text = FORMATS["text"](report)
    table = next(line for line in text.split("\n") if line.startswith("  table "))
    assert "casino with packs 3;" in table
    for said in (TOOL, KEY, report.log.origin, report.log.root, report.log.first, report.log.last):
        assert str(said) in text


WORLDS = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
    "Japanese": {"LC_ALL": "ja_JP.eucJP", "PYTHONHASHSEED": "3", "TZ": "America/Lima", "COLUMNS": "40", "TERM": "dumb"},
}


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_same_log_gives_the_same_bytes_everywhere(form: str, tmp_path: Path) -> None:
    seen = set()
    for world, environment in WORLDS.items():
        folder = tmp_path / world
        write_log(folder / "log", hostile(), SIGNER)
        shutil.copy(folder / "log" / "checkpoint", folder / "old")
        command = [sys.executable, "-m", "audit_cli.main", "verify", str(folder / "log"), "--key", KEY]
        command += ["--checkpoint", str(folder / "old"), "--format", form]
        made = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
        done = subprocess.run(command, env=made, cwd=folder, capture_output=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (1, b"")
        seen.add(done.stdout.replace(b"\r\n", b"\n"))
    assert len(seen) == 1


COMMANDS: dict[str, tuple[list[str], set[str]]] = {
    "consistency": (["LOG", "LOG", "LOG"], {"verdict", "old", "new", "proof"}),
    "explain": (["chips-differ"], {"code", "check", "severity", "fault", "next"}),
    "foreign": ([str(RESULTS)], {"scheme", "notes"}),
    "hand": (["LOG", "--round", "casino#1"], {"outcome", "round"}),
    "placed": (["PLACED", "LOG", "--key", KEY], {"verdict", "held", "faults"}),
    "receipt": (["RECEIPTS", "LOG"], {"verdict"}),
    "recheck": (["FILE", "LOG", "--reviewer", KEY], set()),
    "refunds": (["LOG"], {"outcome", "refunds"}),
    "report": (["LOG"], {"cover", "sections"}),
    "verify": (["LOG"], {"verdict", "checks"}),
}
"""How each command is called, and parts of its JSON. `fork` and `prove` make a file of their own."""


def test_all_commands_write_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_log(Path("LOG"), log("casino")[:60], SIGNER)
    Path("PLACED").write_text("")
    assert {*PROGRAM.list_commands(click.Context(PROGRAM))} == COMMANDS.keys() | {"fork", "prove"}
    for name, (words, parts) in COMMANDS.items():
        options = {each.name: each for each in import_module(f"audit_cli.commands.{name}").cli.params}
        assert {"format", "output"} <= options.keys() | {each.rstrip("s") for each in options}, name
        assert {"text", "json", "jsonl"} <= set(options["format"].type.choices)
        if name in ("receipt", "recheck"):  # they need evidence: see tests/audit/test_receipts.py, tests/desk
            continue
        for form in ("json", "jsonl", "txt"):
            main([name, *words, "--output", f"{name}.{form}"])
        lines = [json.loads(line) for line in Path(f"{name}.jsonl").read_text().splitlines()]
        whole = json.loads(Path(f"{name}.json").read_text())
        assert parts <= (whole[0] if type(whole) is list else whole).keys(), name
        assert lines, name
        with pytest.raises(json.JSONDecodeError):
            json.loads(Path(f"{name}.txt").read_text())
