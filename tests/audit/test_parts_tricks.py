"""A house that knows where a log is cut: what one pass finds is found in parts."""

from __future__ import annotations

import hashlib
from pathlib import Path

from audit_cli.verify import verify
from fairshoe.cards import named_deck
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import seal
from fairshoe.record import entries
from tests.house import House, Seating
from tests.house_table import POLICY

from .parted import KEY, here


class Lounge(Seating):
    """A table of the lounge whose games last a round or a few."""

    def game(self, most: int) -> None:
        for _ in range(most):
            if self.rules.game_over(self.table):
                break
            self.one_round()
        assert self.rules.game_over(self.table)

    def commit_ahead(self) -> None:
        """A round, with the next shoe committed to between its seal and its deal; that shoe is void then."""
        shoe = self.prepare()
        betting = self.open(shoe)
        bets = self.open_seeds(shoe, list(betting.bets))
        sealed = self.seal(shoe)
        after = self.commit()
        self.round(shoe, sealed, bets)
        self.reveal(shoe, sealed, "worn")
        self.void(after, "reshuffle", "l-p1")


def refund_of_nothing() -> House:
    """Whoever follows the table from the void shoe on takes a newcomer's buy-in for one into the game before, which
    is refunded later and was never paid."""
    house = House(49)
    table = Lounge(house, "l", "lounge", (1,), careless=0, gift=9000)
    for again in (True, True, False):
        table.game(9)
        if again:
            table.chips("buy-in", 1, BUY_IN)
    table.chips("buy-in", 1, BUY_IN)
    game = table.table.memory["game"]
    table.commit_ahead()
    table.chips("buy-in", 2, BUY_IN, name=None)
    table.chips("buy-in", 1, BUY_IN)
    table.game(2)
    for _ in range(6):
        table.top_up()
        table.game(12)
    table.top_up()
    table.chips("refund", 2, BUY_IN, game=game, why="round")
    for _ in range(4):
        table.top_up()
        table.game(12)
    return house


def test_a_refund_of_what_nobody_paid_is_found_wherever_the_log_is_cut(tmp_path: Path) -> None:
    refund_of_nothing().write(tmp_path)
    assert [found.code for found in verify(tmp_path, key=KEY).findings if found.severity == "fail"] == [
        "refund-not-owed"
    ]
    for piece in (17_779, *range(17_000, 18_600, 200)):
        assert verify(tmp_path, key=KEY, workers=here(2, piece)).failed, piece


def raffle(house: House, name: str, *, revealed: bool) -> None:
    """A shoe without a table."""
    key, seeds = house.random.randbytes(32), {who: house.random.randbytes(16) for who in ("ann", "bob")}
    draws = {"cut": 52, "win": 1000}
    about = {"deck": "french:1", "cards": 52, "draws": draws, "policy": POLICY}
    house.log(entries.shoe_entry(house.at(), name, commitment=commitment_of(key), roster=list(seeds), **about))
    hashes = {who: hashlib.sha256(seed).hexdigest() for who, seed in seeds.items()}
    house.log(entries.seeds_entry(house.at(), name, hashes, entries.cut_form(7, "bob")))
    for who in ("bob", "ann"):
        house.log(entries.opened_entry(house.at(), name, who, seeds[who].hex()))
    house.log(entries.seal_entry(house.at(), name))
    if revealed:
        made = seal(key=key, shoe=name, deck=named_deck("french:1"), seeds=list(seeds.items()), cut=7, draws=draws)
        numbers = {each: made.number(each) for each in draws}
        house.log(entries.reveal_entry(house.at(), name, key.hex(), numbers, 3, "worn"))


def test_a_shoe_without_a_table_that_is_called_like_one_cannot_be_drawn_twice(tmp_path: Path) -> None:
    house = House(3)
    table = Seating(house, "a", "casino", (1, 2))
    table.play(30)
    raffle(house, "a/x", revealed=False)
    table.play(150)
    raffle(house, "a/x", revealed=True)
    table.play(60)
    house.write(tmp_path)
    whole = verify(tmp_path, key=KEY)
    assert whole.failed
    for many, piece in ((2, 4000), (3, 3000), (4, 8000)):
        assert verify(tmp_path, key=KEY, workers=here(many, piece)).as_json() == whole.as_json()
