"""Proofs of one card of a shoe without a table, by the second reading and by the page that checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit_cli.main import main
from fairshoe.log.directory import write_log
from tests.audit.frauds.told import END, HOUSE, OPEN, ORDER, OTHER, SHOWN
from tests.audit.planting import KEY, entries_in
from tests.audit.walk import encoded
from tests.house import SIGNER, House
from tests.told import card_game

from .random_games import run_script

PASS = ["PASS", "pass", "verdict.hand.pass.card", ""]
SO_FAR = ["PASS so far", "bound", "verdict.hand.bound.cards", "", []]
FAIL = ["FAIL", "fail", "verdict.hand.fail.house", "shuffle"]


def proof_of(folder: Path, lines: list[bytes], pos: int, shoe: str = "game") -> str:
    write_log(folder, lines, SIGNER)
    assert main(["prove", str(folder), "--round", f"{shoe}@{pos}", "--output", str(folder / "card.json")]) == 0
    return (folder / "card.json").read_text(encoding="utf-8")


def changed(index: int) -> list[bytes]:
    """Return the log in which one card that was told is another one."""
    log = entries_in(HOUSE)
    cards = log[index]["cards"]
    cards["0" if type(cards) is dict else 0] = OTHER
    return encoded(log)


def placed(change: int = 0) -> list[bytes]:
    """Return a log with a second dealer; `change` of the place of ann's first card."""
    house = House(7)
    card_game(house, placed=True)
    log = entries_in(house)
    (hidden,) = [each for each in log if each["kind"] == "drawn" and each["pos"] == 0]
    hidden["placed"]["places"][0] = (hidden["placed"]["places"][0] + change) % 52
    return encoded(log)


def without(proof: str, kind: str) -> str:
    form = json.loads(proof)
    form["entries"] = [each for each in form["entries"] if f'"kind":"{kind}"' not in each["line"]]
    return encode_proof(form)


def encode_proof(form: Any) -> str:
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def test_a_card_is_checked_as_the_auditor_does(tmp_path: Path) -> None:
    """Shown by ann, shown by bob, never shown, of nobody, in public; a live shoe; two changed cards; files that lack
    something, or name another card."""
    places = [0, 6, 5, 10, 12, 15]
    whole = [proof_of(tmp_path, HOUSE.lines, pos) for pos in places]
    live = [proof_of(tmp_path / "live", HOUSE.lines[:END], pos) for pos in places]
    wrong = [proof_of(tmp_path, changed(index), pos) for index, pos in ((OPEN, 11), (SHOWN, 0))]
    form = json.loads(whole[0])
    lacking = [without(whole[0], kind) for kind in ("drawn", "shoe", "opened", "seeds", "seal")]
    broken = [encode_proof(form | {"round": "game@20"}), *lacking]
    told = run_script("cards.mjs", {"key": KEY, "files": [*whole, *live, *wrong, *broken]})
    assert told[:6] == [[*PASS, [ORDER[pos]]] for pos in places]
    assert told[6:12] == [SO_FAR] * 6
    assert [each[:4] for each in told[12:14]] == [FAIL] * 2
    assert [each[:2] for each in told[14:]] == [["InputError entries", "fail"]] * 6
    for file in broken:
        (tmp_path / "card.json").write_text(file, encoding="utf-8")
        assert main(["hand", str(tmp_path / "card.json"), "--key", KEY]) == 2


def test_a_card_of_a_shoe_with_a_second_dealer(tmp_path: Path) -> None:
    """Its place is the placer's, whose key comes last; another place than the key gives fails."""
    lines = placed()
    logs = [lines, lines[:-1], lines[:-2], placed(change=1)]
    told = run_script("cards.mjs", {"key": KEY, "files": [proof_of(tmp_path, log, 0) for log in logs]})
    assert told[0][:4] == PASS
    assert told[1][:3] == ["PASS so far", "bound", "verdict.hand.bound.places"]
    assert told[2] == SO_FAR
    assert told[3][:4] == FAIL
    outcomes = []
    for log in logs:
        proof_of(tmp_path, log, 0)
        outcomes.append(main(["hand", str(tmp_path / "card.json"), "--key", KEY]))
    assert outcomes == [0, 0, 0, 1]
