"""Whose request it is: a proxy is believed where it is trusted, and from the right."""

from __future__ import annotations

import pytest

from fairshoe.errors import InputError
from fairshoe.service.limits import address_of, group
from fairshoe.service.settings import Settings, network_of

from .calls import call
from .place import Place
from .test_operations import lines


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
    with pytest.raises(InputError, match="neither an address nor a network"):
        network_of(text)


def test_addresses_of_one_household_count_as_one():
    one, two, other = (address_of(f"2001:db8:0:{part}") for part in ("1::1", "1:ffff::2", "2::1"))
    assert group(one) == group(two) != group(other)
    assert group(address_of("203.0.113.7")) == group(address_of("::ffff:203.0.113.7")) == "203.0.113.7"
    assert str(address_of("nonsense")) == "::"
