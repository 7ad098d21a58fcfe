"""The log as it is downloaded: whole, again, and while the house goes on writing."""

from __future__ import annotations

import http.client
import io
import tarfile
import threading
from urllib.parse import urlsplit

import pytest

from audit_cli.verify import verify
from fairshoe.client import Client

from .place import at, default

pytestmark = pytest.mark.wire


def get(place, path, method="GET", **headers):
    """Status, headers and body."""
    parts = urlsplit(place.address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


@pytest.fixture
def house(place):
    place.bet_and_finish(place.sealed())
    return place


def test_it_has_a_length_and_a_strong_etag_that_changes_with_it(house):
    status, headers, body = get(house, "/v1/log")
    assert (status, int(headers["content-length"])) == (200, len(body))
    assert headers["cache-control"] == "no-cache"
    assert headers["x-log-size"] == str(body.count(b"\n"))
    assert not headers["etag"].startswith("W/")
    assert get(house, "/v1/log", If_None_Match=headers["etag"])[0::2] == (304, b"")
    assert get(house, "/v1/log", "HEAD")[1]["content-length"] == headers["content-length"]
    house.casino(1, name="t2")
    status, again, longer = get(house, "/v1/log", If_None_Match=headers["etag"])
    assert status == 200
    assert again["etag"] != headers["etag"]
    assert longer.startswith(body)


def test_what_stands_between_two_entries_may_be_kept_for_ever(house):
    status, headers, body = get(house, "/v1/log?from=2&to=5")
    assert (status, body.count(b"\n")) == (200, 3)
    assert "immutable" in headers["cache-control"]
    house.casino(1, name="t2")
    assert get(house, "/v1/log?from=2&to=5", If_None_Match=headers["etag"])[0] == 304


def test_the_archive_fits_together_while_the_house_goes_on_writing(place, tmp_path):
    """The documented recipe, ten times, each held against the auditor."""
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
        for number in range(10):
            with tarfile.open(fileobj=io.BytesIO(Client(place.address).raw("GET", "/v1/log.tar"))) as archive:
                archive.extractall(tmp_path / str(number))
            report = verify(tmp_path / str(number))
            assert not report.failed, report.findings
            sizes.add((tmp_path / str(number) / "log.jsonl").read_bytes().count(b"\n"))
    finally:
        ended.set()
        playing.join()
    assert len(sizes) > 1
