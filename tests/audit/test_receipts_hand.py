"""Receipts beside one hand, of a log and of a proof file: which are about it, and what they convict."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_cli.hand.run import Answer, of_proof
from audit_cli.receipts.reading import receipts_in
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.log.hand_proof import proof_over, proof_text
from fairshoe.log.note import Signer
from fairshoe.receipts.notes import receipt_name, vouching_note, write_receipt
from fairshoe.record.hand_entries import entries_for
from tests.audit.proofs import note_over
from tests.audit.telling import said
from tests.kept import Entry, Played, altered, altered_bets, altered_decisions, altered_seeds, forms, played

GAMES = sorted(RULES)


def proof_of(game: Played, name: str, lines: list[bytes] | None = None) -> bytes:
    """The proof file of a round, of the game's log or of another."""
    lines = game.lines if lines is None else lines
    note, leaves = note_over(lines, game.signer)
    return proof_text(proof_over(name, note, entries_for(lines, name), leaves.node)).encode()


def file_of(game: Played, folder: Path, told: list[Entry]) -> Path:
    """A file in which the house says all this."""
    signer = Signer(receipt_name(game.signer.verifier.name), b"r" * 32)
    notes = [vouching_note(game.signer, signer.verifier), *(write_receipt(form, signer) for form in told)]
    (folder / "file").write_text("".join(notes))
    return folder / "file"


def held(game: Played, folder: Path, told: list[Entry], name: str, lines: list[bytes] | None = None) -> Answer:
    """What the proof of a round says of receipts."""
    key = game.signer.verifier
    receipts = receipts_in(file_of(game, folder, told), key).receipts
    return of_proof(proof_of(game, name, lines), key, receipts=receipts)


def names(game: Played) -> Iterator[str]:
    yield from (f"t1#{entry['round']}" for entry in game.entries if entry["kind"] == "open")


# A proof file.


@pytest.mark.parametrize("rules", GAMES)
def test_every_receipt_about_a_hand_agrees_with_its_proof(rules: str, tmp_path: Path) -> None:
    """However soon the proof is made, no honest receipt differs."""
    game, agreed = played(rules), set()
    for size in {len(game.lines), *range(8, len(game.lines), 7)}:
        for name in names(game._replace(lines=game.lines[:size])):
            found = held(game, tmp_path, forms(game), name, game.lines[:size])
            assert found.outcome.word in ("PASS", "PASS so far"), found.text
            for each in found.form["holds"]:
                assert each["same"], each
                agreed |= {each["held"].split(": ")[1].split(",")[0].split(" ")[0]} if not each["left"] else set()
    assert agreed >= {"bet", "seed", "decision"} | ({"hash"} if rules != "banker" else set())


def check_convicts(game: Played, folder: Path, form: Entry, lines: list[bytes], field: str) -> None:
    found = held(game, folder, [form], f"t1#{form['round']}", lines)
    assert found.outcome.word == "FAIL", found.text
    assert "what you hold does not match: receipt 2" in found.outcome.what
    assert f"field {field}" in found.text


@pytest.mark.parametrize("rules", GAMES)
def test_a_decision_that_was_altered_is_shown_by_the_proof_and_the_receipt(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form, _, choices in altered_decisions(game):
        lines = altered(game, {}, choices)
        if lines is not None:
            check_convicts(game, tmp_path, form, lines, f"decisions[{form['step']}]")
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "lounge"])
def test_a_bet_that_was_altered_is_shown_by_the_proof_and_the_receipt(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form, entry, more in altered_bets(game, rules_of(rules).bet_unit):
        lines = altered(game, {entry: more})
        if lines is not None:
            check_convicts(game, tmp_path, form, lines, "bets")
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "banker"])
def test_a_hash_and_a_seed_that_were_altered_are_shown(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form, _, _, changes in altered_seeds(game):
        player, lines = form["player"], altered(game, changes)
        number = next((e["round"] for e in game.entries if e["kind"] == "open" and e["shoe"] == form["shoe"]), 0)
        if lines is None or not number:
            continue
        hashed = next(f for f in forms(game) if (f["do"], f["player"], f.get("shoe")) == ("hash", player, form["shoe"]))
        found = held(game, tmp_path, [hashed, form], f"t1#{number}", lines)
        assert "what you hold does not match: receipt 2, receipt 3" in found.outcome.what
        assert f"field hashes.{player}" in found.text
        assert "field seed" in found.text
        shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_receipts_that_say_other_places_or_cards_than_the_proof_convict(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    opens = {entry["shoe"]: entry["round"] for entry in game.entries if entry["kind"] == "open"}
    for form in forms(game):
        if "last" not in form or form.get("shoe") not in opens or form["do"] == "waiver":
            continue
        commitment = {"shoe": (form["view"]["shoe"] or {}) | {"shoe": form["shoe"], "commitment": "0" * 64}}
        lies: list[Entry] = [{"view": form["view"] | commitment}]
        if form["do"] == "decision":
            cards = form["view"]["round"] | {"dealer": {"cards": ["As", "As", "As"], "total": 21}}
            lies += [{"view": form["view"] | {"round": cards}}, {"saw": form["saw"] | {"over": True}}]
            lies.append({"last": game.entries[0]["at"]})
        for lie in lies:
            number = form.get("round", opens[form["shoe"]])
            found = held(game, tmp_path, [form | lie], f"t1#{number}")
            assert found.outcome.word == "FAIL", (form, lie, found.text)
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_what_somebody_may_have_left_out_of_a_proof_does_not_accuse_the_house(rules: str, tmp_path: Path) -> None:
    """A bet that was only offered, by one who may have left; balances; who was struck by leaving."""
    game, seen = played(rules), 0
    for form in forms(game):
        if form.get("state") == "offered":
            found = held(
                game, tmp_path, [form | {"bets": [{"amount": 77, "seat": form["seat"]}]}], f"t1#{form['round']}"
            )
            assert found.outcome.word == "PASS so far", found.text
            assert "receipt 2 not decided: who sat there then only the whole log shows" in found.outcome.what
            seen += 1
        if form.get("state") == "stands":
            told = form | {"view": form["view"] | {"chips": 1}}
            assert held(game, tmp_path, [told], f"t1#{form['round']}").outcome.good
    assert seen or rules == "lounge"


def test_the_command_holds_receipts_against_a_proof(tmp_path: Path) -> None:
    game = played("banker")
    log, key = game.write(tmp_path), game.signer.verifier
    assert said("prove", log, "--round", "t1#2", "--output", tmp_path / "proof", "--key", key).code == 0
    found = said("hand", tmp_path / "proof", "--receipt", tmp_path / "p1", "--key", key)
    assert found.code == 0
    assert ": match" in found.out
    own = json.loads(game.files["p1"].splitlines()[0]).split("\n")[1]
    found = said("hand", tmp_path / "proof", "--receipt", tmp_path / "p1", "--key", own)
    assert (found.code, "that is the receipts' own key" in found.err) == (2, True)


# Of a log.


def test_receipts_of_other_hands_leave_the_hand_unchecked(tmp_path: Path) -> None:
    game = played("banker")
    log, key = game.write(tmp_path), game.signer.verifier
    others = [form for form in forms(game) if form.get("shoe") not in (None, "t1/2")]
    file, name = file_of(game, tmp_path, others), ["--round", "t1#2"]
    words = f"receipts not checked: none of these {len(others)} is about this hand"
    for source in (log, tmp_path / "proof"):
        (tmp_path / "proof").write_bytes(proof_of(game, "t1#2"))
        found = said("hand", source, *name, "--receipt", file, "--key", key)
        assert found.code == 0
        assert found.first.startswith("PASS so far: every card")
        assert found.first.endswith(words)
        assert said("hand", source, *name, "--receipt", file, "--key", key, "--require-complete").code == 1
    assert said("hand", log, *name, "--receipt", tmp_path / "p1", "--key", key, "--require-complete").code == 0


def test_the_receipts_own_key_will_do_for_a_hand_of_a_log(tmp_path: Path) -> None:
    """That the log is the house's is not checked then, and said."""
    game = played("banker")
    log, notes = game.write(tmp_path), [json.loads(line) for line in game.files["p1"].splitlines()]
    stands = (note for note in notes[1:] if '"round":2' in note and '"state":"stands"' in note)
    (tmp_path / "one").write_text(next(stands))
    found = said("hand", log, "--round", "2", "--receipt", tmp_path / "one", "--key", notes[0].split("\n")[1])
    assert found.code == 0
    assert found.first.startswith("PASS so far")
    assert found.first.endswith("not checked: signature")
    assert "receipt 1: match" in found.out
