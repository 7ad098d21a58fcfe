"""What must hold of every command's output, whatever it read."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

from .forms import Run
from .running import Outcome

TURNING = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""What turns a line around, for Unicode's bidirectional algorithm."""
FINE, FINDINGS, USAGE = 0, 1, 2
GOOD = ("PASS", "PASS so far")
OUTCOME = re.compile("(PASS so far|PASS|FAIL|CANNOT SAY): ")


def faults(run: Run, outcome: Outcome) -> Iterator[str]:
    """What is wrong with an outcome; nothing, for a good one."""
    code, out, err, crash = outcome
    if crash:
        yield f"raised {crash.strip().splitlines()[-1][:200]}"
        return
    if code not in (FINE, FINDINGS, USAGE):
        yield f"exit code {code}"
    if b"Traceback (most recent" in err or b"Traceback (most recent" in out:
        yield "a traceback"
    if run.not_zero and code == FINE:
        yield f"a false pass: {run.not_zero}"
    if run.exactly is not None and code != run.exactly:
        yield f"exit code {code}, not {run.exactly}: {(out + err)[:300]!r}"
    if not data_for_programs(run):
        yield from (f"standard output: {fault}" for fault in steering(out))
    yield from (f"standard error: {fault}" for fault in steering(err))
    if run.form != "any":
        yield from shape(run, outcome)


def data_for_programs(run: Run) -> bool:
    """`fairshoe shuffle` gives labels as they are to whatever is no terminal."""
    return run.words[:2] == ("fairshoe", "shuffle") and "--json" not in run.words


def steering(data: bytes) -> Iterator[str]:
    """What in an output could steer a terminal, or is not text."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        yield f"not UTF-8: {error}"
        return
    if text.isascii() and text.replace("\n", "").isprintable():
        return
    for character in sorted(set(text) - {"\n"}):
        kind = unicodedata.category(character)
        if kind in ("Cc", "Cs", "Zl", "Zp") or ord(character) in TURNING:
            at = text.index(character)
            yield f"U+{ord(character):04X} in {text[max(0, at - 30) : at + 30]!r}"


def shape(run: Run, outcome: Outcome) -> Iterator[str]:
    """Whether the output reads as what was asked for, and says what the exit code says."""
    code, out, err, _ = outcome
    if code == USAGE:
        if out:
            yield f"an output with exit code 2: {out[:100]!r}"
        if not err.endswith(b"\n"):
            yield "no message with exit code 2"
        return
    if err:
        yield f"a message with exit code {code}: {err[:200]!r}"
    if not out.endswith(b"\n"):
        yield "an output without a line end"
        return
    try:
        yield from READ[run.form](run, code, out.decode())
    except (ValueError, KeyError, TypeError, IndexError) as error:
        yield f"not readable as {run.form}: {type(error).__name__}: {error}"


def read_text(run: Run, code: int | None, text: str) -> Iterator[str]:
    """The outcome stands first and last, and the exit code is what it says."""
    if run.words[0] != "fairshoe-audit" or run.words[1] not in ("verify", "hand", "refunds"):
        return
    good = code == FINE or "--require-complete" in run.words
    lines = text.rstrip("\n").split("\n")
    for line in (lines[0], lines[-1]):
        found = OUTCOME.match(line)
        if found is None or (found[1] in GOOD and not good) or (found[1] not in GOOD and code == FINE):
            yield f"exit code {code}, but {line[:100]!r}"


def read_json(run: Run, code: int | None, text: str) -> Iterator[str]:
    body = json.loads(text)
    if run.words[:2] == ("fairshoe-audit", "verify"):
        yield from inexplicable(body["findings"])
        if "--require-complete" not in run.words and (body["verdict"] == "fail") != (code == FINDINGS):
            yield f"exit code {code}, but {body['verdict']}"
        if (body["verdict"] == "fail") != any(f["severity"] == "fail" for f in body["findings"]):
            yield f"{body['verdict']}, with other findings"
        failed = {name for name, state in body["checks"].items() if state == "fail"}
        if (body["verdict"] == "fail") != bool(failed):
            yield f"{body['verdict']}, with failed checks {failed}"
    elif "entry-inexplicable" in text:
        yield "inexplicable"


def inexplicable(findings: list[dict[str, object]]) -> Iterator[str]:
    """An error inside the auditor, which it caught and made a finding of."""
    for finding in findings:
        if finding["code"] == "entry-inexplicable":
            yield f"inexplicable: {str(finding['found'])[:160]}"


def read_jsonl(run: Run, code: int | None, text: str) -> Iterator[str]:
    for line in text.removesuffix("\n").split("\n"):
        json.loads(line)
    yield from ()


READ = {"text": read_text, "json": read_json, "jsonl": read_jsonl}
