"""Whatever a game passes by mistake: an InputError that names the argument and says what to pass instead."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import fairshoe
from fairshoe import Committed, FairshoeError, InputError, Proof, Sealed, errors, protocol
from fairshoe.protocol.shoe import NoLongerOpen, NotSealed
from tests.second.vectors import load

KEY = bytes(range(32))
SEED = b"a seed"
HASH = "5f" * 32


class Int:
    """A whole number that is no int, as those of numpy."""

    def __index__(self) -> int:
        return 6

    __int__ = __index__


class Broken:
    """Not even to be looked at."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class Number(IntEnum):
    SIX = 6


ODD: list[Any] = [
    *(None, True, False, 0, -1, 2**70, 6.0, Int(), Number.SIX, Decimal(6), float("nan"), 1j),
    *("", "x", "x" * 10_000, "\ud800", "00" * 32, "0X" * 32, "6", b"", b"x", bytes(33), bytearray(32), memoryview(KEY)),
    *([], (), {}, set(), [None], [[]], ["a", b"b"], [b"a"], {"a": b"x"}, {"a", "b"}, {1: 2}, [("a", "x")], [("a",)]),
    *(["a", 1], [{}], ["ab"], range(3), iter(()), (n for n in "ab"), object(), Broken(), str, len, ...),
    *([[1, [2], 3]], {"a": [6]}, {"a": (6, Int())}, {"a": None}, {b"a": 6}, ("ab", 1), ("ab", "1", "cd"), {"ab": 1}),
]


def committed() -> Committed:
    return fairshoe.commit("s", ["a", "b", "c"], draws={"dice/0": 6}, key=KEY)


def pledged() -> Committed:
    shoe = committed()
    shoe.pledge("alice", HASH)
    return shoe


def sealed() -> Sealed:
    return committed().seal()


def proof() -> Proof:
    return sealed().reveal()


SHOE: dict[str, Any] = {"key": KEY, "shoe": "s", "deck": ["a", "b"]}
MIXED_IN: dict[str, Any] = {"seeds": [("a", b"x")], "beacon": ("ab", 1, "cd"), "cut": 0}
PLACER: dict[str, Any] = {"placer": None}
ROUND: dict[str, Any] = {"beacon": None}
RAFFLE: dict[str, Any] = {
    "shoe": "s",
    "entries": ["a"],
    "prizes": 1,
    "draws": 1,
    "beacon": fairshoe.drand_quicknet(2**32),
    "key": KEY,
    "now": 0,
}
DRAWN = fairshoe.raffle(**RAFFLE | {"beacon": fairshoe.drand_quicknet(1000)}).draw(load("beacons")[0]["signature"])
CHECKED: dict[str, Any] = {"proof": DRAWN.reveal(), "entries": DRAWN.entries, "notice": None}
DRAWS = {"draws": {"dice/0": 6}}


def notes() -> list[dict[str, Any]]:
    """Of a shoe that became void."""
    with TemporaryDirectory() as folder:
        record = fairshoe.Record.commit(Path(folder) / "shoe", KEY, "s", ["a"], publish=print)
        record.void()
        record.close()
    return record.notes


BEACON: dict[str, Any] = {"chain": "ab", "number": 1, "randomness": "cd"}
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "commit": (fairshoe.commit, SHOE | DRAWS | PLACER | ROUND),
    "Committed": (Committed, SHOE | DRAWS | PLACER | ROUND),
    "Committed.pledge": (lambda **given: committed().pledge(**given), {"contributor": "bob", "sha256": HASH}),
    "Committed.strike": (lambda **given: pledged().strike(**given), {"contributor": "alice"}),
    "Committed.contribute": (lambda **given: committed().contribute(**given), {"contributor": "a", "seed": SEED}),
    "Committed.fix_cut": (lambda **given: committed().fix_cut(**given), {"at": 1}),
    "Committed.add_beacon": (lambda **given: committed().add_beacon(**given), BEACON),
    "Committed.seal": (lambda **given: committed().seal(**given), {"cut": 1, "signature": None}),
    "seal": (fairshoe.seal, SHOE | MIXED_IN | DRAWS),
    "shuffle": (fairshoe.shuffle, SHOE | MIXED_IN),
    "Sealed": (Sealed, {"key": KEY, "transcript": sealed().transcript, "deck": ["a"], "cut": 0} | DRAWS),
    "Sealed.draw": (lambda **given: sealed().draw(**given), {"count": 1}),
    "Sealed.first": (lambda **given: sealed().first(**given), {"count": 1}),
    "Sealed.go_to": (lambda **given: sealed().go_to(**given), {"position": 1}),
    "Sealed.number": (lambda **given: sealed().number(**given), {"name": "dice/0"}),
    "Sealed.open": (lambda **given: sealed().open(**given), {"position": 1}),
    "Sealed.reshuffle": (lambda **given: sealed().reshuffle(**given), {"gathered": [0, 1], "cut": True}),
    "Proof": (Proof, vars(proof())),
    "Proof.from_json": (Proof.from_json, {"text": proof().to_json()}),
    "verify": (fairshoe.verify, {"proof": proof(), "commitment": proof().commitment, "signature": None}),
    "keep": (fairshoe.keep, {"shoe": sealed(), "secret": KEY}),
    "resume": (fairshoe.resume, {"data": fairshoe.keep(sealed(), KEY), "secret": KEY} | PLACER),
    "commitment_of": (fairshoe.commitment_of, {"key": KEY}),
    "drand_quicknet": (fairshoe.drand_quicknet, {"number": 1000}),
    "raffle": (fairshoe.raffle, RAFFLE),
    "Entries": (fairshoe.Entries, {"entries": ["a"]}),
    "check_raffle": (fairshoe.check_raffle, CHECKED),
    "check_record": (fairshoe.check_record, {"notes": notes(), "seeds": None}),
    "french": (fairshoe.french, {"packs": 1}),
}
ARGUMENTS = [(name, argument) for name, (_, good) in CALLS.items() for argument in good]
NAMED_BY_THEIR_PART = {
    "seeds": "contributor",
    "draws": "draw",
    "sha256": "pledge",
    "beacon": "beacon chain",
    "deck": "deck[",
    "gathered": "reshuffle",
    "placer": "commitment",
    "chain": "beacon chain",
    "number": "beacon round",
    "randomness": "beacon randomness",
    "reshuffles": "gathered",
    "text": "proof",
    "notes": "note",
}


@pytest.mark.parametrize("name", CALLS)
def test_every_argument_is_tried(name: str) -> None:
    call, good = CALLS[name]
    call(**good) if name != "Committed.strike" else None
    owner, _, method = name.partition(".")
    function = getattr(getattr(fairshoe, owner), method) if method else getattr(fairshoe, owner)
    assert set(good) == set(inspect.signature(function).parameters) - {"self"}


def test_everything_public_is_tried() -> None:
    """Whatever takes an argument, but for errors and for what the package alone makes."""
    found = {name: getattr(fairshoe, name) for name in fairshoe.__all__}
    public = {name for name, it in found.items() if not (isinstance(it, type) and issubclass(it, FairshoeError))}
    public -= {"BeaconRound", "Opening", "Record", "RaffleNotice", "RaffleProof", "TicketProof", "Verified", "new_key"}
    for owner in ("Committed", "Sealed", "Proof"):
        for method, found in inspect.getmembers(getattr(fairshoe, owner), callable):
            if found in (*vars(NotSealed).values(), *vars(NoLongerOpen).values()):
                continue  # refused whatever is passed
            if not method.startswith("_") and set(inspect.signature(found).parameters) - {"self"}:
                public.add(f"{owner}.{method}")
    assert public == set(CALLS)


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_nothing_odd_gets_past_the_checks(name: str, argument: str) -> None:
    for odd in ODD:
        error = refusal(name, argument, odd)
        if isinstance(error, InputError):
            assert error.where.startswith((argument, NAMED_BY_THEIR_PART.get(argument, argument))), odd
            assert error.expected or error.remedy, odd
        else:
            assert error is None or isinstance(error, fairshoe.VerificationError | fairshoe.RuleError), odd


def refusal(name: str, argument: str, odd: Any) -> FairshoeError | None:
    call, good = CALLS[name]
    try:
        call(**{**good, argument: odd})
    except FairshoeError as error:
        return error
    return None


TOLD: list[tuple[str, str, Any, str]] = [
    ("commit", "key", "00" * 32, "bytes.fromhex(text)"),
    ("commit", "key", b"00" * 32, "pass bytes.fromhex(key.decode())"),
    ("commit", "key", 5, 'pass bytes, such as b"…"'),
    ("commit", "key", bytes(31), "fairshoe.new_key() makes one"),
    ("commit", "shoe", "my game!", "another id gives another order"),
    ("commit", "shoe", "", "pass text, such as"),
    ("commit", "draws", {"dice/0": 0}, "pass how many values it has"),
    ("Committed.pledge", "sha256", "AB" * 32, "write it in lower case, without spaces or 0x"),
    ("Committed.pledge", "sha256", "5f" * 30, "these are 60 digits, not 64"),
    ("Committed.pledge", "sha256", "z" * 64, "write nothing but the digits 0-9 a-f"),
    ("Proof.from_json", "text", "\ufeff{}", "without a byte order mark"),
    ("shuffle", "seeds", [("a", b"x"), ("a", b"y")], "leave the second seed out"),
    ("Committed.contribute", "seed", "my seed", 'pass bytes, such as b"…" or bytes.fromhex(text)'),
    ("Committed.contribute", "seed", bytes(129), "hashlib.sha256(seed).digest()"),
    ("Committed.contribute", "contributor", b"alice", "pass text"),
    ("Committed.pledge", "sha256", bytes(32), "pass sha256.hex()"),
    ("shuffle", "seeds", {"alice": SEED}, "list of (contributor, bytes) pairs; pass list(seeds.items())"),
    ("shuffle", "seeds", {("alice", SEED)}, "pass sorted(seeds)"),
    ("shuffle", "seeds", iter([("alice", SEED)]), "pass list(seeds)"),
    ("shuffle", "seeds", None, 'pass a list, such as [("alice", b"…")]'),
    ("shuffle", "deck", 6, "fairshoe.french(6)"),
    ("shuffle", "deck", "Ac Kd", 'pass a list, such as ["red", "green"] or text.split()'),
    ("shuffle", "deck", {"a", "b"}, "pass sorted(deck): a set has no order"),
    ("shuffle", "deck", (label for label in "ab"), "pass list(deck)"),
    ("shuffle", "deck", [b"a"], "pass deck[0].decode()"),
    ("shuffle", "deck", [1, 2], 'pass text, such as "7" for 7'),
    ("shuffle", "beacon", {"chain": "ab", "round": 1, "randomness": "cd"}, "pass a tuple"),
    ("shuffle", "cut", -1, "an integer from 0 to 1"),
    ("shuffle", "cut", 0.5, "pass an integer"),
    ("shuffle", "cut", Int(), "an Int is not an integer"),
    ("commit", "draws", ["dice/0"], 'pass a dict, such as {"dice/0": 6}'),
    ("commit", "draws", {"dice/0": 6.0}, "pass an integer"),
    ("Sealed.number", "name", "dice/1", "committed: dice/0; list it in the `draws` of the next shoe"),
    ("Sealed.reshuffle", "cut", 20, "pass True for a cut at the named draw"),
    ("Sealed.reshuffle", "gathered", iter([1]), "pass list(gathered)"),
    ("Sealed.reshuffle", "gathered", 3, "a list of indexes"),
    ("verify", "proof", "{}", "pass fairshoe.Proof.from_json(text)"),
    ("verify", "commitment", bytes(32), "pass commitment.hex()"),
    ("Proof.from_json", "text", b"{}", "pass text.decode()"),
    ("Proof.from_json", "text", {}, "json.dumps(text)"),
    ("french", "packs", "6", "pass an integer"),
    ("keep", "shoe", proof(), "pass what fairshoe.commit or .seal() returned"),
    ("resume", "data", "text", "pass bytes"),
]


@pytest.mark.parametrize(
    ("name", "argument", "odd", "told"), TOLD, ids=[f"{a} {b} {i}" for i, (a, b, *_) in enumerate(TOLD)]
)
def test_the_error_says_what_to_pass(name: str, argument: str, odd: Any, told: str) -> None:
    call, good = CALLS[name]
    with pytest.raises(InputError) as caught:
        call(**{**good, argument: odd})
    assert told in str(caught.value)


class Suit(StrEnum):
    RED = "red"


class OldSuit(str, Enum):  # noqa: UP042
    RED = "red"


@pytest.mark.parametrize("suit", [Suit.RED, OldSuit.RED])
def test_text_of_a_kind_of_its_own_counts_as_its_text(suit: Any) -> None:
    plain = fairshoe.seal(key=KEY, shoe="red", deck=["red"], seeds=[("red", SEED)], draws={"red": 6})
    made = fairshoe.seal(key=KEY, shoe=suit, deck=[suit], seeds=[(suit, SEED)], draws={suit: 6})
    assert made.transcript.text == plain.transcript.text
    assert made.deck.hash == plain.deck.hash
    assert [type(label) for label in (made.draw(), *made.draws)] == [str, str]
    assert made.number(suit) == plain.number("red")


def test_every_error_that_the_package_raises_is_exported() -> None:
    """Those of the tree, and those that a module of the protocol defines."""
    defined = {
        node.name
        for path in [Path(errors.__file__), *Path(str(protocol.__file__)).parent.glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and any("Error" in ast.unparse(base) for base in node.bases)
    } | {"FairshoeError"}
    assert defined <= set(fairshoe.__all__)
