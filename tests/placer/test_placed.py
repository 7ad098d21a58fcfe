"""`fairshoe-audit placed`: of a house and a placer that disagree the one is named that is at fault."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from fairshoe.ceremony.placer_steps import PlacerQuestion
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer, open_note
from tests.audit.telling import said
from tests.ceremony.walk import SIGNER

from .house import PLACER
from .walk import PlacedWalk

KEY = str(SIGNER.verifier)


class Kept:
    """A log, and what house and placer kept."""

    def __init__(self, walk: PlacedWalk) -> None:
        self.log, self.asked, self.notes = walk.log, list(walk.asked), list(walk.notes)

    def told(self, folder: Path, *, alone: bool = False) -> tuple[int, list[str]]:
        """What the command says of both sides' files, or of one `alone`."""
        write_log(folder / "log", map(encode, self.log), SIGNER)
        questions = [SIGNER.sign(question.text) for question in self.asked]
        (folder / "kept").write_text(json.dumps([{"questions": questions}, {"notes": self.notes}]))
        other = () if alone else ("--other", folder / "kept")
        found = said("placed", folder / "kept", folder / "log", "--key", KEY, *other)
        assert found.err == ""
        return found.code, found.out.splitlines()

    def forge(self, index: int, **change: Any) -> None:
        """The placer's note with another number, signed by it."""
        signer = PLACER
        lines = open_note(self.notes[index], signer.verifier).splitlines()
        lines[3:5] = [str(change.get("steps", lines[3])), change.get("head", lines[4])]
        self.notes[index] = signer.sign("\n".join(lines[:5]) + "\n")


def kept(rules: str = "casino", rounds: int = 3, **more: Any) -> Kept:
    walk = PlacedWalk(rules, random.Random(7), seats=2, **more)
    walk.play(rounds)
    walk.serve()
    return Kept(walk)


@pytest.mark.parametrize("rules", ["boxes", "casino", "pontoon"])
def test_an_honest_house_and_its_placer_agree(rules: str, tmp_path: Path) -> None:
    both = kept(rules, 6)
    code, (line,) = both.told(tmp_path)
    assert f": {2 * len(both.asked):,} questions and notes" in line
    assert (code, line.partition(":")[0]) == (0, "AGREES")


def card(question: PlacerQuestion) -> bool:
    return question.lines[0].startswith("card") and bool(question.since)


def test_a_house_that_asks_before_the_decision(tmp_path: Path) -> None:
    both = kept()
    index = next(i for i, each in enumerate(both.asked) if card(each) and len(each.lines) == 1)
    both.asked[index] = both.asked[index]._replace(parts=())
    code, (fault, _) = both.told(tmp_path)
    step = both.asked[index].chain.steps + 1
    assert code == 1
    assert f"step {step}: the house: " in fault


def test_a_house_that_asks_for_what_no_entry_has(tmp_path: Path) -> None:
    both = kept()
    last = next(each for each in both.asked if each.lines == ("end",))
    both.asked.append(last._replace(chain=last.chain.extend("end", last.since), lines=("card 9",), parts=()))
    code, (fault, _) = both.told(tmp_path)
    assert code == 1
    assert "it asked `card 9`" in fault


def test_a_house_that_branches(tmp_path: Path) -> None:
    both = kept()
    first = next(each for each in both.asked if card(each))
    both.asked.append(first._replace(lines=("card 40",)))
    assert "it asked `card 40`" in both.told(tmp_path)[1][0]


def test_a_house_that_writes_its_log_anew(tmp_path: Path) -> None:
    """Somebody's bet is another than it was when the cards were asked for."""
    both = kept("boxes")
    both.log = [dict(entry) for entry in both.log]
    next(entry for entry in both.log if entry["kind"] == "chips")["name"] = "somebody"
    code, lines = both.told(tmp_path)
    assert code == 1
    assert all("the house: " in line for line in lines[:-1])


@pytest.mark.parametrize("change", ["illegal", "short", "exchanged"])
def test_a_house_that_logs_other_places(change: str, tmp_path: Path) -> None:
    """Also where the round cannot be played, so that nothing is looked for under its signature."""
    both = kept()
    both.log = json.loads(json.dumps(both.log))
    entry = [entry for entry in both.log if entry["kind"] == "round"][-1]
    entry["placed"]["places"][0] ^= 1
    if change == "illegal":
        entry["decisions"].append({"move": "hit", "seat": 1})
    elif change == "short":
        entry["cards"].pop()
    code, (fault, _) = both.told(tmp_path)
    assert code == 1
    assert "the house: " in fault


def test_a_placer_that_signed_two_heads_before_the_house_broke_its_log(tmp_path: Path) -> None:
    both = kept()
    both.log = json.loads(json.dumps(both.log))
    [entry for entry in both.log if entry["kind"] == "round"][-1]["cards"].pop()
    both.forge(next(i for i, each in enumerate(both.asked) if card(each)), head="ab" * 32)
    assert "two heads of this" in both.told(tmp_path)[1][0]


def test_a_placer_that_signs_what_nobody_asked_for(tmp_path: Path) -> None:
    both = kept()
    gone = next(i for i, each in enumerate(both.asked) if card(each) and len(each.lines) == 1)
    step = both.asked.pop(gone).chain.steps + 1
    both.forge(gone, head="ab" * 32)
    code, (fault, _) = both.told(tmp_path)
    assert code == 1
    assert f"step {step}: the placer: " in fault


def test_one_sides_file_convicts_nobody_for_what_is_missing(tmp_path: Path) -> None:
    """A house that writes its log anew, and shows its notes without the questions that it signed."""
    both = kept("boxes")
    both.log = [dict(entry) for entry in both.log]
    next(entry for entry in both.log if entry["kind"] == "chips")["name"] = "somebody"
    asked, both.asked = both.asked, []
    code, (*asks, last) = both.told(tmp_path, alone=True)
    assert (code, last.partition(":")[0]) == (1, "CANNOT SAY")
    assert all(line.endswith("(--other)") for line in asks)
    both.asked = asked
    assert all("the house: " in line for line in both.told(tmp_path)[1][:-1])


def test_a_note_beyond_the_questions_convicts_the_placer_alone(tmp_path: Path) -> None:
    """Also of a shoe that is in play."""
    both = kept()
    last = max(i for i, each in enumerate(both.asked) if card(each))
    both.forge(last, steps=both.asked[last].chain.steps + 40, head="ab" * 32)
    upto = next(i for i, each in enumerate(both.log) if each["kind"] in ("reveal", "placed") and i > 5)
    del both.log[upto:]
    both.asked = [each for each in both.asked if each.lines != ("end",)]
    code, lines = both.told(tmp_path)
    assert code == 1
    assert [line.split(": ")[1] for line in lines[:-1]] == ["the placer"]


def test_a_placer_that_signs_two_heads(tmp_path: Path) -> None:
    both = kept()
    index = next(i for i, each in enumerate(both.asked) if card(each))
    both.forge(index, head="ab" * 32)
    code, (fault, _) = both.told(tmp_path)
    assert code == 1
    assert "two heads of this" in fault


def test_what_a_stranger_signed_convicts_nobody(tmp_path: Path) -> None:
    both = kept()
    stranger = Signer("placer.example", bytes(32))
    both.notes.append(stranger.sign(both.notes[0].partition("\n\n")[0] + "\n"))
    code, (line,) = both.told(tmp_path)
    assert code == 0
    assert "1 not signed by" in line


def test_what_is_no_such_file(tmp_path: Path) -> None:
    kept().told(tmp_path)
    (tmp_path / "kept").write_text("[1]")
    assert said("placed", tmp_path / "kept", tmp_path / "log", "--key", KEY).code == 2


def test_a_house_that_makes_a_shoe_void_once_it_has_looked_into_it(tmp_path: Path) -> None:
    """The log implies `end` alone; each signed question for a card convicts the house."""
    both = kept()
    shoe = next(entry for entry in both.log if entry["kind"] == "shoe")
    upto = next(i for i, entry in enumerate(both.log) if entry["kind"] == "seal")
    void = {"at": both.log[upto]["at"], "kind": "void", "shoe": shoe["shoe"], "why": "age", "v": 1}
    revealed = next(entry for entry in both.log if entry["kind"] == "reveal")
    both.log = [*both.log[:upto], void | {"key": revealed["key"]}]
    both.asked = [each for each in both.asked if each.chain.shoe == shoe["shoe"] and each.lines != ("end",)]
    both.notes = both.notes[: len(both.asked)]
    code, lines = both.told(tmp_path)
    assert code == 1
    assert any("step 1: the house" in line for line in lines)
