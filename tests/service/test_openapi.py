"""What the description says of each operation; that every answer about a table is as it says, any_order.py checks."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

import fairshoe.engine
from fairshoe.ceremony.acting.forms import WANTED
from fairshoe.ceremony.acting.view import FORMS
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.stages import PHASES
from fairshoe.engine.rules import RULES
from fairshoe.service.api import fields, requests
from fairshoe.service.api.problems import ALL, KINDS, NO_SUCH_METHOD
from fairshoe.service.app import create_app

from .description import Description
from .place import Place, at, sitting
from .wire import call

OPERATIONS = {
    "ask_reshuffle",
    "ask_shoe",
    "close_betting",
    "close_table",
    "commit_placer",
    "create_shoe",
    "create_table",
    "draw_cards",
    "evict_player",
    "follow_shoe",
    "follow_table",
    "gather_cards",
    "give_places",
    "list_hands",
    "list_rules",
    "list_tables",
    "make_decision",
    "move_chips",
    "open_seed",
    "open_shoe_seed",
    "place_bets",
    "prove_draw",
    "prove_round",
    "prove_shoe",
    "read_archive",
    "read_checkpoint",
    "read_log",
    "read_receipt_key",
    "read_verifier",
    "refund_player",
    "renew_token",
    "reveal_shoe",
    "revoke_token",
    "say_here",
    "send_hash",
    "send_shoe_hash",
    "show_cards",
    "show_hand",
    "show_house",
    "show_openings",
    "show_shoe",
    "show_table",
    "take_seat",
    "verify_round",
    "void_shoe",
    "waive_seed",
}
TOKEN = [{"token": []}]


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    with Place(tmp_path_factory.mktemp("house") / "data", direct=True) as house:
        return Description(house.public.get("/openapi.json"))


def test_every_route_is_described_by_an_id_that_stays_what_it_is(place, description):
    operations = {(method.upper(), path): each for path, method, each in description.operations()}
    assert sorted(each["operationId"] for each in operations.values()) == sorted(OPERATIONS)
    assert all(each["summary"] for each in operations.values())
    rules = create_app(place.house.sequencer).url_map.iter_rules()
    served = {
        (method, re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule.rule))
        for rule in rules
        if rule.rule.startswith("/v1")
        for method in rule.methods & {"GET", "POST", "DELETE"}
    }
    assert set(operations) == served
    assert description.document["openapi"] == "3.1.0"
    for group, name in re.findall(r'"#/components/(\w+)/(\w+)"', json.dumps(description.document)):
        assert description.document["components"][group][name]


def test_every_body_and_problem_has_an_example_that_fits(description):
    for _, _, operation in description.operations():
        contents = [operation["requestBody"]["content"]] if "requestBody" in operation else []
        contents += [description.resolved(each).get("content", {}) for each in operation["responses"].values()]
        for content in contents:
            for said in content.values():
                for value in (
                    [said["example"]]
                    if "example" in said
                    else [each["value"] for each in said.get("examples", {}).values()]
                ):
                    assert description.faults(said["schema"], value) == [], operation["operationId"]
    taken = [
        body for body in requests.RequestSchema.__subclasses__() if not body.__name__.endswith(("Query", "Fields"))
    ]
    assert set(requests.EXAMPLES) == set(taken) - {requests.Nothing}


def test_each_answer_that_is_possible_is_described_and_none_by_default(description):
    for path, method, operation in description.operations():
        told = set(operation["responses"])
        assert "default" not in told
        assert {"400", "429", "500", "503"} <= told
        if method != "get":
            assert {"401", "404", "409", "413", "415", "422", "507"} <= told
            assert any(given["name"] == "Idempotency-Key" for given in operation["parameters"])
        assert ("403" in told) == bool(operation["security"]), path
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
    assert told == {(kind.status, kind.name) for kind in ALL if kind is not NO_SUCH_METHOD}
    assert {kind.name for _, kind in KINDS} <= {name for _, name in told}


def test_the_headers_of_answers_are_described(description):
    for _, method, operation in description.operations():
        for status, answer in operation["responses"].items():
            headers = description.resolved(answer).get("headers", {})
            assert "X-Request-Id" in headers
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
    assert list(WANTED) == list(FORMS)
    source = "".join(path.read_text() for path in Path(inspect.getfile(fairshoe.engine)).parent.rglob("*.py"))
    assert set(requests.PolicyFields().fields) == set(Policy._fields)
    assert set(re.findall(r'\bMove\("([a-z-]+)"', source)) == set(fields.MOVES)


def test_what_is_not_as_described_would_be_noticed(place, description):
    _, turn = place.playing()
    state, schema = at(turn).state, {"$ref": "#/components/schemas/TableState"}
    wanted_twice = {"seat": 1, "player": "p", "expects": [{"do": "shoe", "may": True}]}
    assert description.faults(schema, state) == []
    description.check("Tables", place.public.get("/v1/tables"))
    description.check("HandProof", place.public.get("/v1/rounds/t1%231/proof"))
    description.check("HandProof", place.public.get("/v1/tables/t1/shoes/1/proof"))
    for change in ({"phase": "nap"}, {"log": "9"}, {"at": "now"}, {"more": 1}, {"you": wanted_twice}, {"last": []}):
        assert description.faults(schema, state | change)


def test_the_documentation_page_needs_nothing_from_elsewhere(place):
    page = place.public.raw("GET", "/docs").decode()
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)
    assert "<script" not in page
    for name in (*(kind.name for kind in ALL), *OPERATIONS):
        assert f'id="{name}"' in page


def test_refusals_are_as_described(place, description):
    seats, turn = place.playing()
    waiting = next(seat for seat in seats if seat is not turn)
    fold = {"round": turn.next()["round"], "step": turn.next()["step"], "move": "fold"}
    for status, operation, path, body, token in (
        (401, "place_bets", "/v1/tables/t1/bets", {"round": 1, "bets": []}, None),
        (403, "close_table", "/v1/tables/t1/close", {}, turn.token),
        (404, "take_seat", "/v1/tables/t9/seats", sitting("x", 1), None),
        (409, "take_seat", "/v1/tables/t1/seats", sitting("x", 1, seat=1), None),
        (409, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": 99, "move": "hit"}, turn.token),
        (409, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": 0, "move": "hit"}, waiting.token),
        (422, "make_decision", "/v1/tables/t1/decisions", {"round": 1, "step": "x"}, turn.token),
        (422, "make_decision", "/v1/tables/t1/decisions", fold, turn.token),
        (422, "move_chips", "/v1/tables/t1/chips", {"op": "steal"}, turn.token),
    ):
        answer = call(place, "POST", path, body, token)
        assert answer.status == status, answer.json
        description.check_answer(operation, status, answer.headers["Content-Type"], answer.json)
