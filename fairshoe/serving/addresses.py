"""Where a request comes from: the connection's other end, or what a proxy that is trusted says of it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
UNKNOWN = ipaddress.IPv6Address("::")
"""In place of an address that nobody knows, such as that of a Unix socket."""
PREFIX = 64
"""What one household has of IPv6: its addresses count as one."""


class Proxies(NamedTuple):
    """The proxies whose word is believed, and the one header (lower-case) in which they give it."""

    networks: tuple[Network, ...] = ()
    header: str = "x-forwarded-for"

    def trusts(self, address: Address) -> bool:
        return any(address in network for network in self.networks)

    def client(self, peer: str | None, said: str | None) -> Address:
        """The client of a connection from `peer`: the last hop in the header's value `said` that is no such proxy.

        What stands further left was sent by the client itself, and may be anything."""
        address = address_of(peer or "") or UNKNOWN
        hops = (said or "").split(",")
        while hops and self.trusts(address):
            hop = hops.pop().strip()
            found = address_of(_forwarded(hop) if self.header == "forwarded" else hop)
            if found is None:
                break
            address = found
        return address


def proxies_of(trusted: Sequence[str], header: str = "x-forwarded-for") -> Proxies:
    """Raises InputError where one is neither an address nor a network."""
    return Proxies(tuple(map(network_of, trusted)), header)


def network_of(text: str) -> Network:
    """A network, or one address as a network of its own. Raises InputError."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise InputError(
            f"{text[:60]!r} is neither an address nor a network", expected="such as 10.0.0.5 or 10.0.0.0/8"
        ) from None


def address_of(text: str) -> Address | None:
    """An address as it stands in a header, with or without a port."""
    host = text.removeprefix("[").partition("]")[0] if text.startswith("[") else text
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _forwarded(hop: str) -> str:
    """The `for` of one element of a Forwarded header (RFC 7239)."""
    for pair in hop.split(";"):
        name, _, value = pair.strip().partition("=")
        if name.lower() == "for":
            return value.strip('"')
    return ""


def group(address: Address) -> str:
    """What counts as one address."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, PREFIX), strict=False))
    return str(address)
