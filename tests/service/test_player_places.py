"""A house whose table's player places, over HTTP: what is awaited, what is taken, what is refused."""

from __future__ import annotations

import json

import pytest

from audit_cli.cases.placement import audit_placement
from fairshoe.client import Client
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer, open_note
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placer_chain import new_chain, parse_question, shoe_of
from fairshoe.protocol.placer_state import PlacerState, answer_question
from fairshoe.protocol.word_stream import places
from fairshoe.service.placement_file import FILE
from fairshoe.service.settings import Settings, rate_of

from .place import Place, at, default, refusal, sitting

SIGNER = Signer("alice", b"a" * 32)
KEY = b"k" * 32


class Own(Place):
    """Alice at a table of hers, with a client that answers whatever it is asked."""

    def sit_down(self, rules):
        self.operator.create_table(rules, table="t1", placer="player")
        self.at, self.keys = {}, 0
        self.alice = self.public.table("t1").sit("alice", 1000, placer=str(SIGNER.verifier))
        return self.alice

    @property
    def log_key(self):
        return self.house.sequencer.signer.verifier

    def answer(self, form):
        """The route and the body that answer the first thing that is awaited; None where nothing is."""
        awaited = form["awaited"]
        if "commit" in awaited:
            origin, shoe, commitment = shoe_of(open_note(awaited["commit"], self.log_key))
            self.keys += 1
            key = bytes([self.keys]) * 32
            self.at[commitment_of(key)] = (
                PlacerState(new_chain(origin, shoe, commitment, "alice", commitment_of(key))),
                key,
            )
            return "commitment", {"shoe": shoe, "commitment": commitment_of(key)}
        for each in awaited["questions"]:
            question = parse_question(open_note(each["question"], self.log_key))
            now, key = self.at[question.chain.placer]
            after, given = answer_question(now, key, question)
            self.at[question.chain.placer] = after, key
            note = SIGNER.sign(after.chain.note(key if after.ended else b""))
            return "places", {"question": each["question"], "given": given, "note": note}
        return None

    def settle(self):
        while (found := self.answer(self.alice.refresh())) is not None:
            self.alice.send(found[0], **found[1])

    def play(self, rounds):
        self.settle()
        while len(self.of_kind("round")) < rounds:
            wanted = at(self.alice).next()
            if wanted["do"] == "bets":
                self.alice.bet(wanted["low"])
            elif wanted["do"] == "shoe":
                self.alice.send("shoe")
            elif wanted["do"] == "decisions":
                default(self.alice)
            self.settle()

    def judged(self):
        folder = self.directory / "told"
        write_log(
            folder,
            list(self.house.sequencer.log.lines(0, self.house.sequencer.log.size())),
            self.house.sequencer.signer,
        )
        return audit_placement(self.directory / FILE, folder, self.log_key)

    def clean(self):
        told = self.judged()
        assert [finding for finding in told.report.findings if finding.severity == "fail"] == []
        assert not told.faults
        assert told.held
        return told


@pytest.fixture
def own(tmp_path):
    with Own(tmp_path / "house", direct=True) as house:
        yield house


@pytest.mark.parametrize("rules", ["banker", "boxes", "casino"])
def test_a_player_plays(own, rules):
    own.sit_down(rules)
    own.play(3)
    own.settle()
    kinds = [entry["kind"] for entry in own.entries()]
    assert not {"seeds", "opened"} & set(kinds)
    own.clean()


def test_who_has_left_gives_the_last_key(own):
    alice = own.sit_down("casino")
    own.play(1)
    left = alice.leave()
    route, body = own.answer(left)
    assert own.public.table("t1").send(route, **body)["awaited"] == {"questions": []}
    assert own.entries()[-1]["kind"] == "placed"
    own.clean()


def test_every_answer_shows_what_is_awaited(own):
    alice = own.sit_down("banker")
    alice.send("shoe")
    renewed = own.operator.post("/v1/tables/t1/seats/1/token", {"token_sha256": "0" * 64})
    assert renewed["awaited"] == own.public.get("/v1/tables/t1")["awaited"]
    assert "commit" in renewed["awaited"]


def test_what_is_refused(own):
    alice = own.sit_down("banker")
    bob = own.public.table("t1")
    with pytest.raises(Exception, match="every chair is taken"):
        bob.sit("bob", 1000)
    with pytest.raises(Exception, match="no commitment is awaited"):
        alice.send("commitment", shoe="t1/1", commitment="0" * 64)
    alice.refresh()
    alice.send("shoe")
    route, body = own.answer(alice.state)
    assert refusal(lambda: bob.send(route, **body))["status"] == 401
    alice.send(route, **body)
    alice.bet(2)
    route, body = own.answer(alice.refresh())
    forged = Signer("alice", b"b" * 32).sign(body["note"].rpartition("\n\n")[0] + "\n")
    other = body["question"].replace("question v1", "question v2")
    further = body["note"].replace("\n1\n", "\n9\n")  # the house's receipt would say so
    for wrong in ({"note": forged}, {"note": further}, {"given": [1]}, {"question": other}):
        assert refusal(lambda wrong=wrong: bob.send(route, **body | wrong))["status"] in (400, 409, 422)
    bob.send(route, **body)
    assert refusal(lambda: bob.send(route, **body))["status"] == 409


def test_what_is_no_note_is_refused_after_the_last_question_too(own):
    alice = own.sit_down("casino")
    own.play(1)
    route, body = own.answer(alice.leave())
    signed = body["note"].rpartition("\n\n")[0]
    for wrong in ("x", f"{signed}\n\nx\n", f"{signed}\n\n— alice x\n", body["note"].replace("key ", "key z")):
        assert refusal(own.public.table("t1").send, route, **body | {"note": wrong})["status"] == 422
    assert refusal(own.public.table("t1").send, route, **body | {"given": [1]})["status"] == 409
    own.public.table("t1").send(route, **body)
    assert own.entries()[-1]["kind"] == "placed"


@pytest.mark.parametrize(("status", "limit"), [(401, "off"), (429, "6/m")])
def test_nothing_is_kept_of_who_may_not_send_it(tmp_path, status, limit):
    """Else a player would fill the house's disk with one answer."""
    with Own(tmp_path / "house", Settings(limit_player=rate_of(limit)), direct=True) as own:
        own.public = Client(own.address, patience=0)
        alice = own.sit_down("banker")
        alice.send("shoe")
        route, body = own.answer(alice.state)
        alice.send(route, **body)
        alice.bet(2)
        route, body = own.answer(alice.refresh())
        if status == 401:
            own.operator.post("/v1/tables/t1/seats/1/token", {"token_sha256": "0" * 64})
        else:
            for _ in range(3):
                alice.send("here")
        assert refusal(lambda: alice.send(route, **body))["status"] == status
        assert not (own.directory / FILE).exists()


def test_a_place_is_given_once(own):
    """The house refuses one that was given before; what the client signed is kept, and convicts it."""
    alice = own.sit_down("casino")
    while own.settle() or at(alice).next()["do"] != "places":
        wanted = alice.next()
        if wanted["do"] == "decisions" and {"move": "hit"} in wanted["moves"]:
            alice.decide("hit")
            if alice.state["phase"] == "places":
                break
        elif wanted["do"] == "bets":
            alice.bet(wanted["low"])
        elif wanted["do"] == "shoe":
            alice.send("shoe")
        else:
            default(alice)
    (shown,) = alice.state["awaited"]["questions"]
    question = parse_question(open_note(shown["question"], own.log_key))
    now, key = own.at[question.chain.placer]
    given = places(key, now.digest, now.size)[:2]
    for place in given:
        note = SIGNER.sign(question.chain.extend(f"{question.lines[0]} {place}", question.since).note())
        body = {"question": shown["question"], "given": [place], "note": note}
        assert "was given before" in refusal(alice.send, "places", **body)["detail"]
    assert alice.refresh()["phase"] == "places"
    kept = [json.loads(line) for line in (own.directory / FILE).read_text().splitlines()]
    assert [each["given"] for each in kept if each["questions"] == [shown["question"]]] == [given[:1]]
    own.settle()
    own.play(len(own.of_kind("round")) + 1)
    told = own.judged()
    assert [(each.by, each.step) for each in told.faults] == [("placer", question.chain.steps + 1)]
    assert not [finding for finding in told.report.findings if finding.severity == "fail"]


@pytest.mark.parametrize("rules", ["pontoon", "chinese"])
def test_what_one_cannot_play_alone(own, rules):
    problem = refusal(lambda: own.operator.create_table(rules, table="t1", placer="player"))
    assert "by one player alone" in str(problem)


def test_elsewhere_nobody_brings_a_key(own):
    own.operator.create_table("banker", table="t1")
    assert refusal(lambda: own.public.table("t1").sit("alice", 1000, placer=str(SIGNER.verifier)))["status"] == 422
    own.operator.create_table("banker", table="t2", placer="player")
    assert refusal(own.public.post, "/v1/tables/t2/seats", sitting("alice", 1000))["field"] == "placer"
    wrong = str(Signer("bob", b"b" * 32).verifier)
    assert refusal(lambda: own.public.table("t2").sit("alice", 1000, placer=wrong))["field"] == "placer"
