"""A receipt alone shows what the house altered after it was answered, in every game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from audit_cli.hand.run import of_log
from audit_cli.hand.wanted import round_named
from audit_cli.main import main
from audit_cli.receipts.reading import receipts_in
from audit_cli.receipts.run import Held, decide
from audit_cli.verify import verify
from fairshoe.ceremony.receipts import Link, link_of
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import InputError, LogError
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.receipts.follow import held_against
from fairshoe.receipts.kept import Case, Receipt
from fairshoe.receipts.notes import receipt_name, vouching_note, write_receipt
from fairshoe.record.forms import newest
from tests.audit.tamper import tamperings
from tests.kept import (
    Change,
    Choices,
    Entry,
    Played,
    altered,
    altered_bets,
    altered_decisions,
    altered_seeds,
    forms,
    index_of,
    played,
    rewritten,
)

GAMES = sorted(RULES)
RECEIPTS = Signer(receipt_name("house.example/log"), b"r" * 32)
HOUSE = Signer("house.example/log", b"h" * 32)


def held(game: Played, folder: Path, lines: list[bytes] | None = None) -> dict[str, Held]:
    """What each player's receipts come to."""
    log = game.write(folder, lines)
    return {player: decide(folder / player, log, key=str(game.signer.verifier)) for player in game.files}


def told(found: dict[str, Held], form: Entry) -> Case:
    """What is decided about one receipt."""
    return next(case for case in found[form["player"]].cases if case.form == form)


def forged(
    game: Played, folder: Path, changes: dict[int, Change], choices: Choices | None = None
) -> dict[str, Held] | None:
    """What receipts come to where the log was written anew from its first changed entry on and signed again. None
    where the house cannot do it so that nobody finds it without a receipt."""
    lines = altered(game, changes, choices)
    if lines is None:
        return None
    game.write(folder, lines)
    return None if verify(folder / "log", key=str(game.signer.verifier)).failed else held(game, folder, lines)


def check_told(game: Played, found: dict[str, Held], form: Entry, entry: int, field: str) -> None:
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


def own_entry(game: Played, form: Entry) -> int:
    """The number of the entry that a step begins with."""
    return index_of(game, at=form["at"])


def after(game: Played, form: Entry) -> int:
    """The number of the first entry that is of a receipt's step, or later."""
    case = Case(Receipt(1, form))
    return sum(not case.behind(entry["at"]) for entry in game.entries)


# Altered after it was answered.


@pytest.mark.parametrize("rules", GAMES)
def test_receipts_agree_with_an_honest_log(rules: str, tmp_path: Path) -> None:
    for player, decided in held(played(rules), tmp_path).items():
        assert decided.outcome.good, decided.text
        assert len(decided.cases) == len(played(rules).files[player].splitlines()) - 1
        assert {case.word for case in decided.cases} <= {"agrees", "not decided"}
        assert decided.strange == []
        lines = played(rules).files[player].splitlines()[1:]
        again = held_against([case.receipt for case in decided.cases], played(rules).lines)
        assert [case.line for case in again] == [case.line for case in decided.cases], "without an auditor"
        assert len(lines) == len(again)


@pytest.mark.parametrize("rules", GAMES)
def test_an_honest_file_convicts_nobody_whatever_is_deleted_from_it(rules: str, tmp_path: Path) -> None:
    """The later receipts, single ones, any of them: the house has said the truth in all that are left."""
    game, rng = played(rules, 12), random.Random(rules)
    log, key = game.write(tmp_path), str(game.signer.verifier)
    for player, text in game.files.items():
        first, *lines = text.splitlines(keepends=True)
        kept = [lines[:size] for size in range(1, len(lines), 9)]
        kept += [[line for line in lines if rng.random() < share] for share in (0.3, 0.6, 0.9, 0.95)]
        for some in kept:
            (tmp_path / player).write_text(first + "".join(some))
            decided = decide(tmp_path / player, log, key=key)
            assert decided.outcome.good, decided.text


@pytest.mark.parametrize("rules", GAMES)
def test_a_decision_that_was_altered(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form, entry, choices in altered_decisions(game):
        found = forged(game, tmp_path, {}, choices)
        if found is not None:
            check_told(game, found, form, entry, f"decisions[{form['step']}]")
            shown += 1
    assert shown


@pytest.mark.parametrize("rules", GAMES)
def test_a_bet_that_was_altered(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules), 0
    for form, entry, more in altered_bets(game, rules_of(rules).bet_unit):
        if rules == "lounge":  # nobody chooses a bet there: any other fails by itself
            lines = list(game.lines)
            lines[entry] = json.dumps(more(game.entries[entry]), sort_keys=True, separators=(",", ":")).encode()
            found: dict[str, Held] | None = held(game, tmp_path, lines)
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
        entry = own_entry(game, form)

        def more(logged: Entry) -> Entry:
            return logged | {"amount": logged["amount"] + 1}

        if rules == "lounge":  # the rules say what is bought
            lines = list(game.lines)
            lines[entry] = json.dumps(more(game.entries[entry]), sort_keys=True, separators=(",", ":")).encode()
            found: dict[str, Held] | None = held(game, tmp_path, lines)
        else:
            found = forged(game, tmp_path, {entry: more})
        if found is not None:
            check_told(game, found, form, entry, "amount")
            shown.add(form["op"])
    if rules == "lounge":
        assert "buy-in" in shown
    else:
        assert shown == {"buy-in", "cash-out", *(() if rules == "banker" else ("transfer",))}


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "banker"])
def test_a_hash_that_was_altered_and_with_it_the_seed(rules: str, tmp_path: Path) -> None:
    """Whoever sends another seed in a player's name sends another hash before: both receipts show it."""
    game, shown = played(rules), 0
    for form, promised, opened, changes in altered_seeds(game):
        player, found = form["player"], forged(game, tmp_path, changes)
        if found is not None:
            hashes = [f for f in forms(game) if f["do"] == "hash" and f["player"] == player]
            sent = next(f for f in hashes if f["shoe"] == form["shoe"])
            check_told(game, found, sent, promised, f"hashes.{player}")
            case = told(found, form)
            assert (case.word, case.entry, case.field) == ("differs", opened, "seed")
            shown += 1
    assert shown


def test_a_sole_players_seed_that_was_altered(tmp_path: Path) -> None:
    game, shown = played("banker"), 0
    for form in forms(game):
        if form["do"] != "seed":
            continue
        entry = own_entry(game, form)

        def other(logged: Entry) -> Entry:
            return logged | {"seed": sha256(logged["seed"].encode()).hexdigest()}

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
    lines, entry = list(game.lines), own_entry(game, form)
    del lines[entry]
    case = told(held(game, tmp_path, lines), form)
    assert (case.word, case.entry) == ("missing", entry)
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
    lines = ending(game, after(game, form), form["shoe"], "void", "idle", 60)
    found = held(game, tmp_path, lines)
    assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
    check_told(game, found, form, len(lines) - 1, "why")


def test_a_bet_that_the_house_says_it_never_heard(tmp_path: Path) -> None:
    """It ends a sealed shoe that it does not like: nobody bet for an hour, it says."""
    game, shown = played("casino"), 0
    for form in forms(game):
        if form.get("state") != "stands" or not form["bets"]:
            continue
        entry = index_of(game, kind="open", round=form["round"])
        lines = ending(game, entry, form["shoe"], "reveal", "left", 3700)
        found = held(game, tmp_path, lines)
        assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
        assert (told(found, form).word, told(found, form).entry) == ("missing", entry)
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
        if type(entry.get("v")) is int and entry["v"] > newest():
            with pytest.raises(LogError, match="newer fairshoe"):
                held(game, tmp_path, lines)
            continue
        for decided in held(game, tmp_path, lines).values():
            assert all(case.word for case in decided.cases)
            wrong = [case for case in decided.cases if case.word not in ("agrees", "not decided")]
            assert all(case.entry is None or case.entry >= index for case in wrong)


@pytest.mark.parametrize("move", ["give", "refuse", "sell", "agree", "accept"])
def test_a_choice_about_the_bank_that_was_altered(move: str, tmp_path: Path) -> None:
    """The bank kept that was sold or given, sold that was kept, refused that was agreed to."""
    games = (played("pontoon", 8, seed) for seed in range(1, 20))
    chosen = ((game, form) for game in games for form in forms(game) if form.get("about") == "bank")
    others = {"accept": "give", "refuse": "agree", "agree": "refuse"}
    for game, form in chosen:
        if form["move"] != move:
            continue
        entry = next(i for i, e in enumerate(game.entries) if e["kind"] == "bank" and i >= after(game, form))

        def other(logged: Entry, form: Entry = form) -> Entry:
            decisions = logged["decisions"][: form["step"]]
            taken = {"chosen": [3 - form["seat"]]} if move == "accept" else {}
            price = {"amount": decisions[0].get("amount", 0)} if move == "refuse" else {}
            decisions.append({"move": others.get(move, "accept"), "seat": form["seat"], **taken, **price})
            answers = [{"move": "agree", "seat": 3 - form["seat"]}] if taken else []
            return logged | {"decisions": [*decisions, *answers]}

        found = forged(game._replace(lines=game.lines[: entry + 1]), tmp_path, {entry: other})
        if found is not None:
            check_told(game, found, form, entry, f"decisions[{form['step']}]")
            return
    raise AssertionError(f"nobody chose {move} so that another choice was consistent in itself")


# A house that has signed what it likes.


def chained(told: list[Entry]) -> list[Entry]:
    """The same receipts, each naming the one before it of its chair."""
    links: dict[object, Link] = {}
    found = []
    for form in told:
        chair = form["table"], form["seat"], form["player"]
        link = Link() if form.get("op") == "buy-in" and form["number"] == 1 else links.get(chair, Link(7, "0" * 64))
        stands = form.get("state") == "stands"
        found.append(form | {"number": link.number + (not stands), "before": link.hash})
        links[chair] = link if stands else link_of(found[-1])
    return found


def lied(game: Played, folder: Path, told: list[Entry], lines: list[bytes] | None = None) -> Held:
    """What receipts that say this come to."""
    log = game.write(folder, lines)
    key = game.signer.verifier
    signer = Signer(receipt_name(key.name), b"r" * 32)
    notes = [vouching_note(game.signer, signer.verifier), *(write_receipt(form, signer) for form in told)]
    (folder / "lied").write_text("".join(f"{json.dumps(note)}\n" for note in notes))
    return decide(folder / "lied", log, key=str(key))


def words(decided: Held) -> list[str]:
    return [case.word for case in decided.cases]


@pytest.mark.parametrize("rules", GAMES)
def test_a_receipt_that_names_another_last_entry(rules: str, tmp_path: Path) -> None:
    """An earlier one, and one that is not there: what was hidden from the seat then is shown."""
    game = played(rules)
    times = [entry["at"] for entry in game.entries]
    for form in forms(game):
        if "last" not in form or form["last"] not in times[3:] or form["at"] >= times[-1]:
            continue
        early = "" if form["last"] >= form["at"] else times[times.index(form["last"]) - 1]
        nowhere = timestamp(microseconds(form["last"]) - 1)
        for last in {early, nowhere} - {"", *([nowhere] if nowhere in times else [])}:
            decided = lied(game, tmp_path, [form | {"last": last}])
            assert words(decided) in (["differs"], ["missing"]), (form, last, decided.text)
            assert decided.outcome.word == "FAIL"


def test_a_clock_that_was_set_back_at_a_start_convicts_nobody(tmp_path: Path) -> None:
    """Between the entry that a receipt names and the moment that it says stands another, after a start."""
    game = played("casino")
    form = next(form for form in forms(game) if form.get("state") == "offered" and form["last"] < form["at"])
    last = index_of(game, at=form["last"])
    start = encode({"v": 1, "kind": "start", "at": timestamp(microseconds(form["last"]) + 1)})
    ahead = form | {"at": timestamp(microseconds(game.entries[last + 1]["at"]) + 5)}
    assert words(lied(game, tmp_path, [ahead])) == ["differs"]
    lines = [*game.lines[: last + 1], start, *game.lines[last + 1 :]]
    assert words(lied(game, tmp_path, [ahead], lines)) != ["differs"]


def test_a_bet_that_stands_where_the_log_has_gone_on_without_it_is_missing(tmp_path: Path) -> None:
    game = played("casino")
    form = next(form for form in forms(game) if form.get("state") == "stands")
    entry = index_of(game, kind="open", round=form["round"])
    early = timestamp(microseconds(game.entries[entry - 1]["at"]))
    decided = lied(game, tmp_path, [form | {"at": early}], game.lines[:entry])
    assert words(decided) == ["missing"]
    assert "is later" in decided.text or "no such bets" in decided.text


def test_a_receipt_of_another_tables_shoe_differs(tmp_path: Path) -> None:
    game = played("casino")
    for form in forms(game):
        if "shoe" in form:
            decided = lied(game, tmp_path, [form | {"shoe": "zz/1"}])
            assert words(decided) == ["differs"]
            assert "field shoe" in decided.text
            assert "its table is t1" in decided.text


def test_a_receipt_of_another_shoe_of_the_table_differs(tmp_path: Path) -> None:
    game = played("boxes")
    shoes = [entry["shoe"] for entry in game.entries if entry["kind"] == "shoe"]
    assert len(shoes) > 1
    for form in forms(game):
        if "shoe" in form and form["shoe"] == shoes[1]:
            assert lied(game, tmp_path, [form | {"shoe": shoes[0]}]).outcome.word == "FAIL", form


@pytest.mark.parametrize("rules", ["boxes", "casino", "pontoon"])
def test_a_decision_of_a_round_is_not_about_the_bank(rules: str, tmp_path: Path) -> None:
    game, shown = played(rules, 14 if rules == "pontoon" else 5), 0
    for form in forms(game):
        if form.get("about") != "round":
            continue
        other = {name: value for name, value in form.items() if name != "shoe"} | {"about": "bank"}
        other["view"] = {name: value for name, value in form["view"].items() if name != "round"}
        del other["saw"]
        decided = lied(game, tmp_path, [other])
        (case,) = decided.cases
        assert (case.word, case.field) == ("differs", "about"), case.line
        name = ["--round", f"t1#{form['round']}", "--receipt", str(tmp_path / "lied")]
        assert main(["hand", str(tmp_path / "log"), *name, "--key", str(game.signer.verifier)]) == 1
        shown += 1
    assert shown


def test_a_decision_about_the_bank_is_not_about_a_round(tmp_path: Path) -> None:
    game, shown = played("pontoon", 14), 0
    for form in forms(game):
        if form.get("about") == "bank":
            shoe = next(entry["shoe"] for entry in game.entries if entry["kind"] == "shoe")
            other = form | {"about": "round", "shoe": shoe, "saw": {}, "view": form["view"] | {"round": {}}}
            assert words(lied(game, tmp_path, [other])) == ["differs"]
            shown += 1
    assert shown


def test_of_two_bets_the_last_counts_and_a_gap_leaves_it_open(tmp_path: Path) -> None:
    """The log has the bet that was taken back: the numbers say which was last, whatever the order of the file."""
    game = played("casino")
    own = [form for form in forms(game) if form["player"] == "p1"]
    place = max(i for i, form in enumerate(own) if form.get("state") == "offered" and form["bets"])
    form, seat = own[place], own[place]["seat"]
    first = form | {"bets": [{"amount": 500, "seat": seat}]}
    entry = index_of(game, kind="open", round=form["round"])

    def other(logged: Entry) -> Entry:
        return logged | {"bets": [bet | {"amount": 500} if bet["seat"] == seat else bet for bet in logged["bets"]]}

    lines = rewritten(game, {entry: other})
    both = chained([*own[:place], first, *own[place:]])
    for told in (both, both[::-1]):
        cases = {case.form["number"]: case for case in lied(game, tmp_path, told, lines).cases if not case.stands}
        assert cases[first_number := both[place]["number"]].word == "agrees"
        assert (cases[first_number + 1].word, cases[first_number + 1].field) == ("differs", "bets")
    stood = next(
        case for case in lied(game, tmp_path, both, lines).cases if case.stands and case.form["round"] == form["round"]
    )
    assert stood.word == "differs"
    upto = lied(game, tmp_path, both[: place + 2], lines)
    assert words(upto)[-2:] == ["agrees", "not decided"], "a later one may be lost"


def test_a_log_that_is_named_like_a_receipts_key(tmp_path: Path) -> None:
    game = played("casino")._replace(signer=Signer("casino.example/receipt", b"h" * 32))
    decided = lied(game, tmp_path, forms(game))
    assert decided.outcome.word != "FAIL", decided.text
    assert decided.trusted


def test_the_receipts_own_key_is_no_word_of_whose_log_it_is(tmp_path: Path) -> None:
    game = played("casino")
    key = json.loads(game.files["p1"].splitlines()[0]).split("\n")[1]
    (tmp_path / "key").write_text(key)
    log = game._replace(signer=Signer(game.signer.verifier.name, b"x" * 32)).write(tmp_path)
    decided = decide(tmp_path / "p1", log, key=str(tmp_path / "key"))
    assert not decided.trusted
    assert "Not checked: that this is the house's log" in decided.text
    assert not decided.outcome.complete


# What stands in a player's name.


@pytest.mark.parametrize("rules", GAMES)
def test_acts_without_a_receipt_are_listed(rules: str, tmp_path: Path) -> None:
    """Each receipt that is taken out of a file that begins with the buy-in leaves an act that has none; where the
    numbers leave no gap it is the house's."""
    game = played(rules)
    seen = set()
    for player, text in game.files.items():
        own = [json.loads(json.loads(line).split("\n")[1]) for line in text.splitlines()[1:]]
        for place, form in enumerate(own):
            if not place or form.get("state") == "stands":
                continue
            rest = own[:place] + own[place + 1 :]
            decided, proven = lied(game, tmp_path, rest), lied(game, tmp_path, chained(rest))
            assert decided.outcome.word in ("PASS", "PASS so far"), decided.text
            assert len(proven.strange) == len(decided.strange)
            for act, again in zip(decided.strange, proven.strange, strict=True):
                assert (act.player, act.seat, act.proven) == (player, form["seat"], False)
                assert form["do"] in ("bet", "chips") or act.what.startswith((form["do"], "cut"))
                assert act.line in decided.text
                assert not decided.outcome.complete
                assert not again.proven or proven.outcome.word == "FAIL"
                seen |= {form["do"], *(("proven",) if again.proven else ())}
    assert seen >= {"decision", "seed", "proven"}
    assert "chips" in seen or rules == "lounge"


def test_bets_that_stand_as_the_house_signed_but_nobody_offered(tmp_path: Path) -> None:
    """The house bets 500 in the name of a seat, and signs that it stands: another receipt of its own says otherwise."""
    game = played("casino")
    own = [form for form in forms(game) if form["player"] == "p1"]
    last = [form for form in own if form.get("state") == "stands" and form["bets"]][-1]
    entry = index_of(game, kind="open", round=last["round"])

    def most(bets: list[Entry]) -> list[Entry]:
        return [bet | {"amount": 500} if bet["seat"] == last["seat"] else bet for bet in bets]

    lines = rewritten(game._replace(lines=game.lines[: entry + 1]), {entry: lambda e: e | {"bets": most(e["bets"])}})
    forged = last | {"bets": most(last["bets"]), "view": last["view"] | {"bets": most(last["view"]["bets"])}}
    told = [forged if form is last else form for form in own if form["at"] <= last["at"]]
    decided = lied(game, tmp_path, told, lines)
    assert decided.outcome.word == "FAIL"
    assert "its last bet before" in decided.text
    offered = next(form for form in reversed(told) if form.get("state") == "offered")
    decided = lied(game, tmp_path, [form for form in told if form is not offered], lines)
    assert [act.what for act in decided.strange] == [f"bet, round {last['round']}"], decided.text


def test_a_file_that_does_not_begin_with_the_buy_in_lists_nothing(tmp_path: Path) -> None:
    game = played("casino")
    own = [form for form in forms(game) if form["player"] == "p2"]
    later = [form for form in own[1:] if form["do"] != "bet"]
    assert lied(game, tmp_path, later).strange == []
    top_up = next(place for place, form in enumerate(own) if place and form.get("op") == "buy-in")
    assert lied(game, tmp_path, own[top_up:]).strange == [], "the seat was taken before"


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
                (receipt,) = receipts_in(file, HOUSE.verifier).receipts
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
    entry = own_entry(game, form)
    lines = rewritten(game, {entry: lambda logged: logged | {"amount": 31}})
    game.write(tmp_path, lines)
    capsys.readouterr()
    assert main(["receipt", str(tmp_path / "p1"), str(log), "--key", key]) == 1
    said = capsys.readouterr().out
    assert f"chips cash-out: differs: entry {entry}, field amount: the receipt says 30, the log 31" in said
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
    good = of_log(log, round_named(str(form["round"])), key=key, receipts=tmp_path / "p1")
    own = [f for f in forms(game) if f.get("shoe") == form["shoe"]]
    assert len(good.form["holds"]) == len(own)
    entry = index_of(game, kind="round", shoe=form["shoe"], round=form["round"])

    def another(ask: Ask) -> Decision:
        return Decision(ask.actor, next(move.name for move in ask.moves if move.name != form["move"]))

    game.write(tmp_path, rewritten(game, {}, {(entry, form["step"]): another}))
    assert main(["hand", str(log), *name]) == 1
    said = capsys.readouterr().out
    assert said.startswith("FAIL")
    assert f"field decisions[{form['step']}]." in said, said  # its move, or the amount that goes with it


def test_hand_says_of_a_receipt_that_the_log_has_not_come_to_that_it_is_not_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = played("casino")
    key = str(game.signer.verifier)
    form = next(form for form in forms(game) if form["do"] == "decision")
    entry = index_of(game, kind="round", shoe=form["shoe"], round=form["round"])
    log = game.write(tmp_path, game.lines[:entry])
    (tmp_path / "one").write_text(only(game, form))
    name = ["--round", f"t1#{form['round']}", "--receipt", str(tmp_path / "one"), "--key", key]
    assert main(["hand", str(log), *name]) == 0
    said = capsys.readouterr().out
    assert said.startswith("PASS so far")
    assert "receipt 2: not decided" in said
    assert "receipt 2: match" not in said
    assert main(["hand", str(log), *name, "--require-complete"]) == 1
