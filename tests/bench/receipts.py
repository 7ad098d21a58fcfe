"""What a receipt adds to a request, to the same request without; and how long one is."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from fairshoe.client.book import digest_of, new_token
from fairshoe.service.app import create_app
from fairshoe.service.house import open_house

from .timing import compared

REQUESTS = 40
JSON = {"Content-Type": "application/json"}


class Asking:
    """A player at a table of one, who moves chips or decides, through the application without a socket."""

    def __init__(self, app: FlaskClient, operator: str) -> None:
        self._app = app
        self._post("/v1/tables", operator, {"table": "t1", "rules": "casino"})
        self.token = new_token()
        body = {"player": "alice", "amount": 10**9, "token_sha256": digest_of(self.token)}
        self._post("/v1/tables/t1/seats", None, body)
        self.sizes: list[int] = []

    def _post(self, path: str, token: str | None, body: dict[str, Any]) -> Any:
        headers = JSON | ({} if token is None else {"Authorization": f"Bearer {token}"})
        answer = self._app.post(path, data=json.dumps(body), headers=headers)
        if answer.status_code >= 400:
            raise SystemExit(answer.text)
        return answer.json

    def chips(self) -> None:
        for _ in range(REQUESTS):
            answer = self._post("/v1/tables/t1/chips", self.token, {"op": "cash-out", "amount": 1})
            if "receipt" in answer:
                self.sizes.append(len(answer["receipt"].encode()))


@contextmanager
def asking() -> Iterator[Asking]:
    with tempfile.TemporaryDirectory() as name:
        house = open_house(Path(name))
        house.sequencer.start()
        yield Asking(create_app(house.sequencer).test_client(), house.token or "")
        house.database.close()


def run() -> None:
    with asking() as player:

        def without() -> None:
            with patch("fairshoe.service.sequencer.receipt_of", lambda *_, **__: None):
                player.chips()

        a, b, ratio = compared(player.chips, without, repeats=7)
        size = round(statistics.mean(player.sizes))
        print(
            f"receipts: a request with one {a / REQUESTS * 1e3:.2f} ms, without {b / REQUESTS * 1e3:.2f} ms: "
            f"{ratio:.2f} times its time; {size} bytes for a move of chips"
        )
