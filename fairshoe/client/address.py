"""Where a service is: scheme, host, port, the path that its routes begin with; and the proxy that leads there."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple
from urllib.request import getproxies_environment, proxy_bypass

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

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
        if self.host.rstrip(".") == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def address_of(text: str) -> Address:
    """Read an address such as `https://house.example/games/`. Raises InputError."""
    url = _read(text) if text.isascii() and text.isprintable() and " " not in text else None
    if url is None or not url.host:
        raise InputError(f"no address of a service: {text[:200]!r}", where="address", expected=EXPECTED)
    if url.auth is not None or url.query is not None or url.fragment is not None:
        raise InputError("an address has no user, query or fragment", where="address", expected=EXPECTED)
    scheme = str(url.scheme)
    port = PORTS[scheme] if url.port is None else url.port
    return Address(scheme, url.host.strip("[]"), port, (url.path or "").rstrip("/"))


def proxy_for(address: Address) -> str | None:
    """The URL of the proxy to ask, or None: this machine itself is never asked through one.

    By HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in capitals or not, as Python reads them. Raises InputError.
    """
    proxies = getproxies_environment()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if not proxy or address.loopback or proxy_bypass(address.place):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    url = _read(proxy)
    if url is None or not url.host:
        name = f"{address.scheme.upper()}_PROXY"
        raise InputError("no proxy that can be asked", where=name, expected="http://HOST:PORT or https://HOST:PORT")
    return proxy


def _read(text: str) -> Url | None:
    """A URL of http or https."""
    try:
        url = parse_url(text)
    except LocationParseError:
        return None
    return url if url.scheme in PORTS else None
