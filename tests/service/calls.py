"""Requests as they are, with every header of the answer, and nothing done about a refusal."""

from __future__ import annotations

import http.client
import json
from typing import NamedTuple
from urllib.parse import urlsplit

from werkzeug.test import Client


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
