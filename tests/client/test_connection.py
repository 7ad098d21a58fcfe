"""How a client reaches a service: TLS, tokens, proxies, a path, and what it says when it does not."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from fairshoe.client import Client, Problem, Unreachable, service
from fairshoe.connection import address_of, proxy_for
from fairshoe.errors import FairshoeError, InputError

from .servers import HOUSE, Authority, Below, listening, place_of, proxy, reply, scripted

pytestmark = pytest.mark.wire

TOKEN = "fs_secret"


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path, "127.0.0.1", HOUSE)


def test_nothing_is_sent_in_clear_to_an_https_address():
    heard = []
    with listening(lambda connection: heard.append(connection.recv(65_536))) as place:
        with pytest.raises(Unreachable, match="no secure connection"):
            Client(f"https://{place}", TOKEN).get("/v1/tables")
        assert heard
        assert all(data.startswith(b"\x16\x03") for data in heard), "a TLS handshake"
        assert TOKEN.encode() not in b"".join(heard)


def test_a_whole_round_over_https_below_a_path_through_a_proxy_that_cannot_read_it(place, authority, monkeypatch):
    with (
        Below(place_of(place.address), "/some/games") as below,
        authority.before(place_of(below.address)) as front,
        proxy(front) as (middle, heard),
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:p%40ss@{middle}")
        operator = Client(f"https://{HOUSE}/some/games/", place.token, ca=authority.ca_file)
        alice = operator.create_table("casino", table="t1").sit("alice", 1000)
        alice.send("shoe")
        while alice.contribute():
            alice.refresh()
        alice.bet(10)
        place.finish([alice])
        assert "round" in place.kinds()
        count = len(heard)
        assert list(operator.log()) == list(place.public.log())
        assert operator.get("/v1/tables")["tables"][0]["table"] == "t1"
        assert len(heard) == count, "one connection"
        with pytest.raises(Problem, match="404"):
            Client(f"https://{HOUSE}", ca=authority.ca_file).get("/v1/tables")
    assert heard[0].startswith(f"CONNECT {HOUSE}:443 ".encode())
    assert b"roxy-" in heard[0]
    assert b"dXNlcjpwQHNz" in heard[0], "user:p@ss"
    assert place.token.encode() not in heard[0]
    place.assert_clean()


def test_a_certificate_of_an_unknown_ca_or_for_another_name_is_refused(place, authority, tmp_path):
    other = Authority(tmp_path, "other.example")
    cases = [(authority, None, "CA that signed it"), (other, other.ca_file, r"127\.0\.0\.1")]
    for signed_by, trusted, match in cases:
        refused = pytest.raises(Unreachable, match=f"wrong certificate: .*{match}")
        with signed_by.before(place_of(place.address)) as front, refused:
            Client(f"https://{front}", TOKEN, ca=trusted).get("/v1/tables")


def test_a_file_of_cas_that_is_none_is_refused(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "letter").write_bytes(b"no certificate")
    for name in ("nothing", "empty", "letter"):
        with pytest.raises(InputError, match="CA certificates in PEM") as caught:
            Client("https://127.0.0.1", ca=tmp_path / name)
        assert caught.value.where == str(tmp_path / name)


@pytest.mark.parametrize("host", [HOUSE, "192.0.2.1", "[2001:db8::1]", "0.0.0.0", "localhost.house.example"])
def test_a_token_does_not_go_in_clear_to_another_machine(host):
    public = Client(f"http://{host}:8000")
    for make in (lambda: Client(f"http://{host}:8000", TOKEN), lambda: public.with_token(TOKEN)):
        with pytest.raises(InputError, match=r"in clear.*https.*insecure=True"):
            make()
    assert Client(f"http://{host}:8000", TOKEN, insecure=True).with_token(TOKEN)
    assert Client(f"https://{host}", TOKEN)


def test_a_token_is_one_line_and_may_go_in_clear_to_this_machine():
    for host in ("127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "[::1]"):
        assert Client(f"http://{host}:8000", TOKEN)
    for token in ("", " ", "two\nlines", "é"):
        with pytest.raises(InputError, match="not a token"):
            Client("http://127.0.0.1", token)


@pytest.mark.parametrize(("status", "token"), [("301 Moved", TOKEN), ("302 Found", None), ("307 Temporary", TOKEN)])
def test_no_redirect_is_followed(status, token):
    with scripted(reply()) as (elsewhere, other):
        moved = reply(b"", status, Location=f"{elsewhere}/games/v1/tables")
        with scripted(moved) as (address, heard):
            with pytest.raises(Unreachable, match=f"elsewhere; use {elsewhere}/games as address"):
                Client(address, token).get("/v1/tables")
            assert len(heard) == 1
        assert other == []


def test_an_http_proxy_is_asked_with_the_whole_address_and_never_for_this_machine(place, monkeypatch):
    with proxy(place_of(place.address)) as (middle, heard):
        monkeypatch.setenv("http_proxy", middle)
        monkeypatch.setenv("ALL_PROXY", f"http://{middle}")
        assert Client(place.address, place.token).get("/v1/tables") == {"tables": []}
        assert heard == []
        assert Client(f"http://{HOUSE}").get("/v1/tables") == {"tables": []}
    assert heard[0].startswith(f"GET http://{HOUSE}:80/v1/tables ".encode())


def test_which_proxy_is_asked(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example:3128")
    assert proxy_for(address_of("http://house.example")) is None
    assert proxy_for(address_of("https://house.example")) == "http://proxy.example:3128"
    monkeypatch.setenv("ALL_PROXY", "http://all.example:1")
    for address, excepted, asked in (
        ("http://house.example", "other.example", True),
        ("http://house.example", " OTHER.example , House.Example ", False),
        ("http://games.house.example", ".house.example", False),
        ("http://warehouse.example", "house.example", True),
        ("http://house.example:8001", "house.example:8000", True),
        ("http://house.example", "*", False),
        ("http://[2001:db8::7]", "[2001:db8::7]", False),
    ):
        monkeypatch.setenv("NO_PROXY", excepted)
        assert proxy_for(address_of(address)) == ("http://all.example:1" if asked else None)
    for text in ("socks5://proxy.example:1080", "http://", "http://proxy.example:99999999"):
        monkeypatch.setenv("HTTPS_PROXY", text)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with pytest.raises(InputError, match="HTTPS_PROXY: no proxy"):
            Client("https://house.example")


def test_a_proxy_that_refuses_is_named_without_its_password(monkeypatch):
    with scripted(reply(b"", "407 Proxy Authentication Required")) as (address, _):
        monkeypatch.setenv("HTTPS_PROXY", address.replace("//", "//user:hidden@"))
        with pytest.raises(Unreachable, match=f"the proxy {address} does not lead there.*407.*NO_PROXY") as caught:
            Client("https://house.example").get("/v1/tables")
        assert "hidden" not in str(caught.value)


def test_what_is_no_address_is_refused():
    wrong = [
        "",
        "house.example",
        "ftp://house.example",
        "http:///v1",
        "http://alice:secret@house.example",
        "http://[::1",
    ]
    for text in [*wrong, *(f"http://house.example{end}" for end in (":port", ":99999", "/?q=1", "/#top", "\n", " x"))]:
        with pytest.raises(InputError, match=r"address: .*expected http://HOST"):
            Client(text)


def test_a_reading_request_is_sent_again_once_where_the_connection_was_dropped():
    whole = reply(b'{"tables":[]}')
    for cut in (b"", whole[:-3]):
        with scripted(cut, whole) as (address, heard):
            assert Client(address).get("/v1/tables") == {"tables": []}
            assert len(heard) == 2
    with scripted(b"") as (address, heard):
        with pytest.raises(Unreachable, match=r"dropped.*try again"):
            Client(address).get("/v1/tables")
        assert len(heard) == 2


def test_a_reading_request_is_sent_again_while_a_service_that_answered_is_away():
    whole = reply(b'{"tables":[]}', Connection="close")
    with scripted(whole, b"", b"", b"", whole) as (address, heard):
        client = Client(address)
        assert client.get("/v1/tables") == client.get("/v1/tables") == {"tables": []}
        assert len(heard) == 5
    state = reply(b'{"shoe":"s"}', Connection="close")
    with scripted(state, b"", b"", state) as (address, _):
        assert Client(address).shoe("s").wait() == {"shoe": "s"}


def keys_in(heard):
    lines = [line for head in heard for line in head.split(b"\r\n") if line.lower().startswith(b"idempotency-key: ")]
    return [line.partition(b": ")[2].decode() for line in lines]


def test_a_changing_request_is_sent_again_with_the_same_key():
    with scripted(b"", b"", reply(b'{"table":"t1"}')) as (address, heard):
        assert Client(address).post("/v1/tables") == {"table": "t1"}
        first, *others = keys_in(heard)
        assert others == [first, first]
        assert 16 <= len(first) <= 128
        Client(address).post("/v1/tables")
        assert keys_in(heard)[-1] != first, "another request, another key"
        Client(address).post("/v1/tables", key="k" * 16)
        assert keys_in(heard)[-1] == "k" * 16


def test_it_is_sent_again_within_a_bound(monkeypatch):
    with scripted(b"") as (address, heard):
        with pytest.raises(Unreachable, match="the connection was dropped"):
            Client(address, patience=0).post("/v1/tables")
        assert len(heard) == 1
        client, pauses = Client(address, patience=0.35), []
        monkeypatch.setattr(service, "time", SimpleNamespace(monotonic=lambda: sum(pauses)))
        monkeypatch.setattr(client._closed, "wait", pauses.append)
        with pytest.raises(Unreachable, match="the connection was dropped"):
            client.post("/v1/tables")
        assert (len(heard), pauses) == (4, [0.1, 0.2])


def test_what_is_closed_sends_nothing_again():
    with scripted(b"") as (address, heard):
        client, told = Client(address, patience=10_000), []

        def send():
            with pytest.raises(Unreachable, match="the connection was dropped") as caught:
                client.post("/v1/tables")
            told.append(caught.value)

        sending = threading.Thread(target=send, daemon=True)
        sending.start()
        while len(heard) < 2:  # until it is sent again
            time.sleep(0.01)
        client.close()
        sending.join(60)
        assert told


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("status", ["503 Service Unavailable", "429 Too Many Requests"])
def test_a_service_that_is_busy_is_asked_again_when_it_says(method, status):
    busy = reply(b'{"detail":"busy"}', status, Retry_After="0", Connection="close")
    with scripted(busy, busy, reply(b'{"tables":[]}')) as (address, heard):
        assert getattr(Client(address), method)("/v1/tables") == {"tables": []}
        assert len(heard) == 3
    with scripted(reply(b'{"detail":"busy"}', status, Retry_After="3600")) as (address, heard):
        with pytest.raises(Problem, match="busy") as caught:
            getattr(Client(address), method)("/v1/tables")
        assert caught.value.retry_after == 3600
        assert len(heard) == 1, "that is longer than it waits"


@pytest.mark.parametrize("status", ["409 Conflict", "500 Internal", "507 Full"])
def test_what_is_refused_or_has_no_key_is_not_sent_again(status):
    with scripted(reply(b'{"detail":"no"}', status, Retry_After="0")) as (address, heard):
        with pytest.raises(Problem, match="no"):
            Client(address).post("/v1/tables")
        assert len(heard) == 1
    with scripted(b"", reply()) as (address, heard):
        with pytest.raises(Unreachable, match="the connection was dropped"):
            Client(address).raw("POST", "/v1/tables", b"{}")
        assert len(heard) == 1


def test_trouble_is_told_as_an_error_of_the_tree_and_an_oserror():
    with listening(lambda connection: connection.recv(65_536) and connection.recv(1)) as silent:
        cases = {
            "http://127.0.0.1:1": "127.0.0.1:1: cannot connect: Connection refused; check the address",
            "http://nowhere.invalid": "nowhere.invalid:80: cannot connect: ",
            f"http://{silent}": "no answer within 0.2 s; try again",
        }
        for address, text in cases.items():
            with pytest.raises(Unreachable, match=text) as caught:
                Client(address, timeout=0.2 if address.endswith(silent) else 60).get("/v1/tables")
            assert isinstance(caught.value, FairshoeError)
            assert isinstance(caught.value, OSError)
            assert caught.value.remedy


def test_what_answers_but_is_no_service():
    def get(client):
        return client.get("/v1/tables")

    for answer, ask, told in (
        (reply(b"<html>Welcome"), get, "not JSON; check that this is the address of a fairshoe service"),
        (reply(b"\xff"), Client.checkpoint, "not text"),
        (reply(b"x" * 200_000), Client.checkpoint, "too long"),
        (reply(b"x" * 200_000), lambda client: list(client.log()), "what comes is no log"),
        (b"SSH-2.0-nothing\r\n", get, "the connection was dropped"),
        (reply(b"<html>", "502 Bad Gateway"), get, "502: <html>"),
    ):
        with scripted(answer) as (address, _), pytest.raises((Unreachable, Problem), match=told):
            ask(Client(address))


def test_entries_that_came_before_the_connection_was_dropped_are_good():
    whole = reply(b'{"n":1}\n{"n":2}\n{"n":3}\n')
    for cut, good in ((0, 3), (1, 2), (8, 2), (9, 1), (17, 0)):
        with scripted(whole[: len(whole) - cut]) as (address, _):
            read = []
            if cut:
                with pytest.raises(Unreachable) as caught:
                    read.extend(Client(address).log())
                assert caught.value.dropped
            lines = Client(address).log()
            read = [next(lines) for _ in range(good)]
            assert read == [b'{"n":1}', b'{"n":2}', b'{"n":3}'][:good]


def test_without_urllib3_the_client_says_what_to_install():
    code = "import sys\nsys.modules['urllib3'] = None\nimport fairshoe.client"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("pip install '.[client]'")
