"""What a proof of one hand cannot show by itself: another log, another history in the same log, a hidden deal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_cli.hand.parts import ProofRefused
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.times import microseconds, timestamp
from fairshoe.record.hand_entries import entries_for
from tests.house import SIGNER, House, Seating, honest

from .proofs import ROUND, checked, file_of, note_over, played, proven, rounds_of
from .telling import said, written
from .walk import full

KEY = str(SIGNER.verifier)
ELSEWHERE = "that no second table, shoe, round, seal or end of this name stands elsewhere in the log"


def kinds_of(lines: list[tuple[int, bytes]]) -> list[str]:
    return [json.loads(line)["kind"] for _, line in lines]


# Another history in the same log.


def test_a_second_history_of_a_hand_passes_and_the_output_says_that_only_the_whole_log_shows_it() -> None:
    first, second = list(played("banker")), list(honest("banker", 4, seed=2, seats=(1,), chips=100_000).lines)
    both, name = first + second, f"banker#{ROUND}"
    other = [(index + len(first), line) for index, line in entries_for(second, name)]
    for data in (file_of(both, name), file_of(both, name, other)):
        found = checked(data)
        assert found.outcome.word == "PASS"
        assert not found.outcome.complete
        assert ELSEWHERE in found.text
        assert any(each.startswith(ELSEWHERE) for each in found.form["proof"]["only_whole_log"])


def dealt_and_void() -> tuple[list[bytes], str, bytes]:
    """A hand that was dealt, and a proof by which its shoe is void because the last opener kept the seed."""
    lines = list(honest("boxes", 4, seats=(1, 2), chips=100_000, careless=0).lines)
    name = rounds_of(lines)[0]
    needed = [(index, line, json.loads(line)) for index, line in entries_for(lines, name)]
    last = [entry for _, _, entry in needed if entry["kind"] == "opened"][-1]["player"]
    end = next(entry for _, _, entry in needed if entry["kind"] == "reveal")
    at = timestamp(microseconds(json.loads(lines[-1])["at"]) + 60_000_000)
    number = int(name.partition("#")[2])
    void = {"at": at, "by": last, "key": end["key"], "kind": "void", "round": number, "shoe": end["shoe"], "v": 1}
    chosen = [
        (index, line)
        for index, line, entry in needed
        if entry["kind"] in ("table", "shoe", "seeds", "open")
        or (entry["kind"] == "opened" and entry["player"] != last)
    ]
    lines.append(encode(void | {"why": "seed"}))
    return lines, name, file_of(lines, name, [*chosen, (len(lines) - 1, lines[-1])])


def test_a_hand_that_is_said_not_to_be_dealt_passes_only_so_far(tmp_path: Path) -> None:
    lines, name, data = dealt_and_void()
    assert checked(file_of(lines, name)).outcome.word == "PASS"
    found = checked(data)
    assert found.outcome.line.startswith(f"PASS so far: round {name} was not dealt, by these entries; only the whole")
    assert "or the seed opened that is said to lack" in found.outcome.what
    first = found.text.partition("What only the whole log can show:\n")[2].partition("\n")[0]
    assert first.startswith("  that the shoe was not sealed, dealt or revealed after all")
    (tmp_path / "proof").write_bytes(data)
    assert said("hand", tmp_path / "proof", "--key", KEY, "--require-complete").code == 1


# Another log.


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    file = tmp_path / "proof"
    file.write_bytes(proven("banker"))
    return file


def kept(directory: Path, lines: Any, signer: Signer = SIGNER) -> Path:
    file = directory / "kept"
    file.write_text(note_over(lines, signer)[0])
    return file


def test_a_proof_is_held_against_a_checkpoint_that_others_saw(proof: Path, tmp_path: Path) -> None:
    log = written(tmp_path / "log", played("banker"))
    for old in (kept(tmp_path, played("banker")), log, log / "checkpoint", proof):
        told = said("hand", proof, "--key", KEY, "--checkpoint", old)
        assert told.code == 0
        assert f"Held against {old}: the same log, of {len(played('banker'))} entries." in told.out


def test_two_logs_under_one_key_fail_whatever_the_hand_is_like(proof: Path, tmp_path: Path) -> None:
    lines = list(played("banker"))
    lines[-1] = lines[-1].replace(b'"at":"2026-01-01T', b'"at":"2026-01-02T')
    old = kept(tmp_path, lines)
    told = said("hand", proof, "--key", KEY, "--checkpoint", old)
    assert (told.code, told.first) == (1, f"FAIL: the house signed two logs of {len(lines)} entries that differ")
    assert f"Held against {old}: ANOTHER log of" in told.out
    form = json.loads(said("hand", proof, "--key", KEY, "--checkpoint", old, "--format", "json").out)
    assert [each["same"] for each in form["proof"]["remembered"]] == [False]
    assert not form["complete"]


def test_a_checkpoint_of_another_size_is_refused_with_what_to_do(proof: Path, tmp_path: Path) -> None:
    old = kept(tmp_path, played("banker")[:-1])
    told = said("hand", proof, "--key", KEY, "--checkpoint", old)
    assert (told.code, told.out) == (2, "")
    assert "fairshoe-audit consistency OLD NEW LOG" in told.err
    log = written(tmp_path / "log", played("banker"))
    told = said("consistency", old, proof, log, "--key", KEY)
    assert told.first.startswith(f"PASS: the log of {len(played('banker'))} entries extends the one of")


def test_a_checkpoint_that_the_house_did_not_sign_accuses_nobody(proof: Path, tmp_path: Path) -> None:
    other = Signer(SIGNER.verifier.name, bytes(32))
    told = said("hand", proof, "--key", KEY, "--checkpoint", kept(tmp_path, (*played("banker")[:-1], b"{}"), other))
    assert (told.code, told.out) == (2, "")


# A contributor who leaves.


@pytest.mark.parametrize("rules", ["boxes", "chinese"])
@pytest.mark.parametrize("leaver", [1, 2, 3])
def test_a_contributor_who_leaves_before_the_bets_stand_is_no_reason_to_refuse(rules: str, leaver: int) -> None:
    class Leaving(Seating):
        def open(self, shoe: Any) -> Any:
            if self.played == 2 and leaver in self.table.players and leaver != self.table.bank:
                self.leave(leaver)
            return super().open(shoe)

    house = House()
    Leaving(house, rules, rules, (1, 2, 3), chips=100_000, careless=0).play(5)
    left = False
    for name in rounds_of(house.lines):
        left |= "chips" in kinds_of(entries_for(house.lines, name))
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name
    assert left or any(b'"bank":"%d"' % leaver in line for line in house.lines)


@pytest.mark.parametrize("back", [2, 5])
@pytest.mark.parametrize("owed", [False, True])
def test_a_player_who_leaves_and_comes_back_waives_with_proof_of_it(back: int, owed: bool) -> None:
    """Into the same chair or another; with a seed in the shoe, or left out of its roster."""
    house = House()
    table = Seating(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, packs=3)
    who = table.table.players[2]
    table.lapsing = {who} if owed else set()
    for number, _ in enumerate(table.steps(30)):
        table.lapsing = set()
        if not number:
            table.leave(2)
            table.chips("buy-in", back, 5_000, player=who)
    assert not [each for each in full(house.lines).findings if each.severity == "fail"]
    assert any(b'"waived"' in line for line in house.lines)
    for name in rounds_of(house.lines):
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name


# Who sat where.


class Owing(Seating):
    """A seat that owes a seed for ever, and then another that lets its seed lapse."""

    def lapses(self, who: str) -> bool:
        wanted = "p3" if self.owing else "p4"
        return who.endswith(wanted) and (bool(self.owing) or super().lapses(who))


def with_a_chair_left_out() -> tuple[list[bytes], str]:
    """A hand of a shoe that leaves a chair out of its roster."""
    for seed in range(1, 12):
        house = House(seed)
        table = Owing(house, "boxes", "boxes", (1, 2, 3, 4), chips=100_000, careless=0.4)
        table.keeping = {"boxes-p4"}
        table.play(14)
        for name in rounds_of(house.lines):
            needed = [json.loads(line) for _, line in entries_for(house.lines, name)]
            if needed[-2]["kind"] == "round" and any("owes" in entry for entry in needed):
                return house.lines, name
    raise AssertionError("no such hand")


def test_the_shoe_says_who_sat_where_and_no_other_entry_is_taken() -> None:
    lines, name = with_a_chair_left_out()
    needed = entries_for(lines, name)
    assert "chips" not in kinds_of(needed)
    assert checked(file_of(lines, name)).outcome.word == "PASS"
    for index, line in enumerate(lines):
        if b'"kind":"chips"' in line:
            with pytest.raises(ProofRefused):
                checked(file_of(lines, name, sorted([*needed, (index, line)])))


def test_what_fails_where_a_chair_is_left_out_is_a_failure() -> None:
    lines, name = with_a_chair_left_out()
    where = next(index for index, line in entries_for(lines, name) if b'"kind":"round"' in line)
    entry = json.loads(lines[where])
    paid, dealt = json.loads(lines[where]), json.loads(lines[where])
    hand = paid["hands"][0]
    hand["net"] -= 2
    paid["chips"][str(hand["seat"])] -= 2
    dealt["cards"][0] = "As" if entry["cards"][0] != "As" else "Ks"
    for changed, code in ((paid, "payout-differs"), (dealt, "card-differs")):
        outcome = checked(file_of([*lines[:where], encode(changed), *lines[where + 1 :]], name)).outcome
        assert outcome.word == "FAIL"
        assert code in outcome.what


def test_a_shoe_whose_lists_do_not_fit_its_chairs_is_a_failure() -> None:
    lines, name = with_a_chair_left_out()
    where = next(index for index, line in entries_for(lines, name) if b'"kind":"shoe"' in line)
    entry = json.loads(lines[where])
    for changed in ({**entry, "roster": entry["roster"][1:]}, {k: v for k, v in entry.items() if k != "owes"}):
        outcome = checked(file_of([*lines[:where], encode(changed), *lines[where + 1 :]], name)).outcome
        assert outcome.word == "FAIL"
        assert "shoe-differs" in outcome.what


def test_who_comes_back_into_the_chair_is_no_reason_to_refuse_or_fail() -> None:
    """A contributor tops up, or leaves and comes back into the same chair and waives: no choice of `chips` entries
    makes an honest hand fail."""
    house = House()
    table = Seating(house, "casino", "casino", (1, 2, 3), chips=100_000, careless=0, packs=3)
    who = table.table.players[2]
    for number, _ in enumerate(table.steps(12)):
        if number == 2:
            table.chips("buy-in", 3, 50)
        elif number == 4:
            table.leave(2)
            table.chips("buy-in", 2, 5_000, player=who)
    chips = [(i, line) for i, line in enumerate(house.lines) if b'"kind":"chips"' in line]
    waived = 0
    for name in rounds_of(house.lines):
        needed = entries_for(house.lines, name)
        assert checked(file_of(house.lines, name)).outcome.word == "PASS", name
        waived += b'"waived":[2]' in b"".join(line for _, line in needed)
        for each in needed:
            for more in chips:
                try:
                    other = sorted({more, *needed} - {each})
                    assert checked(file_of(house.lines, name, other)).outcome.good, (name, each[0], more[0])
                except ProofRefused:
                    continue
    assert waived
