"""A house whose tables ask a real placer over HTTP: rounds, a placer that is silent, kills, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand.parts import make
from audit_cli.cases.placement import audit_placement
from audit_cli.cases.receipts.run import decide
from audit_cli.verify.run import verify
from fairshoe.log.directory import write_log
from fairshoe.log.hand_proof import proof_of
from fairshoe.log.note import Signer, open_note
from fairshoe.placer.app import server
from fairshoe.placer.store import Store
from fairshoe.protocol.placer_chain import parse_question, receipt_text
from fairshoe.pull.pull import pull
from fairshoe.service.placement_file import FILE
from fairshoe.service.placers import PlacerError, _Table
from fairshoe.service.settings import Settings
from fairshoe.serving.server import Server, listen
from tests.long.serving import free_port

from .place import Place, at, default, refusal, step, wait_for

SIGNER = Signer("placer.example", b"p" * 32)
KEY = str(SIGNER.verifier)


class BesidePlacer(Place):
    """A house beside a placer, which may be `away`."""

    def __init__(self, directory: Path) -> None:
        self.port, self.folder = free_port(), directory / "placer"
        super().__init__(directory / "house", Settings(placers=(f"http://127.0.0.1:{self.port}={KEY}",)))
        self.placer: Server | None = None

    def come(self) -> None:
        listening = listen("127.0.0.1", self.port)
        store = Store(self.folder, SIGNER)
        self.placer = server(store, SIGNER.verifier, [self.house.sequencer.signer.verifier], listening)
        self.placer.__enter__()

    def go(self) -> None:
        if self.placer is not None:
            self.placer.__exit__(None, None, None)
        self.placer = None

    def waits(self) -> bool:
        awaited = self.house.sequencer.awaited("t1")
        return bool(awaited.text or awaited.questions)

    def settle(self) -> None:
        wait_for(lambda: not self.waits())

    def open(self, rules: str, players: int) -> list:
        """Everybody keeps receipts."""
        table = self.operator.create_table(rules, table="t1", placer=KEY)
        names = [f"p{number}" for number in range(1, players + 1)]
        return [table.sit(name, 1000, receipts=self.directory / f"{name}.receipts") for name in names]

    def play(self, seats: list, rounds: int, *, hits: bool = False, decided: bool = False) -> None:
        """So many rounds in all; whoever can `hits`, so that cards follow decisions; up to the first decision, where
        that is wanted (`decided`)."""
        while len(self.of_kind("round")) < rounds:
            self.settle()
            for seat in seats:
                wanted = at(seat).next()
                if wanted is None or wanted["do"] == "chips":
                    continue
                if hits and {"move": "hit"} in wanted.get("moves", ()):
                    seat.decide("hit")
                else:
                    step(seat)
                self.settle()
                if decided and seat.book.decisions:
                    return

    def clean(self) -> None:
        """The log, and what was kept of questions and notes."""
        self.settle()
        report = self.audit()
        assert [f for f in report.findings if f.severity == "fail"] == []
        found = audit_placement(self.directory / FILE, self.directory / "audited", self.house.sequencer.signer.verifier)
        assert (found.faults, found.left) == ([], 0)
        assert found.held >= 2 * len(self.of_kind("round"))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[BesidePlacer]:
    with BesidePlacer(tmp_path) as found:
        found.come()
        yield found
        found.go()


@pytest.mark.parametrize(("rules", "players"), [("casino", 2), ("boxes", 2), ("pontoon", 3)])
def test_rounds(rules: str, players: int, place: BesidePlacer) -> None:
    seats = place.open(rules, players)
    place.play(seats, 3)
    place.clean()
    assert len(place.of_kind("round")) >= 3
    assert {entry["v"] for entry in place.of_kind("round")} == {2}


def waiting(place: BesidePlacer) -> list:
    """A casino round in which a seat has hit, and the placer went away before."""
    seats = place.open("casino", 2)
    seats[0].send("shoe")
    place.settle()
    place.contribute(seats)
    turn = may_hit(place, seats)
    place.go()
    turn.decide("hit")
    assert place.waits()
    return seats


def may_hit(place: BesidePlacer, seats: list) -> Any:
    """Play until a seat may take a card; gives that seat."""
    while True:
        turn = place.turn(seats)
        if turn is None:
            for seat in seats:
                at(seat).bet(10)
        elif any(move["move"] == "hit" for move in turn.next()["moves"]):
            return turn
        else:
            default(turn)
        place.settle()


def test_a_silent_placer_stops_its_table_and_no_other(place: BesidePlacer) -> None:
    """The decision is answered, with a receipt; the round waits, whatever time passes, and goes on at the same card."""
    seats = waiting(place)
    state = at(seats[0]).state
    assert (state["phase"], state["deadlines"], "view" in state["round"]) == ("places", {}, False)
    entries = len(place.entries())
    place.clock.forward(3 * 86_400)
    assert at(seats[0]).state["phase"] == "places"
    assert not [entry for entry in place.entries()[entries:] if entry["kind"] != "start"]
    other = place.sealed(2, name="t2")
    place.bet_and_finish(other)
    assert any(entry["shoe"].startswith("t2/") for entry in place.of_kind("round"))
    place.come()
    place.play(seats, at(seats[0]).state["rounds"] + 1)
    place.clean()


def test_anybody_may_hand_the_placers_answer_in(place: BesidePlacer) -> None:
    """The house shows its signed question to everybody while it waits; it gives a receipt for the answer, which is
    under the placer's newest note, and the round goes on. The same from a stranger again is not awaited."""
    waiting(place)
    key, path = place.house.sequencer.signer.verifier, "/v1/tables/t1"
    question = place.public.get(path)["placer"]["question"]
    wanted = parse_question(open_note(question, key))
    store = Store(place.folder, SIGNER)
    given, note = store.ask(wanted.chain.placer, open_note(question, key), question)
    assert store.newest(wanted.chain.placer, wanted.chain.steps) == (note, [question], given)
    store.close()
    sent = {"question": question, "given": given, "note": note}
    other = sent | {"given": [given[0] ^ 1]}
    assert refusal(place.public.post, path + "/places", other, "1" * 16)["status"] in (400, 422)
    taken = place.public.post(path + "/places", sent, "2" * 16)
    text = open_note(taken["answer_receipt"], key)
    assert text == receipt_text(open_note(note, SIGNER.verifier), taken["at"])
    assert taken["placer"].get("question") != question
    assert place.public.post(path + "/places", sent, "2" * 16)["answer_receipt"] == taken["answer_receipt"]


def test_the_newest_answer_is_receipted_again_while_the_house_asks_for_nothing(place: BesidePlacer) -> None:
    """While a seat decides. Not while a place is awaited, nor between two rounds; no older note, and none by others."""
    seats = place.open("casino", 2)
    seats[0].send("shoe")
    place.settle()
    place.contribute(seats)
    turn = may_hit(place, seats)

    def newest() -> dict[str, Any]:
        kept = json.loads((place.directory / FILE).read_text().splitlines()[-1])
        return {"question": kept["questions"][0], "given": kept["given"], "note": kept["notes"][0]}

    def hand_in(number: int, **more: Any) -> Any:
        return place.public.post("/v1/tables/t1/places", newest() | more, f"{number:016}")

    key, entries, old = place.house.sequencer.signer.verifier, len(place.entries()), newest()
    receipts = []
    for number in (1, 2):
        place.clock.forward(1)
        taken = hand_in(number) if number == 1 else hand_in(number, question="-", given=[])
        receipts.append(open_note(taken["answer_receipt"], key))
        assert receipts[-1] == receipt_text(open_note(old["note"], SIGNER.verifier), taken["at"])
    assert (len(set(receipts)), len(place.entries())) == (2, entries)
    stranger = Signer("placer.example", bytes(32)).sign(open_note(old["note"], SIGNER.verifier))
    assert refusal(hand_in, 3, note=stranger)["status"] == 409
    turn.decide("hit")
    place.settle()
    assert refusal(hand_in, 4, **old)["status"] == 409
    turn = may_hit(place, seats)
    place.go()
    turn.decide("hit")
    assert (place.waits(), refusal(hand_in, 5)["status"]) == (True, 409)
    place.come()
    while (turn := place.turn(seats)) is not None:
        default(turn)
        place.settle()
    assert refusal(hand_in, 6)["status"] == 409


def test_a_house_that_is_restarted_asks_the_same_again(place: BesidePlacer) -> None:
    seats = waiting(place)
    (_, before), *_ = place.house.sequencer.awaited("t1").questions
    place.restart()
    (_, after), *_ = place.house.sequencer.awaited("t1").questions
    assert after == before
    place.come()
    place.play([place.again(seat) for seat in seats], 3)
    place.clean()


def test_a_placer_that_is_restarted_goes_on(place: BesidePlacer) -> None:
    seats = place.open("boxes", 2)
    for rounds in (1, 2, 3):
        place.play(seats, rounds)
        place.go()
        place.come()
    place.clean()


def test_without_its_placers_commitment_there_is_no_shoe(place: BesidePlacer) -> None:
    place.go()
    seats = place.open("casino", 2)
    seats[0].send("shoe")
    assert (at(seats[0]).state["shoe"], place.waits()) == (None, True)
    assert refusal(seats[1].send, "shoe")["status"] == 409
    place.come()
    place.settle()
    assert place.last() == "shoe"


def test_receipts_agree_with_the_log(place: BesidePlacer, tmp_path: Path) -> None:
    """Those of decisions after which a card was awaited too."""
    seats = waiting(place)
    place.come()
    place.play(seats, at(seats[0]).state["rounds"] + 1)
    place.settle()
    write_log(tmp_path / "log", place.public.log(), place.house.sequencer.signer)
    for seat in seats:
        file, key = place.directory / f"{seat.player}.receipts", str(place.house.sequencer.signer.verifier)
        found = decide(file, tmp_path / "log", key=key)
        assert found.outcome.good, found.text
        assert {case.word for case in found.cases} <= {"agrees", "not decided"}


def test_a_placer_that_answers_otherwise_is_asked_again(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other places than it signed, another's signature, no object of places, however often: nothing of it comes to the
    table, and nothing is kept."""
    asked, lies = _Table._ask, iter(("commitment", *("given", "note") * 5))

    def lie(table: _Table, *about: Any) -> dict[str, Any]:
        told, what = asked(table, *about), next(lies, None)
        wrong = {"given": [51], "note": SIGNER.sign("something else\n"), "commitment": "no hash"}
        return told | {what: wrong[what]} if what in told else told

    monkeypatch.setattr(_Table, "_ask", lie)
    monkeypatch.setattr("fairshoe.service.placers.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("fairshoe.service.placers.MAX_PAUSE", 0.01)
    place.play(place.open("boxes", 2), 2)
    assert next(lies, None) is None
    place.clean()
    kept = [json.loads(line) for line in (place.directory / FILE).read_text().splitlines()]
    assert len({each["questions"][0] for each in kept}) == len(kept)


def test_a_key_that_does_not_come_holds_up_nothing(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A placer that was restored answers 410 for a shoe of its backup, for ever: later shoes are played, and their keys
    come."""
    ask = _Table._ask

    def restored(table: _Table, placer: str, path: str, body: Mapping[str, str]) -> dict[str, Any]:
        if "\nend\n" in body.get("question", "") and " t1/1\n" in body["question"]:
            raise PlacerError("it answers 410")
        return ask(table, placer, path, body)

    monkeypatch.setattr(_Table, "_ask", restored)
    monkeypatch.setattr("fairshoe.service.placers.FIRST_PAUSE", 3600.0)
    monkeypatch.setattr("fairshoe.service.placers.MAX_PAUSE", 3600.0)
    seats = place.open("boxes", 2)
    monkeypatch.setattr(place, "settle", lambda: wait_for(lambda: awaited(place) <= {"t1/1"}))
    place.play(seats, 3)
    assert [entry["shoe"] for entry in place.of_kind("placed")] == ["t1/2", "t1/3"]


def awaited(place: BesidePlacer) -> set[str]:
    """The shoes of which something is awaited."""
    found = place.house.sequencer.awaited("t1")
    return {shoe for shoe, _ in found.questions} | ({"a new one"} if found.text else set())


def test_a_pulled_log_has_what_binds_its_cards(place: BesidePlacer, tmp_path: Path) -> None:
    """Until the shoe's key is out: by it each card of a shoe in play is held against what was bound."""
    seats = place.open("casino", 2)
    file = tmp_path / "log" / "openings.jsonl"
    for rounds in (1, 3):
        place.play(seats, rounds)
        place.settle()
        pull(place.public, tmp_path / "log", nothing)
        cards = sum(len(entry["cards"]) for entry in place.of_kind("round"))
        assert len(file.read_text().splitlines()) == cards
    key = str(place.house.sequencer.signer.verifier)
    report = verify(tmp_path / "log", key=key, openings=file)
    assert not [each for each in report.unchecked if "not bound" in each.what]
    last = place.of_kind("round")[-1]
    proof = proof_of(place.public.raw("GET", f"/v1/rounds/t1%23{last['round']}/proof"))
    assert proof == make(tmp_path / "log", proof.round)
    assert [each.pos for each in proof.openings] == last["placed"]["places"]
    assert any("not bound" in each.what for each in verify(tmp_path / "log", key=key).unchecked)
    place.clock.forward(2 * 86_400)
    place.public.table("t1").state()
    wait_for(lambda: "reveal" in place.kinds())
    pull(place.public, tmp_path / "log", nothing)
    assert file.read_text() == ""


@contextmanager
def nothing(what: str, many: int) -> Iterator[Callable[[int], None]]:
    yield lambda done: None


def test_what_a_table_may_not_have_for_a_placer(place: BesidePlacer) -> None:
    for key in ("no key", [KEY], str(Signer("other.example", b"o" * 32).verifier)):
        assert refusal(place.operator.create_table, "casino", table="t9", placer=key)["status"] in (400, 422)
