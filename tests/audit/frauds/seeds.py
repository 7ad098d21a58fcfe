"""Seeds, draws and keys: left out, exchanged, added, used twice, opened out of turn, owed."""

from __future__ import annotations

from typing import Any

from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries as forms
from tests.house import Prepared, Seating

from ..planting import Planted, caught, crooked, entries_in, entries_of, fraud, log_open, places, planted, retimed
from ..play import SEED, at, play


def opened(expected: str, found: str) -> dict[str, Any]:
    return {"field": "player", "expected": expected, "found": found}


def roster(*found: str) -> dict[str, Any]:
    """All who sit there, or others than the two whom the ceremony has."""
    return {"field": "roster", "expected": ["boxes-p2", "boxes-p3"], "found": list(found)}


EVERYBODY = "roster 1 2 3, commit"
ALL_THREE = roster("boxes-p1", "boxes-p2", "boxes-p3")

planted(
    {
        "seed-missing": {
            "a hashed seed left out": play(
                "casino", "prepare, opened 2, forget 1, seal", field=None, expected="the seed of casino-p1"
            ),
            "a sole players seed left out": play(
                "banker", "prepare, open, log seal", field=None, expected="the seed of banker-p1"
            ),
        },
        "seed-mismatch": {
            "a hashed seed exchanged: casino": play("casino", "prepare, swap 2, opened 2", field="seed"),
            "a hashed seed exchanged: boxes": play("boxes", "prepare, open, swap 2, opened 2", field="seed"),
        },
        "seed-uninvited": {
            "a shill among the contributors: seeds": play(
                "casino", "commit, swap shill, hash", field="hashes.shill", found="shill"
            ),
            "a shill among the contributors: opened": play(
                "casino",
                "commit, hash, swap shill, opened shill",
                field="player",
                expected=["casino-p2", "casino-p1"],
                found="shill",
            ),
            # The house would choose it after it has seen the others'; a sole player's too.
            "a seed opened again: casino": play(
                "casino", "prepare, seeds, swap 1, opened 1", field="player", expected=[], found="casino-p1"
            ),
            "a seed opened again: banker": play(
                "banker", "prepare, open, seeds, swap 1, opened 1", field="player", expected=[], found="banker-p1"
            ),
            # Opened twice; by somebody who was struck, or who left and is somebody new.
            **{
                f"a seed that is not awaited: {why}": play(
                    "boxes 123", steps, field="player", expected=["boxes-p2", "boxes-p1"], found="boxes-p3"
                )
                for why, steps in {
                    "twice": "prepare, bet 1 2 passed=3, opened 3, opened 3",
                    "struck": "prepare, bet 1 2 passed=3, wait seed, lapse 3 kept, opened 3",
                    "left": "prepare, leave 3, buy-in 3 100, bet 1 2, opened 3",
                }.items()
            },
        },
        "seed-uninvited step-out-of-order": {
            "a seed opened before the hashes": play(
                "casino", "commit, opened 2", field="player", expected=[], found="casino-p2"
            )
        },
        "step-out-of-order seed-uninvited": {
            "a seed opened after the seal": play("casino", "sealed, opened 2", found="opened")
        },
        "step-out-of-order": {
            # Everybody leaves before the opening, and somebody comes whose seed is not in it.
            "a seal without any players seed": play("boxes", "prepare, leave-all, buy-in 3 100, log seal"),
            "a seed opened before the bets": play("boxes", "prepare, opened 2", found="opened"),
            "a sole players seed opened before the bet": play("banker", "prepare, opened 1", found="opened"),
            # The seed itself stands in the log: nothing is promised ahead of it.
            "a sole players hash": lambda: (
                at("banker", "commit").log("seeds", {"banker-p1": "ab" * 32}).caught(found="seeds")
            ),
        },
        "seed-out-of-turn": {
            # The newest would know the order before opening.
            "the oldest opens first: casino": play("casino", "prepare, opened 1", **opened("casino-p2", "casino-p1")),
            "the oldest opens first: boxes": play("boxes", "prepare, open, opened 1", **opened("boxes-p2", "boxes-p1")),
            "somebody who came back opens as if never gone": play(
                "boxes 123", "leave 1, buy-in 1 100, prepare, open, opened 3", **opened("boxes-p1", "boxes-p3")
            ),
            # A seat of the house, which stayed, would open last and know the order.
            "somebody who was put out opens as the newest": play(
                "boxes 123", "leave 1 house, buy-in 1 100, prepare, open, opened 1", **opened("boxes-p3", "boxes-p1")
            ),
            # Whoever hands a seed in late is the newest.
            "a player who was late still opens last": play(
                "boxes 123", "unopened, hand-in 1, play 1, prepare, open, opened 3", **opened("boxes-p1", "boxes-p3")
            ),
        },
        "shoe-differs": {
            "a debtor in the roster": play("boxes 123", f"unopened, forgiven, {EVERYBODY}", **ALL_THREE),
            # The void shoe's order would be known to nobody who could weigh it.
            "a debt forgiven before another shoe was sealed": play(
                "boxes 123", f"unopened, hand-in 1, {EVERYBODY}", **ALL_THREE
            ),
            "a debt forgotten since the debtor moved to another chair": play(
                "boxes 123",
                "unopened, hand-in 1, leave 1, buy-in 4 100 player=boxes-p1, roster 2 3 1, commit",
                **roster("boxes-p2", "boxes-p3", "boxes-p1"),
            ),
            # Two seats could keep a table from ever dealing by coming back as the newest in turn.
            "a newcomer in the roster after a seed that was not opened": play(
                "boxes 123",
                "unopened, buy-in 4 100, roster 2 3 4, commit",
                **roster("boxes-p2", "boxes-p3", "boxes-p4"),
            ),
            "a second lapse running forgotten": play(
                "boxes 231", f"lapsing 1, one-round, one-round, forgiven, {EVERYBODY}", **ALL_THREE
            ),
            # Two lapses running: the seed is handed in while the others open theirs; another shoe must be sealed.
            "a debt forgiven by the seal of its own shoe": play(
                "boxes 231",
                "lapsing 1, one-round, prepare, bet 1 2 3, wait seed, lapse 1, hand-in 1, opened 3, opened 2, seal, "
                f"drop 1, round, reveal worn, {EVERYBODY}",
                **ALL_THREE,
            ),
        },
        "chips-not-allowed": {"a debtor who leaves": play("boxes 123", "unopened, leave 1", field="op")},
    }
)


@fraud("seed-not-owed", each=["never", "twice", "another shoe's"])
def a_late_seed_that_nobody_owes(wrong: str) -> Planted:
    table = at("boxes 123", "unopened, hand-in 1" if wrong == "twice" else "unopened")
    seed = table.table.owing["boxes-p1"].seed.hex()
    who = "boxes-p2" if wrong == "never" else "boxes-p1"
    shoe = "boxes/7" if wrong == "another shoe's" else "boxes/1"
    table.house.log(forms.late_entry(table.house.at(), shoe, who, seed))
    return table.caught()


@fraud("seed-mismatch")
def another_seed_handed_in_late() -> Planted:
    table = at("boxes 123", "unopened")
    table.table.owing["boxes-p1"].seed = SEED
    return table.do("hand-in 1").caught(field="seed")


@fraud("seed-out-of-turn")
def the_first_of_a_raffle_opens_first() -> Planted:
    entries = entries_of("everything")
    first, second = places(entries, "opened", shoe="raffle")
    names = entries[first]["player"], entries[second]["player"]
    entries[first], entries[second] = entries[second], entries[first]
    entries = retimed(entries, [e["at"] for e in entries_of("everything")])
    return caught(entries, first, field="player", expected=names[0], found=names[1])


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


class Shill(Seating):
    """A seed comes into the shoe that nobody was asked for; `shown`: it is opened."""

    shown = True

    def seal(self, shoe: Prepared) -> Sealed:
        shoe.roster.append("shill")
        shoe.seeds["shill"] = SEED
        if self.shown:
            self.opened(shoe, "shill")
        return super().seal(shoe)


@fraud("seed-uninvited", "card-differs")
def a_seed_added_by_nobody_who_was_announced() -> Planted:
    house, _ = crooked(Shill, "banker", 1, seats=(1,))
    index = places(entries_in(house), "opened", player="shill")[0]
    return caught(house, index, field="player", expected=[], found="shill")


@fraud("card-differs")
def a_seed_that_no_entry_shows() -> Planted:
    house, _ = crooked(type("Hidden", (Shill,), {"shown": False}), "banker", 1, seats=(1,))
    return caught(house, places(entries_in(house), "round")[0], field="cards[0]")


# Used again.


@fraud("seed-reused", each=["dealt", "void"])
def a_hash_used_again(end: str) -> Planted:
    """In the second shoe, after the first was dealt or void: the house knows the seed, and chooses its next key."""
    table = at("boxes", "play 1, commit")
    used = table.shoe.seeds["boxes-p1"]
    table.do("hash, open, seeds, seal, round, reveal worn" if end == "dealt" else "hash, void reshuffle 2").do("commit")
    table.shoe.seeds["boxes-p1"] = used
    return table.do("hash").caught(field="hashes.boxes-p1")


@fraud("seed-reused")
def a_sole_players_seed_used_again() -> Planted:
    table = at("banker")
    table.table.new_seed = lambda: SEED  # type: ignore[method-assign]
    entries = entries_in(table.do("play 2").house)
    return caught(entries, places(entries, "opened")[1], field="seed", found=SEED.hex())


@fraud("seed-reused", each=["opened", "hashed"])
def a_seed_once_opened_alone_and_once_hashed(first: str) -> Planted:
    """Of two shoes, one of which has a sole player: both seeds are known when the second key is chosen."""
    table = at("boxes 1" if first == "opened" else "boxes 12")
    seating, lines = table.table, table.house.lines
    seating.new_seed = lambda: SEED if seating.shoes == 1 else b"%d" % len(lines)  # type: ignore[method-assign]
    table.do("commit")
    used = table.shoe.seeds["boxes-p1"]
    if first == "opened":
        table.do("bet 1, seeds, seal, round, reveal worn, buy-in 2 100, commit")
    else:
        table.shoe.seeds["boxes-p2"] = b"another"
        table.do("hash, void reshuffle 2, leave 2, commit")
    table.shoe.seeds["boxes-p1"] = used
    if first == "opened":
        return table.do("hash").caught(field="hashes.boxes-p1")
    log_open(seating, table.shoe, seating.offers([1]))
    return table.do("opened 1").caught(field="seed", found=SEED.hex())


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
