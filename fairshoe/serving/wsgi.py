"""A WSGI application asked from ASGI: the environment of a request (PEP 3333), the answer in parts, and which
addresses of clients count as one."""

from __future__ import annotations

import io
import ipaddress
import sys
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import WSGIApplication

from ..errors import InputError

Scope = MutableMapping[str, Any]
"""A request as ASGI has it."""
PART = 1 << 15
"""Bytes of an answer that are pulled and sent at once."""


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """Names with `_` are left out, since they would read like those with `-`; so is Upgrade, of which there is none."""
    raw_path = scope["raw_path"]
    if not raw_path.startswith(b"/"):
        raw_path = urlsplit(raw_path).path or b"/"
    host, port = scope["server"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name or name in (b"content-length", b"transfer-encoding", b"upgrade"):
            continue
        key = "CONTENT_TYPE" if name == b"content-type" else f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ


class Answer:
    """What the application answers: status, headers with lower-case names, and a body that is pulled in parts."""

    def __init__(self, application: WSGIApplication, environ: dict[str, Any]) -> None:
        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None, /) -> Any:
            self.status = int(status[:3])
            self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        self._source = application(environ, start_response)
        self._parts = iter(self._source)
        self.part = b""
        self.pull()

    def pull(self) -> bool:
        """Have the next bytes in `part`; gives whether there may be more."""
        pulled = bytearray()
        for part in self._parts:
            pulled += part
            if len(pulled) >= PART:
                break
        self.part = bytes(pulled)
        return self.more

    @property
    def more(self) -> bool:
        return len(self.part) >= PART

    def close(self) -> None:
        """Let the application let go of it."""
        if (finish := getattr(self._source, "close", None)) is not None:
            finish()


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
