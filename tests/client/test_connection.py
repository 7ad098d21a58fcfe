"""How a client reaches a service: TLS, tokens, proxies, a path, and what it says when it does not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fairshoe.client import Client, Problem, Unreachable
from fairshoe.client.connection import address_of, proxy_for
from fairshoe.errors import FairshoeError, InputError

from .servers import HOUSE, Authority, Below, connect, join, listening, place_of, proxy, reply, scripted

pytestmark = pytest.mark.wire

TOKEN = "fs_secret"


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path, "127.0.0.1", HOUSE)


# TLS.


def test_nothing_is_sent_in_clear_to_an_https_address():
    heard = []
    with listening(lambda connection: heard.append(connection.recv(65_536))) as place:
        with pytest.raises(Unreachable, match="no secure connection"):
            Client(f"https://{place}", TOKEN).get("/v1/tables")
        assert heard
        assert all(data.startswith(b"\x16\x03") for data in heard), "a TLS handshake"
        assert TOKEN.encode() not in b"".join(heard)


def test_a_whole_round_over_https(place, authority):
    with authority.before(place_of(place.address)) as front:
        operator = Client(f"https://{front}", place.token, ca=authority.ca_file)
        alice = operator.create_table("casino", table="t1").sit("alice", 1000)
        alice.send("shoe")
        while alice.contribute():
            alice.refresh()
        alice.bet(10)
        place.finish([alice])
        assert "round" in place.kinds()
        assert list(operator.log()) == list(place.public.log())
    place.assert_clean()


def test_a_certificate_of_an_unknown_ca_or_for_another_name_is_refused(place, authority, tmp_path):
    other = Authority(tmp_path, "other.example")
    cases = [(authority, None, "CA that signed it"), (other, other.ca_file, r"127\.0\.0\.1")]
    for signed_by, trusted, match in cases:
        refused = pytest.raises(Unreachable, match=f"wrong certificate: .*{match}")
        with signed_by.before(place_of(place.address)) as front, refused:
            Client(f"https://{front}", TOKEN, ca=trusted).get("/v1/tables")


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_file_of_cas_that_is_none_is_refused(tmp_path, content):
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match="CA certificates in PEM") as caught:
        Client("https://127.0.0.1", ca=file)
    assert caught.value.where == str(file)


# Tokens.


@pytest.mark.parametrize("host", [HOUSE, "192.0.2.1", "[2001:db8::1]", "0.0.0.0", "localhost.house.example"])
def test_a_token_does_not_go_in_clear_to_another_machine(host):
    public = Client(f"http://{host}:8000")
    for make in (lambda: Client(f"http://{host}:8000", TOKEN), lambda: public.with_token(TOKEN)):
        with pytest.raises(InputError, match=r"in clear.*https.*insecure=True"):
            make()
    assert Client(f"http://{host}:8000", TOKEN, insecure=True).with_token(TOKEN)
    assert Client(f"https://{host}", TOKEN)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "[::1]"])
def test_a_token_may_go_in_clear_to_this_machine(host):
    assert Client(f"http://{host}:8000", TOKEN)


@pytest.mark.parametrize("token", ["", " ", "two\nlines", "é"])
def test_what_is_no_token_is_refused(token):
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


# Proxies.


def test_an_https_proxy_carries_tls_that_it_cannot_read(place, authority, monkeypatch):
    with authority.before(place_of(place.address)) as front, proxy(front) as (middle, heard):
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:p%40ss@{middle}")
        operator = Client(f"https://{HOUSE}", place.token, ca=authority.ca_file)
        operator.create_table("casino", table="t1")
        assert operator.get("/v1/tables")["tables"][0]["table"] == "t1"
    assert len(heard) == 1, "one connection"
    assert heard[0].startswith(f"CONNECT {HOUSE}:443 ".encode())
    assert b"roxy-" in heard[0]
    assert b"dXNlcjpwQHNz" in heard[0], "user:p@ss"
    assert place.token.encode() not in heard[0]


def test_an_http_proxy_is_asked_with_the_whole_address(place, monkeypatch):
    with proxy(place_of(place.address)) as (middle, heard):
        monkeypatch.setenv("http_proxy", middle)
        assert Client(f"http://{HOUSE}").get("/v1/tables") == {"tables": []}
    assert heard[0].startswith(f"GET http://{HOUSE}:80/v1/tables ".encode())


def test_this_machine_is_never_asked_through_a_proxy(place, monkeypatch):
    with proxy("127.0.0.1:1") as (middle, heard):
        monkeypatch.setenv("HTTP_PROXY", f"http://{middle}")
        monkeypatch.setenv("ALL_PROXY", f"http://{middle}")
        assert Client(place.address, place.token).get("/v1/tables") == {"tables": []}
    assert heard == []


@pytest.mark.parametrize(
    ("address", "excepted", "asked"),
    [
        ("http://house.example", "other.example", True),
        ("http://house.example", " OTHER.example , House.Example ", False),
        ("http://games.house.example", ".house.example", False),
        ("http://warehouse.example", "house.example", True),
        ("http://house.example:8001", "house.example:8000", True),
        ("http://house.example", "*", False),
        ("http://[2001:db8::7]", "[2001:db8::7]", False),
    ],
)
def test_no_proxy(monkeypatch, address, excepted, asked):
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", excepted)
    assert proxy_for(address_of(address)) == ("http://proxy.example:3128" if asked else None)


def test_each_scheme_has_its_proxy(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example:3128")
    assert proxy_for(address_of("http://house.example")) is None
    assert proxy_for(address_of("https://house.example")) == "http://proxy.example:3128"
    monkeypatch.setenv("ALL_PROXY", "http://all.example:1")
    assert proxy_for(address_of("http://house.example")) == "http://all.example:1"


@pytest.mark.parametrize("text", ["socks5://proxy.example:1080", "http://", "http://proxy.example:99999999"])
def test_a_proxy_that_cannot_be_asked_is_named(monkeypatch, text):
    monkeypatch.setenv("HTTPS_PROXY", text)
    with pytest.raises(InputError, match="HTTPS_PROXY: no proxy"):
        Client("https://house.example")


def test_a_proxy_that_refuses_is_named_without_its_password(monkeypatch):
    with scripted(reply(b"", "407 Proxy Authentication Required")) as (address, _):
        monkeypatch.setenv("HTTPS_PROXY", address.replace("//", "//user:hidden@"))
        with pytest.raises(Unreachable, match=f"the proxy {address} does not lead there.*407.*NO_PROXY") as caught:
            Client("https://house.example").get("/v1/tables")
        assert "hidden" not in str(caught.value)


# The path.


@pytest.mark.parametrize("end", ["", "/"])
def test_a_path_before_the_routes(place, end):
    with Below(place_of(place.address), "/some/games") as front:
        address = f"{front.address}/some/games"
        operator = Client(address + end, place.token)
        alice = operator.create_table("casino", table="t1").sit("alice", 1000)
        alice.send("shoe")
        assert alice.refresh()["shoe"]["commitment"]
        assert list(operator.log()) == list(place.public.log())
        with pytest.raises(Problem, match="404"):
            Client(address.removesuffix("/some/games")).get("/v1/tables")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "house.example",
        "ftp://house.example",
        "http:///v1",
        "http://house.example:port",
        "http://house.example:99999",
        "http://alice:secret@house.example",
        "http://house.example/?q=1",
        "http://house.example/#top",
        "http://house example",
        "http://[::1",
        "http://house.example\n",
    ],
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(InputError, match=r"address: .*expected http://HOST"):
        Client(text)


# Trouble.


def test_a_reading_request_is_sent_again_once_where_the_connection_was_dropped():
    whole = reply(b'{"tables":[]}')
    for cut in (b"", whole[:-3]):
        with scripted(cut, whole) as (address, heard):
            assert Client(address).get("/v1/tables") == {"tables": []}
            assert len(heard) == 2
    with scripted(b"") as (address, heard):
        with pytest.raises(Unreachable, match=r"the connection was dropped.*try again"):
            Client(address).get("/v1/tables")
        assert len(heard) == 2


def test_a_changing_request_without_a_key_is_never_sent_again():
    with scripted(b"", reply()) as (address, heard):
        with pytest.raises(Unreachable, match="the connection was dropped"):
            Client(address).raw("POST", "/v1/tables", b"{}")
        assert len(heard) == 1


def test_one_connection_serves_many_requests(place):
    count = []

    def serve(connection):
        count.append(1)
        with connect(place_of(place.address)) as outside:
            join(connection, outside)

    with listening(serve) as middle:
        client = Client(f"http://{middle}", place.token)
        client.create_table("casino", table="t1")
        for _ in range(5):
            client.get("/v1/tables")
            client.checkpoint()
            with pytest.raises(Problem, match="404"):
                client.get("/v1/tables/t2")
        client.close()
        client.get("/v1/tables")
    assert len(count) == 2


def test_trouble_is_told_as_an_error_of_the_tree_and_an_oserror():
    with listening(lambda connection: connection.recv(65_536) and connection.recv(1)) as silent:
        cases = {
            "http://127.0.0.1:1": "127.0.0.1:1: cannot connect: Connection refused; check the address",
            "http://nowhere.invalid": "nowhere.invalid:80: cannot connect: ",
            f"http://{silent}": "no answer within 0.2 s; try again",
        }
        for address, text in cases.items():
            with pytest.raises(Unreachable, match=text) as caught:
                Client(address, timeout=0.2).get("/v1/tables")
            assert isinstance(caught.value, FairshoeError)
            assert isinstance(caught.value, OSError)
            assert caught.value.remedy


def test_what_answers_but_is_no_service():
    with scripted(reply(b"<html>Welcome")) as (address, _):
        client = Client(address)
        with pytest.raises(Unreachable, match="not JSON; check that this is the address of a fairshoe service"):
            client.get("/v1/tables")
    with scripted(reply(b"\xff")) as (address, _), pytest.raises(Unreachable, match="not text"):
        Client(address).checkpoint()
    with scripted(reply(b"x" * 200_000)) as (address, _):
        with pytest.raises(Unreachable, match="too long"):
            Client(address).checkpoint()
        with pytest.raises(Unreachable, match="what comes is no log"):
            list(Client(address).log())
    with scripted(b"SSH-2.0-nothing\r\n") as (address, _), pytest.raises(Unreachable):
        Client(address).get("/v1/tables")
    with scripted(reply(b"<html>", "502 Bad Gateway")) as (address, _), pytest.raises(Problem, match="502: <html>"):
        Client(address).get("/v1/tables")


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
    assert done.stderr.rstrip().endswith("fairshoe.client needs urllib3: pip install 'fairshoe[client]'")
