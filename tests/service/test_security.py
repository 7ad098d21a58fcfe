"""What every answer says to browsers and caches, and who is asked for a token first."""

from __future__ import annotations

import pytest

from fairshoe.service.settings import Settings

from .place import Place, sitting
from .wire import call

PAGE = "https://play.example"


@pytest.fixture
def shared(tmp_path):
    """A service that pages of one other origin may use."""
    with Place(tmp_path / "data", Settings(cors_origins=(PAGE,))) as place:
        yield place


def test_every_answer_has_the_headers_that_browsers_want(place):
    place.casino(1)
    tables = ("/v1/tables", "/v1/tables/t1", "/v1/log", "/v1/nothing")
    for path in ("/", "/docs", "/openapi.json", "/checkpoint", "/healthz", *tables):
        headers = call(place, "GET", path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "script-src" not in headers["Content-Security-Policy"]
        assert headers["Access-Control-Allow-Origin"] is None
        assert not any(character.isdigit() for character in headers.get("Server", ""))


def test_what_one_seat_alone_may_see_is_kept_by_no_cache(place):
    (alice,) = place.casino(1)
    body = sitting("bob", 10)
    for answer in (
        call(place, "POST", "/v1/tables/t1/seats", body),
        call(place, "GET", "/v1/tables/t1", token=alice.token),
        call(place, "POST", "/v1/tables/t1/here", {}, alice.token),
        call(place, "POST", "/v1/tables/t1/here", {}, "fs_no"),
        call(place, "POST", "/v1/tables", {"rules": "casino"}, place.token),
        call(place, "GET", "/tile/0/000"),
    ):
        assert answer.headers["Cache-Control"] == "no-store"
    assert call(place, "GET", "/v1/tables/t1").headers["Cache-Control"] == "no-cache"
    assert "immutable" in call(place, "GET", "/tile/0/000.p/1").headers["Cache-Control"]


def test_a_stranger_is_asked_for_a_token_before_the_body_is_read(place):
    (alice,) = place.casino(1)
    (other,) = place.casino(1, name="t2")
    nonsense = {"nonsense": 1}
    changing = [rule.rule for rule in place.application.url_map.iter_rules() if "POST" in rule.methods]
    assert len(changing) > 12
    for rule in changing:
        path = rule.replace("<table>", "t1").replace("<int:seat>", "1")
        for body, token, asked in (({}, None, ""), (nonsense, None, ""), (nonsense, "fs_no", ' error="invalid_token"')):
            if not path.endswith(("/seats", "/places")):  # a last key is sent by whoever has it
                told = call(place, "POST", path, body, token)
                assert (told.status, told.headers["WWW-Authenticate"]) == (401, f"Bearer{asked}")
    for name in ("shoe", "hash", "seed", "waiver", "reshuffle", "bets", "decisions", "here", "chips"):
        path = f"/v1/tables/t1/{name}"
        for body in ({}, nonsense):
            assert call(place, "POST", path, body, other.token).status == 403
            assert call(place, "POST", path, body, place.token).status == 403 or name == "shoe"
        assert call(place, "POST", path, nonsense, alice.token).status == 422
    for path in ("/v1/tables", "/v1/tables/t1/close", "/v1/tables/t1/refund"):
        assert call(place, "POST", path, nonsense, alice.token).status == 403
        assert call(place, "POST", path, nonsense, place.token).status == 422
    assert call(place, "POST", "/v1/tables/t7/bets", nonsense, alice.token).status == 403
    for path, token in (("/v1/tables/t7/close", place.token), ("/v1/tables/t7/seats", None)):
        assert call(place, "POST", path, nonsense, token).status == 404


def preflight(place, origin, path="/v1/tables/t1/bets"):
    headers = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization"}
    return call(place, "OPTIONS", path, Origin=origin, **headers)


def test_a_page_of_a_listed_origin_may_use_the_api(shared):
    asked = preflight(shared, PAGE)
    assert asked.status == 204
    assert asked.body == b""
    assert asked.headers["Access-Control-Allow-Origin"] == PAGE
    assert {"POST", "DELETE"} <= words(asked.headers["Access-Control-Allow-Methods"])
    assert {"Authorization", "Content-Type", "Idempotency-Key"} <= words(asked.headers["Access-Control-Allow-Headers"])
    shared.casino(1)
    told = call(shared, "GET", "/v1/tables/t1", Origin=PAGE)
    assert told.headers["Access-Control-Allow-Origin"] == PAGE
    assert {"Retry-After", "ETag", "X-Request-Id"} <= words(told.headers["Access-Control-Expose-Headers"])
    assert "Origin" in words(told.headers["Vary"])
    assert told.headers["Access-Control-Allow-Credentials"] is None
    refused = call(shared, "POST", "/v1/tables/t1/here", {}, Origin=PAGE)
    assert (refused.status, refused.headers["Access-Control-Allow-Origin"]) == (401, PAGE)


def test_a_page_of_another_origin_may_not(shared):
    for origin in ("https://evil.example", "null", "https://play.example.evil", "http://play.example"):
        for told in (preflight(shared, origin), call(shared, "GET", "/v1/tables", Origin=origin)):
            assert told.headers["Access-Control-Allow-Origin"] is None
            assert "Origin" in words(told.headers["Vary"])


def test_all_pages_may_where_that_is_set(tmp_path):
    with Place(tmp_path / "data", Settings(cors_origins=("*",))) as place:
        assert preflight(place, "https://any.example").headers["Access-Control-Allow-Origin"] == "*"


def words(header):
    return {word.strip() for word in header.split(",")}
