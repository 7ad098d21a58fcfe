"""Whose request it is: a header is believed from a trusted proxy alone, and from the right."""

from __future__ import annotations

import pytest

from fairshoe.errors import InputError
from fairshoe.serving.addresses import group, proxies_of

ONE = ["10.0.0.1"]
TWO = ["10.0.0.0/8", "2001:db8::1"]


@pytest.mark.parametrize(
    ("trusted", "peer", "said", "client"),
    [
        ([], "10.0.0.1", "203.0.113.7", "10.0.0.1"),
        (ONE, "10.0.0.2", "203.0.113.7", "10.0.0.2"),
        (ONE, "10.0.0.1", "203.0.113.7", "203.0.113.7"),
        (ONE, "10.0.0.1", None, "10.0.0.1"),
        (ONE, "10.0.0.1", "", "10.0.0.1"),
        (ONE, "10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (ONE, "10.0.0.1", "10.0.0.1, 203.0.113.7", "203.0.113.7"),
        (TWO, "10.0.0.1", "198.51.100.1, 203.0.113.7, 10.9.9.9", "203.0.113.7"),
        (TWO, "10.0.0.1", "10.3.3.3, 10.9.9.9", "10.3.3.3"),
        (TWO, "2001:db8::1", "203.0.113.7", "203.0.113.7"),
        (ONE, "10.0.0.1", "203.0.113.7:8080", "203.0.113.7"),
        (ONE, "10.0.0.1", "[2001:db8::9]:8080", "2001:db8::9"),
        (ONE, "10.0.0.1", "2001:db8::9", "2001:db8::9"),
        (ONE, "10.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"),
        (ONE, "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"),
        (ONE, "10.0.0.1", "203.0.113.7, nonsense", "10.0.0.1"),
        (ONE, "10.0.0.1", "203.0.113.7,", "10.0.0.1"),
        (ONE, "10.0.0.1", "203.0.113.0/24", "10.0.0.1"),
        (ONE, "", "203.0.113.7", "::"),
        (ONE, None, None, "::"),
    ],
)
def test_x_forwarded_for(trusted, peer, said, client):
    assert str(proxies_of(trusted).client(peer, said)) == client


@pytest.mark.parametrize(
    ("said", "client"),
    [
        ("for=203.0.113.7", "203.0.113.7"),
        ("for=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"),
        ("proto=https; For=203.0.113.7", "203.0.113.7"),
        ('for="[2001:db8::9]:4711"', "2001:db8::9"),
        ('for=198.51.100.1, for="203.0.113.7"', "203.0.113.7"),
        ('for="198.51.100.1, for="203.0.113.7"', "203.0.113.7"),
        ("for=_hidden", "10.0.0.1"),
        ("for=unknown", "10.0.0.1"),
        ("203.0.113.7", "10.0.0.1"),
    ],
)
def test_forwarded(said, client):
    assert str(proxies_of(ONE, "forwarded").client("10.0.0.1", said)) == client


@pytest.mark.parametrize("text", ["proxy", "10.0.0.1/8", "10.0.0.0/33", "", "10.0.0.1:80", "10.0.0.1,10.0.0.2"])
def test_a_proxy_that_is_no_address_is_refused(text):
    with pytest.raises(InputError, match="neither an address nor a network"):
        proxies_of([text])


def test_addresses_of_one_household_count_as_one():
    proxies = proxies_of(ONE)
    one, two, other = (proxies.client(f"2001:db8:0:{part}", None) for part in ("1::1", "1:ffff::2", "2::1"))
    assert group(one) == group(two) != group(other)
    assert group(proxies.client("203.0.113.7", None)) == "203.0.113.7"
