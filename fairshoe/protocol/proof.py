"""A proof: what the house publishes at the reveal. It goes to JSON and back, and anyone verifies it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import InputError
from .deck import Deck, deck_of
from .text import bytes_of_hex, check_decimal
from .transcript import VERSION, Beacon, Seed, check_beacon, check_seeds


class ReshuffleRecord(NamedTuple):
    """A reshuffle in the middle of a deal: cards dealt before it, the gathered indexes, the cut."""

    after: int
    gathered: tuple[int, ...]
    cut: int


@dataclass(frozen=True)
class Proof:
    """A revealed shoe. `dealt` counts the cards drawn since the last (re)shuffle.

    `draws` maps a name to (bound, value).
    """

    key: str
    shoe: str
    deck: Deck
    commitment: str
    seeds: tuple[Seed, ...] = ()
    beacon: Beacon | None = None
    cut: int = 0
    draws: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    reshuffles: tuple[ReshuffleRecord, ...] = ()
    dealt: int = 0

    def to_json(self) -> str:
        """One JSON object, indented for people."""
        body: dict[str, Any] = {
            "protocol": VERSION,
            "shoe": self.shoe,
            "deck": list(self.deck),
            "commitment": self.commitment,
            "key": self.key,
            "seeds": [[who, value.hex()] for who, value in self.seeds],
            "beacon": list(self.beacon) if self.beacon else None,
            "cut": self.cut,
            "draws": {name: list(pair) for name, pair in self.draws.items()},
            "reshuffles": [[after, list(gathered), cut] for after, gathered, cut in self.reshuffles],
            "dealt": self.dealt,
        }
        return json.dumps(body, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """Read a proof back. InputError says what is wrong; whether it holds is `verify`'s business."""
        try:
            body = json.loads(text, object_pairs_hook=_no_duplicates)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}", where="proof") from None
        wanted = {f.strip() for f in _FIELDS.split()}
        if not isinstance(body, dict) or set(body) != wanted:
            raise InputError("wrong fields", where="proof", expected=" ".join(sorted(wanted)))
        if body["protocol"] != VERSION:
            raise InputError(f"protocol {body['protocol']!r}", where="proof", expected=VERSION)
        try:
            return cls._from_body(body)
        except (TypeError, ValueError, AttributeError, KeyError):
            raise InputError("a field has the wrong shape", where="proof", expected="see docs/protocol.md") from None

    @classmethod
    def _from_body(cls, body: dict[str, Any]) -> Proof:
        bytes_of_hex(body["key"], "key", low=32, high=32)
        bytes_of_hex(body["commitment"], "commitment", low=32, high=32)
        seeds = [(who, bytes_of_hex(value, f"seed of {who}", low=1, high=128)) for who, value in body["seeds"]]
        beacon = body["beacon"]
        return cls(
            key=body["key"],
            shoe=body["shoe"],
            deck=deck_of(body["deck"]),
            commitment=body["commitment"],
            seeds=check_seeds(seeds),
            beacon=None if beacon is None else check_beacon((beacon[0], beacon[1], beacon[2])),
            cut=check_decimal(body["cut"], "cut"),
            draws={
                name: (check_decimal(m, name), check_decimal(value, name)) for name, (m, value) in body["draws"].items()
            },
            reshuffles=tuple(
                ReshuffleRecord(
                    check_decimal(after, "reshuffle"),
                    tuple(check_decimal(i, "gathered") for i in gathered),
                    check_decimal(cut, "reshuffle cut"),
                )
                for after, gathered, cut in body["reshuffles"]
            ),
            dealt=check_decimal(body["dealt"], "dealt"),
        )


_FIELDS = "protocol shoe deck commitment key seeds beacon cut draws reshuffles dealt"


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ValueError("an object has the same key twice")
    return body
