"""Seeds, draws and keys: left out, exchanged, added, used twice, opened out of turn."""

from __future__ import annotations

from typing import Any

from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import Prepared, Seating

from ..planting import (
    Planted,
    at_table,
    caught,
    crooked,
    entries_in,
    entries_of,
    fraud,
    log_open,
    places,
)

SEED = b"as the house likes it"


class Sealing(Seating):
    """Does something to the second shoe's contributions just before the seal."""

    def change(self, shoe: Prepared) -> None:
        raise NotImplementedError

    def seal(self, shoe: Prepared) -> Sealed:
        if self.shoes == 2:
            self.change(shoe)
        return super().seal(shoe)


# Left out, exchanged, added.


@fraud("seed-missing")
def a_hashed_seed_left_out() -> Planted:
    table = at_table()
    shoe = table.prepare()
    table.opened(shoe, "casino-p2")
    del shoe.seeds["casino-p1"]
    table.seal(shoe)
    return caught(table.house, field=None, expected="the seed of casino-p1")


@fraud("seed-missing")
def a_sole_players_seed_left_out() -> Planted:
    table = at_table("banker", (1,))
    shoe = table.prepare()
    table.open(shoe)
    table.house.log(forms.seal_entry(table.house.at(), shoe.id))
    return caught(table.house, field=None, expected="the seed of banker-p1")


@fraud("step-out-of-order")
def a_seal_without_any_players_seed() -> Planted:
    """Everybody leaves before the opening, and somebody comes whose seed is not in it."""
    table = at_table("boxes", (1, 2))
    shoe = table.prepare()
    table.leave_all()
    table.chips("buy-in", 3, 100)
    table.house.log(forms.seal_entry(table.house.at(), shoe.id))
    return caught(table.house)


@fraud("bet-without-seed")
def a_seed_left_out_with_its_hash() -> Planted:
    class Crook(Seating):
        def hash(self, shoe: Prepared) -> None:
            self.silent = {"casino-p2"} if self.shoes == 2 else set()
            super().hash(shoe)

        def seeded(self, shoe: Prepared) -> list[int]:
            return [1, 2]

        def waived(self, shoe: Prepared, bets: list[Any]) -> list[int]:
            return []

    house, _ = crooked(Crook, rounds=20, careless=0)
    entries = entries_in(house)
    index = places(entries, "open", shoe="casino/2")[0]
    return caught(entries[: index + 1], field="waived", expected=[], found=[])


@fraud("seed-mismatch", each=["casino", "boxes"])
def a_hashed_seed_exchanged(game: str) -> Planted:
    table = at_table(game)
    shoe = table.prepare()
    if game == "boxes":
        table.open(shoe)
    shoe.seeds[f"{game}-p2"] = SEED
    table.opened(shoe, f"{game}-p2")
    return caught(table.house, field="seed")


@fraud("seed-uninvited", "card-differs")
def a_seed_added_by_nobody_who_was_announced() -> Planted:
    class Crook(Seating):
        def seal(self, shoe: Prepared) -> Sealed:
            shoe.roster.append("shill")
            shoe.seeds["shill"] = SEED
            self.opened(shoe, "shill")
            return super().seal(shoe)

    house, _ = crooked(Crook, "banker", 1, seats=(1,))
    index = places(entries_in(house), "opened", player="shill")[0]
    return caught(house, index, field="player", expected=[], found="shill")


@fraud("card-differs")
def a_seed_that_no_entry_shows() -> Planted:
    class Crook(Seating):
        def seal(self, shoe: Prepared) -> Sealed:
            shoe.roster.append("shill")
            shoe.seeds["shill"] = SEED
            return super().seal(shoe)

    house, _ = crooked(Crook, "banker", 1, seats=(1,))
    return caught(house, places(entries_in(house), "round")[0], field="cards[0]")


@fraud("seed-uninvited", each=["seeds", "opened"])
def a_shill_among_the_contributors(kind: str) -> Planted:
    table = at_table()
    shoe = table.commit()
    shoe.seeds["shill"] = SEED
    if kind == "seeds":
        table.hash(shoe)
        return caught(table.house, field="hashes.shill", found="shill")
    del shoe.seeds["shill"]
    table.hash(shoe)
    shoe.seeds["shill"] = SEED
    table.opened(shoe, "shill")
    return caught(table.house, field="player", expected=["casino-p2", "casino-p1"], found="shill")


@fraud("seed-uninvited", each=["casino", "banker"])
def a_seed_opened_again(game: str) -> Planted:
    """The house would choose it after it has seen the others'; a sole player's too."""
    table = at_table(game, (1, 2) if game == "casino" else (1,))
    shoe = table.prepare()
    if game == "banker":
        table.open(shoe)
    table.open_seeds(shoe, [])
    shoe.seeds[f"{game}-p1"] = SEED
    table.opened(shoe, f"{game}-p1")
    return caught(table.house, field="player", expected=[], found=f"{game}-p1")


# Used again.


@fraud("seed-reused", each=["dealt", "void"])
def a_hash_used_again(end: str) -> Planted:
    """In the second shoe, after the first was dealt or void: the house knows the seed, and chooses its next key."""
    table = at_table("boxes")
    table.play(1)
    shoe = table.commit()
    used = shoe.seeds["boxes-p1"]
    table.hash(shoe)
    if end == "dealt":
        betting = table.open(shoe)
        assert betting is not None
        table.open_seeds(shoe, list(betting.bets))
        sealed = table.seal(shoe)
        table.round(shoe, sealed, list(betting.bets))
        table.reveal(shoe, sealed, "worn")
    else:
        table.void(shoe, "reshuffle", "boxes-p2")
    again = table.commit()
    again.seeds["boxes-p1"] = used
    table.hash(again)
    return caught(table.house, field="hashes.boxes-p1")


@fraud("seed-reused")
def a_sole_players_seed_used_again() -> Planted:
    table = at_table("banker", (1,))
    table.new_seed = lambda: SEED  # type: ignore[method-assign]
    table.play(2)
    entries = entries_in(table.house)
    return caught(entries, places(entries, "opened")[1], field="seed", found=SEED.hex())


@fraud("seed-reused", each=["opened", "hashed"])
def a_seed_once_opened_alone_and_once_hashed(first: str) -> Planted:
    """Of two shoes, one of which has a sole player: both seeds are known when the second key is chosen."""
    table = at_table("boxes", (1,) if first == "opened" else (1, 2))
    table.new_seed = lambda: SEED if table.shoes == 1 else b"%d" % len(table.house.lines)  # type: ignore[method-assign]
    shoe = table.commit()
    used = shoe.seeds["boxes-p1"]
    if first == "opened":
        log_open(table, shoe, bets := table.offers([1]))
        table.open_seeds(shoe, bets)
        table.round(shoe, sealed := table.seal(shoe), bets)
        table.reveal(shoe, sealed, "worn")
        table.chips("buy-in", 2, 100)
    else:
        shoe.seeds["boxes-p2"] = b"another"
        table.hash(shoe)
        table.void(shoe, "reshuffle", "boxes-p2")
        table.leave(2)
    again = table.commit()
    again.seeds["boxes-p1"] = used
    if first == "opened":
        table.hash(again)
        return caught(table.house, field="hashes.boxes-p1")
    log_open(table, again, table.offers([1]))
    table.opened(again, "boxes-p1")
    return caught(table.house, field="seed", found=SEED.hex())


@fraud("commitment-reused")
def a_key_used_for_two_shoes() -> Planted:
    class Crook(Seating):
        def new_key(self) -> bytes:
            return b"the same key for ever and ever !"

    house, _ = crooked(Crook, "boxes", rounds=2)
    entries = entries_in(house)
    index = places(entries, "shoe")[1]
    return caught(entries, index, field="commitment", found=entries[index]["commitment"])


@fraud("draw-differs")
def a_named_draw_changed() -> Planted:
    entries = entries_of("casino")
    index = places(entries, "reveal")[0]
    insert = entries[index]["draws"]["insert"]
    entries[index]["draws"]["insert"] = insert ^ 1
    return caught(entries, index, field="draws.insert", expected=insert, found=insert ^ 1)
