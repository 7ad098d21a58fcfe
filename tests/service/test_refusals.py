"""Whatever is refused is one problem (RFC 9457), with the right status, and changes nothing."""

from __future__ import annotations

import gzip
import json

import pytest

from fairshoe.client import Client, Problem

from .place import Place

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def table(place):
    """A casino table in the middle of a round, another seat's client, and what must not change."""
    place.seats, place.turn_seat = place.playing()
    return place


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    """Such a table for many tests, since none of them changes it."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        place.seats, place.turn_seat = place.playing()
        yield place


def ask(place, method, path, body=None, headers=None, token=None):
    """Status and body of a request that is refused."""
    client = Client(place.address, token)
    with pytest.raises(Problem) as caught:
        client.raw(method, path, body, headers)
    client.close()
    problem = caught.value
    assert problem.body["status"] == problem.status
    assert {"type", "title", "status", "detail"} <= problem.body.keys()
    return problem


def unchanged(place, call):
    size = len(place.entries())
    before = {**place.turn_seat.refresh(), "at": 0}
    result = call()
    assert len(place.entries()) == size
    assert {**place.turn_seat.refresh(), "at": 0} == before
    return result


def refused_decision(place, body, headers=JSON):
    return unchanged(place, lambda: ask(place, "POST", "/v1/tables/t1/decisions", body, headers, place.turn_seat.token))


MALFORMED = {
    "not json": b"{",
    "text": b"hello",
    "trailing comma": b'{"step":1,}',
    "duplicate keys": b'{"step":0,"step":0,"move":"hit"}',
    "duplicate keys within": b'{"step":0,"move":"hit","x":{"a":1,"a":2}}',
    "NaN": b'{"step":NaN,"move":"hit"}',
    "Infinity": b'{"step":-Infinity,"move":"hit"}',
    "overflow": b'{"step":1e400,"move":"hit"}',
    "5000 digits": b'{"step":' + b"7" * 5000 + b',"move":"hit"}',
    "beyond 2^53": b'{"step":9007199254740992,"move":"hit"}',
    "deep arrays": b"[" * 30_000,
    "deep objects": b'{"a":' * 6_000 + b"1" + b"}" * 6_000,
    "a little too deep": b'{"step":' + b"[" * 20 + b"]" * 20 + b"}",
    "latin-1": '{"step":0,"move":"hät"}'.encode("latin-1"),
    "utf-16": '{"step":0}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"step":0,"move":"hit"}',
    "a gzip file": gzip.compress(b'{"step":0,"move":"hit"}'),
    "a zstd file": b"\x28\xb5\x2f\xfd and more",
    "control character": b'{"step":0,"move":"hi\x00t"}',
    "leading zero": b'{"step":00,"move":"hit"}',
    "a comment": b'{"step":0 /* now */,"move":"hit"}',
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_json_is_400(refusing, name):
    problem = refused_decision(refusing, MALFORMED[name])
    assert problem.status == 400
    assert problem.body["type"] == "/docs#malformed-body"


@pytest.mark.parametrize("name", ["a byte order mark", "a gzip file", "a zstd file", "utf-16"])
def test_what_is_no_json_is_named(refusing, name):
    assert name in refused_decision(refusing, MALFORMED[name]).body["detail"].lower()


def test_a_content_coding_is_415(refusing):
    """RFC 9110, 15.5.16."""
    problem = refused_decision(refusing, MALFORMED["a gzip file"], JSON | {"Content-Encoding": "gzip"})
    assert (problem.status, problem.body["field"], "gzip" in problem.body["detail"]) == (415, "Content-Encoding", True)
    assert refused_decision(refusing, b"{", JSON | {"Content-Encoding": "identity"}).status == 400


WRONG = {
    "nothing": (b"", "step"),
    "null": (b"null", "body"),
    "a list": (b"[]", "body"),
    "unknown field": (b'{"round":1,"step":0,"move":"hit","colour":"red"}', "colour"),
    "round -1": (b'{"round":-1,"step":0,"move":"hit"}', "round"),
    "missing field": (b'{"round":1,"step":0}', "move"),
    "null field": (b'{"round":1,"step":0,"move":null}', "move"),
    "a string for a number": (b'{"round":1,"step":"0","move":"hit"}', "step"),
    "a boolean for a number": (b'{"round":1,"step":false,"move":"hit"}', "step"),
    "a whole fraction for a number": (b'{"round":1,"step":0.0,"move":"hit"}', "step"),
    "negative": (b'{"round":1,"step":-1,"move":"hit"}', "step"),
    "too large": (b'{"round":1,"step":0,"move":"hit","amount":9007199254740991}', "amount"),
    "a number for a word": (b'{"round":1,"step":0,"move":1}', "move"),
    "not a word": (b'{"round":1,"step":0,"move":"DROP TABLE"}', "move"),
    "a lone surrogate": (b'{"round":1,"step":0,"move":"\\ud800"}', "move"),
    "chosen has text": (b'{"round":1,"step":0,"move":"hit","chosen":[1,"2"]}', "chosen[1]"),
    "too many chosen": (b'{"round":1,"step":0,"move":"hit","chosen":[' + b"1," * 64 + b"1]}", "chosen"),
    "a lone surrogate as a key": (b'{"round":1,"step":0,"move":"hit","\\ud800":1}', "\ud800"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_fields_are_422_and_named(refusing, name):
    body, field = WRONG[name]
    problem = refused_decision(refusing, body)
    assert problem.status == 422
    assert field in [error["field"] for error in problem.body["errors"]]


def test_a_body_over_64_kib_is_413(refusing):
    for size in (65_537, 200_000, 3_000_000):
        body = b'{"step":0,"move":"' + b"x" * (size - 20) + b'"}'
        try:
            problem = ask(refusing, "POST", "/v1/tables/t1/decisions", body, JSON, refusing.turn_seat.token)
        except OSError:  # hung up while we were still sending
            assert size > 1_000_000
        else:
            assert problem.status == 413


@pytest.mark.wire
def test_a_body_of_64_kib_is_read(table):
    """A decision that is legal whatever was dealt."""
    wanted = table.turn_seat.next()
    fields = {"round": wanted["round"], "step": wanted["step"], "move": wanted["default"]["move"]}
    body = json.dumps(fields).encode().ljust(65_536)
    Client(table.address, table.turn_seat.token).raw("POST", "/v1/tables/t1/decisions", body, JSON)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"])
def test_another_content_type_is_415(refusing, kind):
    body = b'{"round":1,"step":0,"move":"hit"}'
    assert refused_decision(refusing, body, {"Content-Type": kind}).status == 415


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/tables/nowhere", 404),
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/tables/", 404),
        ("GET", "/v1/tables/%00", 404),
        ("GET", "/v1/tables/" + "x" * 5000, 404),
        ("DELETE", "/v1/tables/t1", 405),
        ("GET", "/v1/tables/t1/bets", 405),
        ("GET", "/v1/log?from=-1", 422),
        ("GET", "/v1/log?from=99999", 422),
        ("GET", "/v1/log?from=1&from=2", 422),
        ("GET", "/v1/log?upto=1", 422),
        ("GET", "/v1/log?to=99999", 422),
        ("GET", "/v1/log?from=2&to=1", 422),
        ("GET", "/v1/log?to=-1", 422),
        ("GET", "/v1/log?from=" + "9" * 5000, 422),
        ("GET", "/v1/log?from=١", 422),
    ],
)
def test_what_is_not_there(refusing, method, path, status):
    assert ask(refusing, method, path.replace("١", "%D9%A1")).status == status


def test_tokens(table):
    """Whom each route refuses, test_security.py asks."""
    alice, other = table.seats[0], table.casino(1, name="t2")[0]
    body, path = b'{"round":1,"step":0,"move":"hit"}', "/v1/tables/t1/decisions"
    for token, status in ((None, 401), ("fs_wrong", 401), (other.token, 403), (table.token, 403)):
        assert unchanged(table, lambda token=token: ask(table, "POST", path, body, JSON, token)).status == status
    for header in ("Basic abc", "Bearer", "Bearer ", alice.token):
        assert ask(table, "POST", path, body, {**JSON, "Authorization": header}).status == 401
    assert ask(table, "GET", "/v1/tables/t1", token="fs_wrong").status == 401
    assert ask(table, "GET", "/v1/tables/t1", token=other.token).status == 403
    assert ask(table, "POST", "/v1/tables/nowhere/shoe", b"", token=table.token).status == 404
