"""Ten ways to lie, at houses that do it over HTTP: what the browser's core and the Python client make of them, and
what `fairshoe-audit` says of the evidence that the browser saves."""

from __future__ import annotations

import json
from contextlib import ExitStack

import pytest

from audit_cli.main import main
from fairshoe.client import Client, Problem
from fairshoe.errors import VerificationError

from ..lying import EARLY, LIES, TEN_WAYS, LyingHouse
from ..service.place import Place
from .test_honest import played

KEPT_BACK = (
    "another-commitment",
    "hash-left-out",
    "seed-before-others",
    "seed-without-checkpoint",
    "another-key",
    *EARLY,
)
BY_A_PROOF = ("bet-called-late", "decision-by-the-table", "another-card", "another-payout", "another-key-of-the-shoe")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        yield place


@pytest.fixture(scope="module")
def noticed(place, tmp_path_factory):
    """What the browser's core found, by the lie; and the folder with what it saved."""
    folder = tmp_path_factory.mktemp("evidence")
    with ExitStack() as open_houses:
        houses = [open_houses.enter_context(LyingHouse(place, lie)) for lie in LIES.values()]
        words = [f"{house.table}={house.address}:{house.lie.rounds}" for house in houses]
        found = played("lied-to.mjs", str(folder), *words)
    return {each["table"]: each for each in found}, folder


def test_these_are_the_ten_ways():
    assert {lie.code for lie in TEN_WAYS.values()} == {
        "other-commitment",
        "hash-left-out",
        "seed-too-early",
        "log-does-not-extend",
        "other-key",
        "bet-changed",
        "decision-changed",
        "other-card",
        "other-payout",
        "other-key-of-shoe",
    }


@pytest.mark.parametrize("name", LIES)
def test_the_browser_notices_in_words(noticed, name):
    found = noticed[0][name]
    assert found["alarms"], "nothing was found wrong"
    assert {code for code, _ in found["alarms"]} == {LIES[name].code}
    assert all(len(words) > 40 for _, words in found["alarms"])
    assert found["seeds"] == (0 if name in KEPT_BACK else 1), "a seed left only where the signed log allowed it"


@pytest.mark.parametrize("name", BY_A_PROOF)
def test_an_auditor_convicts_by_what_the_browser_saved(noticed, name, capsys):
    file = noticed[1] / f"{name}.json"
    key = json.loads(file.read_text())["key"]
    assert main(["hand", str(file), "--key", key]) == 1
    assert capsys.readouterr().out.startswith("FAIL: ")


def test_receipts_that_a_browser_saved_are_held_against_a_log(place, noticed, capsys):
    """Twenty stand in a receipt where ten were offered."""
    file, log = noticed[1] / "bet-changed.json", place.directory / "audited"
    key = json.loads(file.read_text())["key"]
    ended = json.loads(file.read_text())["proof"] is not None  # by a natural, else no hand was over
    assert main(["hand", str(file), "--key", key]) == (1 if ended else 2)
    place.audit()
    assert main(["receipt", str(file), str(log), "--key", key]) == 1
    assert "differs" in capsys.readouterr().out


@pytest.mark.parametrize("name", LIES)
def test_the_python_client_notices(place, name, tmp_path):
    """At once, or by the hand's proof with its receipts."""
    with LyingHouse(place, LIES[name], table=f"{name}-again") as house:
        seat = Client(house.address, patience=0).table(house.table).sit("alice", 1000, book=tmp_path / "alice")
        if name in BY_A_PROOF:
            until_over(seat, house.lie.rounds)
            proof, receipts = tmp_path / "hand.json", tmp_path / "alice.receipts"
            number = next(
                each["round"]
                for each in map(json.loads, house.lines())
                if each["kind"] == "round" and lied(house, each)
            )
            proof.write_text(seat.proof(number))
            key = str(place.house.sequencer.signer.verifier)
            assert main(["hand", str(proof), "--key", key, "--receipt", str(receipts)]) == 1
        else:
            with pytest.raises(Problem if name == "seed-without-checkpoint" else VerificationError):
                until_over(seat, house.lie.rounds)
        seat.close()
        own = [each for each in place.of_kind("opened") if each["shoe"].startswith(f"{house.table}/")]
        assert len(own) == (0 if name in KEPT_BACK else 1)


def lied(house, entry):
    """Whether a round is one of the table's that has what is lied about."""
    return entry["shoe"].startswith(f"{house.table}/") and (house.lie.code != "decision-changed" or entry["decisions"])


def until_over(seat, rounds):
    """Bet ten until so many rounds are over, and leave."""
    while True:
        seat.refresh()
        ends = seat._ended >= rounds
        if not seat.step(stake=10, ends=ends) and ends:
            seat.leave()
            return
