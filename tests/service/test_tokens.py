"""Tokens of seats, operators and readers: made, made again, revoked, expired."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import pytest

from fairshoe.cli import main
from fairshoe.client import Client
from fairshoe.client.book import digest_of, new_token

from .place import at, refusal, sitting


def send(place, method, path, token):
    client = Client(place.address, token)
    try:
        body = {} if method == "DELETE" else {"token_sha256": digest_of(new_token())}
        return client.raw(method, f"/v1{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    finally:
        client.close()


def token_of(place, seat=1):
    """A token that the operator has let in."""
    token = new_token()
    place.operator.post(f"/v1/tables/t1/seats/{seat}/token", {"token_sha256": digest_of(token)})
    return token


def command(place, *words):
    """Exit code, standard output and standard error of `fairshoe keys token`."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(["keys", "token", *words, "--data", str(place.directory)])
    return code, out.getvalue().strip(), err.getvalue()


def test_a_token_made_anew_plays_on_and_the_old_one_is_worth_nothing(place):
    alice, bob = place.casino(2)
    token = token_of(place)
    assert refusal(alice.refresh)["status"] == 401
    alice.table.client = Client(place.address, token)
    assert at(alice).state["you"]["player"] == "p1"
    assert at(bob).state["you"]["player"] == "p2"
    assert token.encode() not in (place.directory / "fairshoe.db").read_bytes()


@pytest.mark.both
def test_a_player_is_let_back_in_once_in_the_middle_of_a_round_and_the_log_shows_it(place):
    seats, turn = place.playing(2)
    other = next(seat for seat in seats if seat is not turn)
    number, token, key = seats.index(turn) + 1, new_token(), "k" * 32
    path, body = f"/v1/tables/t1/seats/{number}/token", {"token_sha256": digest_of(token)}
    assert refusal(Client(place.address, other.token).post, path, body)["status"] == 403
    first = place.operator.post(path, body, key=key)
    assert place.operator.post(path, body, key=key) == first
    assert refusal(turn.refresh)["status"] == 401
    turn.table.client = Client(place.address, token)
    place.finish(seats)
    assert [(each["seat"], each["player"], each["v"]) for each in place.of_kind("token")] == [(number, f"p{number}", 2)]
    place.clock.forward(1)
    place.operator.post("/v1/tables/t1/close", {})
    assert place.assert_clean().choices.as_json()["players"]["t1"][f"p{number}"]["token given by the house"] == 1


def test_what_the_old_token_asked_for_is_answered_to_the_new_one_and_done_once(place):
    alice = place.casino(1)[0]
    form, key = {"op": "buy-in", "amount": 50}, "k" * 32
    first = alice.table.client.post("/v1/tables/t1/chips", form, key=key)
    for _ in range(2):
        client = Client(place.address, token_of(place))
        assert client.post("/v1/tables/t1/chips", form, key=key) == first
    assert [entry["amount"] for entry in place.of_kind("chips")] == [1000, 50]


def test_a_token_is_one_chairs_alone_and_may_be_let_in_again(place):
    alice, bob = place.casino(2)
    path, body = "/v1/tables/t1/seats/2/token", {"token_sha256": digest_of(alice.token)}
    assert "token is in use" in refusal(place.operator.post, path, body)["detail"]
    carol = sitting("carol", 5, alice.token)
    assert refusal(place.public.post, "/v1/tables/t1/seats", carol)["field"] == "token_sha256"
    assert at(bob).state["you"]["player"] == "p2"
    assert [entry["player"] for entry in place.of_kind("chips")] == ["p1", "p2"]
    place.operator.post(path, {"token_sha256": digest_of(bob.token)})
    assert at(bob).state["you"]["player"] == "p2"


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_only_the_operator_and_only_for_a_taken_chair(place, method):
    alice = place.casino(1)[0]
    path = "/tables/t1/seats/1/token"
    assert refusal(send, place, method, path, alice.token)["status"] == 403
    assert refusal(send, place, method, path, None)["status"] == 401
    assert refusal(send, place, method, path.replace("/1/", "/2/"), place.token)["status"] == 404
    assert refusal(send, place, method, path.replace("t1", "t7"), place.token)["status"] == 404
    assert at(alice).state["you"]["seat"] == 1


def test_a_reader_reads_and_changes_nothing(place):
    place.playing(2)
    code, reader, _ = command(place, "--role", "reader")
    assert (code, reader[:3], len(reader)) == (0, "fs_", 46)
    seen = Client(place.address, reader).get("/v1/tables/t1")
    assert "you" not in seen
    assert seen["round"]["view"] == place.public.get("/v1/tables/t1")["round"]["view"]
    for path in ("/tables", "/tables/t1/shoe", "/tables/t1/close", "/tables/t1/bets", "/tables/t1/seats/1/token"):
        assert refusal(send, place, "POST", path, reader)["status"] == 403


def test_the_operators_token_is_renewed_alone(place):
    _, reader, _ = command(place, "--role", "reader")
    alice = place.casino(1)[0]
    _, fresh, _ = command(place)
    assert refusal(place.operator.create_table, "casino")["status"] == 401
    assert Client(place.address, fresh).create_table("casino")
    assert at(alice).state["you"]
    assert Client(place.address, reader).get("/v1/tables/t1")
