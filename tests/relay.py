"""A relay of drand on this machine, at the paths of the real one: it has two published rounds of quicknet."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fairshoe.protocol.beacons import QUICKNET
from tests.second.vectors import load


class Relay:
    """A WSGI application. `answers`: what it says instead, by round, as (status, body); `asked`: the paths."""

    def __init__(self) -> None:
        self.answers: dict[int, tuple[str, bytes]] = {}
        self.asked: list[str] = []

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        self.asked.append(environ["PATH_INFO"])
        status, body = self._answer(*environ["PATH_INFO"].split("/")[1:])
        start(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    def _answer(self, chain: str, public: str, number: str) -> tuple[str, bytes]:
        if (chain, public) != (QUICKNET, "public"):
            return "404 Not Found", b"{}"
        if int(number) in self.answers:
            return self.answers[int(number)]
        form = next((each for each in load("beacons") if each["round"] == int(number)), None)
        return ("404 Not Found", b"{}") if form is None else ("200 OK", json.dumps(form).encode())
