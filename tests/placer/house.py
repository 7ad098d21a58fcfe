"""The honest house of the auditor's tests with placers at its tables: a second reading of what belongs to their chains.

Its placers are in memory. What is asked of them is written down as a house plays; when an entry is logged that shows
places, the chain is made by `tests.second.placing` from its first step on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placed import PlacedShoe
from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.transcript import Placer, Seed, Transcript
from fairshoe.protocol.words import drawn, places
from fairshoe.record.entries import placed_entry
from tests.house import SIGNER, House, Prepared, Seating
from tests.second import placing as second

ENDS = ("reveal", "void", "lost")
PLACERS = (Signer("placer.example", bytes(31) + b"1"),)
TWO = (*PLACERS, Signer("other.example", bytes(31) + b"2"))


class Steps:
    """A shoe at its placers: of each its key, its steps with the parts of what happened before them, the places that it
    gave since the last entry. A number among the parts is that of a decision of the entry to come."""

    def __init__(self, shoe: str, commitment: str, signers: Sequence[Signer], keys: Sequence[bytes]) -> None:
        self.shoe, self.commitment, self.signers, self.keys = shoe, commitment, signers, keys
        self.steps: list[list[tuple[list[Any], str]]] = [[] for _ in keys]
        self.given: list[list[int]] = [[] for _ in keys]
        self.parts: list[Any] = []
        self.stand: list[str] = []
        self.made = 0

    def shuffle(self, size: int, digest: bytes) -> None:
        self.orders = [places(key, digest, size) for key in self.keys]
        parts, self.parts = self.parts, []
        for steps in self.steps:
            steps.append((parts, f"shuffle {size} {digest.hex()}"))

    def card(self, place: int) -> int:
        parts, self.parts = self.parts, []
        for number, steps in enumerate(self.steps):
            given = self.place(number, place)
            steps.append((parts, f"card {place} {given}"))
            self.given[number].append(given)
            place = given
        return place

    def place(self, number: int, place: int) -> int:
        return self.orders[number][place]

    def end(self) -> None:
        for steps in self.steps:
            steps.append((self.stand, "end"))

    def made_of(self, decisions: Sequence[dict[str, Any]]) -> None:
        """The decisions stand in an entry now."""
        for steps in self.steps:
            for number, (parts, line) in enumerate(steps):
                texts = [encode(decisions[part]).decode() if isinstance(part, int) else part for part in parts]
                steps[number] = (texts, line)
        self.parts, self.made = [], 0

    def signature(self, number: int, *, key: bool = False) -> str:
        """The placer's, under its note after all of its steps."""
        name, c2, steps = self.signers[number].verifier.name, commitment_of(self.keys[number]), self.steps[number]
        told = [(second.since(parts), line) for parts, line in steps]
        head = second.chain(SIGNER.verifier.name, self.shoe, self.commitment, name, c2, told)[-1]
        text = f"fairshoe placing v1\n{SIGNER.verifier.name} {self.shoe}\n{c2}\n{len(steps)}\n{head.hex()}\n"
        text += f"key {self.keys[number].hex()}\n" if key else ""
        return self.signers[number].sign(text).split()[-1]


class PlacedHouse(House):
    """A house all of whose tables have these placers. `keeping`: their keys are not logged."""

    def __init__(self, seed: int = 1, signers: Sequence[Signer] = PLACERS) -> None:
        super().__init__(seed)
        self.signers = signers
        self.tree = Tree()
        self.steps: dict[str, Steps] = {}
        self.keeping = False

    def log(self, entry: dict[str, Any]) -> None:
        kind, steps = entry["kind"], self.steps.get(entry.get("shoe", ""))
        if kind == "table" and self.signers:
            entry |= {"placers": [str(signer.verifier) for signer in self.signers], "v": 2}
        elif kind == "shoe" and self.signers:
            entry |= {"placers": self.committed(entry), "v": 2}
        elif steps is not None and (kind == "round" or "burn" in entry or "cards" in entry) and kind != "reshuffle":
            entry |= {"placed": self.placed(steps, entry.get("decisions", [])), "v": 2}
        super().log(entry)
        self.tree.append(self.lines[-1])
        steps = self.steps.get(entry.get("shoe", ""))
        if steps is not None and kind not in ("late", "placed"):
            steps.stand = [str(self.tree.size), self.tree.root.hex()]
        if steps is not None and kind in ENDS:
            self.over(steps)

    def committed(self, entry: dict[str, Any]) -> list[dict[str, str]]:
        keys = [self.random.randbytes(32) for _ in self.signers]
        self.steps[entry["shoe"]] = self.asked(entry["shoe"], entry["commitment"], keys)
        pairs = zip(keys, self.signers, strict=True)
        return [{"commitment": commitment_of(key), "key": str(signer.verifier)} for key, signer in pairs]

    def asked(self, shoe: str, commitment: str, keys: list[bytes]) -> Steps:
        return Steps(shoe, commitment, self.signers, keys)

    def placed(self, steps: Steps, decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        steps.made_of(decisions)
        given, steps.given = steps.given, [[] for _ in steps.keys]
        return [{"places": each, "signature": steps.signature(number)} for number, each in enumerate(given)]

    def over(self, steps: Steps) -> None:
        """The shoe has ended, and its placers' keys come."""
        steps.end()
        if not self.keeping:
            self.reveal_keys(steps)

    def reveal_keys(self, steps: Steps) -> None:
        for number, signer in enumerate(steps.signers):
            key, many, signature = steps.keys[number].hex(), len(steps.steps[number]), steps.signature(number, key=True)
            self.log(placed_entry(self.at(), steps.shoe, signer.verifier.name, key, many, signature))


class PlacedSeating(Seating):
    """A table with placers."""

    house: PlacedHouse
    asking: Steps | None = None

    def order(self, shoe: Prepared) -> Sealed:
        deck, draws, steps = named_deck(self.rules.deck), self.rules.draws(), self.house.steps[shoe.id]
        names = [signer.verifier.name for signer in steps.signers]
        placers = tuple(Placer(name, commitment_of(key)) for name, key in zip(names, steps.keys, strict=True))
        seeds = tuple(Seed(who, shoe.seeds[who]) for who in shoe.roster if who in shoe.seeds)
        transcript = Transcript(shoe.id, len(deck), deck.hash, commitment_of(shoe.key), seeds, placers=placers)
        cut = 0
        if shoe.cut is not None:
            cut = int(shoe.cut["at"])
        elif "cut" in draws:
            cut = drawn(shoe.key, transcript.digest, "cut", len(deck))
        steps.parts = list(steps.stand)
        return PlacedShoe(shoe.key, transcript, deck, steps, cut=cut, draws=draws)

    def cards(self, sealed: Sealed) -> ShoeCards:
        """A round's first card comes after all that the log has of the shoe."""
        self.asking = self.house.steps[sealed.shoe]
        self.asking.parts, self.asking.made = list(self.asking.stand), 0
        return super().cards(sealed)

    def round(self, *about: Any) -> None:
        super().round(*about)
        self.asking = None

    def choose(self, ask: Ask) -> Decision:
        if self.asking is not None:
            self.asking.parts.append(self.asking.made)
            self.asking.made += 1
        return super().choose(ask)


def placed(
    game: str,
    rounds: int = 12,
    *,
    kind: type[PlacedSeating] = PlacedSeating,
    house: PlacedHouse | None = None,
    **options: Any,
) -> PlacedHouse:
    """A house with a table of these rules and some rounds played."""
    house = house or PlacedHouse()
    if game == "casino":
        options.setdefault("packs", 3)
    kind(house, game, game, (1,) if game == "banker" else (1, 2, 3), **options).play(rounds)
    return house


def entries_in(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.lines]
