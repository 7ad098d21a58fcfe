"""Who asks for too much, or takes too many chairs, is told so, by token and address; nobody else is held up by it."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from audit_cli.cases.receipts.run import decide
from fairshoe.errors import InputError
from fairshoe.log.times import SECOND
from fairshoe.service import limits
from fairshoe.service.limits import address_of, buckets, group
from fairshoe.service.settings import Settings, network_of, rate_of

from .place import Place, sitting
from .test_operations import lines
from .wire import call

OFF = {f"limit_{name}": "off" for name in ("player", "address")}
PROXY = {"trusted_proxies": ("127.0.0.1",)}


@pytest.fixture
def limited(tmp_path):
    """Makes a service with these settings, and no other limits."""
    with ExitStack() as stack:

        def start(**settings):
            read = {name: rate_of(value) if name in OFF else value for name, value in (OFF | settings).items()}
            return stack.enter_context(Place(tmp_path / "data", Settings(**read)))

        yield start


def here(place, token):
    return call(place, "POST", "/v1/tables/t1/here", {}, token)


def test_a_bucket_may_be_emptied_at_once_and_fills_again_evenly():
    rate, full_at, now = rate_of("60/m"), 0, 1_000 * SECOND
    for _ in range(60):
        full_at, early = rate.take(full_at, now)
        assert early == 0
    assert rate.take(full_at, now)[1] == SECOND
    assert rate.take(full_at, now + SECOND - 1)[1] == 1
    assert rate.take(full_at, now + SECOND)[1] == 0
    assert rate.take(full_at, now + 60 * SECOND) == (now + 61 * SECOND, 0)


def test_a_clock_that_was_ahead_holds_nobody_up_for_longer_than_the_window():
    rate, now = rate_of("60/m"), 1_000 * SECOND
    assert rate.take(now + 10**12, now)[1] == SECOND


def test_too_many_requests_of_one_player_are_refused_until_it_is_time(limited):
    place = limited(limit_player="3/m")
    alice, bob = place.casino()
    for _ in range(3):
        assert here(place, alice.token).status == 200
    size = len(place.entries())
    told = here(place, alice.token)
    assert (told.status, told.headers["Retry-After"]) == (429, "20")
    assert told.json["type"] == "/docs#too-many-requests"
    assert told.json["expected"] == "at most 3/m"
    assert len(place.entries()) == size
    assert here(place, bob.token).status == 200
    place.clock.forward(19)
    assert here(place, alice.token).headers["Retry-After"] == "1"
    place.clock.forward(1)
    assert here(place, alice.token).status == 200
    assert here(place, alice.token).status == 429


def test_whoever_guesses_tokens_is_stopped_by_the_address(limited):
    place = limited(limit_address="5/m")
    statuses = [call(place, "POST", "/v1/tables", {"rules": "casino"}, f"fs_{i}").status for i in range(6)]
    assert statuses == [401] * 5 + [429]


def test_another_address_has_its_own_limit(limited):
    place = limited(limit_address="2/m", **PROXY)
    place.operator.create_table("casino", table="t1")

    def ask(address):
        return call(place, "POST", "/v1/tables/t1/here", {}, "fs_no", X_Forwarded_For=address).status

    assert [ask("203.0.113.7") for _ in range(3)] == [401, 401, 429]
    assert [ask("203.0.113.8") for _ in range(3)] == [401, 401, 429]
    assert [ask(f"198.51.100.{i}, 203.0.113.8") for i in range(2)] == [429, 429]
    assert [ask(f"2001:db8::{i}") for i in range(3)] == [401, 401, 429]


def test_requests_are_counted_in_the_database(limited):
    place = limited(limit_player="2/h")
    (alice,) = place.casino(1)
    assert [here(place, alice.token).status for _ in range(3)] == [200, 200, 429]
    place.restart()
    assert here(place, alice.token).status == 429
    place.restart()
    place.clock.forward(1800)
    assert here(place, alice.token).status == 200


def test_an_address_is_not_in_the_database(limited):
    place = limited(limit_address="9/m", **PROXY)
    place.operator.create_table("casino", table="t1")
    body = sitting("alice", 10)
    call(place, "POST", "/v1/tables/t1/seats", body, X_Forwarded_For="203.0.113.77")
    place.stop()
    stored = b"".join(path.read_bytes() for path in place.directory.iterdir() if path.is_file())
    place.start()
    assert b"alice" in stored
    assert b"203.0.113.77" not in stored


def test_buckets_that_are_full_again_are_forgotten(limited, monkeypatch):
    monkeypatch.setattr(limits, "SWEEP_INTERVAL", 32)
    place = limited(limit_address="60/m", **PROXY)

    def ask(number):
        address = f"203.0.113.{number}"
        assert call(place, "POST", "/v1/tables", {}, "fs_no", X_Forwarded_For=address).status == 401

    def stored():
        with place.house.database.begin_read() as connection:
            return len(connection.execute(buckets.select()).all())

    for number in range(25):
        ask(number)
    assert stored() == 25
    place.clock.forward(61)
    for number in range(25, 35):
        ask(number)
    assert stored() == 10


# Whose request it is: a proxy is believed where it is trusted, and from the right.


@pytest.mark.parametrize(
    ("trusted", "said", "client"),
    [
        ((), "203.0.113.7", "127.0.0.1"),
        (("10.0.0.1",), "203.0.113.7", "127.0.0.1"),
        (("127.0.0.1",), "203.0.113.7", "203.0.113.7"),
        (("127.0.0.1",), "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (("127.0.0.0/8", "10.0.0.0/8"), "198.51.100.1, 203.0.113.7, 10.9.9.9", "203.0.113.7"),
        (("127.0.0.1",), "2001:db8::9", "2001:db8::9"),
    ],
)
def test_x_forwarded_for(tmp_path, trusted, said, client):
    settings = Settings(trusted_proxies=trusted, log_requests=True)
    with lines("json") as stream, Place(tmp_path / "data", settings) as place:
        call(place, "GET", "/checkpoint", X_Forwarded_For=said)
    assert f'"address": "{client}"' in stream.getvalue()


@pytest.mark.parametrize("text", ["proxy", "10.0.0.1/8", "10.0.0.0/33", "", "10.0.0.1:80", "10.0.0.1,10.0.0.2"])
def test_a_proxy_that_is_no_address_is_refused(text):
    with pytest.raises(InputError, match="nor a network"):
        network_of(text)


def test_addresses_of_one_household_count_as_one():
    one, two, other = (address_of(f"2001:db8:0:{part}") for part in ("1::1", "1:ffff::2", "2::1"))
    assert group(one) == group(two) != group(other)
    assert group(address_of("203.0.113.7")) == group(address_of("::ffff:203.0.113.7")) == "203.0.113.7"
    assert str(address_of("nonsense")) == "::"


def sit(place, player, address, table="t1", **more):
    body = sitting(player, 100, f"fs_{player}", **more)
    return call(place, "POST", f"/v1/tables/{table}/seats", body, X_Forwarded_For=address)


def test_a_stranger_cannot_take_all_chairs(limited):
    proxied = limited(**PROXY)
    proxied.operator.create_table("casino", table="t1")
    tokens = [sit(proxied, f"p{i}", "203.0.113.7") for i in range(4)]
    assert [told.status for told in tokens] == [201, 201, 201, 409]
    assert "3 chairs" in tokens[3].json["detail"]
    assert sit(proxied, "q", "203.0.113.8").status == 201
    proxied.operator.create_table("casino", table="t2")
    assert sit(proxied, "p4", "203.0.113.7", "t2").status == 201
    leave = {"op": "cash-out", "leave": True}
    assert call(proxied, "POST", "/v1/tables/t1/chips", leave, "fs_p0").status == 200
    assert sit(proxied, "p5", "203.0.113.7").status == 201
    assert sit(proxied, "p6", "203.0.113.7").status == 409


def test_a_chair_that_somebody_else_took_over_is_not_counted(limited):
    proxied = limited(**PROXY)
    proxied.operator.create_table("casino", table="t1")
    for number in (1, 2, 3):
        sit(proxied, f"p{number}", "203.0.113.7", seat=number)
    call(proxied, "POST", "/v1/tables/t1/chips", {"op": "cash-out", "leave": True}, "fs_p1")
    assert sit(proxied, "q", "203.0.113.8", seat=1).status == 201
    assert sit(proxied, "p4", "203.0.113.7").status == 201
    assert sit(proxied, "p5", "203.0.113.7").status == 409


def test_being_put_out_is_no_act_in_the_players_name(place, tmp_path):
    """Whose receipts are all there misses none for it."""
    place.operator.create_table("casino", table="t1").sit("p1", 100, receipts=tmp_path / "p1")
    place.operator.table("t1").send("evict", seat=1)
    place.assert_clean()
    decided = decide(tmp_path / "p1", place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
    assert "without a receipt" not in decided.text
