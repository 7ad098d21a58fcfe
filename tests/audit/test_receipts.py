"""A receipt alone shows what the house altered after it was answered, in every game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from audit_cli.cases.receipts.case import Receipt, ReceiptCase
from audit_cli.cases.receipts.file import receipts_in
from audit_cli.cases.receipts.run import CheckedReceipts, decide
from audit_cli.main import main
from audit_cli.verify.run import verify
from fairshoe.ceremony.receipts import Link, link_of
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import InputError, LogError
from fairshoe.log.canonical import encode
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.record.forms import newest
from tests.audit.tamper import tamperings
from tests.audit.telling import said
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
    notes_saying,
    played,
    rewritten,
)

GAMES = sorted(RULES)
SAMPLED = 3
"""How many receipts of a kind have what they are of altered, in each game."""


def held(game: Played, folder: Path, lines: list[bytes] | None = None) -> dict[str, CheckedReceipts]:
    """What each player's receipts come to."""
    log = game.write(folder, lines)
    return {player: decide(folder / player, log, key=str(game.signer.verifier)) for player in game.files}


def told(found: dict[str, CheckedReceipts], form: Entry) -> ReceiptCase:
    """What is decided about one receipt."""
    return next(case for case in found[form["player"]].cases if case.form == form)


def check_told(found: dict[str, CheckedReceipts], form: Entry, entry: int, field: str) -> None:
    """The receipt names the entry and the field; all that the log said before that agrees."""
    case = told(found, form)
    assert (case.word, case.entry) == ("differs", entry), case.line
    assert field in str(case.field), case.line
    assert found[form["player"]].outcome.word == "FAIL"
    assert case.line in found[form["player"]].text
    for decided in found.values():
        for other in decided.cases:
            assert other.word == "agrees" or other.entry is None or other.entry >= entry, other.line


def after(game: Played, form: Entry) -> int:
    """The number of the first entry that is of a receipt's step, or later."""
    case = ReceiptCase(Receipt(1, form))
    return sum(not case.behind(entry["at"]) for entry in game.entries)


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


def lied(game: Played, folder: Path, told: list[Entry], lines: list[bytes] | None = None) -> CheckedReceipts:
    """What receipts that say this come to."""
    log = game.write(folder, lines)
    (folder / "lied").write_text("".join(f"{json.dumps(note)}\n" for note in notes_saying(game, told)))
    return decide(folder / "lied", log, key=str(game.signer.verifier))


def words(decided: CheckedReceipts) -> list[str]:
    return [case.word for case in decided.cases]


# An honest house.


@pytest.mark.parametrize("rules", GAMES)
def test_no_part_of_an_honest_file_and_no_earlier_copy_of_the_log_convicts(rules: str, tmp_path: Path) -> None:
    """The later receipts deleted, single ones, any of them: the house has said the truth in all that are left."""
    game, rng = played(rules), random.Random(rules)
    key, seen = str(game.signer.verifier), set()
    for number in range(16):
        player = rng.choice(sorted(game.files))
        first, *lines = game.files[player].splitlines(keepends=True)
        some = lines[: rng.randint(1, len(lines))] if number % 2 else lines
        kept = [line for line in some if rng.random() < (1, 0.95, 0.6, 0.3)[number % 4]]
        size = len(game.lines) if number < 8 else rng.randint(3, len(game.lines) - 1)
        log = game.write(tmp_path, game.lines[:size])
        (tmp_path / player).write_text(first + "".join(kept))
        decided = decide(tmp_path / player, log, key=key)
        assert decided.outcome.good, (size, decided.text)
        seen |= {decided.outcome.word}
    assert "PASS so far" in seen


@pytest.mark.parametrize("rules", GAMES)
def test_receipts_newer_than_a_log_that_ends_with_another_table_convict_nobody(rules: str, tmp_path: Path) -> None:
    game = played(rules)
    newer = [form for form in forms(game) if "last" in form and form["last"] < form["at"]]
    for form in newer[::SAMPLED]:
        other = encode(game.entries[0] | {"at": timestamp(microseconds(form["at"]) - 1), "table": "other"})
        lines = [encode(entry) for entry in game.entries if entry["at"] <= form["last"]]
        for decided in held(game, tmp_path, [*lines, other]).values():
            assert {*words(decided)} <= {"agrees", "not decided"}, decided.text
    assert newer or rules == "banker"


@pytest.mark.parametrize("rules", GAMES)
def test_no_entry_whatever_is_wrong_with_it_stops_receipts_from_being_decided(rules: str, tmp_path: Path) -> None:
    """A log that a house did not make consistent: every receipt has its word, and nothing before is wrong."""
    game, rng = played(rules), random.Random(rules)
    for _ in range(12):
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


# Altered after it was answered.


class Alteration(NamedTuple):
    """A receipt, the first entry that is not as it was, the field of it, and how the log is written anew."""

    form: Entry
    entry: int
    field: str
    changes: dict[int, Change]
    choices: Choices | None = None


def decisions(game: Played, rules: str) -> Iterator[Alteration]:
    for form, entry, choices in altered_decisions(game):
        yield Alteration(form, entry, f"decisions[{form['step']}]", {}, choices)


def bets(game: Played, rules: str) -> Iterator[Alteration]:
    for form, entry, more in altered_bets(game, rules_of(rules).bet_unit):
        yield Alteration(form, entry, "bets", {entry: more})


def chips(game: Played, rules: str) -> Iterator[Alteration]:
    for form in forms(game):
        if form["do"] == "chips":
            entry = index_of(game, at=form["at"])
            yield Alteration(form, entry, "amount", {entry: lambda logged: logged | {"amount": logged["amount"] + 1}})


def seeds(game: Played, rules: str) -> Iterator[Alteration]:
    """Whoever sends another seed in a player's name sends another hash before, but of a sole player: both receipts
    show it."""
    for form, promised, opened, changes in altered_seeds(game):
        yield Alteration(form, opened, "seed", changes)
        for hashed in forms(game) if promised != opened else ():
            if (hashed["do"], hashed["player"], hashed.get("shoe")) == ("hash", form["player"], form["shoe"]):
                yield Alteration(hashed, promised, f"hashes.{form['player']}", changes)


@pytest.mark.parametrize("what", [decisions, bets, chips, seeds])
@pytest.mark.parametrize("rules", GAMES)
def test_what_was_altered_is_shown_by_its_receipt(rules: str, what: object, tmp_path: Path) -> None:
    """Everything that follows is written anew and signed, so that no audit finds it; in the lounge, whose rules say
    what is bought and bet, the entry alone is another."""
    game, shown = played(rules), []
    each = [*what(game, rules)]  # type: ignore[operator]
    for form, entry, field, changes, choices in random.Random(rules).sample(each, len(each)):
        if len(shown) >= SAMPLED:
            break
        if rules == "lounge" and what in (bets, chips):
            lines: list[bytes] | None = list(game.lines)
            lines[entry] = encode(changes[entry](game.entries[entry]))  # type: ignore[index]
        else:
            lines = altered(game, changes, choices)
            game.write(tmp_path, lines)
            if lines is None or verify(tmp_path / "log", key=str(game.signer.verifier)).failed:
                continue
        found = held(game, tmp_path, lines)
        if field == "seed" and rules != "banker":
            assert (told(found, form).word, told(found, form).entry) == ("differs", entry)
            assert told(found, form).field == "seed"
        else:
            check_told(found, form, entry, field)
        shown.append(form.get("op"))
    assert shown


def test_choices_about_the_bank_that_were_altered(tmp_path: Path) -> None:
    """The bank kept that was sold or given, sold that was kept, refused that was agreed to."""
    others = {"accept": "give", "refuse": "agree", "agree": "refuse"}
    left = {"give", "refuse", "sell", "agree", "accept"}
    for seed in (2, 4, 8):  # in which all five were chosen
        game = played("pontoon", 8, seed)
        for form in [form for form in forms(game) if form.get("about") == "bank" and form["move"] in left]:
            entry = next(i for i, e in enumerate(game.entries) if e["kind"] == "bank" and i >= after(game, form))
            move = form["move"]

            def other(logged: Entry, form: Entry = form, move: str = move) -> Entry:
                decisions = logged["decisions"][: form["step"]]
                taken = {"chosen": [3 - form["seat"]]} if move == "accept" else {}
                price = {"amount": decisions[0].get("amount", 0)} if move == "refuse" else {}
                decisions.append({"move": others.get(move, "accept"), "seat": form["seat"], **taken, **price})
                answers = [{"move": "agree", "seat": 3 - form["seat"]}] if taken else []
                return logged | {"decisions": [*decisions, *answers]}

            lines = altered(game._replace(lines=game.lines[: entry + 1]), {entry: other})
            game.write(tmp_path, lines)
            if lines and not verify(tmp_path / "log", key=str(game.signer.verifier)).failed:
                check_told(held(game, tmp_path, lines), form, entry, f"decisions[{form['step']}]")
                left.discard(move)
        if not left:
            return
    raise AssertionError(f"nobody chose {left} so that another choice was consistent in itself")


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
    check_told(found, form, len(lines) - 1, "why")


def test_a_bet_that_the_house_says_it_never_heard(tmp_path: Path) -> None:
    """It ends a sealed shoe that it does not like: nobody bet for an hour, it says."""
    game = played("casino")
    stood = (form for form in forms(game) if form.get("state") == "stands" and form["bets"])
    for form in islice(stood, 3):
        entry = index_of(game, kind="open", round=form["round"])
        found = held(game, tmp_path, ending(game, entry, form["shoe"], "reveal", "left", 3700))
        assert not verify(tmp_path / "log", key=str(game.signer.verifier)).failed, "consistent in itself"
        assert (told(found, form).word, told(found, form).entry) == ("missing", entry)


# A house that has signed what it likes.


@pytest.mark.parametrize("rules", GAMES)
def test_a_receipt_that_names_another_last_entry(rules: str, tmp_path: Path) -> None:
    """An earlier one, and one that is not there: what was hidden from the seat then is shown."""
    game = played(rules)
    times = [entry["at"] for entry in game.entries]
    some = [form for form in forms(game) if form.get("last") in times[3:] and form["at"] < times[-1]]
    for form in random.Random(rules).sample(some, 10):
        early = "" if form["last"] >= form["at"] else times[times.index(form["last"]) - 1]
        nowhere = timestamp(microseconds(form["last"]) - 1)
        for last in {early, nowhere} - {"", *([nowhere] if nowhere in times else [])}:
            decided = lied(game, tmp_path, [form | {"last": last}])
            assert words(decided) in (["differs"], ["missing"]), (form, last, decided.text)
            assert decided.outcome.word == "FAIL"


def test_a_receipt_of_another_shoe_differs(tmp_path: Path) -> None:
    """Of another table's, whatever the log says; of an earlier one of the table."""
    game = played("boxes")
    first, second, *_ = [entry["shoe"] for entry in game.entries if entry["kind"] == "shoe"]
    of_shoes = [form for form in forms(game) if "shoe" in form]
    (stranger,) = lied(game, tmp_path, [of_shoes[0] | {"shoe": "zz/1"}]).cases
    assert (stranger.word, stranger.field) == ("differs", "shoe")
    assert "its table is t" in stranger.line
    of_second = [form for form in of_shoes if form["shoe"] == second]
    for form in {(form["do"], form.get("state")): form for form in of_second}.values():
        assert lied(game, tmp_path, [form | {"shoe": first}]).outcome.word == "FAIL", form


@pytest.mark.parametrize("rules", ["boxes", "casino", "pontoon"])
def test_a_decision_about_something_else_differs(rules: str, tmp_path: Path) -> None:
    """One of a round that is said to be about the bank, and the other way round."""
    game = played("pontoon", 8, 1) if rules == "pontoon" else played(rules)
    of_round = [form for form in forms(game) if form.get("about") == "round"]
    for form in of_round[:3]:
        other = {name: value for name, value in form.items() if name not in ("shoe", "saw")} | {"about": "bank"}
        other["view"] = {name: value for name, value in form["view"].items() if name != "round"}
        (case,) = lied(game, tmp_path, [other]).cases
        assert (case.word, case.field) == ("differs", "about"), case.line
        name = ["--round", f"t#{form['round']}", "--receipt", str(tmp_path / "lied")]
        assert main(["hand", str(tmp_path / "log"), *name, "--key", str(game.signer.verifier)]) == 1
    for form in [form for form in forms(game) if form.get("about") == "bank"][:3]:
        shoe = next(entry["shoe"] for entry in game.entries if entry["kind"] == "shoe")
        other = form | {"about": "round", "shoe": shoe, "saw": {}, "view": form["view"] | {"round": {}}}
        assert words(lied(game, tmp_path, [other])) == ["differs"]
    assert of_round


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


# What stands in a player's name.


@pytest.mark.parametrize("rules", GAMES)
def test_acts_without_a_receipt_are_listed(rules: str, tmp_path: Path) -> None:
    """Each receipt that is taken out of a file that begins with the buy-in leaves an act that has none; where the
    numbers leave no gap it is the house's."""
    game, seen = played(rules), set()
    own = [form for form in forms(game) if form["player"] == "p1"]
    kinds: dict[object, int] = {}
    for place, form in enumerate(own[1:], 1):
        kinds[form["do"], form.get("op")] = kinds.get((form["do"], form.get("op")), 0) + 1
        if form.get("state") == "stands" or kinds[form["do"], form.get("op")] > 2:
            continue
        rest = own[:place] + own[place + 1 :]
        decided, proven = lied(game, tmp_path, rest), lied(game, tmp_path, chained(rest))
        assert decided.outcome.word in ("PASS", "PASS so far"), decided.text
        assert len(proven.strange) == len(decided.strange)
        for act, again in zip(decided.strange, proven.strange, strict=True):
            assert (act.player, act.seat, act.proven) == ("p1", form["seat"], False)
            assert form["do"] in ("bet", "chips") or act.what.startswith((form["do"], "cut"))
            assert act.line in decided.text
            assert not decided.outcome.complete
            assert not again.proven or proven.outcome.word == "FAIL"
            seen |= {form["do"], *(("proven",) if again.proven else ())}
    assert seen >= {"decision", "seed", "proven"}
    assert "chips" in seen or rules == "lounge"
    later = [form for form in own[1:] if form["do"] != "bet"]
    assert lied(game, tmp_path, later).strange == [], "what was before the file is not known"


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


# What is no receipt.


def with_a_byte_changed(text: str, count: int, rng: random.Random) -> Iterator[bytes]:
    data = text.encode()
    for _ in range(count):
        at = rng.randrange(len(data))
        other = rng.choice([byte for byte in range(256) if byte != data[at]])
        yield data[:at] + bytes([other]) + data[at + 1 :]


@pytest.mark.parametrize("rules", GAMES)
def test_one_changed_byte_is_refused_with_a_cause(rules: str, tmp_path: Path) -> None:
    """Of a receipt, or of the house's word for the key."""
    game, rng, file = played(rules), random.Random(rules), tmp_path / "one"
    first, *notes = (json.loads(line) for line in game.files["p1"].splitlines())
    note = rng.choice(notes)

    def causes() -> list[str]:
        try:
            return [each.refused for each in receipts_in(file, game.signer.verifier)]
        except InputError as error:
            return [error.what]

    one = json.dumps(first)
    file.write_text(f"{one}\n{json.dumps(note)}\n")
    assert causes() == [""]
    for changed in with_a_byte_changed(json.dumps(note), 120, rng):
        file.write_bytes(f"{one}\n".encode() + changed)
        assert any(causes()), changed
        assert "" not in causes(), changed
    for changed in with_a_byte_changed(one, 20, rng):
        file.write_bytes(changed + b"\n" + json.dumps(note).encode())
        assert all("did not vouch" in cause or "which key signs" in cause or "UTF-8" in cause for cause in causes())


WRONG: dict[str, tuple[dict[str, Any], ...]] = {
    "round": ({"round": -1}, {"move": ""}, {"amount": 0}, {"chosen": []}),
    "bank": ({"round": -1}, {"amount": 0}, {"chosen": [0]}),
    "bet": ({"round": 0}, {"bets": [{"amount": 0, "seat": 1}]}, {"uncovered": [{"amount": 1}]}),
    "chips": ({"op": "refund"}, {"amount": -1}, {"to": 0}, {"leaves": False}),
}
"""Fields that receipts of a kind never have so."""


def test_a_signed_receipt_with_other_fields_is_refused(tmp_path: Path) -> None:
    file, game, optional = tmp_path / "file", played("pontoon", 8, 1), ("amount", "chosen", "cut", "to")
    altered: list[dict[str, Any]] = []
    log = game.write(tmp_path)
    each = {(f["do"], f.get("state"), f.get("about"), f.get("to")): f for f in forms(game)}
    assert len(each) >= 8
    for form in each.values():
        altered += [{k: v for k, v in form.items() if k != name} for name in form if name not in optional]
        altered += [form | {name: [[]]} for name in form] + [form | {"more": 1}]
        altered += [form | wrong for wrong in WRONG.get(form.get("about", form["do"]), ())]
    for other in altered:
        file.write_text("".join(f"{json.dumps(note)}\n" for note in notes_saying(game, [other])))
        (receipt,) = receipts_in(file, game.signer.verifier)
        assert "as a receipt has" in receipt.refused, other
    file.write_text("".join(f"{json.dumps(note)}\n" for note in notes_saying(game, altered)))
    told = said("receipt", file, log, "--key", game.signer.verifier)
    assert (told.code, told.first.partition(":")[0]) == (1, "FAIL"), told.err


def test_exit_codes_and_words(tmp_path: Path) -> None:
    game = played("casino")
    log, key, file = game.write(tmp_path), game.signer.verifier, tmp_path / "p1"
    assert said("receipt", file, log, "--key", key).first.startswith("PASS: ")
    found = said("receipt", file, log)
    assert (found.code, "not checked" in found.out) == (0, True)
    assert said("receipt", file, log, "--require-complete").code == 1
    form = next(form for form in forms(game) if form.get("op") == "cash-out")
    entry = index_of(game, at=form["at"])
    game.write(tmp_path, rewritten(game, {entry: lambda logged: logged | {"amount": 31}}))
    found = said("receipt", file, log, "--key", key)
    assert found.code == 1
    assert f"chips cash-out: differs: entry {entry}, field amount: " in found.out
    form = json.loads(said("receipt", file, log, "--key", key, "--format", "json").out)
    assert form["outcome"] == "FAIL"
    assert {"verdict": "differs", "field": "amount", "receipt": 30, "log": 31}.items() <= form["receipts"][1].items()
