"""Whether a round that is open waits for its placer, or the house keeps it back: `verify --notes`, in both readings."""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from audit_cli.verify.run import verify
from fairshoe.ceremony.placer_steps import PlacerQuestion
from fairshoe.ceremony.policy import Policy
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer, signatures_of
from fairshoe.log.times import HOUR, SECOND, microseconds, timestamp
from fairshoe.page import BUILT
from fairshoe.protocol.placer_chain import parse_question, receipt_text
from fairshoe.record.entries import start_entry
from tests.audit.telling import said
from tests.ceremony import walk
from tests.ceremony.walk import SIGNER
from tests.verifier.node import node

from .house import PLACER
from .walk import OwnWalk, PlacedWalk

KEY = str(SIGNER.verifier)
VERIFY = BUILT / "verify.mjs"
WAITS = "whether t waits for its placer"


class Recorded(PlacedWalk):
    """Keeps the places that were given."""

    def ask(self, wanted: PlacerQuestion) -> tuple[list[int], str, bytes]:
        given, note, key = super().ask(wanted)
        self.__dict__.setdefault("given", []).append(given)
        return given, note, key


class OwnRecorded(Recorded, OwnWalk):
    """The same where the player places."""


class Kept(NamedTuple):
    """A log up to an open round, of which every place was given: what the house, which keeps the round back, and the
    placer have of its shoe. `after`: the question that came next."""

    log: list[Entry]
    questions: list[str]
    note: str
    after: str

    def answer(self, **more: Any) -> Entry:
        """What the placer answers to GET."""
        return {"note": self.note, "questions": self.questions, "given": [], **more}

    def receipt(self, hours: float = 0, signer: Signer = SIGNER, old: str = "", new: str = "") -> Entry:
        """What the house answers to whoever hands the placer's answer in, so much after the log's last entry."""
        at = timestamp(microseconds(self.log[-1]["at"]) + int(hours * HOUR))
        text = receipt_text(signatures_of(self.note)[0], at).replace(old, new)
        return {"table": "t", "at": at, "answer_receipt": signer.sign(text)}

    def shows(self, hours: int, **placer: str) -> Entry:
        """The table as its house shows it so much later."""
        at = timestamp(microseconds(self.log[-1]["at"]) + hours * HOUR)
        return {"table": "t", "at": at, "placer": {"key": "", **placer}}


@cache
def kept(kind: type[Recorded] = Recorded, rules: str = "casino", waits: str = "round") -> Kept:
    """Up to the second `round`, or the first `seal`, which waits."""
    played = kind(rules, random.Random(5), **({} if kind is OwnRecorded else {"seats": 2}))
    played.play(3)
    played.serve()
    index = [i for i, each in enumerate(played.log) if each["kind"] == waits and "placed" in each][waits == "round"]
    shoe = played.log[index]["shoe"]
    shown = [each for each in played.log[: index + 1] if each.get("shoe") == shoe and "placed" in each]
    cards = sum(len(each["placed"]["places"]) for each in shown)
    about = [i for i, each in enumerate(played.asked) if each.chain.shoe == shoe]
    upto = next(n for n in range(len(about)) if sum(len(played.given[i]) for i in about[: n + 1]) == cards) + 1
    signed = [SIGNER.sign(played.asked[i].text) for i in about]
    return Kept(played.log[:index], signed[:upto], played.notes[about[upto - 1]], signed[upto])


def readings(folder: Path, log: list[Entry], *answers: Entry | bytes) -> tuple[str, str, dict[str, int]]:
    """The outcome, by both readings alike; what it says in one line; what was counted. `answers` are lines of the file
    of notes. Where a file is refused the outcome is ""."""
    folder.mkdir(exist_ok=True)
    write_log(folder / "log", map(encode, log), SIGNER)
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in answers]
    (folder / "notes").write_bytes(b"".join(line + b"\n" for line in lines))
    notes = ["--notes", str(folder / "notes")] if answers else []
    first = said("verify", folder / "log", "--key", KEY, "-q", *notes)
    command = [node(), str(VERIFY), str(folder / "log"), "--key", KEY, *notes]
    second = subprocess.run(command, capture_output=True, text=True)
    assert second.returncode == first.code
    if first.code == 2:
        return "", first.err, {}
    verdict = json.loads(second.stdout.splitlines()[-1])
    assert (WAITS in verdict["unchecked"]) == (WAITS in first.out)
    report = verify(folder / "log", key=KEY, notes=folder / "notes" if answers else None)
    failed = [(each.code, each.fault, each.shoe) for each in report.findings if each.severity == "fail"]
    assert failed == [] or [each[:2] for each in failed] == [("step-overdue", "house")]
    return first.out.partition(":")[0], first.out, report.choices.as_json()["tables"]["t"]


def later(log: list[Entry], hours: int) -> list[Entry]:
    since = microseconds(log[-1]["at"])
    return [*log, *(start_entry(timestamp(since + hour * HOUR - SECOND)) for hour in range(1, hours + 1))]


UNPUBLISHED, HANDED = "waited without a published question", "answer handed in against a receipt"


@pytest.mark.parametrize("kind", [Recorded, OwnRecorded])
def test_without_notes_nobody_can_tell(kind: type[Recorded], tmp_path: Path) -> None:
    both = kept(kind)
    word, line, counts = readings(tmp_path, later(both.log, 30))
    assert (word, UNPUBLISHED in counts) == ("PASS so far", False)
    assert line.startswith(f"PASS so far: {WAITS}; ")


def test_a_house_that_shows_no_question_is_counted(tmp_path: Path) -> None:
    both = kept()
    word, _, counts = readings(tmp_path, later(both.log, 30), both.answer())
    assert (word, counts[UNPUBLISHED], HANDED in counts) == ("PASS so far", 1, False)


@pytest.mark.parametrize("kind", [Recorded, OwnRecorded])
@pytest.mark.parametrize(("hours", "outcome"), [(20, "PASS so far"), (30, "FAIL")])
def test_two_receipts_a_day_apart_show_that_the_round_is_kept_back(
    kind: type[Recorded], hours: int, outcome: str, tmp_path: Path
) -> None:
    both = kept(kind)
    word, line, counts = readings(tmp_path, later(both.log, 32), both.answer(), both.receipt(hours), both.receipt())
    assert (word, WAITS in line) == (outcome, outcome != "FAIL")
    assert counts[HANDED] == 1


@pytest.mark.parametrize("kind", [Recorded, OwnRecorded])
def test_what_is_left_out_of_the_file_accuses_nobody(kind: type[Recorded], tmp_path: Path) -> None:
    """A player who places answers, takes the receipt, and answers the next question never, or is silent for a day
    before. The file has neither that question nor later answers."""
    both = kept(kind)
    shown = both.answer(), both.receipt(), both.shows(30)
    assert readings(tmp_path, later(both.log, 32), *shown)[0] == "PASS so far"


@pytest.mark.parametrize("ahead", [0, 1, 40])
@pytest.mark.parametrize("lines", ["", "card 50000"])
def test_no_question_excuses_two_receipts(ahead: int, lines: str, tmp_path: Path) -> None:
    """An honest house asks for nothing while it gives them. The house signs a question that no placer answers, or one
    far ahead."""
    both = kept()
    question = parse_question(signatures_of(both.after)[0])
    chain = question.chain._replace(steps=question.chain.steps + ahead)
    false = SIGNER.sign(chain.question([lines] if lines else question.lines, question.since))
    shown = both.shows(30, question=false), both.answer(), both.receipt(), both.receipt(30)
    assert readings(tmp_path, later(both.log, 32), *shown)[0] == "FAIL"


@pytest.mark.parametrize("turned", [False, True])
def test_a_second_answer_to_the_last_question_shields_nobody(turned: bool, tmp_path: Path) -> None:
    """A placer who works with the house signs another place for the last card."""
    both = kept()
    chain = parse_question(signatures_of(both.after)[0]).chain._replace(head=bytes(32))
    shown = [both.answer(), both.receipt(), both.receipt(30), {"note": PLACER.sign(chain.note())}]
    assert readings(tmp_path, later(both.log, 32), *(shown[::-1] if turned else shown))[0] == "FAIL"


@pytest.mark.parametrize("change", ["signer", "shoe", "placer", "moment", "word", "logged", "kind", "steps"])
def test_what_is_no_receipt_of_the_open_round_convicts_nobody(change: str, tmp_path: Path) -> None:
    both = kept()
    _, about, placer, steps, *_ = both.note.split("\n")
    placed = next(entry for entry in reversed(both.log) if "placed" in entry)
    changes = {
        "shoe": (about, about + "0"),
        "placer": (placer, "0" * 64),
        "moment": ("\nat ", "\nat the "),
        "word": ("\nat ", "\n"),
        "logged": (f"\n{steps}\n", f"\n{1 + len(placed['placed']['places'])}\n"),
        "kind": ("answer receipt", "receipt"),
        "steps": (f"\n{steps}\n", f"\n0{steps}\n"),
    }
    old, new = changes.get(change, ("", ""))
    signer = Signer(SIGNER.verifier.name, bytes(32)) if change == "signer" else SIGNER
    shown = both.answer(), *(both.receipt(hours, signer, old, new) for hours in (0, 30))
    assert readings(tmp_path, later(both.log, 32), *shown)[0] == "PASS so far"


@pytest.mark.parametrize("goes_on", [0, 40])
def test_a_house_that_was_closed_meanwhile_is_not_accused(goes_on: int, tmp_path: Path) -> None:
    """It was down for thirty hours, gives a receipt when it is up again, and then waits for the next place."""
    both = kept()
    up = start_entry(timestamp(microseconds(both.log[-1]["at"]) + 30 * HOUR))
    log = later([*both.log, up], goes_on)
    assert readings(tmp_path, log, both.answer(), both.receipt(), both.receipt(30.1))[0] == "PASS so far"


def test_a_log_that_ends_before_the_second_receipt_shows_nothing(tmp_path: Path) -> None:
    both = kept()
    assert readings(tmp_path, both.log, both.answer(), both.receipt(), both.receipt(30))[0] == "PASS so far"


@pytest.mark.parametrize(("hours", "outcome"), [(38, "PASS so far"), (42, "FAIL")])
def test_seats_may_decide_meanwhile(hours: int, outcome: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Eight limits of an hour for each of two chairs."""
    monkeypatch.setattr(walk, "Policy", lambda: Policy(decision=3600))
    both = kept.__wrapped__()
    shown = both.answer(), both.receipt(), both.receipt(hours)
    assert readings(tmp_path, later(both.log, 44), *shown)[0] == outcome


def test_a_seal_that_waits_for_its_burned_card(tmp_path: Path) -> None:
    """One question asks for the shuffle and the card; a house that has the answer seals at once."""
    both = kept(Recorded, "pontoon", "seal")
    assert [line[:4] for line in parse_question(signatures_of(both.questions[0])[0]).lines] == ["shuf", "card"]
    shown = both.answer(), both.receipt(), both.receipt(30)
    assert readings(tmp_path, later(both.log, 32), *shown)[0] == "FAIL"


def test_a_wait_with_a_question_is_not_counted(tmp_path: Path) -> None:
    both = kept()
    for number, shown in enumerate((both.shows(30, question=both.after), {"awaited": {"questions": [both.after]}})):
        word, _, counts = readings(tmp_path / str(number), later(both.log, 32), both.answer(), shown)
        assert (word, UNPUBLISHED in counts) == ("PASS so far", False)


STRANGE = {
    "a number": b"5",
    "a text": b'"x"',
    "a list": b"[1]",
    "nothing": b"null",
    "blank lines": b"\n\r\n",
    "no JSON": b"<html>",
    "deep brackets": b"[" * 100_000,
    "a byte order mark": b"\xef\xbb\xbf{}",
    "null in the place of objects": b'{"awaited": null, "placer": null, "questions": null, "note": null}',
    "objects in the place of lists": b'{"given": {}, "questions": {}, "notes": 5, "answer_receipt": []}',
    "numbers": b'{"given": [1e400, NaN, 1.0, -0], "at": 5}',
    "a bare surrogate": b'{"answer_receipt": "fairshoe answer receipt v1\\n\\ud800\\n\\n\\u2014 log.example AAAA\\n"}',
    "no escape": b'{"answer_receipt": "fairshoe answer receipt v1\\n\\x"}',
    "no end": b'{"answer_receipt": "fairshoe answer receipt v1\\n',
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_file_without_a_signed_answer_is_refused(name: str, tmp_path: Path) -> None:
    assert readings(tmp_path, kept().log, STRANGE[name].replace(b"answer receipt v1", b"receipt"))[0] == ""


def test_strange_lines_hide_no_receipts(tmp_path: Path) -> None:
    """A text counts wherever it stands."""
    both = kept()
    lines = [line for each in STRANGE.values() for line in (each, b"")]
    (first, second), log = (both.receipt(), both.receipt(30)), later(both.log, 32)
    assert readings(tmp_path, log, *lines, first, *lines, second)[0] == "FAIL"
    assert (
        readings(tmp_path, log, json.dumps([[first], {"x": second}], indent=1, ensure_ascii=False).encode())[0]
        == "FAIL"
    )
    assert readings(tmp_path, log, b"\xff", first, second)[0] == ""


@pytest.mark.parametrize(("many", "outcome"), [(16_000, "FAIL"), (16_500, "PASS so far")])
def test_another_signature_is_measured_in_characters(many: int, outcome: str, tmp_path: Path) -> None:
    """Anybody may write a signature of another key below a receipt, of characters that are two elsewhere."""
    both = kept()
    other = f"\u2014 {chr(0x1F600) * many} AAAAAAAA\n"
    shown = [each | {"answer_receipt": each["answer_receipt"] + other} for each in (both.receipt(), both.receipt(30))]
    lines = [json.dumps(each, ensure_ascii=False).encode() for each in (*shown, both.answer())]
    assert readings(tmp_path, later(both.log, 32), *lines)[0] == outcome
