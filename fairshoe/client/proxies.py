"""The proxy for an address, from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in capitals or not."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from urllib.request import getproxies_environment

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from ..errors import InputError
from .address import Address


def proxy_for(address: Address) -> str | None:
    """The URL of the proxy to ask, or None: this machine itself is never asked through one. Raises InputError."""
    proxies = getproxies_environment()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    excepted = any(_names(entry.strip().lower(), address) for entry in proxies.get("no", "").split(","))
    if not proxy or address.loopback or excepted:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    try:
        url = parse_url(proxy)
    except LocationParseError:
        url = None
    if url is None or url.scheme not in ("http", "https") or not url.host:
        name = f"{address.scheme.upper()}_PROXY"
        raise InputError("no proxy that can be asked", where=name, expected="http://HOST:PORT or https://HOST:PORT")
    return proxy


def _names(entry: str, address: Address) -> bool:
    """Whether an entry of NO_PROXY is the host, a domain above it, its network, or `*`; a port may stand behind."""
    if entry == "*":
        return True
    domain = entry.removeprefix("*").removeprefix(".")
    if domain and any(f".{name}".endswith(f".{domain}") for name in (address.host.lower(), address.place.lower())):
        return True
    try:
        return ip_address(address.host) in ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False
