"""The description of the API and the API are the same; the log is served as it is."""

from __future__ import annotations

import json
import re
from hashlib import sha256

import pytest
from marshmallow import RAISE

from fairshoe.ceremony.phases import PHASES
from fairshoe.engine.rules import RULES
from fairshoe.errors import VerificationError
from fairshoe.log.canonical import decode
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.note import verifier_of
from fairshoe.log.tree import Tree
from fairshoe.service.api import answers
from fairshoe.service.api.requests import check_policy_fields

from .place import at, refusal, sitting, step


def fits(schema, answer):
    assert not schema(unknown=RAISE).validate(answer)


def test_answers_are_what_the_description_says(place):
    seats, turn = place.playing(3)
    fits(answers.TableState, at(turn).state)
    fits(answers.TableState, place.public.get("/v1/tables/t1"))
    fits(answers.Tables, place.public.get("/v1/tables"))
    fits(answers.Index, place.public.get("/"))
    place.finish(seats)
    fits(answers.TableState, at(turn).state)
    taken = place.public.post("/v1/tables/t1/seats", sitting("carol", 5))
    fits(answers.TableState, taken)
    for problem in (
        refusal(turn.send, "decisions", round=1, step=0, move="hit"),
        refusal(turn.send, "decisions", round=1, step="x"),
        refusal(turn.bet, 3),
        refusal(turn.send, "bets", round=99, bets=[]),
        refusal(place.public.table("t1").sit, "dave", 1, 1),
    ):
        fits(answers.Problem, problem)
    table = place.operator.create_table("casino")
    fits(answers.TableState, table.send("close"))


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_state_of_every_game_is_as_described(place, rules):
    table = place.operator.create_table(rules, table="t1")
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(3, table.state()["chairs"]))]
    for _ in range(30):
        for seat in seats:
            fits(answers.TableState, at(seat).state)
            step(seat)
            fits(answers.TableState, seat.state)
        fits(answers.TableState, table.state())
    assert "round" in place.kinds()


def test_the_description_is_openapi_3_1_and_complete(place):
    document = place.public.get("/openapi.json")
    assert document["openapi"] == "3.1.0"
    described = {
        (
            method.upper(),
            re.sub(r"\{(\w+)\}", r"<\1>", path).replace("<seat>", "<int:seat>").replace("<number>", "<int:number>"),
        )
        for path, operations in document["paths"].items()
        for method in operations
        if method in ("get", "post", "delete")
    }
    from fairshoe.service.app import create_app

    rules = create_app(place.house.sequencer).url_map.iter_rules()
    served = {(method, rule.rule) for rule in rules if rule.rule.startswith("/v1") for method in rule.methods}
    assert described == {(method, rule) for method, rule in served if method in ("GET", "POST", "DELETE")}
    for operations in document["paths"].values():
        for method, operation in operations.items():
            if method in ("get", "post", "delete"):
                assert operation["summary"]
                assert "default" not in operation["responses"]
    text = json.dumps(document)
    for reference in re.findall(r'"#/components/(\w+)/(\w+)"', text):
        assert document["components"][reference[0]][reference[1]]
    assert "application/problem+json" in text


def test_the_documentation_page_needs_nothing_from_elsewhere(place):
    page = place.public.raw("GET", "/docs").decode()
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)
    assert "<script" not in page
    for name in ("/v1/tables/{table}/decisions", "malformed-body", "TableState"):
        assert name in page
    for target in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{target}"' in page


def test_every_kind_of_problem_has_its_place_in_the_documentation(place):
    page = place.public.raw("GET", "/docs").decode()
    seats = place.casino()
    for problem in (refusal(seats[0].bet, 5), refusal(seats[0].send, "seed", seed="x"), refusal(seats[0].send, "x")):
        kind = problem["type"].partition("#")[2]
        assert f'id="{kind}"' in page


def test_the_policy_is_described(place):
    assert check_policy_fields()


def test_the_log_is_served_as_it_is(place):
    place.playing()
    lines = list(place.public.log())
    assert [decode(line)["kind"] for line in lines] == place.kinds()
    assert list(place.public.log(3)) == lines[3:]
    assert list(place.public.log(len(lines))) == []
    assert list(place.public.log(1, 3)) == lines[1:3]
    assert list(place.public.log(2, 2)) == []
    tree = Tree()
    for line in lines:
        tree.append(line)
    note = place.public.raw("GET", "/v1/log/checkpoint").decode()
    verifier = verifier_of(place.public.raw("GET", "/v1/log/vkey").decode())
    checkpoint = open_checkpoint(note, verifier)
    assert (checkpoint.size, checkpoint.root) == (tree.size, tree.root)
    with pytest.raises(VerificationError):
        open_checkpoint(note.replace("fairshoe.local", "fairshoe.lokal"), verifier)


def test_a_long_log_comes_in_batches(place, monkeypatch):
    monkeypatch.setattr("fairshoe.service.log_reading.BATCH", 2)
    place.playing()
    lines = list(place.public.log())
    assert len(lines) == place.house.sequencer.log_size()
    assert list(place.public.log(1)) == lines[1:]


def test_several_tables_share_one_log(place):
    one, two = place.sealed(name="t1"), None
    place.operator.create_table("casino", table="t2")
    table = place.public.table("t2")
    two = [table.sit("p1", 100), table.sit("p9", 100)]
    place.make_shoe(two)
    place.deal_until_asked(one)
    place.deal_until_asked(two)
    place.finish(one)
    place.finish(two)
    assert {line["table"] for line in place.public.get("/v1/tables")["tables"]} == {"t1", "t2"}
    place.assert_clean()


def test_the_round_is_told_to_whoever_asks_afterwards(place):
    seats, _ = place.playing()
    place.finish(seats)
    last = at(seats[0]).state["last"]
    assert last in place.entries()
    assert last["kind"] == "round"


def test_an_answer_shows_what_a_program_needs_to_go_on(place):
    (alice,) = place.casino(1)
    assert alice.next() == {"do": "shoe"}
    alice.send("shoe")
    seed = b"a program's own"
    alice.send("hash", hash=sha256(seed).hexdigest(), cut=alice.next()["cut"][0])
    assert alice.next() == {"do": "seed", "shoe": "t1/1"}
    alice.send("seed", seed=seed.hex())
    assert alice.next() == {"do": "bets", "round": 1, "low": 2, "high": 500, "unit": 2}
    assert alice.expects("chips") == [{"do": "chips", "ops": ["buy-in", "cash-out", "transfer", "leave"], "may": True}]
    assert place.entries()[-2]["seed"] == seed.hex()


def test_what_is_expected_is_what_the_phase_knows(place):
    """`expects` and the refusals come from one table: fairshoe/ceremony/phases.py."""
    seats = place.casino()
    for _ in range(40):
        for seat in seats:
            says = PHASES[at(seat).state["phase"]].says
            shown = [form["do"] for form in seat.expects()]
            assert shown == sorted(shown, key=says.index)
            for do in ("shoe", "hash", "waiver", "reshuffle"):
                if do not in says:
                    fields = {"hash": "a" * 64} if do == "hash" else {}
                    assert refusal(seat.send, do, **fields)["expected"] == ", ".join(says)
            step(seat)
    assert "round" in place.kinds()
