"""The honest house of the auditor's tests with a placer at its tables: a second reading of what belongs to its chain.

The placer is in memory. What is asked of it is written down as a house plays; when an entry is logged that shows
places, the chain is made by `tests.second.placing` from its first step on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from fairshoe.cards import named_deck
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.canonical import encode
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placed_shoe import PlacedShoe
from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.transcript import PlacerCommitment, Seed, Transcript
from fairshoe.protocol.word_stream import draw_named, places
from fairshoe.record.entries import placed_entry
from tests.house import SIGNER, House, Prepared, Seating, find_chairs
from tests.second import placing as second

ENDS = ("reveal", "void", "lost")
PLACER = Signer("placer.example", bytes(31) + b"1")
OTHER = Signer("other.example", bytes(31) + b"2")


class Steps:
    """A shoe at its placer: its key, its steps with the parts of what happened before them, the places that it gave
    since the last entry. A number among the parts is that of a decision of the entry to come."""

    def __init__(self, shoe: str, commitment: str, signer: Signer, key: bytes) -> None:
        self.shoe, self.commitment, self.signer, self.key = shoe, commitment, signer, key
        self.steps: list[tuple[list[Any], str]] = []
        self.given: list[int] = []
        self.parts: list[Any] = []
        self.stand: list[str] = []
        self.made = 0

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        self.order = places(self.key, digest, size)
        parts, self.parts = self.parts, []
        self.steps.append((parts, f"shuffle {size} {digest.hex()} {self.bind(root)}"))

    def bind(self, root: Callable[[], bytes]) -> str:
        """The root that the house shows of the deck that begins, in hex."""
        self.root = root().hex()
        return self.root

    def card(self, place: int) -> int:
        parts, self.parts = self.parts, []
        given = self.place(place)
        self.steps.append((parts, f"card {place} {given}"))
        self.given.append(given)
        return given

    def place(self, place: int) -> int:
        return self.order[place]

    def end(self) -> None:
        self.steps.append((self.stand, "end"))

    def made_of(self, decisions: Sequence[dict[str, Any]]) -> None:
        """The decisions stand in an entry now."""
        for number, (parts, line) in enumerate(self.steps):
            texts = [encode(decisions[part]).decode() if isinstance(part, int) else part for part in parts]
            self.steps[number] = (texts, line)
        self.parts, self.made = [], 0

    def signature(self, *, key: bool = False) -> str:
        """The placer's, under its note after all of its steps."""
        name, c2 = self.signer.verifier.name, commitment_of(self.key)
        told = [(second.since(parts), line) for parts, line in self.steps]
        head = second.chain(SIGNER.verifier.name, self.shoe, self.commitment, name, c2, told)[-1]
        text = f"fairshoe placing v1\n{SIGNER.verifier.name} {self.shoe}\n{c2}\n{len(told)}\n{head.hex()}\n"
        text += f"key {self.key.hex()}\n" if key else ""
        return self.signer.sign(text).split()[-1]


class PlacedHouse(House):
    """A house all of whose tables have this placer. `keeping`: its keys are not logged."""

    def __init__(self, seed: int = 1, signer: Signer | None = PLACER) -> None:
        super().__init__(seed)
        self.signer = signer
        self.tree = Tree()
        self.steps: dict[str, Steps] = {}
        self.keeping = False

    def log(self, entry: dict[str, Any]) -> None:
        kind, steps = entry["kind"], self.steps.get(entry.get("shoe", ""))
        if kind == "table" and self.signer:
            entry |= {"placer": str(self.signer.verifier), "v": 2}
        elif kind == "shoe" and self.signer:
            entry |= {"placer": self.committed(entry, self.signer), "v": 2}
        elif steps is not None and (kind == "round" or "burn" in entry or "cards" in entry) and kind != "reshuffle":
            entry |= {"placed": self.placed(steps, entry.get("decisions", [])), "v": 2}
        if steps is not None and kind == "seal":
            entry["cards_root"] = steps.root
        elif steps is not None and kind == "reshuffle":
            entry |= {"cards_root": steps.root, "v": 2}
        super().log(entry)
        self.tree.append(self.lines[-1])
        steps = self.steps.get(entry.get("shoe", ""))
        if steps is not None and kind not in ("late", "placed"):
            steps.stand = [str(self.tree.size), self.tree.root.hex()]
        if steps is not None and kind in ENDS:
            self.over(steps)

    def committed(self, entry: dict[str, Any], signer: Signer) -> dict[str, str]:
        key = self.random.randbytes(32)
        self.steps[entry["shoe"]] = self.asked(entry["shoe"], entry["commitment"], signer, key)
        return {"commitment": commitment_of(key), "key": str(signer.verifier)}

    def asked(self, shoe: str, commitment: str, signer: Signer, key: bytes) -> Steps:
        return Steps(shoe, commitment, signer, key)

    def placed(self, steps: Steps, decisions: list[dict[str, Any]]) -> dict[str, Any]:
        steps.made_of(decisions)
        given, steps.given = steps.given, []
        return {"places": given, "signature": steps.signature()}

    def over(self, steps: Steps) -> None:
        """The shoe has ended, and its placer's key comes."""
        steps.end()
        if not self.keeping:
            self.reveal_key(steps)

    def reveal_key(self, steps: Steps) -> None:
        signature = steps.signature(key=True)
        self.log(placed_entry(self.at(), steps.shoe, steps.key.hex(), len(steps.steps), signature))


class PlacedSeating(Seating):
    """A table with a placer."""

    house: PlacedHouse
    asking: Steps | None = None

    def order(self, shoe: Prepared) -> Sealed:
        deck, draws, steps = named_deck(self.rules.deck), self.rules.draws(), self.house.steps[shoe.id]
        placer = PlacerCommitment(steps.signer.verifier.name, commitment_of(steps.key))
        seeds = tuple(Seed(who, shoe.seeds[who]) for who in shoe.roster if who in shoe.seeds)
        transcript = Transcript(shoe.id, len(deck), deck.hash, commitment_of(shoe.key), seeds, placer=placer)
        cut = 0
        if shoe.cut is not None:
            cut = int(shoe.cut["at"])
        elif "cut" in draws:
            cut = draw_named(shoe.key, transcript.digest, "cut", len(deck))
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
    kind(house, game, game, find_chairs(game, 3), **options).play(rounds)
    return house


def entries_in(house: House) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.lines]
