"""Proof files of single hands (docs/proof.md), and what is said of each with the house's key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.log.canonical import encode
from fairshoe.record.hand_entries import entries_for
from tests.audit.proofs import file_of
from tests.audit.telling import said
from tests.house import SIGNER, House

from . import honest
from .case import Form
from .failing import played

FOLDER = Path(__file__).parents[1] / "data" / "hands"
OUTCOMES = FOLDER / "outcomes.json"
KEY = FOLDER / "log.vkey"

Play = Callable[[House], object]


class Hand(NamedTuple):
    """`name` is the file's, without `.json`; `shows` a sentence; `outcome` what is to be said."""

    name: str
    shows: str
    outcome: str
    data: bytes


def outcome(file: Path) -> Form:
    """The `outcome` of a proof file, and the `exit` code: PASS, PASS so far, FAIL, CANNOT SAY; `refused` where it is no
    proof that the house signed, or an entry is of a version that is not known yet."""
    told = said("hand", file, "--key", KEY)
    return {"outcome": told.first.partition(":")[0] if told.out else "refused", "exit": told.code}


def outcomes() -> dict[str, Form]:
    """Every proof of the corpus by its name: what it `shows`, and what is said of it."""
    forms: dict[str, Form] = json.loads(OUTCOMES.read_text(encoding="utf-8"))
    return forms


def hands() -> Iterator[Hand]:
    for rules in ("banker", "boxes", "casino", "chinese", "lounge", "pontoon"):
        play = getattr(honest, f"game_{rules}")
        yield Hand(f"game-{rules}", f"a hand of {rules}", "PASS", proof(play, f"{rules}#2"))
    yield from unfinished()
    yield from unreadable()
    yield from wrong()


def proof(play: Play, name: str, kind: str = "", change: Callable[[Form], object] | None = None) -> bytes:
    """The file of a round of a log; in the last of its entries of a kind the house had changed something."""
    lines = played(play)
    wanted = [index for index, _ in entries_for(lines, name)]
    if change is not None:
        index = max(each for each in wanted if json.loads(lines[each])["kind"] == kind)
        entry = json.loads(lines[index])
        change(entry)
        lines[index] = encode(entry)
    return file_of(lines, name, [(index, lines[index]) for index in wanted])


def unfinished() -> Iterator[Hand]:
    void = proof(honest.void_seed_of_nobody, "boxes#1")
    yield Hand("void", "a round that was not dealt: its shoe was void since a seed lapsed", "PASS so far", void)
    lines = played(honest.game_casino)
    reveal = next(number for number, line in enumerate(lines) if b'"kind":"reveal"' in line)
    yield Hand(
        "not-revealed", "a round whose shoe is not revealed yet", "PASS so far", file_of(lines[:reveal], "casino#2")
    )


def unreadable() -> Iterator[Hand]:
    """Entries that the house signed and nobody can follow."""

    def lacks(*names: str) -> Callable[[Form], object]:
        def drop(entry: Form) -> None:
            for name in names:
                del entry[name]

        return drop

    def no_cards(entry: Form) -> None:
        del entry["hands"][0]["cards"]

    boxes, pontoon, banker = (
        partial(proof, getattr(honest, f"game_{name}")) for name in ("boxes", "pontoon", "banker")
    )
    cannot = "CANNOT SAY"
    yield Hand("round-without-decisions", "no decisions", cannot, boxes("boxes#2", "round", lacks("decisions")))
    yield Hand("seeds-without-hashes", "no hashes", cannot, pontoon("pontoon#2", "seeds", lacks("hashes")))
    yield Hand("round-hand-without-cards", "a hand without its cards", cannot, banker("banker#2", "round", no_cards))
    yield Hand("reveal-without-draws", "no draws", cannot, pontoon("pontoon#2", "reveal", lacks("draws")))
    newer = banker("banker#2", "round", lambda entry: entry.update(v=1_000))
    yield Hand("newer", "an entry of a version that nobody knows yet", "refused", newer)


def wrong() -> Iterator[Hand]:
    banker, casino = (partial(proof, getattr(honest, f"game_{name}")) for name in ("banker", "casino"))

    def said_to_cut(entry: Form) -> None:
        entry["cutter"] = entry["roster"][0]

    def another_card(entry: Form) -> None:
        entry["cards"][0] = "As" if entry["cards"][0] != "As" else "Ks"

    def another_key(entry: Form) -> None:
        entry["key"] = bytes.fromhex(entry["key"])[::-1].hex()

    def paid(entry: Form) -> None:
        entry["hands"][0]["net"] += 10

    yield Hand(
        "cutter-of-bankers-shoe", "a cutter where the rules name none", "FAIL", banker("banker#2", "shoe", said_to_cut)
    )
    yield Hand("card-swapped", "another card than the order has", "FAIL", casino("casino#2", "round", another_card))
    yield Hand(
        "key-of-another-shoe",
        "a key that does not fit the commitment",
        "FAIL",
        casino("casino#2", "reveal", another_key),
    )
    yield Hand(
        "payout-changed", "a hand that is paid otherwise than by the rules", "FAIL", casino("casino#2", "round", paid)
    )
    yield Hand("entry-changed", "an entry that the house did not sign", "refused", _unsigned(banker("banker#2")))
    yield Hand("entry-left-out", "without an entry that the hand needs", "refused", _left_out())
    yield Hand("no-proof", "a JSON object that is no proof", "refused", b"{}\n")


def _unsigned(data: bytes) -> bytes:
    form: dict[str, Any] = json.loads(data)
    form["entries"][0]["line"] = form["entries"][0]["line"].replace('"maximum":500', '"maximum":400')
    return encode(form) + b"\n"


def _left_out() -> bytes:
    lines = played(honest.game_banker)
    return file_of(
        lines, "banker#2", [(index, line) for index, line in entries_for(lines, "banker#2") if b"seal" not in line]
    )


def write_hands() -> None:
    """Those that are missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    KEY.write_text(f"{SIGNER.verifier}\n")
    forms = outcomes() if OUTCOMES.exists() else {}
    for hand in hands():
        if hand.name in forms:
            continue
        file = FOLDER / f"{hand.name}.json"
        file.write_bytes(hand.data)
        found = outcome(file)
        if found["outcome"] != hand.outcome:
            raise SystemExit(f"{hand.name}: {hand.outcome} was to be said, and {found} was")
        forms[hand.name] = {"shows": hand.shows, **found}
        print(hand.name, found)
    text = json.dumps(dict(sorted(forms.items())), indent=2, ensure_ascii=False)
    OUTCOMES.write_text(f"{text}\n", encoding="utf-8")
