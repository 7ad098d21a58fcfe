"""One keep-alive connection to a service, by urllib3: address, proxy, TLS, time-outs, errors that say what to do."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from urllib.request import getproxies_environment, proxy_bypass

import urllib3
from urllib3 import exceptions as broken
from urllib3.util import Url, make_headers, parse_url

from .errors import FairshoeError, InputError

CONNECT_SECONDS = 15.0
TRY_AGAIN = "try again; if it stays so, ask whoever runs the service"
PORTS = {"http": 80, "https": 443}
EXPECTED = "http://HOST[:PORT][/PATH] or https://HOST[:PORT][/PATH]"


class Unreachable(FairshoeError, OSError):
    """No service answered. `dropped`: the connection ended first; `timed_out`: no answer in time; `unsent`: nobody
    listened. If one of them holds asking again may help."""

    fault = "machine"

    def __init__(
        self, what: str, *, dropped: bool = False, timed_out: bool = False, unsent: bool = False, **told: str
    ) -> None:
        super().__init__(what, **told)
        self.dropped = dropped
        self.timed_out = timed_out
        self.unsent = unsent


def address_of(text: str) -> Url:
    """Read an address such as `https://house.example/games/`, with its port. Raises InputError."""
    url = _read(text) if text.isascii() and text.isprintable() and " " not in text else None
    if url is None or not url.host:
        raise InputError(f"no address of a service: {text[:200]!r}", where="address", expected=EXPECTED)
    if url.auth is not None or url.query is not None or url.fragment is not None:
        raise InputError("an address has no user, query or fragment", where="address", expected=EXPECTED)
    return url._replace(port=url.port or PORTS[str(url.scheme)], path=(url.path or "").rstrip("/"))


def is_loopback(address: Url) -> bool:
    """Whether what is sent there stays on this machine."""
    host = str(address.host).strip("[].")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(address: Url) -> str | None:
    """Return the URL of the proxy by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, or None: this machine is never
    asked through one. Raises InputError."""
    proxies = getproxies_environment()
    proxy = proxies.get(str(address.scheme)) or proxies.get("all")
    if not proxy or is_loopback(address) or proxy_bypass(str(address.netloc)):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    url = _read(proxy)
    if url is None or not url.host:
        name = f"{str(address.scheme).upper()}_PROXY"
        raise InputError("no proxy that can be asked", where=name, expected="http://HOST:PORT or https://HOST:PORT")
    return proxy


def _read(text: str) -> Url | None:
    """A URL of http or https."""
    try:
        url = parse_url(text)
    except broken.LocationParseError:
        return None
    return url if url.scheme in PORTS else None


# A connection.


class Connection:
    """Sends requests; follows no redirect. Not for several threads.

    Raises InputError for an address, a token or a file of CAs that cannot be used, and where the token would go in
    clear over http to another machine, unless that is what `insecure` asks for.
    """

    def __init__(self, address: str, token: str | None, ca: Path | None, insecure: bool, timeout: float) -> None:
        self.address = address_of(address)
        if token is not None and self.address.scheme == "http" and not (is_loopback(self.address) or insecure):
            raise InputError(
                "the token would be sent in clear",
                where=str(self.address),
                expected="https://…",
                remedy="use https, or pass insecure=True where nobody else can listen",
            )
        if token is not None and not (token.isascii() and token.isprintable() and token.strip()):
            raise InputError("not a token", where="token", expected="one line of ASCII, as the service gave it")
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=timeout)
        self._proxy = proxy_for(self.address)
        self._pool = self._make_pool(ca)

    @contextmanager
    def answer(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[urllib3.BaseHTTPResponse]:
        """The answer, whose body is read inside; what is not read of it is dropped. Raises Unreachable."""
        try:
            response = self._pool.request(
                method,
                f"{self.address}{path}",
                body=body,
                headers={**self._headers, **(headers or {})},
                timeout=self._timeout,
                retries=False,
                redirect=False,
                preload_content=False,
            )
            try:
                if response.status in (301, 302, 303, 307, 308):
                    raise self._moved(response.headers.get("Location", ""), path)
                yield response
            finally:
                self._let_go(response)
        except broken.HTTPError as error:
            self.close()
            raise self._unreachable(error) from None

    def close(self) -> None:
        self._pool.clear()

    def _make_pool(self, ca: Path | None) -> urllib3.PoolManager:
        https = self.address.scheme == "https" or (self._proxy or "").startswith("https:")
        context = _trusting(ca) if https or ca is not None else None
        options: dict[str, Any] = {"num_pools": 1, "maxsize": 1, "ssl_context": context}
        if self._proxy is None:
            return urllib3.PoolManager(**options)
        auth = parse_url(self._proxy).auth
        headers = make_headers(proxy_basic_auth=unquote(auth)) if auth else None
        return urllib3.ProxyManager(self._proxy, proxy_headers=headers, proxy_ssl_context=context, **options)

    def _let_go(self, response: urllib3.BaseHTTPResponse) -> None:
        """Keep the connection where the answer was read to its end; whatever else comes on it is not wanted."""
        if response.closed or getattr(response, "length_remaining", None) == 0:
            response.release_conn()
        else:
            response.close()

    def _moved(self, location: str, path: str) -> Unreachable:
        to = location.split("?")[0].removesuffix(path.split("?")[0])
        remedy = f"use {to} as address if you trust it" if to else TRY_AGAIN
        return Unreachable("the service sends its callers elsewhere", where=str(self.address), remedy=remedy)

    def _unreachable(self, error: broken.HTTPError) -> Unreachable:
        where, cause = str(self.address), _reason(error)
        if isinstance(error, broken.ProxyError):
            url = parse_url(self._proxy or "")
            proxy = f"{url.scheme}://{url.netloc}"
            remedy = "check HTTP_PROXY, HTTPS_PROXY and NO_PROXY"
            return Unreachable(f"the proxy {proxy} does not lead there: {cause}", where=where, remedy=remedy)
        if isinstance(error, broken.SSLError):
            if isinstance(_innermost(error), ssl.SSLCertVerificationError):
                expected, remedy = "a certificate that this machine trusts", "give the file of the CA that signed it"
                return Unreachable(f"wrong certificate: {cause}", where=where, expected=expected, remedy=remedy)
            remedy = "check that https is spoken there"
            return Unreachable(f"no secure connection: {cause}", where=where, remedy=remedy, dropped=True)
        if isinstance(error, broken.NewConnectionError | broken.ConnectTimeoutError | broken.LocationValueError):
            remedy = "check the address, and that the service runs"
            return Unreachable(f"cannot connect: {cause}", where=where, remedy=remedy, unsent=True)
        if isinstance(error, broken.TimeoutError):
            what = f"no answer within {self._timeout.read_timeout:g} s"
            return Unreachable(what, where=where, remedy=TRY_AGAIN, timed_out=True)
        return Unreachable(f"the connection was dropped: {cause}", where=where, remedy=TRY_AGAIN, dropped=True)


def _trusting(ca: Path | None) -> ssl.SSLContext:
    """TLS with verified certificates: by the CAs of that file alone, else by those of this machine. InputError."""
    try:
        return ssl.create_default_context(cafile=ca)
    except (OSError, ValueError) as error:
        reason = "no certificates in it" if isinstance(error, ssl.SSLError) else getattr(error, "strerror", error)
        raise InputError(f"cannot read: {reason}", where=str(ca), expected="a file of CA certificates in PEM") from None


def _innermost(error: BaseException) -> BaseException:
    while True:
        inner = getattr(error, "original_error", None) or error.__cause__
        inner = inner or next((part for part in error.args if isinstance(part, BaseException)), None)
        if inner is None:
            return error
        error = inner


def _reason(error: BaseException) -> str:
    """Return the innermost cause in a few words."""
    cause = _innermost(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return cause.verify_message
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(cause) or type(cause).__name__
