"""The honest house of the auditor's tests at tables whose player places: what docs/log.md says of them, read a second
time."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import Bet
from fairshoe.log.note import Signer
from fairshoe.protocol.shoe import Sealed
from tests.house import Prepared

from .house import PlacedHouse, PlacedSeating

OWN = ["banker", "boxes", "casino", "lounge"]


class OwnHouse(PlacedHouse):
    """All of its tables have one chair, whose player is the placer, by a key for each name."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed, None)
        self.taken: set[str] = set()

    def log(self, entry: dict[str, Any]) -> None:
        kind, table = entry["kind"], entry.get("table", "")
        if kind == "table":
            self.table(entry)
        elif entry.get("leaves"):
            self.taken.discard(table)
        elif kind == "chips" and entry["op"] == "buy-in" and table not in self.taken:
            self.taken.add(table)
            self.takes(entry)
        elif kind == "shoe":
            entry.pop("cutter", None)
            self.signer = self.signer_of(entry["roster"][0])
        super().log(entry)

    def table(self, entry: dict[str, Any]) -> None:
        entry |= {"placer": "player", "v": 2}

    def takes(self, entry: dict[str, Any]) -> None:
        """The buy-in that takes the chair."""
        entry |= {"placer": str(self.signer_of(entry["player"]).verifier), "v": 2}

    def signer_of(self, player: str) -> Signer:
        return Signer(player, player.encode().ljust(32, b"\0"))


class OwnSeating(PlacedSeating):
    """A table of one player, who sends neither hash nor seed."""

    house: OwnHouse

    def __init__(self, house: OwnHouse, name: str, rules: str, **options: Any) -> None:
        house.signer = None
        super().__init__(house, name, rules, (1,), **options)

    def commit(self, purpose: str | None = None) -> Prepared:
        shoe = super().commit(purpose)
        shoe.alone, shoe.cutter, shoe.turn = True, None, 0
        return shoe

    def open_seeds(self, shoe: Prepared, bets: list[Bet]) -> list[Bet] | None:
        return bets

    def order(self, shoe: Prepared) -> Sealed:
        seeds, shoe.seeds = shoe.seeds, {}
        sealed = super().order(shoe)
        shoe.seeds = seeds
        return sealed


def own(
    game: str, rounds: int = 12, *, kind: type[OwnSeating] = OwnSeating, house: OwnHouse | None = None, **options: Any
) -> OwnHouse:
    """A house with a table whose player places, and some rounds played."""
    house = house or OwnHouse()
    if game == "casino":
        options.setdefault("packs", 3)
    kind(house, game, game, **options).play(rounds)
    return house
