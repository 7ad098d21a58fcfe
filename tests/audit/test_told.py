"""Shoes without a table whose cards the log tells: what an audit says of honest ones, and where it goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from audit_cli.main import main
from audit_cli.verify.resume import AuditInputs, resume
from audit_cli.verify.run import verify
from fairshoe.log import hand_proof
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.tree import Leaves
from tests.house import SIGNER, House
from tests.told import ToldGame, card_game, rummy, told_shoes
from tests.verifier.readings import reading, second_outcomes, second_readings
from tests.verifier.test_verify_options import said

from .frauds.gathered import ALL, FIRST, SECOND_TIME
from .frauds.gathered import OPEN as OPENED
from .frauds.told import ANN, END, HOUSE, OPEN, ORDER, OTHER, SHOE, SHOWN
from .planting import KEY, Entry, entries_in
from .proofs import file_of
from .telling import said as telling
from .walk import encoded

HIDDEN = {"ann": [5, 0], "bob": [5, 3], "": [1, 0]}
"""By player: hidden cards, and those of them that nobody has shown."""


def test_the_cards_are_checked_and_the_hidden_ones_counted(tmp_path: Path) -> None:
    write_log(tmp_path, told_shoes().lines, SIGNER)
    report = verify(tmp_path, key=KEY)
    assert (report.failed, report.checks["cards"], report.checks["shuffle"]) == (False, "pass", "pass")
    assert [each.what for each in report.unchecked] == []
    choices = report.choices.as_json()
    assert choices["tables"]["game"] == {"hidden card": 11, "hidden card never shown": 3}
    assert choices["players"]["game"] == {
        who: {"hidden card": all_of} | ({"hidden card never shown": left} if left else {})
        for who, (all_of, left) in HIDDEN.items()
        if who
    }
    last = said(tmp_path).last
    of_both_games = {"ann": [9, 2], "bob": [8, 6], "": [1, 0]}
    assert (last["verdict"], last["unchecked"], last["hidden"]) == ("pass", [], of_both_games)


def test_any_id_may_name_a_draw_or_a_player(tmp_path: Path) -> None:
    """Names that JavaScript keeps in another order than JSON has them, or gives a meaning."""
    house, names = House(7), {"10": 6, "9": 6, "__proto__": 6, "constructor": 6}
    game = ToldGame(house, "names", list(names), names)
    for player in names:
        game.hide(1, player)
    game.draw(1, *names)
    game.show(0, 2)
    game.end()
    write_log(tmp_path, house.lines, SIGNER)
    assert not verify(tmp_path, key=KEY).failed
    assert list(second_readings([tmp_path / "log.jsonl"])) == [reading("pass")]


@pytest.mark.parametrize(
    ("end", "counts"),
    [
        (OPEN, {"shoe sealed and not ended": 1, "cards left in shoes sealed and not ended": 41}),
        (3, {"shoe opened and not sealed": 1}),
        (1, {}),
    ],
)
def test_a_shoe_that_is_not_over_is_counted(end: int, counts: dict[str, int], tmp_path: Path) -> None:
    write_log(tmp_path, HOUSE.lines[:end], SIGNER)
    found = verify(tmp_path, key=KEY).choices.as_json()["log"]
    assert {name: times for name, times in found.items() if "not" in name} == counts


def test_an_audit_goes_on_within_such_a_shoe(tmp_path: Path) -> None:
    lines = HOUSE.lines
    for cut in range(OPEN, END + 1):
        folder, state = tmp_path / str(cut), tmp_path / f"{cut}.state"
        for part in (lines[:cut], lines):
            write_log(folder, part, SIGNER)
            report = resume(folder, state, AuditInputs(KEY)).report
            assert report.as_json() == verify(folder, key=KEY).as_json()


def test_a_placers_key_that_is_to_come_is_not_checked(tmp_path: Path) -> None:
    house = House(7)
    card_game(house, placed=True)
    write_log(tmp_path, house.lines[:-1], SIGNER)
    assert [each.count for each in verify(tmp_path, key=KEY).unchecked] == [1]
    assert said(tmp_path).last["unchecked"] == ["1 shoes without their placer's key"]


@pytest.mark.parametrize("index", [OPEN, SHOWN])
def test_openings_bind_the_cards_before_the_key_is_out(index: int, tmp_path: Path) -> None:
    """Of cards in public and of shown ones; another card than was bound fails in both readings."""
    house = House(7)
    game = card_game(house)
    openings = [game.live.bound[0].open(pos) for pos in (*range(5), 11, 12, 13)]
    wanted = []
    for name, changed in (("honest", False), ("changed", True)):
        log = entries_in(house)[:END]
        if changed:
            cards = log[index]["cards"]
            cards["0" if type(cards) is dict else 0] = OTHER
        folder = tmp_path / name
        write_log(folder, encoded(log), SIGNER)
        shown = (encode({"shoe": "game", "opening": each.form}) for each in openings)
        (folder / "openings.jsonl").write_bytes(b"\n".join(shown) + b"\n")
        report = verify(folder, key=KEY, openings=folder / "openings.jsonl")
        places = [(f.code, f.entry) for f in report.findings if f.severity == "fail"]
        assert places == ([("opening-differs", index)] if changed else [])
        wanted.append(reading("fail", index) if changed else reading("pass"))
    assert list(second_readings([tmp_path / name / "log.jsonl" for name in ("honest", "changed")])) == wanted


# The proof of one card.


def proof_of(folder: Path, name: str) -> Path:
    """The proof file of a card of the log in a folder."""
    assert main(["prove", str(folder), "--round", name, "--output", str(folder / "card.json")]) == 0
    return folder / "card.json"


@pytest.mark.parametrize("pos", [0, 6, 5, 10, 12, 15])
def test_the_proof_of_one_card(pos: int, tmp_path: Path) -> None:
    """Shown by ann, shown by bob, never shown, of nobody, in public."""
    write_log(tmp_path, HOUSE.lines, SIGNER)
    told = telling("hand", proof_of(tmp_path, f"game@{pos}"), "--key", KEY)
    assert (told.code, told.first) == (0, f"PASS: card {pos} of shoe game is the one that the key gives")
    assert f"gives {ORDER[pos]}." in told.out
    write_log(tmp_path / "live", HOUSE.lines[:END], SIGNER)
    live = telling("hand", proof_of(tmp_path / "live", f"game@{pos}"), "--key", KEY)
    assert (live.code, live.first.partition(":")[0]) == (0, "PASS so far")


@pytest.mark.parametrize(
    ("placed", "names"),
    [(False, ("rummy@1", "rummy@2", "rummy@47", "rummy@48", "rummy@95")), (True, ("game@6", "game@12"))],
)
def test_the_proof_of_a_card_after_reshuffles_or_with_a_placer(
    placed: bool, names: tuple[str, ...], tmp_path: Path
) -> None:
    """Two of them were shown together, and drawn apart."""
    house = House(7)
    if placed:
        card_game(house, placed=True)
    else:
        rummy(house)
    write_log(tmp_path, house.lines, SIGNER)
    write_log(tmp_path / "live", house.lines[:-1], SIGNER)
    for name in names:
        card = telling("hand", proof_of(tmp_path, name), "--key", KEY)
        assert (card.code, card.first.partition(":")[0]) == (0, "PASS")
        assert said(tmp_path / "card.json", "--key", KEY).last["outcome"] == "PASS"
        live = telling("hand", proof_of(tmp_path / "live", name), "--key", KEY)
        assert (live.code, live.first.partition(":")[0]) == (0, "PASS so far")


@pytest.mark.parametrize(
    ("name", "out", "more"),
    [
        ("rummy@95", {FIRST}, ()),
        ("rummy@95", {SECOND_TIME}, ()),
        ("rummy@95", {ALL}, ()),
        ("rummy@95", {FIRST, SECOND_TIME, ALL}, ()),
        ("rummy@47", {FIRST}, ()),
        ("rummy@47", {FIRST}, (SECOND_TIME,)),
        ("rummy@47", (), (SECOND_TIME,)),
        ("rummy@47", (), (OPENED,)),
        ("rummy@2", (), (FIRST,)),
        ("game@6", {END}, ()),
    ],
)
def test_a_proof_of_a_card_has_each_reshuffle_before_it_and_no_placers_key_without_an_end(
    name: str, out: Collection[int], more: Iterable[int], tmp_path: Path
) -> None:
    """Else a proof of an honest log would convict its house, or show a hidden card as another."""
    house = House(7)
    rummy(house) if name.startswith("rummy") else card_game(house, placed=True)
    write_log(tmp_path, house.lines, SIGNER)
    proof = hand_proof.proof_of(proof_of(tmp_path, name).read_bytes())
    leaves = Leaves()
    leaves.extend(house.lines)
    places = sorted({each.place for each in proof.entries} - {*out} | {*more})
    lines = [(place, house.lines[place]) for place in places]
    text = hand_proof.proof_text(hand_proof.build_proof(name, proof.checkpoint, lines, leaves.node))
    (tmp_path / "card.json").write_text(text)
    assert telling("hand", tmp_path / "card.json", "--key", KEY).code == 2
    assert said(tmp_path / "card.json", "--key", KEY).code == 2


def test_a_proof_of_a_card_has_no_openings(tmp_path: Path) -> None:
    house = House(7)
    game = card_game(house)
    write_log(tmp_path, house.lines, SIGNER)
    proof = hand_proof.proof_of(proof_of(tmp_path, "game@12").read_bytes())
    text = hand_proof.proof_text(hand_proof.with_openings(proof, [game.live.bound[0].open(12)]))
    (tmp_path / "card.json").write_text(text)
    assert telling("hand", tmp_path / "card.json", "--key", KEY).code == 2
    assert said(tmp_path / "card.json", "--key", KEY).code == 2


@pytest.mark.parametrize(("index", "pos"), [(OPEN, 11), (SHOWN, 0)])
def test_the_proof_of_a_card_that_was_changed_fails(index: int, pos: int, tmp_path: Path) -> None:
    log = entries_in(HOUSE)
    cards = log[index]["cards"]
    cards["0" if type(cards) is dict else 0] = OTHER
    write_log(tmp_path, encoded(log), SIGNER)
    told = telling("hand", proof_of(tmp_path, f"game@{pos}"), "--key", KEY)
    assert (told.code, told.first.partition(":")[0]) == (1, "FAIL")
    assert "card-differs" in told.out


STRANGE: dict[str, Callable[[list[Entry]], None]] = {
    "a deck that nobody names so": lambda log: log[SHOE].update(deck="bob"),
    "a deck of too many packs": lambda log: log[SHOE].update(deck="french:9"),
    "draws that do not fit": lambda log: log[SHOE]["draws"].update(cut=3),
    "cards in public that are hidden": lambda log: log[OPEN].update(cards=[OTHER], hidden=3),
    "the placer's key before the shoe": lambda log: log.insert(0, log.pop()),
    "seeds before the shoe": lambda log: log.insert(0, log.pop(1)),
    "no limit for a seed": lambda log: log[SHOE]["policy"].pop("seed"),
    "a hash that is not there, nor its owner": lambda log: log[1]["hashes"].pop("bob"),
    "an end before a card that was drawn": lambda log: log[END].update(end=3),
    "a bank that no table has": lambda log: log[SHOE].update(bank="french:2"),
    "accounts that no table has": lambda log: log[SHOE].update(chips={"x": 1}, memory={"A": 1}),
    "a label longer than any": lambda log: log[OPEN]["cards"].__setitem__(0, "x" * 65),
    "a number of no range": lambda log: log[SHOE]["draws"].update({"die/0": 2**32 + 1}),
}
"""What a house signed that fails, though no audit can follow it to its end; the last has no form."""


def test_a_card_whose_entries_fail_fails_even_where_it_cannot_be_followed(tmp_path: Path) -> None:
    paths = []
    for number, change in enumerate(STRANGE.values()):
        house = House(7)
        card_game(house, placed=True)
        log = entries_in(house)
        change(log)
        times = sorted(each["at"] for each in log)
        lines = encoded([each | {"at": at} for each, at in zip(log, times, strict=True)])
        own = [(i, lines[i]) for i, each in enumerate(log) if each["kind"] != "shown" and each.get("pos", 11) == 11]
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(file_of(lines, "game@12", own))
    first = [telling("hand", path, "--key", KEY).first.partition(":")[0] for path in paths]
    assert first == second_outcomes(paths, KEY) == ["FAIL"] * (len(STRANGE) - 1) + ["CANNOT SAY"]
    for name, code, word in (("game@100000", 2, "refused"), ("game#0", 2, "refused"), ("ga\nme@12", 1, "CANNOT SAY")):
        paths[-1].write_bytes(file_of(lines, name, own))  # what no card is named is refused, whatever the entries are
        assert telling("hand", paths[-1], "--key", KEY).code == code
        assert second_outcomes(paths[-1:], KEY) == [word]


def test_reshuffles_whose_positions_fall_fail(tmp_path: Path) -> None:
    """Entries between that are not in the file would only raise them."""
    house = House(7)
    rummy(house)
    log = entries_in(house)
    log[FIRST]["pos"] = log[SECOND_TIME]["pos"] + 1
    write_log(tmp_path, encoded(log), SIGNER)
    path = proof_of(tmp_path, "rummy@95")
    assert telling("hand", path, "--key", KEY).first.partition(":")[0] == "FAIL"
    assert second_outcomes([path], KEY) == ["FAIL"]


@pytest.mark.parametrize(
    ("index", "changed"),
    [(SHOE, {"kind": None}), (OPEN, {"kind": 5}), (OPEN, {"pos": "11"}), (ANN, {"hidden": "5"}), (SHOWN, {"cards": 1})],
)
def test_an_entry_without_form_is_passed_over(index: int, changed: dict[str, Any], tmp_path: Path) -> None:
    log = entries_in(HOUSE)
    log.insert(index, {name: value for name, value in (log[index] | changed).items() if value is not None})
    write_log(tmp_path, encoded(log), SIGNER)
    told = telling("hand", proof_of(tmp_path, "game@12"), "--key", KEY)
    assert f"gives {ORDER[12]}." in told.out


def test_no_proof_of_a_card_that_was_not_drawn(tmp_path: Path) -> None:
    write_log(tmp_path, HOUSE.lines, SIGNER)
    for name in ("game@16", "other@0", "game@x"):
        assert telling("prove", tmp_path, "--round", name, "--output", tmp_path / "card.json").code == 2
