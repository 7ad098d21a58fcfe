"""The log as it is downloaded: whole, again, and while the house goes on writing."""

from __future__ import annotations

import io
import tarfile
import threading

import pytest

from audit_cli.verify.run import verify
from fairshoe.client import Client
from fairshoe.service import log_reader
from fairshoe.service.errors import StorageBusy

from .place import at, default
from .wire import call

pytestmark = pytest.mark.wire


@pytest.fixture
def house(place):
    place.bet_and_finish(place.sealed())
    return place


def test_it_has_a_length_and_a_strong_etag_that_changes_with_it(house):
    status, headers, body = call(house, "GET", "/v1/log")
    assert (status, int(headers["Content-Length"])) == (200, len(body))
    assert headers["Cache-Control"] == "no-cache"
    assert headers["X-Log-Size"] == str(body.count(b"\n"))
    assert not headers["ETag"].startswith("W/")
    assert call(house, "GET", "/v1/log", If_None_Match=headers["ETag"])[0::2] == (304, b"")
    assert call(house, "HEAD", "/v1/log").headers["Content-Length"] == headers["Content-Length"]
    house.casino(1, name="t2")
    status, again, longer = call(house, "GET", "/v1/log", If_None_Match=headers["ETag"])
    assert status == 200
    assert again["ETag"] != headers["ETag"]
    assert longer.startswith(body)


def test_where_its_first_entries_cannot_be_read_the_answer_says_so(house, monkeypatch):
    def away(*_):
        raise StorageBusy("the database is away", remedy="send it again")

    monkeypatch.setattr(log_reader, "read_lines", away)
    answer = call(house, "GET", "/v1/log")
    assert (answer.status, answer.json["type"]) == (503, "/docs#storage-busy")


def test_what_stands_between_two_entries_may_be_kept_for_ever(house):
    status, headers, body = call(house, "GET", "/v1/log?from=2&to=5")
    assert (status, body.count(b"\n")) == (200, 3)
    assert "immutable" in headers["Cache-Control"]
    house.casino(1, name="t2")
    assert call(house, "GET", "/v1/log?from=2&to=5", If_None_Match=headers["ETag"]).status == 304


def test_the_archive_fits_together_while_the_house_goes_on_writing(place, tmp_path):
    """The documented recipe, until it was done at two sizes, each held against the auditor."""
    seats, ended = place.sealed(), threading.Event()
    players = [place.again(seat) for seat in seats]

    def play():
        while not ended.is_set():
            for seat in players:
                at(seat)
                if seat.expects("bets"):
                    seat.bet(10)
                while (seat.next() or {}).get("do") == "decisions":
                    default(seat)

    playing = threading.Thread(target=play)
    playing.start()
    sizes = set()
    try:
        for number in range(100):
            with tarfile.open(fileobj=io.BytesIO(Client(place.address).raw("GET", "/v1/log.tar"))) as archive:
                archive.extractall(tmp_path / str(number))
            report = verify(tmp_path / str(number))
            assert not report.failed, report.findings
            sizes.add((tmp_path / str(number) / "log.jsonl").read_bytes().count(b"\n"))
            if number > 2 and len(sizes) > 1:
                break
    finally:
        ended.set()
        playing.join()
    assert len(sizes) > 1
