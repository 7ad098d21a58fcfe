"""What a monitor and an operator see: health, readiness, numbers, and lines on standard error."""

from __future__ import annotations

import io
import json
import logging
from contextlib import contextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families

from fairshoe.client import Client, Problem
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.service.errors import StorageBusy
from fairshoe.service.monitoring import to_stderr
from fairshoe.service.settings import Settings
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.tokens import READER, issue

from .place import Place, at, refusal
from .test_outages import no_threads
from .wire import call

pytestmark = pytest.mark.wire


@pytest.fixture
def reader(place):
    """A client with the token of a reader of operations."""
    with place.house.database.begin_write() as connection:
        token = issue(connection, READER)
    return Client(place.address, token)


def numbers(client):
    """The metrics, by name and labels."""
    found = {}
    for family in text_string_to_metric_families(client.text("/metrics")):
        for sample in family.samples:
            found[sample.name, *sorted(sample.labels.values())] = sample.value
    return found


def test_a_service_that_works_is_ready_and_tells_details_to_those_it_knows(place, reader):
    place.casino()
    fine = {"storage": "fine", "head": "fine", "clock": "fine", "limits": "fine"}
    assert {("fairshoe_ready", check): 1 for check in fine}.items() <= numbers(reader).items()
    assert reader.get("/readyz") == {"ready": True, "checks": fine}
    answer = call(place, "GET", "/readyz", token=place.token)
    assert (answer.status, answer.json) == (200, {"ready": True, "checks": fine})
    assert answer.headers["Cache-Control"] == "no-store"
    (alice,) = place.casino(1, name="t2")
    for token in (None, "fs_wrong", alice.token):
        answer = call(place, "GET", "/readyz", token=token)
        assert (answer.status, answer.json) == (200, {"ready": True})


def test_a_clock_that_is_not_followed_is_told(place):
    place.casino()
    place.clock.set_wall(2 * 3_600)
    answer = call(place, "GET", "/readyz", token=place.token)
    assert answer.status == 503
    assert answer.json["checks"]["clock"].startswith("the machine's clock was")
    found = numbers(place.operator)
    assert (found["fairshoe_ready", "clock"], found["fairshoe_ready", "storage"]) == (0, 1)
    place.clock.set_wall(-2 * 3_600)
    assert call(place, "GET", "/readyz").status == 200


def test_a_database_that_an_older_one_replaced_is_told(place):
    """What is signed is more than the database has: commands are refused, so traffic goes elsewhere."""
    place.casino()
    kept = place.directory / KEPT_FILE
    before = kept.read_text()
    head = checkpoint_of(before)
    kept.write_text(place.house.sequencer.heads.signed(Checkpoint(head.origin, head.size + 5, head.root)))
    answer = call(place, "GET", "/readyz", token=place.token)
    assert answer.status == 503
    said = f"the database has {head.size} entries, and {head.size + 5} were signed"
    assert answer.json["checks"]["head"].startswith(said)
    assert numbers(place.operator)["fairshoe_ready", "head"] == 0
    kept.write_text(before)
    assert call(place, "GET", "/readyz").status == 200


def test_who_cannot_get_a_command_done_is_told(place):
    """The service is alive and answers the monitor, while no thread is left for a command."""
    with no_threads(place) as release:
        place.clock.leave_unanswered(7)
        answer = call(place, "GET", "/readyz")
        assert (answer.status, answer.json) == (503, {"ready": False})
        assert call(place, "GET", "/healthz").status == 200
        release()
    place.house.sequencer.transactions.beat()
    assert call(place, "GET", "/readyz").status == 200


def test_metrics_are_for_operators_and_readers(place, reader):
    (alice,) = place.casino(1)
    assert refusal(place.public.text, "/metrics")["status"] == 401
    assert refusal(Client(place.address, alice.token).text, "/metrics")["status"] == 403
    for client in (place.operator, reader):
        assert "fairshoe_requests_total" in client.text("/metrics")


def test_metrics_count_what_happened(place):
    seats = place.sealed()
    place.bet_and_finish(seats)
    refusal(seats[0].send, "hash", hash="a" * 64)
    with pytest.raises(Problem):
        place.public.get("/v1/tables/nowhere")
    found = numbers(place.operator)
    assert found["fairshoe_requests_total", "/v1/tables/<table>/seats", "201", "POST"] == 2
    assert found["fairshoe_requests_total", "/v1/tables/<table>", "404", "GET"] == 1
    assert found["fairshoe_refusals_total", "not-found"] == 1
    assert found["fairshoe_refusals_total", "not-now"] == 1
    assert found["fairshoe_rounds_total",] == 1
    assert found["fairshoe_log_entries",] == len(place.entries())
    assert found["fairshoe_players",] == 2
    assert found["fairshoe_tables", "bet"] == 1
    assert found["fairshoe_shoes",] == 1
    assert found["fairshoe_request_seconds_count", "/v1/tables/<table>/bets"] == 2


def test_what_nobody_serves_has_one_name_among_the_routes(place):
    for number in range(5):
        with pytest.raises(Problem):
            place.public.raw("BREW", f"/coffee/{number}")
    assert numbers(place.operator)["fairshoe_requests_total", "", "404", "other"] == 5


@contextmanager
def lines(form):
    """What is written meanwhile."""
    stream, logger = io.StringIO(), logging.getLogger("fairshoe")
    kept = {name: logging.getLogger(name).__dict__.copy() for name in ("fairshoe", "uvicorn.error", "asyncio")}
    to_stderr(form, stream)
    try:
        yield stream
    finally:
        for name, old in kept.items():
            logging.getLogger(name).handlers, logging.getLogger(name).propagate = old["handlers"], old["propagate"]
        logger.setLevel(logging.NOTSET)


def test_each_request_is_a_line_of_json_without_a_secret(tmp_path):
    with lines("json") as stream, Place(tmp_path / "data", Settings(log_requests=True)) as place:
        seats = place.sealed()
        place.bet_and_finish(seats)
        secrets = [place.token, *(seat.token for seat in seats), place.of_kind("seeds")[0]["hashes"]["p1"]]
        at(seats[0])
    written = stream.getvalue()
    told = [json.loads(line) for line in written.splitlines()]
    bets = [line for line in told if line.get("path") == "/v1/tables/t1/bets"]
    assert [(line["method"], line["status"], line["level"]) for line in bets] == [("POST", 200, "info")] * 2
    assert {"at", "logger", "what", "request", "address", "ms", "waited_ms"} <= bets[0].keys()
    for secret in secrets:
        assert secret not in written


def test_only_failures_are_lines_where_nothing_else_was_asked_for(place, monkeypatch):
    with lines("json") as stream:
        place.casino()
        with pytest.raises(Problem):
            place.public.get("/v1/nothing")
        monkeypatch.setattr(place.house.sequencer, "all_tables", lambda *_: 1 / 0)
        with pytest.raises(Problem, match="500"):
            place.public.get("/v1/tables")
        assert place.public.get("/"), "a line is written once its answer is sent, and before the next answer is"
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert {line["level"] for line in told} == {"error"}
    assert any("ZeroDivisionError" in line.get("error", "") for line in told)
    (request,) = [line for line in told if line["logger"] == "fairshoe.requests"]
    assert (request["path"], request["status"]) == ("/v1/tables", 500)
    assert {line["request"] for line in told} == {request["request"]}


def test_a_terminal_gets_text_and_no_path_breaks_a_line(tmp_path):
    wanted = Settings(log_requests=True)
    with lines("text") as stream, Place(tmp_path / "data", wanted) as place, pytest.raises(Problem):
        place.public.raw("GET", "/v1/x%0Aerror:%20all%20is%20lost")
    (line,) = [line for line in stream.getvalue().splitlines() if "404" in line]
    assert 'path="/v1/x\\nerror: all is lost"' in line


def test_metrics_are_there_while_the_storage_fails(tmp_path, monkeypatch):
    def unreadable(*_):
        raise StorageBusy("an I/O error")

    with Place(tmp_path / "data", Settings(metrics_public=True)) as place:
        place.casino()
        monkeypatch.setattr("fairshoe.service.store.database.free_bytes", lambda _: 1024)
        monkeypatch.setattr(place.house.sequencer, "all_tables", unreadable)
        found = numbers(place.public)
        assert found["fairshoe_ready", "storage"] == 0
        assert ("fairshoe_players",) not in found
