"""Whether a round that is open waits for its placer, or the house keeps it back: `verify --notes`, in both readings."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from audit_cli.verify.run import verify
from fairshoe.ceremony.placing import Question
from fairshoe.ceremony.policy import Policy
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer, signatures_of
from fairshoe.log.times import HOUR, SECOND, microseconds, timestamp
from fairshoe.protocol.placing import asked, receipt_text
from fairshoe.record.entries import start_entry
from tests.audit.telling import said
from tests.ceremony import walk
from tests.ceremony.walk import SIGNER
from tests.verifier.node import node

from .house import PLACER
from .walk import OwnWalk, PlacedWalk

KEY = str(SIGNER.verifier)
VERIFY = Path(__file__).parents[2] / "fairshoe" / "verifier" / "verify.mjs"
WAITS = "whether t waits for its placer"


class Recorded(PlacedWalk):
    """Keeps the places that were given."""

    def ask(self, wanted: Question) -> tuple[list[int], str, bytes]:
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
    given: list[int]
    note: str
    after: str

    def answer(self, **more: Any) -> Entry:
        """What the placer answers to GET."""
        return {"note": self.note, "questions": self.questions, "given": self.given, **more}

    def receipt(self, signer: Signer = SIGNER) -> Entry:
        """What the house answers to whoever hands the placer's answer in."""
        text = receipt_text(signatures_of(self.note)[0], self.log[-1]["at"])
        return self.shows(0) | {"answer_receipt": signer.sign(text)}

    def shows(self, hours: int, more: int = 0, **placer: str) -> Entry:
        """The table as its house shows it so much later, `more` steps after the placer's note."""
        at = timestamp(microseconds(self.log[-1]["at"]) + hours * HOUR)
        shoe, steps = self.note.split("\n")[1].split(" ")[1], int(self.note.split("\n")[3])
        shown = {"shoe": shoe, "placer": {"steps": steps - 1}}
        placed = {"steps": [{"line": f"card {place}"} for place in range(1 + more)]}
        return {"table": "t", "at": at, "placer": {"key": "", **placer}, "shoe": shown, "round": {"placed": placed}}


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
    given = [place for i in about[:upto] for place in played.given[i]]
    return Kept(played.log[:index], signed[:upto], given, played.notes[about[upto - 1]], signed[upto])


def readings(folder: Path, log: list[Entry], *answers: Entry) -> tuple[str, str, dict[str, int]]:
    """The outcome, by both readings alike; what it says in one line; what was counted."""
    folder.mkdir(exist_ok=True)
    write_log(folder / "log", map(encode, log), SIGNER)
    (folder / "notes").write_text("".join(json.dumps(each) + "\n" for each in answers))
    notes = ["--notes", str(folder / "notes")] if answers else []
    first = said("verify", folder / "log", "--key", KEY, "-q", *notes)
    command = [node(), str(VERIFY), str(folder / "log"), "--key", KEY, *notes]
    second = subprocess.run(command, capture_output=True, text=True)
    verdict = json.loads(second.stdout.splitlines()[-1])
    assert second.returncode == first.code
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
def test_a_day_after_its_receipt_the_round_is_due(
    kind: type[Recorded], hours: int, outcome: str, tmp_path: Path
) -> None:
    both = kept(kind)
    shown = both.answer(), both.receipt(), both.shows(hours)
    word, line, counts = readings(tmp_path, later(both.log, hours), *shown)
    assert (word, WAITS in line) == (outcome, outcome != "FAIL")
    assert counts[HANDED] == 1


def test_a_wait_is_excused_while_the_next_question_stands(tmp_path: Path) -> None:
    both = kept()
    shown = both.answer(), both.receipt(), both.shows(30, question=both.after)
    word, _, counts = readings(tmp_path, later(both.log, 30), *shown)
    assert (word, UNPUBLISHED in counts) == ("PASS so far", False)


@pytest.mark.parametrize("change", ["given", "question", "receipt", "note", "other"])
def test_what_does_not_rebuild_the_chain_convicts_nobody(change: str, tmp_path: Path) -> None:
    both = kept()
    stranger = Signer(SIGNER.verifier.name, bytes(32))
    receipt = both.receipt(stranger) if change == "receipt" else both.receipt()
    if change == "given":
        both.given[-1] ^= 1
    elif change == "question":
        both.questions[-1] = stranger.sign(signatures_of(both.questions[-1])[0])
    elif change == "note":
        both = both._replace(note=stranger.sign(signatures_of(both.note)[0]))
    answers = [receipt] if change == "other" else [both.answer(), receipt]
    assert readings(tmp_path, later(both.log, 30), *answers, both.shows(30))[0] == "PASS so far"


@pytest.mark.parametrize("hours", [0, 20])
def test_who_leaves_the_houses_question_out_accuses_nobody(hours: int, tmp_path: Path) -> None:
    """A player who places answers, takes the receipt, and answers the next question never: the house waits for that.
    The file has no word of the house from after the day."""
    both = kept()
    shown = both.answer(), both.receipt(), both.shows(hours)
    assert readings(tmp_path, later(both.log, 30), *shown)[0] == "PASS so far"


@pytest.mark.parametrize("kind", [Recorded, OwnRecorded])
@pytest.mark.parametrize("left", ["answers", "question", "shoe"])
def test_who_leaves_later_answers_out_accuses_nobody(kind: type[Recorded], left: str, tmp_path: Path) -> None:
    """A player answers, is silent for a day, answers again, and shows the table while the house waits for a decision,
    for a later place, or when the round is over."""
    both = kept(kind)
    shown = both.shows(30, more=1) if left == "answers" else both.shows(30)
    if left == "question":
        further = asked(signatures_of(both.after)[0])
        chain = further.chain._replace(steps=further.chain.steps + 1)
        shown["placer"]["question"] = SIGNER.sign(chain.question(further.lines, further.since))
    elif left == "shoe":
        shown |= {"shoe": None, "round": None}
    assert readings(tmp_path, later(both.log, 30), both.answer(), both.receipt(), shown)[0] == "PASS so far"


@pytest.mark.parametrize(("hours", "outcome"), [(38, "PASS so far"), (42, "FAIL")])
def test_seats_may_decide_meanwhile(hours: int, outcome: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Eight limits of an hour for each of two chairs."""
    monkeypatch.setattr(walk, "Policy", lambda: Policy(decision=3600))
    both = kept()
    shown = both.answer(), both.receipt(), both.shows(hours)
    assert readings(tmp_path, later(both.log, hours), *shown)[0] == outcome


@pytest.mark.parametrize("kind", [Recorded, OwnRecorded])
@pytest.mark.parametrize(
    "lines", [["card 0"], ["card 50000"], ["end"], ["shuffle"], ["wait"], ["card {next}", "card 0"], ["card 0{next}"]]
)
def test_a_question_that_no_placer_answers_excuses_nothing(
    kind: type[Recorded], lines: list[str], tmp_path: Path
) -> None:
    """The house signs and publishes it, keeps the round back as long as it likes, and can still write it down."""
    both = kept(kind)
    question, (begun, *_) = asked(signatures_of(both.after)[0]), asked(signatures_of(both.questions[0])[0]).lines
    next_place = question.lines[0].removeprefix("card ")
    wanted = [begun if line == "shuffle" else line.format(next=next_place) for line in lines]
    false = SIGNER.sign(question.chain.question(wanted, question.since))
    shown = both.answer(), both.receipt(), both.shows(30, question=false)
    assert readings(tmp_path, later(both.log, 30), *shown)[0] == "FAIL"


def test_a_seal_that_waits_for_its_burned_card(tmp_path: Path) -> None:
    """One question asks for the shuffle and the card."""
    both = kept(Recorded, "pontoon", "seal")
    assert [line[:4] for line in asked(signatures_of(both.questions[0])[0]).lines] == ["shuf", "card"]
    shown = both.answer(), both.receipt()
    assert readings(tmp_path / "0", later(both.log, 30), *shown, both.shows(30))[0] == "FAIL"
    shows = both.shows(30, question=both.after)
    assert readings(tmp_path / "1", later(both.log, 30), *shown, shows)[0] == "PASS so far"


def test_a_house_that_refuses_a_repeated_place_is_not_accused(tmp_path: Path) -> None:
    """The placer signs it all the same: the house waits for another answer, and shows its question."""
    both = kept()
    question = asked(signatures_of(both.after)[0])
    lines = [f"{line} {both.given[0]}" for line in question.lines]
    chain, since = question.chain, question.since
    for line in lines:
        chain, since = chain.after(line, since), ""
    false = {"note": PLACER.sign(chain.note()), "questions": [both.after], "given": [both.given[0]] * len(lines)}
    shown = both.answer(), false, both.receipt(), both.shows(30, question=both.after)
    word, _, counts = readings(tmp_path, later(both.log, 30), *shown)
    assert (word, UNPUBLISHED in counts) == ("PASS so far", False)


def test_what_are_no_notes(tmp_path: Path) -> None:
    write_log(tmp_path / "log", map(encode, kept().log), SIGNER)
    (tmp_path / "notes").write_text("[1]\n")
    assert said("verify", tmp_path / "log", "--notes", tmp_path / "notes").code == 2
    (tmp_path / "notes").write_text('{"questions":5}\n')
    assert said("verify", tmp_path / "log", "--notes", tmp_path / "notes").code == 2
    command = [node(), str(VERIFY), str(tmp_path / "log"), "--notes", str(tmp_path / "notes")]
    assert subprocess.run(command, capture_output=True).returncode == 2
