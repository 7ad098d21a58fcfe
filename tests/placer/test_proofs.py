"""Proofs of hands at tables with a placer, in both readings: honest ones, planted frauds, entries that are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from fairshoe.engine.rules import RULES
from fairshoe.errors import InputError
from fairshoe.log import hand_proof
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.note import Signer
from tests.audit.proofs import checked, entries_for, file_of, rounds_of
from tests.ceremony import walk
from tests.house import SIGNER
from tests.verifier.readings import second_outcomes
from tests.verifier.test_frauds_too import outcome, written

from .house import PlacedHouse, Steps, placed
from .test_frauds import FRAUDS, Crook, Lies
from .test_second_reading import OWN, own


def outcomes(folder: Path, proofs: Iterable[bytes], signer: Signer = SIGNER) -> list[str]:
    """What both say of each proof, which is the same; the page says so too, or the second reading ends."""
    files = list(proofs)
    paths = [written(folder / f"{number}.json", data) for number, data in enumerate(files)]
    first = [outcome(data, signer) for data in files]
    assert first == second_outcomes(paths, str(signer.verifier))
    return first


@pytest.mark.parametrize("game", sorted(RULES))
def test_honest_hands(game: str, tmp_path: Path) -> None:
    """Of first and later rounds of a shoe, with limits that passed, waivers, reshuffles; and void ones."""
    house = placed(game, 20, careless=0.1)
    counts = Counter(outcomes(tmp_path, [file_of(house.lines, name) for name in rounds_of(house.lines)]))
    assert counts.keys() <= {"PASS", "PASS so far"}
    assert counts["PASS"] == sum(b'"kind":"round"' in line for line in house.lines)


@pytest.mark.parametrize("game", ["boxes", "casino"])
def test_a_placers_key_is_still_to_come(game: str, tmp_path: Path) -> None:
    house = PlacedHouse()
    house.keeping = True
    placed(game, 6, house=house, careless=0)
    proofs = [file_of(house.lines, name) for name in rounds_of(house.lines)]
    assert set(outcomes(tmp_path, proofs)) == {"PASS so far"}
    assert "the key of placer.example" in checked(proofs[0]).outcome.what


def test_planted_frauds(tmp_path: Path) -> None:
    """Each hand in which one was planted fails, with the finding of the whole log."""
    named = []
    for case in FRAUDS:
        planted = case.plant()
        names = [name for name in rounds_of(planted.lines) if name.endswith(f"#{planted.round}")]
        named += [(case.code, file_of(planted.lines, name)) for name in names]
    assert len(named) > 10
    assert set(outcomes(tmp_path, [data for _, data in named])) == {"FAIL"}
    assert [code for code, data in named if code not in checked(data).outcome.what] == []


def test_what_a_chain_lost_in_a_round_before(tmp_path: Path) -> None:
    """Then nothing is known of later places; a place that only a round before has wrong is no other hand's."""

    class Ahead(Steps):
        def card(self, place: int) -> int:
            self.parts = [] if place == 0 else self.parts
            return super().card(place)

    def hands(steps: type[Steps]) -> list[str]:
        house = type("Crooked", (Crook,), {"of": steps, "shoe": "casino/1"})()
        lines = placed("casino", 4, house=house, careless=0).lines
        folder = tmp_path / steps.__name__
        folder.mkdir()
        return outcomes(folder, [file_of(lines, name) for name in rounds_of(lines)])

    assert set(hands(Ahead)) == {"FAIL"}
    first, *later = hands(Lies)
    assert (first, set(later)) == ("FAIL", {"PASS"})


@pytest.mark.parametrize("game", ["casino", "pontoon"])
def test_an_entry_is_left_out(game: str, tmp_path: Path) -> None:
    """Of a proof of an honest log nobody can make one that fails: it is refused, or lacks a key."""
    house = placed(game, 6, careless=0)
    name = rounds_of(house.lines)[2]
    chosen = entries_for(house.lines, name)
    ways = [file_of(house.lines, name, chosen[:i] + chosen[i + 1 :]) for i in range(len(chosen))]
    assert set(outcomes(tmp_path, ways)) == {"refused", "PASS so far"}


def test_a_proof_that_would_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    house = placed("casino", 4)
    monkeypatch.setattr(hand_proof, "MAX_PROOF", 4_096)
    with pytest.raises(InputError, match="whole log") as refused:
        file_of(house.lines, "casino#3")
    assert "would have" in refused.value.what


# Where the player places.


def own_files(entries: list[Entry]) -> list[bytes]:
    """A proof of each of its rounds."""
    lines = list(map(encode, entries))
    return [file_of(lines, name, signer=walk.SIGNER) for name in rounds_of(lines)]


@pytest.mark.parametrize("game", OWN)
def test_hands_whose_player_placed(game: str, tmp_path: Path) -> None:
    entries = own(game, 0.3)
    counts = Counter(outcomes(tmp_path, own_files(entries), walk.SIGNER))
    assert counts.keys() == {"PASS"}
    assert counts["PASS"] == sum(entry["kind"] == "round" for entry in entries)


def test_what_is_wrong_with_such_a_hand(tmp_path: Path) -> None:
    """Another bet, another decision, another place, the name of somebody else's key; a card that is not the key's."""
    entries = own("casino")
    first = {
        kind: next(i for i, each in enumerate(entries) if each["kind"] == kind) for kind in ("open", "round", "shoe")
    }
    bet, dealt, shoe = (entries[first[kind]] for kind in ("open", "round", "shoe"))
    committed, placed_for = shoe["placer"], dealt["placed"]
    stranger = str(Signer("stranger", bytes(32)).verifier)
    lies: list[tuple[str, Entry]] = [
        ("open", bet | {"bets": [bet["bets"][0] | {"amount": bet["bets"][0]["amount"] + 2}]}),
        ("round", dealt | {"decisions": []}),
        ("round", dealt | {"placed": placed_for | {"places": [*placed_for["places"][:-1], 51]}}),
        ("round", dealt | {"cards": [*dealt["cards"][1::-1], *dealt["cards"][2:]]}),
        ("shoe", shoe | {"placer": committed | {"key": stranger}}),
    ]
    logs = [[*entries[: first[kind]], entry, *entries[first[kind] + 1 :]] for kind, entry in lies]
    assert outcomes(tmp_path, [own_files(log)[0] for log in logs], walk.SIGNER) == ["FAIL"] * len(lies)


def test_a_round_that_its_open_does_not_number(tmp_path: Path) -> None:
    """It is no round before the hand, and not still to come."""

    class Numbers(Crook):
        def change(self, entry: Entry) -> None:
            if entry["kind"] == "open" and entry["shoe"] == self.shoe:
                entry["round"] = 65_535

    lines = placed("boxes", 3, house=Numbers()).lines
    end = next(i for i, line in enumerate(lines) if b'"kind":"round"' in line and Crook.shoe.encode() in line)
    assert outcomes(tmp_path, [file_of(lines[: end + 1], "boxes#65535")]) == ["FAIL"]


def test_an_entry_of_such_a_hand_is_left_out(tmp_path: Path) -> None:
    lines = list(map(encode, own("casino")))
    name = rounds_of(lines)[1]
    chosen = entries_for(lines, name)
    ways = [file_of(lines, name, chosen[:i] + chosen[i + 1 :], walk.SIGNER) for i in range(len(chosen))]
    assert set(outcomes(tmp_path, ways, walk.SIGNER)) == {"refused", "PASS so far"}
