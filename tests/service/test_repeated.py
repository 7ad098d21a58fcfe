"""A request that is sent again since its answer was lost is done once and answered the same to the byte."""

from __future__ import annotations

import secrets
import threading

import pytest
from sqlalchemy import func, select

from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.service.store.schema import answers

from .place import at, sitting
from .wire import call

pytestmark = pytest.mark.both


def send(place, path, body, token=None, key=None):
    headers = {} if key is None else {"Idempotency_Key": key}
    return call(place, "POST", f"/v1{path}", body, token, **headers)


def fresh():
    return secrets.token_hex(16)


def test_the_same_key_with_another_body_is_refused_and_changes_nothing(place):
    alice = place.casino(1)[0]
    key = fresh()
    assert send(place, "/tables/t1/chips", {"op": "buy-in", "amount": 1}, alice.token, key).status == 200
    other = send(place, "/tables/t1/chips", {"op": "buy-in", "amount": 2}, alice.token, key)
    assert other.status == 422
    assert other.json["type"] == "/docs#idempotency-key-reused"
    assert at(alice).state["chips"]["1"] == 1001


def test_a_refusal_is_not_kept(place):
    alice = place.casino(1)[0]
    key, body = fresh(), {"op": "transfer", "amount": 1, "to": 2}
    assert send(place, "/tables/t1/chips", body, alice.token, key).status >= 400
    place.public.table("t1").sit("bob", 10)
    answer = send(place, "/tables/t1/chips", body, alice.token, key)
    assert (answer.status, "Idempotent-Replay" in answer.headers) == (200, False)


@pytest.mark.parametrize("key", ["short", "x" * 129, "sixteen with spaces in", "ä" * 16, '"' * 3])
def test_what_is_no_key_is_a_problem(place, key):
    answer = send(place, "/tables", {"rules": "casino"}, place.token, key)
    assert answer.status == 400
    assert answer.json["field"] == "Idempotency-Key"
    assert place.public.get("/v1/tables")["tables"] == []


def test_requests_with_one_key_at_once_are_done_once(place):
    alice = place.casino(1)[0]
    key, answers, start = fresh(), [], threading.Barrier(8)

    def pay():
        start.wait()
        answers.append(send(place, "/tables/t1/chips", {"op": "buy-in", "amount": 100}, alice.token, key))

    threads = [threading.Thread(target=pay) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
    assert at(alice).state["chips"]["1"] == 1100


def test_the_answer_is_there_after_a_restart_and_gone_after_a_day(place):
    key, body = fresh(), sitting("alice", 5)
    place.operator.create_table("casino", table="t1")
    first = send(place, "/tables/t1/seats", body, key=key)
    place.restart()
    place.clock.forward(DAY // SECOND - 3600)
    place.operator.create_table("casino")
    assert send(place, "/tables/t1/seats", body, key=key).body == first.body
    place.clock.forward(2 * HOUR // SECOND)
    send(place, "/tables", {"rules": "casino"}, place.token, fresh())
    with place.house.database.begin_read() as connection:
        oldest = connection.execute(select(func.min(answers.c.at))).scalar()
    assert oldest > place.clock.wall - DAY
    assert send(place, "/tables/t1/seats", body, key=key).status == 409


def test_a_stored_answer_shows_no_token_and_no_state(place):
    place.operator.create_table("casino", table="t1")
    key, token = fresh(), "fs_alice"
    send(place, "/tables/t1/seats", sitting("alice", 5, token), key=key)
    with place.house.database.begin_read() as connection:
        rows = connection.execute(select(answers)).all()
    for part in (part for row in rows for part in row):
        text = part if isinstance(part, bytes) else str(part).encode()
        for secret in (token, key, "alice", "chips"):
            assert secret.encode() not in text
