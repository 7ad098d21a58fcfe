"""A receipt alone shows what the house altered after it was answered, in every game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from audit_cli.hand.run import answer
from audit_cli.hand.wanted import round_named
from audit_cli.main import main
from audit_cli.receipts.reading import receipts_in
from audit_cli.receipts.run import Decided, decide
from audit_cli.receipts.verdict import Case
from audit_cli.verify import verify
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import FairshoeError, IllegalDecision, InputError
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.receipts import receipt_name, vouching_note, write_receipt
from fairshoe.log.times import SECOND, microseconds, timestamp
from tests.audit.tamper import tamperings
from tests.kept import Change, Choose, Entry, Played, played, rewritten

GAMES = sorted(RULES)
RECEIPTS = Signer(receipt_name("house.example/log"), b"r" * 32)
HOUSE = Signer("house.example/log", b"h" * 32)


def held(game: Played, folder: Path, lines: list[bytes] | None = None) -> dict[str, Decided]:
    """What each player's receipts come to."""
    log = game.write(folder, lines)
    return {player: decide(folder / player, log, key=str(game.signer.verifier)) for player in game.files}


def forms(game: Played) -> list[Entry]:
    """What all receipts of a game say."""
    notes = [json.loads(line) for text in game.files.values() for line in text.splitlines()[1:]]
    return [json.loads(note.split("\n")[1]) for note in notes]


def index_of(game: Played, **fields: Any) -> int:
    return next(i for i, e in enumerate(game.entries) if all(e.get(name) == value for name, value in fields.items()))


def told(found: dict[str, Decided], form: Entry) -> Case:
    """What is decided about one receipt."""
    return next(case for case in found[form["player"]].cases if case.form == form)


def forged(
    game: Played, folder: Path, changes: dict[int, Change], choices: dict[tuple[int, int], Choose] | None = None
) -> dict[str, Decided] | None:
    """What receipts come to where the log was written anew from its first changed entry on and signed again. None
    where the house cannot do it so that nobody finds it without a receipt."""
    try:
        lines = rewritten(game, changes, choices)
    except FairshoeError:
        return None
    game.write(folder, lines)
    return None if verify(folder / "log", key=str(game.signer.verifier)).failed else held(game, folder, lines)


def check_told(game: Played, found: dict[str, Decided], form: Entry, entry: int, field: str) -> None:
    """The receipt names the entry and the field; all that the log said before that agrees."""
    case = told(found, form)
    assert (case.word, case.entry) == ("differs", entry), case.line
    assert case.field is not None
    assert case.field.startswith(field), case.line
    assert found[form["player"]].outcome.word == "FAIL"
    assert case.line in found[form["player"]].text
    for decided in found.values():
        for other in decided.cases:
            assert other.word == "agrees" or other.entry is None or other.entry >= entry, other.line


# Altered after it was answered.


@pytest.mark.parametrize("rules", GAMES)
def test_receipts_agree_with_an_honest_log(rules: str, tmp_path: Path) -> None:
    for player, decided in held(played(rules), tmp_path).items():
        assert decided.outcome.good, decided.text
        assert len(decided.cases) == len(played(rules).files[player].splitlines()) - 1
        assert {case.word for case in decided.cases} <= {"agrees", "not yet"}


@pytest.mark.parametrize("rules", GAMES)
def test_a_decision_that_was_altered(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form in forms(game):
        if form["do"] != "decision" or form["about"] != "round":
            continue
        entry = index_of(game, kind="round", shoe=form["shoe"], round=form["round"])

        def another(ask: Ask, form: Entry = form) -> Decision:
            move = next((move for move in ask.moves if move.name != form["move"]), None)
            if move is None:
                raise IllegalDecision("nothing else may be chosen", where="decision")
            return Decision(ask.actor, move.name, move.low, move.among[: move.fewest])

        found = forged(game, tmp_path, {}, {(entry, form["step"]): another})
        if found is not None:
            check_told(game, found, form, entry, f"decisions[{form['step']}]")
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_a_bet_that_was_altered(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    unit = rules_of(rules).bet_unit
    for form in forms(game):
        if form.get("state") != "stands" or not form["bets"]:
            continue
        entry = index_of(game, kind="open", shoe=form["shoe"], round=form["round"])

        def more(logged: Entry, form: Entry = form) -> Entry:
            bets = [bet | {"amount": bet["amount"] + unit * (bet in form["bets"])} for bet in logged["bets"]]
            return logged | {"bets": bets}

        if rules == "lounge":  # nobody chooses a bet there: any other fails by itself
            lines = list(game.lines)
            lines[entry] = json.dumps(more(game.entries[entry]), sort_keys=True, separators=(",", ":")).encode()
            found: dict[str, Decided] | None = held(game, tmp_path, lines)
        else:
            found = forged(game, tmp_path, {entry: more})
        if found is not None:
            check_told(game, found, form, entry, "")
            assert "bets" in str(told(found, form).field)
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_chips_that_were_altered(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), set()
    for form in forms(game):
        if form["do"] != "chips":
            continue
        entry = form["before"]

        def more(logged: Entry) -> Entry:
            return logged | {"amount": logged["amount"] + 1}

        if rules == "lounge":  # the rules say what is bought
            lines = list(game.lines)
            lines[entry] = json.dumps(more(game.entries[entry]), sort_keys=True, separators=(",", ":")).encode()
            found: dict[str, Decided] | None = held(game, tmp_path, lines)
        else:
            found = forged(game, tmp_path, {entry: more})
        if found is not None:
            check_told(game, found, form, entry, "amount")
            shown.add(form["op"])
    alone = rules == "banker"
    assert shown == {"lounge": {"buy-in"}}.get(rules, {"buy-in", "cash-out", *(() if alone else ("transfer",))})


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "banker"])
def test_a_hash_that_was_altered_and_with_it_the_seed(rules: str, tmp_path: Path) -> None:
    """Whoever sends another seed in a player's name sends another hash before: both receipts show it."""
    game, shown = played(rules), 0
    for form in forms(game):
        opened = [i for i, e in enumerate(game.entries) if e["kind"] == "opened" and e["seed"] == form.get("seed")]
        if form["do"] != "seed" or not opened:
            continue
        player, fake = form["player"], sha256(form["seed"].encode()).digest()
        promised = index_of(game, kind="seeds", shoe=form["shoe"])

        def other_hash(logged: Entry, player: str = player, fake: bytes = fake) -> Entry:
            return logged | {"hashes": logged["hashes"] | {player: sha256(fake).hexdigest()}}

        def other_seed(logged: Entry, fake: bytes = fake) -> Entry:
            return logged | {"seed": fake.hex()}

        found = forged(game, tmp_path, {promised: other_hash, opened[0]: other_seed})
        if found is not None:
            hashes = [f for f in forms(game) if f["do"] == "hash" and f["player"] == player]
            sent = next(f for f in hashes if f["shoe"] == form["shoe"])
            check_told(game, found, sent, promised, f"hashes.{player}")
            case = told(found, form)
            assert (case.word, case.entry, case.field) == ("differs", opened[0], "seed")
            shown += 1
    assert shown


def test_a_sole_players_seed_that_was_altered(tmp_path: Path) -> None:
    game, shown = played("banker"), 0
    for form in forms(game):
        if form["do"] != "seed":
            continue
        entry = form["before"]

        def other(logged: Entry) -> Entry:
            return logged | {"seeds": {who: sha256(s.encode()).hexdigest() for who, s in logged["seeds"].items()}}

        found = forged(game, tmp_path, {entry: other})
        if found is not None:
            check_told(game, found, form, entry, "seed")
            shown += 1
    assert shown


def test_bets_forged_by_how_rounds_ended(tmp_path: Path) -> None:
    """The most in lost rounds, the least in won ones: every audit passes, and each such bet has its receipt."""
    game = played("casino", 30)
    rules, changes, forged_rounds = rules_of("casino"), {}, set()
    for round in game.entries:
        if round["kind"] != "round":
            continue
        entry = index_of(game, kind="open", round=round["round"])
        won = sum(hand["net"] for hand in round["hands"] if hand["seat"] == 1)
        amount = rules.maximum if won < 0 else rules.bet_unit

        def other(logged: Entry, amount: int = amount) -> Entry:
            bets = [bet | {"amount": amount} if bet["seat"] == 1 else bet for bet in logged["bets"]]
            return logged | {"bets": bets}

        changes[entry] = other
        if any(bet["seat"] == 1 and bet["amount"] != amount for bet in game.entries[entry]["bets"]):
            forged_rounds.add(round["round"])
    found = forged(game, tmp_path, changes)
    assert found is not None, "consistent in itself"
    cases = [case for case in found["p1"].cases if case.form.get("state") == "stands" and case.word == "differs"]
    own = {case.form["round"] for case in cases if str(case.field).startswith("bets")}
    assert own == forged_rounds
    assert len(own) >= 15
    assert [case.word for case in found["p2"].cases if case.form.get("state") == "stands"].count("differs") == len(own)


def test_a_step_that_is_left_out(tmp_path: Path) -> None:
    game = played("casino")
    form = next(form for form in forms(game) if form.get("op") == "cash-out")
    lines = list(game.lines)
    del lines[form["before"]]
    case = told(held(game, tmp_path, lines), form)
    assert (case.word, case.entry) == ("missing", form["before"])
    assert "another one" in case.line


def ending(game: Played, upto: int, shoe: str, kind: str, why: str, seconds: int) -> list[bytes]:
    """The log before the entry `upto`, and then the end of its shoe, so many seconds after the last one before."""
    commitment = game.entries[index_of(game, kind="shoe", shoe=shoe)]["commitment"]
    at = timestamp(microseconds(game.entries[upto - 1]["at"]) + seconds * SECOND)
    end = {"v": 1, "kind": kind, "at": at, "shoe": shoe, "key": game.keys[commitment].hex(), "why": why}
    end |= {"draws": {}, "end": 0} if kind == "reveal" else {}
    return rewritten(game._replace(lines=[*game.lines[:upto], encode(end)]), {})


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "banker"])
def test_a_hash_that_the_house_says_it_never_heard(rules: str, tmp_path: Path) -> None:
    game = played(rules)
    form = next(form for form in forms(game) if form["do"] == "hash")
    lines = ending(game, form["before"], form["shoe"], "void", "idle", 60)
    found = held(game, tmp_path, lines)
    assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
    check_told(game, found, form, len(lines) - 1, "why")


def test_a_bet_that_the_house_says_it_never_heard(tmp_path: Path) -> None:
    """It ends a sealed shoe that it does not like: nobody bet for an hour, it says."""
    game, shown = played("casino"), 0
    for form in forms(game):
        if form.get("state") != "stands" or not form["bets"]:
            continue
        offers = [f for f in forms(game) if f.get("state") == "offered" and f["player"] == form["player"]]
        offered = max((f for f in offers if f["round"] == form["round"]), key=lambda f: str(f["at"]))
        entry = index_of(game, kind="open", round=form["round"])
        lines = ending(game, entry, form["shoe"], "reveal", "left", 3700)
        found = held(game, tmp_path, lines)
        assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
        assert (told(found, form).word, told(found, form).entry) == ("missing", entry)
        (tmp_path / "offer").write_text(only(game, offered))
        (case,) = decide(tmp_path / "offer", tmp_path / "log", key=str(game.signer.verifier)).cases
        assert (case.word, case.entry, case.field) == ("differs", entry, "why")
        shown += 1
    assert shown


def only(game: Played, form: Entry) -> str:
    """A file with one receipt."""
    first, *lines = game.files[form["player"]].splitlines(keepends=True)
    return first + next(line for line in lines if json.loads(json.loads(line).split("\n")[1]) == form)


@pytest.mark.parametrize("rules", GAMES)
def test_every_earlier_copy_of_the_log_agrees_as_far_as_it_goes(rules: str, tmp_path: Path) -> None:
    game = played(rules)
    words = set()
    for size in range(3, len(game.lines), 3):
        for decided in held(game, tmp_path, game.lines[:size]).values():
            assert decided.outcome.good, (size, decided.text)
            words |= {decided.outcome.word}
    assert "PASS so far" in words


@pytest.mark.parametrize("rules", GAMES)
def test_no_entry_whatever_is_wrong_with_it_stops_receipts_from_being_decided(rules: str, tmp_path: Path) -> None:
    """A log that a house did not make consistent: every receipt has its word, and nothing before is wrong."""
    game, rng = played(rules), random.Random(rules)
    for _ in range(40):
        index = rng.randrange(1, len(game.lines))
        _, entry = rng.choice(list(tamperings(game.entries[index])))
        lines = [*game.lines[:index], encode(entry), *game.lines[index + 1 :]]
        for decided in held(game, tmp_path, lines).values():
            assert all(case.word for case in decided.cases)
            wrong = [case for case in decided.cases if case.word not in ("agrees", "not yet")]
            assert all(case.entry is None or case.entry >= index for case in wrong)


@pytest.mark.parametrize(("seed", "move"), [(1, "give"), (2, "refuse"), (3, "sell"), (3, "agree"), (4, "accept")])
def test_a_choice_about_the_bank_that_was_altered(seed: int, move: str, tmp_path: Path) -> None:
    """The bank kept that was sold or given, sold that was kept, refused that was agreed to."""
    game = played("pontoon", 8, seed)
    form = next(form for form in forms(game) if form.get("about") == "bank" and form["move"] == move)
    entry = next(i for i, e in enumerate(game.entries) if e["kind"] == "bank" and i >= form["before"])
    others = {"accept": "give", "refuse": "agree", "agree": "refuse"}

    def other(logged: Entry) -> Entry:
        decisions = logged["decisions"][: form["step"]]
        chosen = {"chosen": [3 - form["seat"]]} if move == "accept" else {}
        price = {"amount": decisions[0].get("amount", 0)} if move == "refuse" else {}
        decisions.append({"move": others.get(move, "accept"), "seat": form["seat"], **chosen, **price})
        return logged | {"decisions": [*decisions, *([{"move": "agree", "seat": 3 - form["seat"]}] if chosen else [])]}

    lines = rewritten(game._replace(lines=game.lines[: entry + 1]), {entry: other})
    found = held(game, tmp_path, lines)
    assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
    check_told(game, found, form, entry, f"decisions[{form['step']}]")


# One changed byte.


def cases_of_bytes(text: str, count: int) -> Iterator[bytes]:
    rng = random.Random(1)
    data = text.encode()
    for _ in range(count):
        at = rng.randrange(len(data))
        other = rng.choice([byte for byte in range(256) if byte != data[at]])
        yield data[:at] + bytes([other]) + data[at + 1 :]


def refusals(file: Path, log: Path, key: str) -> list[str]:
    """Why each receipt of a file is refused, or the file; "" for one that is not."""
    try:
        return [case.receipt.refused for case in decide(file, log, key=key).cases]
    except InputError as error:
        return [error.what]


def test_one_changed_byte_is_refused_with_a_cause(tmp_path: Path) -> None:
    """700 times."""
    refused = 0
    for rules in GAMES:
        game = played(rules)
        lines = game.files["p1"].splitlines()
        note = json.loads(random.Random(rules).choice(lines[1:]))
        log = game.write(tmp_path)
        key = tmp_path / "receipts.vkey"
        key.write_text(json.loads(lines[0]).split("\n")[1])
        (tmp_path / "one").write_text(note)
        assert decide(tmp_path / "one", log, key=str(key)).outcome.good
        for changed in cases_of_bytes(note, 120):
            (tmp_path / "one").write_bytes(changed)
            causes = refusals(tmp_path / "one", log, str(key))
            assert causes, changed
            assert all(causes), changed
            refused += 1
    assert refused >= 700


def test_one_changed_byte_of_the_houses_word_for_the_key_refuses_all(tmp_path: Path) -> None:
    game = played("casino")
    lines = game.files["p1"].splitlines(keepends=True)
    log = game.write(tmp_path)
    for changed in cases_of_bytes(json.loads(lines[0]), 40):
        first = json.dumps(changed.decode("utf-8", "replace"))
        (tmp_path / "p1").write_text("".join([f"{first}\n", *lines[1:]]))
        causes = refusals(tmp_path / "p1", log, str(game.signer.verifier))
        assert all("did not vouch" in cause or "which key signs" in cause for cause in causes)


# What is no receipt.


def signed(form: Entry) -> str:
    return vouching_note(HOUSE, RECEIPTS.verifier) + write_receipt(form, RECEIPTS)


def test_a_signed_receipt_with_other_fields_is_refused(tmp_path: Path) -> None:
    file, optional = tmp_path / "file", ("amount", "chosen", "cut", "to")
    each = {(f["do"], f.get("state"), f.get("about"), f.get("to")): f for f in forms(played("pontoon", 14))}
    assert len(each) >= 8
    for form in each.values():
        for name in form:
            for other in ({k: v for k, v in form.items() if k != name}, form | {name: [[]]}, form | {"more": 1}):
                if name in optional and name not in other:
                    continue
                file.write_text(signed(other))
                (receipt,) = receipts_in(file, HOUSE.verifier)
                assert "not as a receipt has it" in receipt.refused, (name, other)


@pytest.mark.parametrize("text", ["", "hello", '"', '"a"\n', '"\\ud800"\n', "{}", "\n\n", '""\n""\n'])
def test_a_file_that_has_none(text: str, tmp_path: Path) -> None:
    game = played("casino")
    log, file = game.write(tmp_path), tmp_path / "file"
    file.write_text(text)
    assert main(["receipt", str(file), str(log), "--key", str(game.signer.verifier)]) == 2


# The commands.


def test_exit_codes_and_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played("casino")
    log, key = game.write(tmp_path), str(game.signer.verifier)
    assert main(["receipt", str(tmp_path / "p1"), str(log), "--key", key]) == 0
    assert capsys.readouterr().out.startswith("PASS: the log agrees with ")
    assert main(["receipt", str(tmp_path / "p1"), str(log)]) == 0
    assert "for want of the house's key" in capsys.readouterr().out
    assert main(["receipt", str(tmp_path / "p1"), str(log), "--require-complete"]) == 1
    form = next(form for form in forms(game) if form.get("op") == "cash-out")
    lines = rewritten(game, {form["before"]: lambda logged: logged | {"amount": 31}})
    game.write(tmp_path, lines)
    capsys.readouterr()
    assert main(["receipt", str(tmp_path / "p1"), str(log), "--key", key]) == 1
    said = capsys.readouterr().out
    assert f"chips cash-out: differs: entry {form['before']}, field amount: the receipt says 30, the log 31" in said
    assert main(["receipt", str(tmp_path / "p1"), str(log), "--key", key, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["outcome"] == "FAIL"
    assert {"verdict": "differs", "field": "amount", "receipt": 30, "log": 31}.items() <= found["receipts"][1].items()


def test_hand_takes_receipts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played("banker")
    log, key = game.write(tmp_path), str(game.signer.verifier)
    form = next(form for form in forms(game) if form["do"] == "decision")
    name = ["--round", str(form["round"]), "--receipt", str(tmp_path / "p1"), "--key", key]
    assert main(["hand", str(log), *name]) == 0
    assert "decision" in capsys.readouterr().out
    good = answer(log, round_named(str(form["round"])), key=key, receipts=tmp_path / "p1")
    own = [f for f in forms(game) if f.get("shoe") == form["shoe"]]
    assert len(good.form["holds"]) == len(own)
    entry = index_of(game, kind="round", shoe=form["shoe"], round=form["round"])

    def another(ask: Ask) -> Decision:
        return Decision(ask.actor, next(move.name for move in ask.moves if move.name != form["move"]))

    game.write(tmp_path, rewritten(game, {}, {(entry, form["step"]): another}))
    assert main(["hand", str(log), *name]) == 1
    said = capsys.readouterr().out
    assert said.startswith("FAIL")
    assert f"field decisions[{form['step']}].move" in said
