"""Receipts beside one hand, of a log and of a proof file: which are about it, and what they convict."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_cli.cases.hand.run import Answer, TrustedInputs, check_hand_proof
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.log.hand_proof import build_proof, proof_text
from tests.audit.proofs import entries_for, note_over
from tests.audit.telling import said
from tests.kept import (
    Entry,
    Played,
    altered,
    altered_bets,
    altered_decisions,
    altered_seeds,
    forms,
    notes_saying,
    played,
)

GAMES = sorted(RULES)


def proof_of(game: Played, name: str, lines: list[bytes] | None = None) -> bytes:
    """The proof file of a round, of the game's log or of another."""
    lines = game.lines if lines is None else lines
    note, leaves = note_over(lines, game.signer)
    return proof_text(build_proof(name, note, entries_for(lines, name), leaves.node)).encode()


def file_of(game: Played, folder: Path, told: list[Entry]) -> Path:
    """A file in which the house says all this."""
    (folder / "file").write_text("".join(f"{json.dumps(note)}\n" for note in notes_saying(game, told)))
    return folder / "file"


def held(game: Played, folder: Path, told: list[Entry], name: str, lines: list[bytes] | None = None) -> Answer:
    """What the proof of a round says of receipts."""
    key = game.signer.verifier
    return check_hand_proof(
        proof_of(game, name, lines), key, against=TrustedInputs(receipts=file_of(game, folder, told))
    )


def names(game: Played) -> Iterator[str]:
    yield from (f"t#{entry['round']}" for entry in game.entries if entry["kind"] == "open")


@pytest.mark.parametrize(("rules", "seed"), [*((rules, 1) for rules in GAMES), ("pontoon", 21)])
def test_every_receipt_about_a_hand_agrees_with_its_proof(rules: str, seed: int, tmp_path: Path) -> None:
    """However soon the proof is made, no honest receipt differs. In game 21 the bank is given away after a round."""
    game, agreed = played(rules, seed=seed), set()
    for size in {len(game.lines), random.Random(rules).randrange(8, len(game.lines))}:
        for name in names(game._replace(lines=game.lines[:size])):
            found = held(game, tmp_path, forms(game), name, game.lines[:size])
            assert found.outcome.word in ("PASS", "PASS so far"), found.text
            for each in found.form["holds"]:
                assert each["same"], each
                agreed |= {each["held"].split(": ")[1].split(",")[0].split(" ")[0]} if not each["left"] else set()
    assert agreed >= {"bet", "seed", "decision"} | ({"hash"} if rules != "banker" else set())


def alterations(game: Played, rules: str) -> Iterator[tuple[list[Entry], str, list[str], list[bytes] | None]]:
    """Receipts, the round that they are about, the fields that differ, and the log with something else there."""
    for form, _, choices in altered_decisions(game):
        yield [form], f"t#{form['round']}", [f"decisions[{form['step']}]"], altered(game, {}, choices)
    for form, entry, more in altered_bets(game, rules_of(rules).bet_unit) if rules != "lounge" else ():
        yield [form], f"t#{form['round']}", ["bets"], altered(game, {entry: more})
    for form, _, _, changes in altered_seeds(game) if rules != "banker" else ():
        number = next((e["round"] for e in game.entries if e["kind"] == "open" and e["shoe"] == form["shoe"]), 0)
        mine = [f for f in forms(game) if (f["do"], f["player"]) == ("hash", form["player"])]
        hashed = next(f for f in mine if f["shoe"] == form["shoe"])
        fields = [f"hashes.{form['player']}", "seed"]
        yield [hashed, form], f"t#{number}", fields, altered(game, changes) if number else None


@pytest.mark.parametrize("rules", GAMES)
def test_what_was_altered_is_shown_by_the_proof_and_the_receipt(rules: str, tmp_path: Path) -> None:
    shown: dict[str, int] = {}
    for told, name, fields, lines in alterations(game := played(rules), rules):
        if lines is not None and shown.get(kind := fields[-1][:4], 0) < 4:
            found = held(game, tmp_path, told, name, lines)
            assert found.outcome.word == "FAIL", found.text
            receipts = ", ".join(f"receipt {place}" for place in range(2, 2 + len(told)))
            assert f"does not match: {receipts}" in found.outcome.what
            assert all(f"field {field}" in found.text for field in fields)
            shown[kind] = shown.get(kind, 0) + 1
    assert shown.keys() == {"deci", "bets", "seed"} - ({"bets"} if rules == "lounge" else set()) - (
        {"seed"} if rules == "banker" else set()
    )


@pytest.mark.parametrize("rules", GAMES)
def test_receipts_that_say_other_places_or_cards_than_the_proof_convict(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    opens = {entry["shoe"]: entry["round"] for entry in game.entries if entry["kind"] == "open"}
    about = [f for f in forms(game) if "last" in f and f.get("shoe") in opens and f["do"] != "waiver"]
    for form in random.Random(rules).sample(about, min(10, len(about))):
        commitment = {"shoe": (form["view"]["shoe"] or {}) | {"shoe": form["shoe"], "commitment": "0" * 64}}
        lies: list[Entry] = [{"view": form["view"] | commitment}]
        if form["do"] == "decision":
            cards = form["view"]["round"] | {"dealer": {"cards": ["As", "As", "As"], "total": 21}}
            lies += [{"view": form["view"] | {"round": cards}}, {"saw": form["saw"] | {"over": True}}]
            lies.append({"last": game.entries[0]["at"]})
        for lie in lies:
            number = form.get("round", opens[form["shoe"]])
            found = held(game, tmp_path, [form | lie], f"t#{number}")
            assert found.outcome.word == "FAIL", (form, lie, found.text)
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_what_somebody_may_have_left_out_of_a_proof_does_not_accuse_the_house(rules: str, tmp_path: Path) -> None:
    """A bet that was only offered, by one who may have left; balances; who was struck by leaving."""
    game, seen = played(rules), 0
    opened = {(entry["shoe"], entry["round"]) for entry in game.entries if entry["kind"] == "open"}
    for form in forms(game):
        if form.get("state") == "offered" and (form["shoe"], form["round"]) in opened:
            found = held(
                game, tmp_path, [form | {"bets": [{"amount": 77, "seat": form["seat"]}]}], f"t#{form['round']}"
            )
            assert found.outcome.word == "PASS so far", found.text
            assert "receipt 2 not decided" in found.outcome.what
            seen += 1
        if form.get("state") == "stands":
            told = form | {"view": form["view"] | {"chips": 1}}
            assert held(game, tmp_path, [told], f"t#{form['round']}").outcome.good
    assert seen or rules == "lounge"


def test_the_command_holds_receipts_against_a_proof(tmp_path: Path) -> None:
    game = played("banker")
    log, key = game.write(tmp_path), game.signer.verifier
    assert said("prove", log, "--round", "t#2", "--output", tmp_path / "proof", "--key", key).code == 0
    found = said("hand", tmp_path / "proof", "--receipt", tmp_path / "p1", "--key", key)
    assert found.code == 0
    assert ": match" in found.out


def test_receipts_of_other_hands_leave_the_hand_unchecked(tmp_path: Path) -> None:
    game = played("banker")
    log, key = game.write(tmp_path), game.signer.verifier
    others = [form for form in forms(game) if form.get("shoe") not in (None, "t/2")]
    file, name = file_of(game, tmp_path, others), ["--round", "t#2"]
    words = f"receipts not checked: none of these {len(others)} is about this hand"
    for source in (log, tmp_path / "proof"):
        (tmp_path / "proof").write_bytes(proof_of(game, "t#2"))
        found = said("hand", source, *name, "--receipt", file, "--key", key)
        assert found.code == 0
        assert found.first.startswith("PASS so far: ")
        assert found.first.endswith(words)
        assert said("hand", source, *name, "--receipt", file, "--key", key, "--require-complete").code == 1
    assert said("hand", log, *name, "--receipt", tmp_path / "p1", "--key", key, "--require-complete").code == 0


def test_a_receipt_that_the_log_has_otherwise_or_has_not_come_to(tmp_path: Path) -> None:
    game = played("casino")
    key, file = game.signer.verifier, tmp_path / "p1"
    form, entry, lines = next(
        (form, entry, lines)
        for form, entry, choices in altered_decisions(game)
        if form["player"] == "p1" and (lines := altered(game, {}, choices)) is not None
    )
    log, name = game.write(tmp_path, lines), ["--round", f"t#{form['round']}", "--receipt", file, "--key", key]
    found = said("hand", log, *name)
    assert (found.code, found.first[:4]) == (1, "FAIL")
    assert f"field decisions[{form['step']}]." in found.out  # its move, or the amount that goes with it
    game.write(tmp_path, game.lines[:entry])
    file_of(game, tmp_path, [form]).rename(file)
    found = said("hand", log, *name)
    assert (found.code, found.first[:11]) == (0, "PASS so far")
    assert "receipt 2: not decided" in found.out
    assert "receipt 2: match" not in found.out
    assert said("hand", log, *name, "--require-complete").code == 1
