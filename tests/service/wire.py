"""Requests as they are, with every header of the answer, and nothing done about a refusal; over a socket a byte at a
time where that is wanted."""

from __future__ import annotations

import http.client
import json
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from werkzeug.test import Client

GET = b"GET /v1/log/vkey HTTP/1.1\r\nHost: x\r\n\r\n"


class Wire:
    """One connection; `source` is the address of this machine that it comes from."""

    def __init__(self, place, source="127.0.0.1", unread=None):
        parts = urlsplit(place.address)
        self.socket = socket.socket()
        if unread is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        self.socket.bind((source, 0))
        self.socket.settimeout(120)
        self.socket.connect((parts.hostname, parts.port))
        self._rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def answer(self):
        """Status, headers and body of the next answer, which has a length."""
        head = self._until(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        while len(self._rest) < length:
            self._more()
        body, self._rest = self._rest[:length], self._rest[length:]
        return int(lines[0].split()[1]), headers, body

    def problem(self):
        """The status of an answer that refuses, and the name of what is wrong."""
        status, headers, body = self.answer()
        assert headers["content-type"] == "application/problem+json"
        told = json.loads(body)
        assert told["status"] == status
        return status, told["type"].rpartition("#")[2]

    def is_over(self):
        """Wait until the service hangs up; whatever comes before that is left out."""
        try:
            while self.socket.recv(1 << 16):
                pass
        except ConnectionResetError:
            pass
        return True

    def _until(self, end):
        while end not in self._rest:
            self._more()
        found, _, self._rest = self._rest.partition(end)
        return found

    def _more(self):
        part = self.socket.recv(1 << 16)
        assert part, f"it hung up after {self._rest!r}"
        self._rest += part


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def call(place, method, path, body=None, token=None, **headers):
    """One request; in names of headers `_` stands for `-`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    if body is not None:
        sent["Content-Type"] = "application/json"
    if place.direct:
        data = None if body is None else json.dumps(body)
        told = Client(place.application).open(path, method=method, headers=sent, data=data)
        message = http.client.HTTPMessage()
        for name, value in told.headers:
            message[name] = value
        return Answer(told.status_code, message, told.get_data())
    connection = http.client.HTTPConnection(urlsplit(place.address).netloc)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()
