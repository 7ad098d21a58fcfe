"""A proof: what the house publishes at the reveal. It goes to JSON and back, and anyone verifies it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import InputError
from .commitment import check_key, commitment_of_hex, key_of_hex
from .deck import Deck, deck_of
from .text import BYTES_LIKE, bytes_of_hex, check_decimal, check_id, is_list, type_name
from .transcript import MAX_SEED, PLACED, VERSION, Beacon, Seed, check_beacon, check_seeds
from .word_stream import SPAN

FIELDS = {
    *("protocol", "shoe", "deck", "commitment", "key", "seeds"),
    *("beacon", "cut", "draws", "reshuffles", "dealt"),
}
FORM = "the form in docs/protocol.md section 10"


class ReshuffleRecord(NamedTuple):
    """A reshuffle in a deal: cards dealt before it, gathered indexes, the cut; None if the rules cut nothing here."""

    after: int
    gathered: tuple[int, ...]
    cut: int | None


class PlacerKey(NamedTuple):
    """The second dealer of a shoe: its name, its commitment, and its key, empty as long as that is not out."""

    name: str
    commitment: str
    key: bytes = b""


@dataclass(frozen=True)
class Proof:
    """A revealed shoe. Raises InputError for a field beyond its limits; `verify` decides whether they fit together."""

    key: bytes  # 32 bytes
    shoe: str  # the shoe's id
    deck: Deck  # the labels in the order before the shuffle
    commitment: str  # SHA-256 of the key, in hex
    seeds: tuple[Seed, ...] = ()  # (contributor, seed) in roster order
    beacon: Beacon | None = None  # (chain hex, round, randomness hex)
    cut: int = 0  # place of the cut, 0 for none
    draws: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # name to (bound, value)
    reshuffles: tuple[ReshuffleRecord, ...] = ()  # reshuffles in order
    dealt: int = 0  # cards drawn since the last (re)shuffle
    placer: PlacerKey | None = None  # the second dealer of the shoe

    def __post_init__(self) -> None:
        """Check every field, and give it the type that is declared."""
        checked = {
            "key": check_key(self.key),
            "shoe": check_id(self.shoe, "shoe"),
            "deck": deck_of(self.deck),
            "commitment": commitment_of_hex(self.commitment),
            "seeds": check_seeds(self.seeds),
            "beacon": check_beacon(self.beacon),
            "cut": check_decimal(self.cut, "cut"),
            "draws": _checked_draws(self.draws),
            "reshuffles": _checked_reshuffles(self.reshuffles),
            "dealt": check_decimal(self.dealt, "dealt"),
            "placer": None if self.placer is None else _checked_placer(self.placer),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def to_json(self) -> str:
        """One JSON object, indented for people."""
        body: dict[str, Any] = {
            "protocol": VERSION if self.placer is None else PLACED,
            "shoe": self.shoe,
            "deck": list(self.deck),
            "commitment": self.commitment,
            "key": self.key.hex(),
            "seeds": [[who, value.hex()] for who, value in self.seeds],
            "beacon": list(self.beacon) if self.beacon else None,
            "cut": self.cut,
            "draws": {name: list(pair) for name, pair in self.draws.items()},
            "reshuffles": [[after, list(gathered), cut] for after, gathered, cut in self.reshuffles],
            "dealt": self.dealt,
        }
        if self.placer is not None:
            body["placer"] = [*self.placer[:2], self.placer.key.hex()]
        return json.dumps(body, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """Read a proof back. InputError says what is wrong; whether it holds is `verify`'s business."""
        body = read_json(text)
        if not isinstance(body, dict) or set(body) - {"placer"} != FIELDS:
            raise InputError("wrong fields", where="proof", expected=" ".join(sorted(FIELDS)))
        version = PLACED if "placer" in body else VERSION
        if body["protocol"] != version:
            raise InputError("another protocol", where="protocol", expected=version)
        del body["protocol"]
        keys = {"key": key_of_hex(body["key"]), "seeds": _seeds(body["seeds"])}
        if "placer" in body:
            keys["placer"] = _placer(body["placer"])
        return cls(**{**body, **keys})


def _checked_draws(draws: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    if not isinstance(draws, Mapping):
        raise _wrong_shape("draws")
    checked = {}
    for name, pair in draws.items():
        who = check_id(name, "draw")
        if not is_list(pair) or len(pair) != 2:
            raise _wrong_shape(f"draw {who}")
        where = f"draw {who}"
        checked[who] = (check_decimal(pair[0], where, low=1, high=SPAN), check_decimal(pair[1], where))
    return checked


def _checked_reshuffles(records: Sequence[tuple[int, Sequence[int], int | None]]) -> tuple[ReshuffleRecord, ...]:
    if not is_list(records):
        raise _wrong_shape("reshuffles")
    return tuple(_checked_reshuffle(record) for record in records)


def _checked_reshuffle(record: tuple[int, Sequence[int], int | None]) -> ReshuffleRecord:
    if not is_list(record) or len(record) != 3 or not is_list(record[1]):
        raise _wrong_shape("reshuffles")
    after, gathered, cut = record
    return ReshuffleRecord(
        check_decimal(after, "reshuffle"),
        tuple(check_decimal(index, "gathered") for index in gathered),
        None if cut is None else check_decimal(cut, "reshuffle cut"),
    )


def _checked_placer(placer: tuple[str, str, bytes]) -> PlacerKey:
    if not is_list(placer) or len(placer) != 3:
        raise _wrong_shape("placer")
    name, commitment, key = placer
    return PlacerKey(check_id(name, "placer"), commitment_of_hex(commitment), check_key(key) if key else b"")


def _placer(parts: Any) -> PlacerKey:
    """A placer whose key is in hex."""
    if not isinstance(parts, list) or len(parts) != 3:
        raise _wrong_shape("placer")
    return PlacerKey(parts[0], parts[1], b"" if parts[2] == "" else key_of_hex(parts[2]))


def _as_text(value: object) -> str:
    if isinstance(value, BYTES_LIKE):
        return "pass text.decode()"
    return "pass the proof's JSON text: json.dumps(text), or proof.to_json()"


def _seeds(pairs: Any) -> tuple[Seed, ...]:
    """Contributors with their seeds in hex."""
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise _wrong_shape("seeds")
    return tuple(
        Seed(check_id(who, "contributor"), bytes_of_hex(value, f"seed of {who}", low=1, high=MAX_SEED))
        for who, value in pairs
    )


def _wrong_shape(where: str) -> InputError:
    return InputError("not of the right shape", where=where, expected=FORM)


def read_json(text: str) -> Any:
    """Read a proof's JSON, in which no object has a field twice. InputError."""
    if not isinstance(text, str):
        raise InputError(f"{type_name(text)} is not JSON", where="text", expected="text", remedy=_as_text(text))
    if text.startswith("\ufeff"):
        remedy = "save it as UTF-8 without a byte order mark, or pass text.removeprefix('\\ufeff')"
        raise InputError("a byte order mark", where="proof", expected="JSON that begins with {", remedy=remedy)
    try:
        return json.loads(text, object_pairs_hook=_no_duplicates, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error}", where="proof", expected=FORM) from None
    except RecursionError:
        raise InputError("nested too deeply", where="proof", expected="no more levels than a proof has") from None


def _integer(text: str) -> int | float:
    """A decimal of the protocol; what has a sign or too many digits is left a float, which no field takes."""
    return float(text) if text.startswith("-") or len(text) > 16 else int(text)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise InputError("a field stands twice in one object", where="proof", expected="each field once")
    return body
