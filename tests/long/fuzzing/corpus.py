"""Honest files to change: small logs of every game and of shoes without a table, proofs, decks."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

import fairshoe
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from tests.audit.tamper import leaves
from tests.everything import TICKETS, raffles
from tests.house import SIGNER, House, honest

STRANGER = Signer("fairshoe.test/other", b"the key of some other house ....")
NAMESAKE = Signer(SIGNER.verifier.name, b"another key in the same name ...")
KEY = str(SIGNER.verifier)
"""The honest house's, as somebody knows it from elsewhere."""

ROUNDS = {"banker": 3, "boxes": 3, "casino": 4, "chinese": 4, "lounge": 3, "pontoon": 4}
CHAIRS = {"banker": (1,), "boxes": (1, 3), "casino": (1, 2), "chinese": (1, 2), "lounge": (1, 2), "pontoon": (1, 2, 4)}


class Log(NamedTuple):
    """An honest log: its entries' bytes, the same parsed, its rounds as `hand` names them."""

    name: str
    lines: tuple[bytes, ...]
    entries: tuple[dict[str, Any], ...]
    rounds: tuple[str, ...]

    @property
    def text(self) -> bytes:
        return joined(self.lines)


def joined(lines: tuple[bytes, ...] | list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def signed(data: bytes, signer: Signer = SIGNER, origin: str | None = None) -> str:
    """The checkpoint that a house writes over a `log.jsonl`, whatever stands in it."""
    tree = Tree()
    lines = data.split(b"\n")
    for line in lines[:-1] if not lines[-1] else lines:
        tree.append(line)
    return Checkpoint(origin or signer.verifier.name, tree.size, tree.root).signed(signer)


def log_of(name: str, house: House) -> Log:
    entries = tuple(json.loads(line) for line in house.lines)
    rounds = [f"{e['shoe'].rpartition('/')[0]}#{e['round']}" for e in entries if e["kind"] == "round"]
    return Log(name, tuple(house.lines), entries, tuple(rounds))


@cache
def logs() -> tuple[Log, ...]:
    """Two of each game, with and without much forgetting, one of raffles, one with a shoe in play."""
    found = []
    for game, rounds in ROUNDS.items():
        options: dict[str, Any] = {"packs": 3} if game == "casino" else {}
        for seed, careless in ((1, 0.02), (7, 0.2)):
            house = honest(game, rounds, seed, CHAIRS[game], careless=careless, **options)
            found.append(log_of(f"{game} {seed}", house))
    house = House(3)
    raffles(house)
    found.append(log_of("raffles", house))
    house = honest("casino", 3, 5, (1, 2), packs=3)
    last = max(i for i, line in enumerate(house.lines) if b'"kind":"round"' in line)
    house.lines = house.lines[: last - 2]
    found.append(log_of("casino in play", house))
    return tuple(found)


@cache
def donors() -> dict[str, tuple[Any, ...]]:
    """By the name of a field: the values that it has in any kind of entry of any log."""
    values: dict[str, dict[str, Any]] = {}
    for log in logs():
        for entry in log.entries:
            for path, value in leaves(entry):
                name = next((step for step in reversed(path) if isinstance(step, str)), "")
                values.setdefault(name, {})[json.dumps(value)] = value
    return {name: tuple(some.values()) for name, some in values.items()}


@cache
def proofs() -> tuple[tuple[str, str], ...]:
    """Proofs with all that a proof may hold, and the commitments that somebody remembers."""
    found = []
    for number, (deck, draws) in enumerate(
        [(fairshoe.french(1), {"cut": 52}), (TICKETS, {"bonus/0": 1000, "bonus/1": 6}), (fairshoe.french(2), {})]
    ):
        key = bytes([number + 1]) * 32
        seeds = [("alice", b"a" * 8), ("bob", bytes(range(16)))][: 2 - number % 2]
        sealed = fairshoe.seal(key=key, shoe=f"game/{number}", deck=deck, seeds=seeds, draws=draws)
        if "cut" in draws:
            sealed = fairshoe.seal(
                key=key, shoe=f"game/{number}", deck=deck, seeds=seeds, draws=draws, cut=sealed.number("cut")
            )
        for _ in range(5):
            sealed.draw()
        if number != 1:
            sealed.reshuffle([i for i in range(len(deck)) if i % 3], cut="cut" in draws)
            for _ in range(4):
                sealed.draw()
        proof = sealed.reveal()
        found.append((proof.to_json(), proof.commitment))
    return tuple(found)


@cache
def decks() -> tuple[bytes, ...]:
    """Files with one label a line."""
    return (
        "".join(f"{label}\n" for label in TICKETS).encode(),
        "".join(f"{label}\n" for label in fairshoe.french(1)).encode(),
        "Zoë\n千代\n🂡\nAnn-Marie O’Neil".encode(),
    )
