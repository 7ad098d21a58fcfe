"""Where a service is: scheme, host, port, and the path that its routes begin with."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from ..errors import InputError

PORTS = {"http": 80, "https": 443}
EXPECTED = "http://HOST[:PORT][/PATH] or https://HOST[:PORT][/PATH]"


class Address(NamedTuple):
    """`host` without brackets; `path` is empty or begins with a slash, and does not end with one."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def place(self) -> str:
        """Host and port as they stand in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.place}{self.path}"

    @property
    def loopback(self) -> bool:
        """Whether what is sent there stays on this machine."""
        name = self.host.rstrip(".")
        if name == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def address_of(text: str) -> Address:
    """Read an address such as `https://house.example/games/`. Raises InputError."""
    try:
        url = parse_url(text) if text.isascii() and text.isprintable() and " " not in text else None
    except LocationParseError:
        url = None
    if url is None or url.scheme not in PORTS or not url.host:
        raise InputError(f"no address of a service: {text[:200]!r}", where="address", expected=EXPECTED)
    if url.auth is not None or url.query is not None or url.fragment is not None:
        raise InputError("an address has no user, query or fragment", where="address", expected=EXPECTED)
    port = PORTS[url.scheme] if url.port is None else url.port
    return Address(url.scheme, url.host.strip("[]"), port, (url.path or "").rstrip("/"))
