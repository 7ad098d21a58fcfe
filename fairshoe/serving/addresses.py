"""Addresses of clients, and which of them count as one."""

from __future__ import annotations

import ipaddress

from ..errors import InputError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
UNKNOWN = ipaddress.IPv6Address("::")
"""In place of an address that nobody knows."""
PREFIX = 64
"""What one household has of IPv6: its addresses count as one."""


def network_of(text: str) -> Network:
    """A network, or one address as a network of its own. Raises InputError."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise InputError(
            f"{text[:60]!r} is neither an address nor a network", expected="such as 10.0.0.5 or 10.0.0.0/8"
        ) from None


def address_of(text: str) -> Address:
    """The address that a client has, UNKNOWN where it is none."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return UNKNOWN
    return getattr(address, "ipv4_mapped", None) or address


def group(address: Address) -> str:
    """What counts as one address."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, PREFIX), strict=False))
    return str(address)
