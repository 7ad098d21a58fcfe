"""A WSGI application asked from ASGI: the environment of a request, and the answer in parts."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import WSGIApplication

from .answer import Answer, Headers
from .asgi import Scope

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """A request as PEP 3333 has it. Names with `_` are left out, since they would read like those with `-`; so is
    Upgrade, of which there is none."""
    raw_path = scope["raw_path"]
    if not raw_path.startswith(b"/"):
        raw_path = urlsplit(raw_path).path or b"/"
    host, port = scope.get("server") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope.get("client") else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name or name == b"upgrade":
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    if "HTTP_TRANSFER_ENCODING" in environ:
        del environ["HTTP_TRANSFER_ENCODING"]
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def ask(application: WSGIApplication, environ: dict[str, Any]) -> Answer:
    """The application's answer, whose body is not pulled yet."""
    said: list[tuple[str, Headers]] = []

    def start_response(status: str, headers: list[tuple[str, str]], error: ExcInfo | None = None, /) -> Any:
        said[:] = [(status, [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers])]

        def write(data: bytes, /) -> object:
            raise NotImplementedError("an answer is what the application returns")

        return write

    parts = application(environ, start_response)
    status, headers = said[0]
    return Answer(int(status[:3]), headers, parts)


def ask_for_all(application: WSGIApplication, environ: dict[str, Any]) -> Answer:
    """The application's answer with all of its body."""
    answer = ask(application, environ)
    try:
        return answer._replace(parts=[b"".join(answer.parts)])
    finally:
        close(answer.parts)


def close(parts: object) -> None:
    """Let the application let go of an answer's body."""
    if (finish := getattr(parts, "close", None)) is not None:
        finish()


def pull(parts: Iterator[bytes], least: int) -> bytes:
    """The next bytes, at least so many unless there are no more; empty at the end."""
    pulled = bytearray()
    for part in parts:
        pulled += part
        if len(pulled) >= least:
            break
    return bytes(pulled)
