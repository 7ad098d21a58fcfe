"""The npm package against the library."""

from __future__ import annotations

import json
from hashlib import sha256

import fairshoe
from fairshoe import Entries
from fairshoe.protocol.placed_shoe import KeyPlaces
from tests.second.vectors import load

from .random_games import Game, check_games, run_script


def test_random_games_are_the_same_in_python_and_in_javascript() -> None:
    """`python -m tests.long.javascript` plays a thousand."""
    games = [Game(seed) for seed in range(60)]
    assert check_games(games) > 600
    assert sum(bool(game.proof) for game in games) > 30


LISTED = "alice\nbob\t7\ncarol\t2\n"
ENTRIES = Entries.from_text(LISTED)
PLACER_KEY = bytes(range(1, 33))


class KnownPlacer(KeyPlaces):
    """A second dealer in this process."""

    name = "placer.example"

    def __init__(self) -> None:
        super().__init__(PLACER_KEY)

    def commit(self, shoe: str, commitment: str) -> str:
        return fairshoe.commitment_of(PLACER_KEY)

    def ask_ahead(self, place: int, count: int) -> None:
        """Every place is known."""

    def end(self) -> bytes:
        return PLACER_KEY


def placed_proof() -> fairshoe.Proof:
    """Return the proof of a shoe with a second dealer, that was reshuffled."""
    shoe = fairshoe.commit("p", fairshoe.french(1), key=bytes(32), placer=KnownPlacer()).seal(cut=5)
    shoe.reshuffle({shoe.draw_index() for _ in range(20)})
    shoe.draw()
    return shoe.reveal()


def test_raffles_tickets_and_proofs_of_python_hold_in_javascript() -> None:
    signature = load("beacons")[0]["signature"]
    made = fairshoe.raffle("r", ENTRIES, prizes=2, draws=40, beacon=fairshoe.drand_quicknet(1000), key=bytes(32), now=0)
    proof, notice = made.draw(signature).reveal(), made.notice.to_json()
    other = proof._replace(winners=proof.winners[::-1])
    few = fairshoe.raffle("r", ENTRIES, prizes=3, draws=3, beacon=fairshoe.drand_quicknet(1000), key=bytes(32), now=0)
    short = few.draw(signature).reveal()
    raffles = [
        [proof.to_json(), notice, True],
        [proof.to_json(), None, None],
        [other.to_json(), notice, True],
        [short.to_json(), None, True],
        [proof.to_json(), notice.replace('"tickets": 10', '"tickets": 9'), True],
    ]
    mine = json.loads(ENTRIES.prove("alice").to_json())
    tickets = [[mine | more, ENTRIES.root] for more in ({}, {"weight": 2}, {"pos": -1}, {"n": 4})]
    placed = placed_proof()
    text = placed.to_json()
    early, late = (each["signature"] for each in load("beacons"))
    sealed = {"key": bytes(32), "shoe": "s", "deck": ["a"]}
    named = [
        (fairshoe.drand_quicknet(1000).chain, 1000, sha256(bytes.fromhex(each)).hexdigest()) for each in (early, late)
    ]
    true, false = (fairshoe.seal(**sealed, beacon=each).reveal().to_json() for each in named)
    proofs = [
        [true, None, early],
        [false, None, late],
        [true, None, late],
        [text, placed.commitment],
        [text.replace(PLACER_KEY.hex(), ""), None],
        [text.replace(PLACER_KEY.hex(), "00" * 32), None],
        [text.replace("fairshoe/2", "fairshoe/1"), None],
    ]
    asked = {
        "raffles": raffles,
        "tickets": tickets,
        "entries": LISTED,
        "proofs": proofs,
        "signatures": [early, early.upper(), late],
    }
    told = run_script("checks.mjs", asked)
    assert told["wrongChecks"] == [[{"error": "InputError check"}] * 3] * 6
    assert told["lines"] == [f"InputError line {line}" for line in (2, 3, 2, 2)]
    step = {"error": "StepFailed beacon"}
    assert told["refused"] == [step, step, {"error": "VerificationError signature"}]
    assert told["unchecked"] == [["notice", "beacon"]] * 2
    winners = [[each.ticket, each.entrant] for each in proof.winners]
    assert told["raffles"] == [
        {"winners": winners, "notChecked": []},
        {"winners": winners, "notChecked": ["notice", "beacon"]},
        {"error": "VerificationError winners"},
        {"winners": [], "notChecked": ["notice"]},
        {"error": "VerificationError notice"},
    ]
    assert told["signatures"] == [True, False, False]
    places = ("ticket", "ticket.pos", "ticket")
    assert told["tickets"] == ["", *({"error": f"VerificationError {place}"} for place in places)]
    assert (told["root"], told["mine"]) == (ENTRIES.root, json.loads(ENTRIES.prove("bob").to_json()))
    assert told["proofs"][0] == [[]]
    assert told["proofs"][3] == fairshoe.verify(placed).dealt
    refused = ["StepFailed beacon"] * 2 + ["StepFailed placer"] * 2 + ["InputError protocol"]
    assert told["proofs"][1:3] + told["proofs"][4:] == [{"error": each} for each in refused]
