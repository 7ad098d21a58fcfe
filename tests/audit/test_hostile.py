"""Hostile bytes: whatever stands in the file, the auditor says what is wrong with it and never falls over."""

from __future__ import annotations

import json
import pickle
import random
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit_cli.verify.findings.formats import render_text
from audit_cli.verify.findings.report import Report
from audit_cli.verify.registry import new_audit
from audit_cli.verify.run import verify
from audit_cli.verify.walk.audit import Audit
from fairshoe.errors import LogError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import CHECKPOINT, ENTRIES, write_log
from tests.house import SIGNER

from .planting import KEY, log
from .test_every_field import is_newer
from .walk import full, root, states

CHIPS = log("banker")[1]
ENVELOPE = b'{"at":"2026-12-31T00:00:00.000000Z","kind":"chips","v":1}'
DIGITS = b"1" * 5000

HOSTILE = {
    "not UTF-8": (CHIPS.replace(b"banker", b"b\xffnker"), "entry-not-canonical"),
    "an unpaired surrogate": (CHIPS.replace(b"banker-p1", rb"\ud800"), "entry-not-canonical"),
    "an unpaired surrogate as the version": (ENVELOPE.replace(b"1}", rb'"\ud800"}'), "field-invalid"),
    "an integer of 5,000 digits": (CHIPS.replace(b"10000", DIGITS).replace(b"5000", DIGITS), "entry-not-canonical"),
    "an integer beyond 2^53": (CHIPS.replace(b"5000", b"9007199254740993"), "entry-not-canonical"),
    "deep nesting": (b'{"at":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "entry-not-canonical"),
    "nesting in a field": (CHIPS.replace(b'"v":1', b'"v":1,"x":' + b"[" * 63 + b"]" * 63), "field-invalid"),
    "nesting further": (CHIPS.replace(b'"v":1', b'"v":1,"x":' + b"[" * 64 + b"]" * 64), "entry-not-canonical"),
    "a duplicate key": (CHIPS.replace(b'"seat":1', b'"seat":1,"seat":1'), "entry-not-canonical"),
    "unsorted keys": (b'{"v":1,' + CHIPS[1:].replace(b',"v":1', b""), "entry-not-canonical"),
    "a float": (CHIPS.replace(b"5000", b"5000.0"), "entry-not-canonical"),
    "white space": (CHIPS.replace(b'":', b'": '), "entry-not-canonical"),
    "CRLF": (CHIPS + b"\r", "entry-not-canonical"),
    "a BOM": (b"\xef\xbb\xbf" + CHIPS, "entry-not-canonical"),
    "true in place of 1": (CHIPS.replace(b'"v":1', b'"v":true'), "field-invalid"),
    "a list": (b"[]", "entry-not-canonical"),
    "nothing": (b"", "entry-not-canonical"),
    "a line of 10 MB": (CHIPS.replace(b"banker-p1", b"x" * 10_000_000), "entry-not-canonical"),
    "a line one byte too long": (CHIPS + b" " * (65_536 - len(CHIPS)), "entry-not-canonical"),
    "a kind that is a list": (b'{"at":"","kind":["open"],"v":1}', "kind-unknown"),
    "a month that does not exist": (CHIPS.replace(b"-01-01T", b"-19-01T"), "field-invalid"),
    "milliseconds": (re.sub(rb"\d{3}Z", b"Z", CHIPS), "field-invalid"),
    "a name that controls": (CHIPS.replace(b'"op"', rb'"name":"\u0007","op"'), "field-invalid"),
    "digits of another script": (CHIPS.replace(b"2026", "٢٠٢٦".encode()), "field-invalid"),
    "a terminal's escapes": (CHIPS.replace(b'"buy-in"', rb'"\u001b[2J"'), "field-invalid"),
    "an account of 5,000 digits": (CHIPS.replace(b'{"1"', b'{"' + DIGITS + b'"'), "field-invalid"),
}


OPEN, ROUND = 3, 6
"""An `open` and a `round` of the log, which are read without being parsed where they are as they should be."""
QUICK = {
    "digits of another script": (OPEN, b'"round":1,', '"round":١,'.encode(), "entry-not-canonical"),
    "a number of 5,000 digits": (OPEN, b'"round":1,', b'"round":' + DIGITS + b",", "entry-not-canonical"),
    "true as a seat": (OPEN, b'"seat":1', b'"seat":true', "field-invalid"),
    "nested bets": (OPEN, b'"bets":[', b'"bets":[' + b"[" * 20_000 + b"]" * 20_000 + b",", "entry-not-canonical"),
    "a bet with more in it": (OPEN, b'"amount"', b'"a":1,"amount"', "field-invalid"),
    "no seat late": (OPEN, b'"round"', b'"late":[],"round"', "field-invalid"),
    "a shoe with an escape": (OPEN, b"banker/1", rb"b\u0061nker/1", "entry-not-canonical"),
    "white space at the end": (OPEN, b'"v":1}', b'"v":1} ', "entry-not-canonical"),
    "a surrogate": (ROUND, b'"cards":["', rb'"cards":["\ud800","', "entry-not-canonical"),
    "a card that is none": (ROUND, b'"cards":["', b'"cards":["","', "field-invalid"),
    "nested decisions": (ROUND, b'"decisions":[', b'"decisions":[' + b"[" * 20_000, "entry-not-canonical"),
    "a position of 5,000 digits": (ROUND, b'"pos":0', b'"pos":' + DIGITS, "entry-not-canonical"),
    "true as a position": (ROUND, b'"pos":0', b'"pos":false', "field-invalid"),
    "not UTF-8": (ROUND, b'"dealer"', b'"d\xff":1,"dealer"', "entry-not-canonical"),
    "longer than an entry may be": (
        ROUND,
        b'"dealer"',
        b'"d":"' + b"x" * 70_000 + b'","dealer"',
        "entry-not-canonical",
    ),
}


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_open_or_round_is_a_finding(name: str) -> None:
    index, before, after, code = QUICK[name]
    lines = list(log("banker"))
    assert before in lines[index]
    lines[index] = lines[index].replace(before, after, 1)
    findings = full(lines).findings
    assert code in [f.code for f in findings if f.entry == index]
    assert all(f.code != "entry-inexplicable" for f in findings)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_is_a_finding(name: str, tmp_path: Path) -> None:
    line, code = HOSTILE[name]
    lines = [*log("banker")[:1], line, *log("banker")[2:]]
    assert line != CHIPS
    write_log(tmp_path, lines, SIGNER)
    report = verify(tmp_path, key=KEY)
    found = [f for f in report.findings if f.entry == 1]
    assert code in [f.code for f in found]
    assert all(f.code != "entry-inexplicable" for f in report.findings)
    too_long_to_hash = name == "a line of 10 MB"
    assert report.doubtful == too_long_to_hash
    assert {f.fault for f in found if f.severity == "fail"} == {"unknown" if too_long_to_hash else "house"}
    render_text(report).encode()
    assert "\x1b" not in render_text(report)
    json.dumps(report.as_json()).encode()


@pytest.mark.parametrize("data", [b"\n", b"\n" * 1000, bytes(300_000), random.Random(1).randbytes(200_000)])
def test_a_file_that_is_no_log_is_unreadable(data: bytes, tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(data)
    with pytest.raises(LogError):
        verify(tmp_path)


def test_a_handler_that_fails_is_a_failure() -> None:
    """Nobody knows an entry that does this; if there is one it fails closed."""

    def handler(*_: object) -> None:
        raise ZeroDivisionError("boom")

    audit = new_audit(Report())
    audit.handlers = {"table": handler}
    audit.take(log("banker")[0])
    assert [(f.code, f.found) for f in audit.report.findings] == [("entry-inexplicable", "ZeroDivisionError: boom")]
    assert audit.report.failed


HONEST = b"".join(line + b"\n" for line in log("banker")[:14])
HEAD = Checkpoint(SIGNER.verifier.name, 14, root(log("banker")[:14])).signed(SIGNER)
EVERYTHING = list(log("everything"))

splices = st.tuples(
    st.integers(0, len(HONEST)), st.integers(0, 40), st.binary(max_size=12) | st.sampled_from([b"null", b"-", b"1e3"])
)


@settings(max_examples=100, deadline=None)
@given(st.lists(splices, min_size=1, max_size=4))
def test_no_bytes_but_the_signed_ones_pass(changes: list[tuple[int, int, bytes]]) -> None:
    data = HONEST
    for at, gone, new in changes:
        data = data[:at] + new + data[at + gone :]
    report = fuzzed(data)
    assert report is None or report.failed == (data != HONEST)


def fuzzed(data: bytes) -> Report | None:
    """The report on these bytes under the honest checkpoint; None where they are no log at all."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ENTRIES).write_bytes(data)
        (folder / CHECKPOINT).write_text(HEAD)
        try:
            return verify(folder, key=KEY)
        except LogError:
            return None


texts = st.text(max_size=4) | st.sampled_from(["casino/a", "casino/a/3", "raffle", "hit", "worn", "Ac", "pool"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@cache
def before_each() -> dict[int, bytes]:
    """The pickled audit before each entry of the log with everything."""
    return dict(states(EVERYTHING, range(len(EVERYTHING))))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_value_in_any_field_makes_the_auditor_raise(data: st.DataObject) -> None:
    """Entries of the profile with one value exchanged for anything: no traceback, nothing inexplicable."""
    index = data.draw(st.integers(0, len(EVERYTHING) - 1))
    target = entry = json.loads(EVERYTHING[index])
    while True:
        keys = sorted(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(target[key], dict | list) and target[key] and data.draw(st.booleans()):
            target = target[key]
            continue
        target[key] = data.draw(anything)
        break
    assume(not is_newer(entry))
    line = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    audit: Audit = pickle.loads(before_each()[index])
    for after in (line.encode(errors="surrogatepass"), *EVERYTHING[index + 1 : index + 30]):
        audit.take(after)
    audit.finish()
    assert all(f.code != "entry-inexplicable" for f in audit.report.findings), line
    json.dumps(audit.report.as_json())
    render_text(audit.report).encode()


@pytest.mark.parametrize("seed", range(10))
def test_no_entries_missing_or_out_of_place_make_the_auditor_raise(seed: int) -> None:
    """Some entries of the log with everything, some in other places, with and without a start, cut off anywhere."""
    source = random.Random(seed)
    share = source.choice((0.01, 0.05, 0.2, 0.5))
    lines = [line for line in EVERYTHING if source.random() > share and (seed % 2 or b'"kind":"start"' not in line)]
    for _ in range(source.choice((0, 20))):
        i, j = source.randrange(len(lines)), source.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    report = full(lines[: source.randrange(1, len(lines))])
    assert all(f.code != "entry-inexplicable" for f in report.findings)
