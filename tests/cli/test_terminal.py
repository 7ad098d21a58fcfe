"""What a terminal sees: colour where it is wanted, progress that goes away, and nothing that steers it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import fairshoe
from fairshoe.compiled import describe_build
from fairshoe.log.directory import write_log
from fairshoe.terminal.screen import printable
from tests.audit.planting import encoded, entries_of, log, places
from tests.house import SIGNER

from .process import call, on_terminal, run

AT_ONCE = "import fairshoe.terminal.screen as p\np.FIRST_SHOWN = p.SHOWN_EVERY = 0.0"
GONE = "\r\x1b[K\x1b[?25h"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
VERSION = f"fairshoe 0.1.0 ({describe_build()})\n"


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bad")
    entries = entries_of("banker")
    entries[places(entries, "round")[0]]["hands"][0]["total"] = 30
    write_log(path, encoded(entries), SIGNER)
    return path


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with enough lines to tell how far it is."""
    path = tmp_path_factory.mktemp("long")
    write_log(path, [*log("banker"), *[b"{}"] * 1000], SIGNER)
    return path


def test_a_report_has_colour_on_a_terminal(bad: Path) -> None:
    code, text = on_terminal("fairshoe-audit", "verify", bad, NO_COLOR="")
    assert code == 1
    assert COLOUR.search(text)
    assert COLOUR.sub("", text) == run("fairshoe-audit", "verify", bad).stdout


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
def test_no_colour_where_none_is_wanted(bad: Path, environment: dict[str, str]) -> None:
    """Nor in a pipe."""
    code, text = on_terminal("fairshoe-audit", "verify", bad, **environment)
    assert (code, text) == (1, run("fairshoe-audit", "verify", bad).stdout)


def bars(text: str) -> list[str]:
    return [part for part in ESCAPE.sub("", text).split("\r") if "[" in part and "%" in part]


def test_verify_says_how_far_it_is_by_the_bytes_of_the_log(long: Path, tmp_path: Path) -> None:
    code, text = on_terminal("fairshoe-audit", "verify", long, "-q", prelude=AT_ONCE)
    assert code == 1
    percents = [int(match[1]) for bar in bars(text) if (match := re.search(r"(\d+)%", bar))]
    assert len(percents) > 1
    assert percents == sorted(percents)
    assert 0 < percents[-1] <= 100
    assert text.partition(GONE)[2].startswith("FAIL: ")


def test_a_bar_tells_the_time_left_and_goes_away(tmp_path: Path) -> None:
    prelude = AT_ONCE + "\nimport time\nstart = time.time()\nclock = iter(range(10**9))\n"
    prelude += "time.time = lambda: start + 10 * next(clock)"
    words = ("simulate", "--rules", "casino", "--rounds", "500", "--key", "00" * 32, "--log")
    code, text = on_terminal("fairshoe", *words, tmp_path / "one", prelude=prelude)
    assert code == 0
    shown, _, result = text.rpartition(GONE)
    assert "rounds" in shown
    assert any(re.search(r"\d\d:\d\d:\d\d", bar) for bar in bars(shown))
    piped = run("fairshoe", *words, tmp_path / "two", prelude=AT_ONCE)
    assert (piped.stdout.replace("/two", "/one"), piped.stderr) == (result, "")


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "xterm"}])
def test_no_bar_where_it_is_quick_or_would_not_be_understood(long: Path, environment: dict[str, str]) -> None:
    soon = AT_ONCE.replace("0.0", "float('inf')") if environment["TERM"] == "xterm" else AT_ONCE
    text = on_terminal("fairshoe-audit", "verify", long, "-q", prelude=soon, **environment)[1]
    assert text == run("fairshoe-audit", "verify", long, "-q").stdout


@pytest.mark.parametrize("body", ["for i in range(5):\n            at(i * 100)", "at(400)\n        1 / 0"])
def test_a_bar_of_an_unknown_total_counts_and_goes_away_when_the_command_fails(body: str) -> None:
    prelude = f"{AT_ONCE}\ntry:\n    with p.progress('pulling') as at:\n        {body}\n"
    text = on_terminal("fairshoe", "--version", prelude=prelude + "except ZeroDivisionError:\n    pass")[1]
    assert "400" in text
    assert "%" not in text
    assert text.endswith(GONE + VERSION)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ünïcödé 🂡", "Ünïcödé 🂡"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b2J\x07", r"\x9b2J\x07"),
        ("a\u202eb\u2066c\ufeff", r"a\u202eb\u2066c\ufeff"),
        ("a\u2028b\u2029c\x85", r"a\u2028b\u2029c\x85"),
        ("a\rb\nc\td", r"a\rb\nc\td"),
        ("\udcff\ud800", r"\udcff\ud800"),
    ],
)
def test_what_could_steer_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


LABELS = "\u202eevil\n\u2028\n\ufeffA\n"
DECK = ("shuffle", "--key", "00" * 32, "--shoe", "s", "--deck")


def test_a_deck_and_a_proof_do_not_steer_the_terminal(tmp_path: Path) -> None:
    """In a pipe the labels are data, as they are."""
    (tmp_path / "deck").write_text(LABELS, encoding="utf-8")
    shown = on_terminal("fairshoe", *DECK, f"@{tmp_path / 'deck'}")[1]
    assert sorted(shown.splitlines()) == [r"\u2028", r"\u202eevil", r"\ufeffA"]
    piped = run("fairshoe", *DECK, f"@{tmp_path / 'deck'}").stdout
    assert sorted(piped.split("\n")[:-1]) == sorted(LABELS.split("\n")[:-1])
    text = call("fairshoe", *DECK, f"@{tmp_path / 'deck'}", "--json").stdout
    assert text.removesuffix("\n").isprintable()
    assert sorted(json.loads(text)["order"]) == sorted(LABELS.split("\n")[:-1])
    shoe = fairshoe.commit("s", LABELS.split("\n")[:-1]).seal()
    shoe.draw()
    (tmp_path / "proof").write_text(shoe.reveal().to_json())
    for more in ([], ["--json"]):
        done = call("fairshoe", "verify", tmp_path / "proof", *more)
        assert done.returncode == 0
        assert all(line.isprintable() for line in done.stdout.splitlines())
