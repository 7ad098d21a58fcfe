"""Hostile bytes: whatever stands in the file, the auditor says what is wrong with it and never falls over."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_cli.kinds import new_audit
from audit_cli.report import Report
from audit_cli.text import report_text
from audit_cli.verify import verify
from fairshoe.errors import LogError
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import CHECKPOINT, ENTRIES, write_log
from tests.house import SIGNER

from .planting import KEY, entries_of, log
from .walk import root

CHIPS = log("banker")[1]
ENVELOPE = b'{"at":"2026-12-31T00:00:00.000Z","kind":"chips","v":1}'
DIGITS = b"1" * 5000

HOSTILE = {
    "not UTF-8": (CHIPS.replace(b"banker", b"b\xffnker"), "entry-not-canonical"),
    "UTF-8 of a surrogate": (CHIPS.replace(b"banker", b"\xed\xa0\x80"), "entry-not-canonical"),
    "an unpaired surrogate": (CHIPS.replace(b"banker-p1", rb"\ud800"), "entry-not-canonical"),
    "an unpaired surrogate as the kind": (rb'{"at":"","kind":"\udfff","v":1}', "kind-unknown"),
    "an unpaired surrogate as the version": (ENVELOPE.replace(b"1}", rb'"\ud800"}'), "field-invalid"),
    "an integer of 5,000 digits": (CHIPS.replace(b"10000", DIGITS).replace(b"5000", DIGITS), "entry-not-canonical"),
    "an integer beyond 2^53": (CHIPS.replace(b"5000", b"9007199254740993"), "entry-not-canonical"),
    "deep nesting": (b'{"at":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "entry-not-canonical"),
    "nesting in a field": (CHIPS.replace(b'"v":1', b'"v":1,"x":' + b"[" * 900 + b"]" * 900), "field-invalid"),
    "a duplicate key": (CHIPS.replace(b'"seat":1', b'"seat":1,"seat":1'), "entry-not-canonical"),
    "unsorted keys": (b'{"v":1,' + CHIPS[1:].replace(b',"v":1', b""), "entry-not-canonical"),
    "a float": (CHIPS.replace(b"5000", b"5000.0"), "entry-not-canonical"),
    "an exponent": (CHIPS.replace(b"5000", b"5e3"), "entry-not-canonical"),
    "NaN": (CHIPS.replace(b"5000", b"NaN"), "entry-not-canonical"),
    "minus zero": (CHIPS.replace(b"5000", b"-0"), "entry-not-canonical"),
    "a leading zero": (CHIPS.replace(b"5000", b"05000"), "entry-not-canonical"),
    "white space": (CHIPS.replace(b'":', b'": '), "entry-not-canonical"),
    "CRLF": (CHIPS + b"\r", "entry-not-canonical"),
    "an escaped letter": (CHIPS.replace(b"banker-p1", rb"\u0062anker-p1"), "entry-not-canonical"),
    "a BOM": (b"\xef\xbb\xbf" + CHIPS, "entry-not-canonical"),
    "true in place of 1": (CHIPS.replace(b'"v":1', b'"v":true'), "field-invalid"),
    "true as a seat": (CHIPS.replace(b'"seat":1', b'"seat":true'), "field-invalid"),
    "a list": (b"[]", "entry-not-canonical"),
    "a number": (b"7", "entry-not-canonical"),
    "nothing": (b"", "entry-not-canonical"),
    "null": (b"null", "entry-not-canonical"),
    "a line of 10 MB": (CHIPS.replace(b"banker-p1", b"x" * 10_000_000), "entry-not-canonical"),
    "a line one byte too long": (CHIPS + b" " * (65_536 - len(CHIPS)), "entry-not-canonical"),
    "a kind that is a list": (b'{"at":"","kind":["open"],"v":1}', "kind-unknown"),
    "a month that does not exist": (CHIPS.replace(b"-01-01T", b"-19-01T"), "field-invalid"),
    "an hour that does not exist": (CHIPS.replace(b"T00:", b"T29:"), "field-invalid"),
    "digits of another script": (CHIPS.replace(b"2026", "٢٠٢٦".encode()), "field-invalid"),
    "a terminal's escapes": (CHIPS.replace(b'"buy-in"', rb'"\u001b[2J"'), "field-invalid"),
    "an account of 5,000 digits": (CHIPS.replace(b'{"1"', b'{"' + DIGITS + b'"'), "field-invalid"),
}


def signed(folder: Path, lines: list[bytes]) -> Path:
    write_log(folder, lines, SIGNER)
    return folder


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_is_a_finding(name: str, tmp_path: Path) -> None:
    line, code = HOSTILE[name]
    lines = [*log("banker")[:1], line, *log("banker")[2:]]
    assert line != CHIPS
    report = verify(signed(tmp_path, lines), key=KEY)
    found = [f for f in report.findings if f.entry == 1]
    assert code in [f.code for f in found]
    assert all(f.code != "entry-inexplicable" for f in report.findings)
    assert {f.fault for f in found if f.severity == "fail"} == {"house"}
    report_text(report).encode()
    assert "\x1b" not in report_text(report)
    json.dumps(report.as_json()).encode()


@pytest.mark.parametrize("form", ["text", "json"])
def test_hostile_lines_can_be_printed(form: str, tmp_path: Path) -> None:
    lines = [*log("banker")[:1], *(line for line, _ in HOSTILE.values()), *log("banker")[2:]]
    command = [sys.executable, "-m", "audit_cli.main", "verify", str(signed(tmp_path, lines)), "--format", form]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")
    if form == "json":
        assert json.loads(done.stdout)["verdict"] == "fail"


FILES = {
    "an empty file": b"",
    "one line feed": b"\n",
    "empty lines": b"\n" * 1000,
    "random bytes": random.Random(1).randbytes(200_000),
    "a picture": b"\x89PNG\r\n\x1a\n" + random.Random(2).randbytes(1000),
    "zeros": bytes(300_000),
    "a text": b"Dear reader,\nthis is not a log.\n",
    "a JSON document": json.dumps([1, 2, {"kind": "letter"}], indent=1).encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_log_is_unreadable(name: str, tmp_path: Path) -> None:
    (tmp_path / ENTRIES).write_bytes(FILES[name])
    with pytest.raises(LogError):
        verify(tmp_path)


def spoiled(tmp_path: Path, data: bytes) -> list[str]:
    """The codes found in a log whose file was changed after it was signed."""
    signed(tmp_path, list(log("banker")))
    (tmp_path / ENTRIES).write_bytes(data)
    report = verify(tmp_path, key=KEY)
    assert report.failed
    return [f.code for f in report.findings if f.severity == "fail"]


def whole(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def test_a_file_without_its_final_line_feed(tmp_path: Path) -> None:
    assert spoiled(tmp_path, whole(list(log("banker")))[:-1]) == ["entry-cut-off"]


def test_a_file_with_crlf(tmp_path: Path) -> None:
    assert set(spoiled(tmp_path, whole(list(log("banker"))).replace(b"\n", b"\r\n"))) >= {"entry-not-canonical"}


def test_a_file_with_a_bom(tmp_path: Path) -> None:
    codes = spoiled(tmp_path, b"\xef\xbb\xbf" + whole(list(log("banker"))))
    assert codes[0] == "entry-not-canonical"
    assert "root-differs" in codes


def test_empty_lines_between_entries(tmp_path: Path) -> None:
    codes = spoiled(tmp_path, b"\n\n".join(log("banker")) + b"\n")
    assert set(codes) == {"entry-not-canonical", "entries-unsigned"}


def test_more_findings_than_are_listed(tmp_path: Path) -> None:
    report = verify(signed(tmp_path, [*log("banker"), *[b"{}"] * 1500]))
    assert len(report.findings) == 1001
    assert (report.findings[-1].code, report.findings[-1].severity) == ("findings-capped", "note")


def test_a_handler_that_fails_is_a_failure() -> None:
    """Nobody knows an entry that does this; if there is one it fails closed."""

    def handler(*_: object) -> None:
        raise ZeroDivisionError("boom")

    audit = new_audit(Report())
    audit.handlers = {"table": handler}
    audit.take(log("banker")[0])
    assert [(f.code, f.found) for f in audit.report.findings] == [("entry-inexplicable", "ZeroDivisionError: boom")]
    assert audit.report.failed


# Fuzz.

HONEST = whole(list(log("banker"))[:14])
HEAD = Checkpoint(SIGNER.verifier.name, 14, root(log("banker")[:14])).signed(SIGNER)
EVERYTHING = list(log("everything"))

splices = st.tuples(
    st.integers(0, len(HONEST)), st.integers(0, 40), st.binary(max_size=12) | st.sampled_from([b"null", b"-", b"1e3"])
)


@settings(max_examples=300, deadline=None)
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


def scalars() -> st.SearchStrategy[object]:
    texts = st.text(max_size=4) | st.sampled_from(["casino/a", "casino/a/3", "raffle", "hit", "worn", "Ac", "pool"])
    return st.none() | st.booleans() | st.integers(-3, 3) | st.integers(-(2**53), 2**53) | texts


anything = st.recursive(
    scalars(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_value_in_any_field_makes_the_auditor_raise(data: st.DataObject) -> None:
    """Entries of the profile with one value exchanged for anything: no traceback, nothing inexplicable."""
    entries = entries_of("everything")
    index = data.draw(st.integers(0, len(entries) - 1))
    target = entries[index]
    while True:
        keys = sorted(target) if isinstance(target, dict) else list(range(len(target)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(target[key], dict | list) and target[key] and data.draw(st.booleans()):
            target = target[key]
            continue
        target[key] = data.draw(anything)
        break
    line = json.dumps(entries[index], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    audit = new_audit(Report())
    for before in EVERYTHING[:index]:
        audit.take(before)
    for after in (line.encode(errors="surrogatepass"), *EVERYTHING[index + 1 : index + 30]):
        audit.take(after)
    audit.finish()
    assert all(f.code != "entry-inexplicable" for f in audit.report.findings), line
    json.dumps(audit.report.as_json())
    report_text(audit.report).encode()
