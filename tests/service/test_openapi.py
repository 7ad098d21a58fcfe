"""What the description says of each operation, and that the answers of all games are as it says."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import fairshoe.engine
from fairshoe.ceremony.acting.expects import FORMS
from fairshoe.ceremony.phases import PHASES
from fairshoe.engine.rules import RULES
from fairshoe.service.api import examples, refused, wanted, words
from fairshoe.service.api.problems import KINDS

from .calls import call
from .description import Description
from .place import at, step

OPERATIONS = {
    "ask_reshuffle",
    "ask_shoe",
    "close_betting",
    "close_table",
    "create_table",
    "evict_player",
    "list_tables",
    "make_decision",
    "make_invitation",
    "move_chips",
    "open_seed",
    "place_bets",
    "prove_round",
    "prove_shoe",
    "read_archive",
    "read_checkpoint",
    "read_log",
    "read_receipt_key",
    "read_verifier",
    "refund_player",
    "renew_token",
    "revoke_token",
    "say_here",
    "send_hash",
    "show_table",
    "take_seat",
    "verify_round",
    "waive_seed",
}
TOKEN = [{"token": []}]


@pytest.fixture
def description(place):
    return Description(place.public.get("/openapi.json"))


def test_operation_ids_stay_what_they_are(description):
    assert {each["operationId"] for _, _, each in description.operations()} == OPERATIONS
    assert len(list(description.operations())) == len(OPERATIONS)


def test_every_body_and_answer_has_an_example_that_fits(description):
    seen = 0
    for _, _, operation in description.operations():
        contents = [operation["requestBody"]["content"]] if "requestBody" in operation else []
        contents += [description.resolved(each).get("content", {}) for each in operation["responses"].values()]
        for content in contents:
            for media, said in content.items():
                if media == "application/x-tar" or said["schema"].get("format") == "binary":
                    continue
                for value in examples_of(said):
                    assert description.faults(said["schema"], value) == [], operation["operationId"]
                    seen += 1
    assert seen > len(OPERATIONS)


def examples_of(said):
    found = [said["example"]] if "example" in said else [each["value"] for each in said["examples"].values()]
    assert found
    return found


def test_each_answer_that_is_possible_is_described_and_none_by_default(description):
    for path, method, operation in description.operations():
        told = set(operation["responses"])
        assert "default" not in told
        assert {"400", "429", "500", "503"} <= told
        if method != "get":
            assert {"401", "404", "409", "413", "415", "422", "507"} <= told
            assert any(given["name"] == "Idempotency-Key" for given in operation["parameters"])
        assert ("403" in told) == (bool(operation["security"]) or operation["operationId"] == "take_seat"), path
        if operation["security"] == TOKEN:
            assert "401" in told


def test_each_kind_of_problem_is_described_with_its_status(description):
    told = {
        (int(status), name)
        for _, _, operation in description.operations()
        for status, answer in operation["responses"].items()
        for name in description.resolved(answer)
        .get("content", {})
        .get("application/problem+json", {"examples": ()})["examples"]
    }
    assert told == {(kind.status, kind.name) for kind in refused.ALL if kind is not refused.NO_SUCH_METHOD}
    assert {kind.name for _, kind in KINDS} <= {name for _, name in told}


def test_the_headers_of_answers_are_described(description):
    for _, method, operation in description.operations():
        for status, answer in operation["responses"].items():
            headers = description.resolved(answer).get("headers", {})
            assert status == "206" or "X-Request-Id" in headers
            assert ("Retry-After" in headers) == (status in ("429", "503"))
            assert ("Idempotent-Replay" in headers) == (method != "get" and status < "300")
    assert "ETag" in description.of("show_table")["responses"]["304"]["headers"]
    assert "Location" in description.of("create_table")["responses"]["201"]["headers"]
    assert "Link" in description.of("list_tables")["responses"]["200"]["headers"]


def test_the_words_are_those_of_the_rules_and_the_ceremony(description):
    schemas = description.document["components"]["schemas"]
    state = schemas["TableState"]["properties"]
    assert state["rules"]["enum"] == sorted(RULES)
    assert state["phase"]["enum"] == list(PHASES)
    assert list(wanted.FORMS) == list(FORMS)
    source = "".join(path.read_text() for path in Path(inspect.getfile(fairshoe.engine)).parent.rglob("*.py"))
    assert set(re.findall(r'\bMove\("([a-z-]+)"', source)) == set(words.MOVES)


@pytest.mark.direct
@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_state_of_every_game_is_as_described(place, description, rules):
    table = place.operator.create_table(rules, table="t1")
    seats = [table.sit(f"p{i}", 10_000, name="Зоя 玩家") for i in range(min(3, table.state()["chairs"]))]
    for _ in range(30):
        for seat in seats:
            description.check("TableState", at(seat).state)
            step(seat)
            description.check("TableState", seat.state)
        description.check("TableState", table.state())
        description.check("Tables", place.public.get("/v1/tables"))
    assert "round" in place.kinds()
    number = place.of_kind("round")[-1]["round"]
    description.check("HandProof", place.public.get(f"/v1/rounds/t1%23{number}/proof"))
    description.check("HandProof", place.public.get("/v1/tables/t1/shoes/1/proof"))


def test_what_is_not_as_described_would_be_noticed(description):
    state, schema = examples.TABLE, {"$ref": "#/components/schemas/TableState"}
    wanted_twice = {"seat": 1, "player": "p", "expects": [{"do": "shoe", "may": True}]}
    assert description.faults(schema, state) == []
    for change in ({"phase": "nap"}, {"log": "9"}, {"at": "now"}, {"more": 1}, {"you": wanted_twice}, {"last": {}}):
        assert description.faults(schema, state | change)


def test_refusals_are_as_described(place, description):
    seats, turn = place.playing()
    waiting = next(seat for seat in seats if seat is not turn)
    for status, operation, path, body, token in (
        (401, "place_bets", "/v1/tables/t1/bets", {"round": 1, "bets": []}, None),
        (403, "close_table", "/v1/tables/t1/close", {}, turn.token),
        (404, "take_seat", "/v1/tables/t9/seats", {"player": "x", "amount": 1}, None),
        (409, "take_seat", "/v1/tables/t1/seats", {"player": "x", "amount": 1, "seat": 1}, None),
        (409, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": 99, "move": "hit"}, turn.token),
        (409, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": 0, "move": "hit"}, waiting.token),
        (422, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": "x"}, turn.token),
        (422, "make_decision", "/v1/tables/t1/decisions", turn_with(turn, "fold"), turn.token),
        (422, "move_chips", "/v1/tables/t1/chips", {"op": "steal"}, turn.token),
    ):
        answer = call(place, "POST", path, body, token)
        assert answer.status == status, answer.json
        description.check_answer(operation, status, answer.headers["Content-Type"], answer.json)


def turn_with(seat, move):
    wanted = seat.next()
    return {"round": wanted["round"], "step": wanted["step"], "move": move}
