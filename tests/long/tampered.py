"""Ten large logs, each tampered with in one way by a house that signs what it likes: what a reader must see at once."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.log.canonical import encode
from fairshoe.log.directory import CHECKPOINT, write_log
from tests.house import SIGNER, House, honest

Entry = dict[str, Any]
KEY = str(SIGNER.verifier)
SEATS = {"banker": (1,)}


class Tampered(NamedTuple):
    """A way to tamper. `change` gives the entries afterwards; `unsigned`: the old checkpoint stays beside them;
    `remembered`: the reader has it from before."""

    name: str
    game: str
    change: Callable[[list[Entry]], list[Entry]]
    unsigned: bool = False
    remembered: bool = False

    def write(self, folder: Path, rounds: int) -> list[str]:
        """Write the log, and what is remembered; the words after `fairshoe-audit verify`."""
        house = honest_log(self.game, rounds)
        entries = self.change([json.loads(line) for line in house.lines])
        old = folder / "before"
        house.write(old)
        write_log(folder / "log", map(encode, entries), SIGNER)
        if self.unsigned:
            (folder / "log" / CHECKPOINT).write_bytes((old / CHECKPOINT).read_bytes())
        return ["log", "--key", KEY, *(["--checkpoint", f"before/{CHECKPOINT}"] if self.remembered else [])]


@cache
def honest_log(game: str, rounds: int) -> House:
    return honest(game, rounds, seats=SEATS.get(game, (1, 2, 3)), chips=1_000_000)


def of_kind(entries: list[Entry], kind: str) -> list[int]:
    return [index for index, entry in enumerate(entries) if entry["kind"] == kind]


def a_seed_changed(entries: list[Entry]) -> list[Entry]:
    """One player's seed in one shoe."""
    opened = of_kind(entries, "opened")
    entry = entries[opened[len(opened) // 2]]
    entry["seed"] = entry["seed"][2:] + entry["seed"][:2]
    return entries


def payouts_short(entries: list[Entry]) -> list[Entry]:
    """Whoever sits in the first chair gets a tenth less of every win, and the house the tenth more, all along."""
    kept = 0
    for entry in entries:
        for hand in entry.get("hands", ()):
            if hand["seat"] == 1 and hand["net"] >= 10:
                kept += hand["net"] // 10
                hand["net"] -= hand["net"] // 10
        chips = entry.get("chips", {})
        for account, sign in (("1", -1), ("house", 1)):
            if account in chips:
                chips[account] += sign * kept
    return entries


def a_key_exchanged(entries: list[Entry]) -> list[Entry]:
    reveals = of_kind(entries, "reveal")
    entries[reveals[len(reveals) // 3]]["key"] = "5a" * 32
    return entries


def cards_swapped(entries: list[Entry]) -> list[Entry]:
    """In 300 rounds two cards change places."""
    rounds = [i for i in of_kind(entries, "round") if entries[i]["cards"][0] != entries[i]["cards"][1]]
    for index in random.Random(1).sample(rounds, min(300, len(rounds) // 4)):
        cards = entries[index]["cards"]
        cards[0], cards[1] = cards[1], cards[0]
    return entries


def rounds_dropped(entries: list[Entry]) -> list[Entry]:
    """Some rounds that nobody is to know of, bets and all."""
    opens = of_kind(entries, "open")
    gone = {entries[i]["round"] for i in random.Random(2).sample(opens, min(12, len(opens) // 4))}
    return [e for e in entries if e["kind"] not in ("open", "reshuffle", "round") or e["round"] not in gone]


def tail_cut(entries: list[Entry]) -> list[Entry]:
    return entries[: -len(entries) // 10]


def history_rewritten(entries: list[Entry]) -> list[Entry]:
    """How a player's name is written: nothing else in the log contradicts it."""
    entry = next(entry for entry in entries if "name" in entry)
    entry["name"] = "Somebody Else"
    return entries


def a_field_nobody_knows(entries: list[Entry]) -> list[Entry]:
    rounds = of_kind(entries, "round")
    entries[rounds[len(rounds) // 2]]["note"] = "x"
    return entries


def decisions_too_early(entries: list[Entry]) -> list[Entry]:
    """The table decides for the first chair before its time is over."""
    rounds = of_kind(entries, "round")
    for index in random.Random(3).sample(rounds, min(400, len(rounds) // 4)):
        for decision in entries[index]["decisions"]:
            if decision["move"] == "stand":
                decision["by"] = "table"
    return entries


def chips_minted(entries: list[Entry]) -> list[Entry]:
    """A buy-in of which ten thousand more arrive."""
    buy_in = of_kind(entries, "chips")[0]
    account = str(entries[buy_in]["seat"])
    for entry in entries[buy_in:]:
        chips = entry.get("chips", {})
        if account in chips:
            chips[account] += 10_000
    return entries


TAMPERED = (
    Tampered("a-seed-changed", "casino", a_seed_changed),
    Tampered("payouts-a-tenth-short", "banker", payouts_short),
    Tampered("a-key-exchanged", "lounge", a_key_exchanged),
    Tampered("cards-swapped-in-300-rounds", "boxes", cards_swapped),
    Tampered("rounds-dropped", "pontoon", rounds_dropped),
    Tampered("tail-cut", "chinese", tail_cut, unsigned=True),
    Tampered("history-rewritten", "casino", history_rewritten, remembered=True),
    Tampered("a-field-nobody-knows", "chinese", a_field_nobody_knows),
    Tampered("decisions-too-early", "casino", decisions_too_early),
    Tampered("chips-minted", "pontoon", chips_minted),
)


def written(folder: Path, rounds: int) -> Iterator[tuple[str, Path, list[str]]]:
    """Each log in a folder of its own: its name, that folder, the words after `fairshoe-audit verify` there."""
    for tampered in TAMPERED:
        place = folder / tampered.name
        yield tampered.name, place, tampered.write(place, rounds)
