"""A house that knows how a log's lines are dealt out: what one pass finds is found in shares."""

from __future__ import annotations

import hashlib
from pathlib import Path

from audit_cli.verify import verify
from fairshoe.cards import named_deck
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import seal
from fairshoe.record import entries
from tests.house import House, Seating
from tests.house_table import POLICY

from .sharing import KEY, here


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
    assert verify(tmp_path, key=KEY, workers=here(2)).as_json() == whole.as_json()
