"""What clients were told, held against the log that there is at the end."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.verify.run import verify
from fairshoe.client import Client
from fairshoe.client.retries import new_key
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Tree


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
        other = Noting(self._given_address, token, self._told, **self._settings)
        other._has_answered = True
        return other

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> Any:
        key = key or new_key()
        answer = super().post(path, body, key)
        self._told.append(Told(time.time(), path, self._token, key, body or {}, answer))
        return answer


def audit_faults(log: Path) -> list[str]:
    return [f"audit: {finding}" for finding in verify(log).findings if finding.severity == "fail"]


def not_again(address: str, told: Sequence[Told]) -> list[str]:
    """Which requests are not answered as before, when they are sent again."""
    faults, clients = [], dict[str | None, Client]()
    for each in told:
        if each.token not in clients:
            clients[each.token] = Client(address, each.token)
        answer = clients[each.token].post(each.path, each.body, each.key)
        if answer != each.answer:
            faults.append(f"{each.path} is not answered as before: {answer!r:.200}")
    return faults


def checkpoint_faults(lines: Sequence[bytes], verifier: Verifier, notes: Sequence[str]) -> list[str]:
    """Of each signed head that somebody kept the log must be the same entries, or more."""
    kept = {(head.size, head.root) for head in (open_checkpoint(note, verifier) for note in notes)}
    wanted, faults, tree = dict(kept), [], Tree()
    if len(wanted) < len(kept):
        faults.append("two heads of one size were signed")
    for line in [*lines, None]:
        if tree.size in wanted and wanted.pop(tree.size) != tree.root:
            faults.append(f"checkpoint of {tree.size} entries: others are there now")
        if line is not None:
            tree.append(line)
    return faults + [f"checkpoint of {size} entries: the log has {len(lines)}" for size in wanted]


def chips_faults(lines: Sequence[bytes], told: Sequence[Told]) -> list[str]:
    """Each acknowledged move of chips stands in the log once, and no other does."""
    logged = Counter(
        _move(entry["table"], entry["op"], entry["amount"], "leaves" in entry)
        for entry in map(json.loads, lines)
        if entry["kind"] == "chips" and entry["op"] in ("buy-in", "cash-out")
    )
    said = Counter[tuple[str, str, int]]()
    for each in told:
        *_, table, what = each.path.split("/")
        if what in ("seats", "chips"):
            op, amount = each.body.get("op", "buy-in"), each.body.get("amount", 0)
            said[_move(table, op, amount, each.body.get("leave", False))] += 1
    return [
        f"told {said[move]} times, in the log {logged[move]}: {move}"
        for move in logged | said
        if said[move] != logged[move]
    ]


def _move(table: str, op: str, amount: int, leaves: bool) -> tuple[str, str, int]:
    return (table, "leave", 0) if leaves else (table, op, amount)
