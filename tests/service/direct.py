"""Clients that ask the application itself, where it matters what it answers and not how it is reached."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit
from wsgiref.types import WSGIApplication

import urllib3
from werkzeug.test import Client

from fairshoe.client.connection import Connection

_APPLICATIONS: dict[str, WSGIApplication] = {}
_of_sockets = Connection._make_pool


class Pool:
    """In the place of urllib3's, for one application: the same requests and answers, without a socket."""

    def __init__(self, application: WSGIApplication) -> None:
        self._client = Client(application)

    def request(
        self, method: str, url: str, *, body: bytes | None, headers: Mapping[str, str], **_: Any
    ) -> urllib3.BaseHTTPResponse:
        parts = urlsplit(url)
        told = self._client.open(
            parts.path,
            method=method,
            query_string=parts.query,
            headers=headers,
            data=body,
            base_url=f"http://{parts.netloc}",
            environ_base={"REMOTE_ADDR": "127.0.0.1"},
        )
        return urllib3.HTTPResponse(
            io.BytesIO(told.get_data()), list(told.headers), told.status_code, preload_content=False
        )

    def clear(self) -> None:
        """It keeps no connection."""


def _make_pool(connection: Connection, ca: Path | None) -> Any:
    application = _APPLICATIONS.get(str(connection.address))
    return _of_sockets(connection, ca) if application is None else Pool(application)


@contextmanager
def answered_by(application: WSGIApplication, address: str) -> Iterator[None]:
    """Clients of this address that are made meanwhile ask the application."""
    _APPLICATIONS[address] = application
    try:
        with patch.object(Connection, "_make_pool", _make_pool):
            yield
    finally:
        del _APPLICATIONS[address]
