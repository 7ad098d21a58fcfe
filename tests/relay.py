"""A relay of drand on this machine, at the paths of the real one: it has two published rounds of quicknet."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fairshoe.protocol.beacons import QUICKNET
from tests.second.vectors import load


class Relay:
    """A WSGI application. `answers`: what it says instead, by round, as (status, body); `asked`: the paths of rounds;
    `starts`: how often it was asked for the newest one."""

    def __init__(self) -> None:
        self.answers: dict[int, tuple[str, bytes]] = {}
        self.asked: list[str] = []
        self.starts = 0

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        chain, public, number = environ["PATH_INFO"].split("/")[1:]
        if number == "latest":
            self.starts += 1
            status, body = "200 OK", json.dumps(load("beacons")[-1]).encode()
        else:
            self.asked.append(environ["PATH_INFO"])
            status, body = self._answer(chain, public, number)
        start(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    def _answer(self, chain: str, public: str, number: str) -> tuple[str, bytes]:
        if (chain, public) != (QUICKNET, "public"):
            return "404 Not Found", b"{}"
        if int(number) in self.answers:
            return self.answers[int(number)]
        form = next((each for each in load("beacons") if each["round"] == int(number)), None)
        return ("404 Not Found", b"{}") if form is None else ("200 OK", json.dumps(form).encode())
