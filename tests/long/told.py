"""What the service answered, and when: none of it may be lost."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.client import Client
from fairshoe.client.connection import new_key
from fairshoe.service.app import create_app
from fairshoe.service.house import open_house
from tests.long.held import audit_faults, log_of


class Told(NamedTuple):
    """An answered request; `log` is the number of entries that its answer named."""

    at: float
    path: str
    token: str | None
    key: str
    body: dict[str, Any]
    answer: dict[str, Any]

    @property
    def log(self) -> int:
        return int(self.answer.get("state", self.answer)["log"])


class Noting(Client):
    """A client that notes every answer to a changing request in `told`."""

    def __init__(self, address: str, token: str | None, told: list[Told], **settings: Any) -> None:
        super().__init__(address, token, **settings)
        self._token, self._told = token, told

    def with_token(self, token: str | None) -> Client:
        return Noting(self._given, token, self._told, **self._settings)

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        key = key or new_key()
        answer = super().post(path, body, key)
        self._told.append(Told(time.time(), path, self._token, key, body or {}, answer))
        return answer


def lost(data: Path, copy: Path, told: Sequence[Told], seen: int, final: Sequence[bytes], again: int) -> list[str]:
    """What a house that starts on `data` has lost of what was told: its log is a beginning of the `final` one with the
    entries that were `seen`, the last answers are given `again`, and the audit is clean once it has started."""
    lines, _ = log_of(data, copy)
    faults = [f"entry {i} is another" for i, line in enumerate(lines) if final[i : i + 1] != [line]]
    wanted = max([seen, *(each.log for each in told)])
    if len(lines) < wanted:
        faults.append(f"{len(lines)} entries are left of {wanted}")
    faults += _not_again(data, told[-again:])
    started = copy.with_name(copy.name + "-started")
    return faults + (audit_faults(started) if log_of(data, started)[0] else [])


def _not_again(data: Path, told: Sequence[Told]) -> list[str]:
    house = open_house(data)
    house.sequencer.start()
    client, faults = create_app(house.sequencer).test_client(), []
    for each in told:
        headers = {"Idempotency-Key": each.key, "Content-Type": "application/json"}
        if each.token is not None:
            headers["Authorization"] = f"Bearer {each.token}"
        answer = client.post(each.path, data=json.dumps(each.body), headers=headers)
        if answer.headers.get("Idempotent-Replay") != "true" or json.loads(answer.data) != each.answer:
            faults.append(f"{each.path} is not answered as before: {answer.data[:200]!r}")
    house.database.close()
    return faults
