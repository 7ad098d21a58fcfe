"""Seeds opened out of turn, too early, twice; who owes one; who is newest."""

from __future__ import annotations

from fairshoe.record import entries as forms
from tests.house import POLICY, Seating

from ..planting import Planted, at_table, bets_at, caught, entries_of, fraud, log_open, places, retimed


@fraud("seed-out-of-turn", each=["casino", "boxes"])
def the_oldest_opens_first(game: str) -> Planted:
    """The newest would know the order before opening."""
    table = at_table(game)
    shoe = table.prepare()
    if game == "boxes":
        table.open(shoe)
    table.opened(shoe, f"{game}-p1")
    return caught(table.house, field="player", expected=f"{game}-p2", found=f"{game}-p1")


@fraud("seed-out-of-turn")
def the_first_of_a_raffle_opens_first() -> Planted:
    entries = entries_of("everything")
    first, second = places(entries, "opened", shoe="raffle")
    names = entries[first]["player"], entries[second]["player"]
    entries[first], entries[second] = entries[second], entries[first]
    entries = retimed(entries, [e["at"] for e in entries_of("everything")])
    return caught(entries, first, field="player", expected=names[0], found=names[1])


@fraud("seed-out-of-turn")
def somebody_who_came_back_opens_as_if_never_gone() -> Planted:
    table = at_table("boxes", (1, 2, 3))
    table.leave(1)
    table.chips("buy-in", 1, 100)
    shoe = table.prepare()
    table.open(shoe)
    table.opened(shoe, "boxes-p3")
    return caught(table.house, field="player", expected="boxes-p1", found="boxes-p3")


@fraud("seed-out-of-turn")
def somebody_who_was_put_out_opens_as_the_newest() -> Planted:
    """A seat of the house, which stayed, would open last and know the order."""
    table = at_table("boxes", (1, 2, 3))
    table.leave(1, by="house")
    table.chips("buy-in", 1, 100)
    shoe = table.prepare()
    table.open(shoe)
    table.opened(shoe, "boxes-p1")
    return caught(table.house, field="player", expected="boxes-p3", found="boxes-p1")


def owing(*, handed_in: bool = True, seats: tuple[int, ...] = (1, 2, 3)) -> Seating:
    """A table where player 1, who sits longest, made a shoe void; the seed may have been handed in since."""
    table = at_table("boxes", seats)
    assert table.unopened_seed() == "boxes-p1"
    if handed_in:
        table.hand_in("boxes-p1")
    return table


@fraud("seed-out-of-turn")
def a_player_who_was_late_still_opens_last() -> Planted:
    """Whoever hands a seed in late is the newest."""
    table = owing()
    table.play(1)
    shoe = table.prepare()
    table.open(shoe)
    assert shoe.roster[0] == "boxes-p1"
    table.opened(shoe, "boxes-p3")
    return caught(table.house, field="player", expected="boxes-p1", found="boxes-p3")


@fraud("seed-uninvited", "step-out-of-order")
def a_seed_opened_before_the_hashes() -> Planted:
    table = at_table()
    table.opened(table.commit(), "casino-p2")
    return caught(table.house, field="player", expected=[], found="casino-p2")


@fraud("step-out-of-order")
def a_seed_opened_before_the_bets() -> Planted:
    table = at_table("boxes")
    table.opened(table.prepare(), "boxes-p2")
    return caught(table.house, expected="a shoe whose opening has begun", found="opened")


@fraud("step-out-of-order")
def a_sole_players_seed_opened_before_the_bet() -> Planted:
    table = at_table("banker", (1,))
    table.opened(table.prepare(), "banker-p1")
    return caught(table.house, expected="a shoe whose opening has begun", found="opened")


@fraud("step-out-of-order")
def a_sole_players_hash() -> Planted:
    """The seed itself stands in the log: nothing is promised ahead of it."""
    table = at_table("banker", (1,))
    shoe = table.commit()
    table.house.log(forms.seeds_entry(table.house.at(), shoe.id, {"banker-p1": "ab" * 32}))
    return caught(table.house, found="seeds")


@fraud("seed-uninvited", each=["twice", "struck", "left"])
def a_seed_that_is_not_awaited(why: str) -> Planted:
    """Opened twice; by somebody who was struck, or who left and is somebody new."""
    table = at_table("boxes", (1, 2, 3))
    shoe = table.prepare()
    seed = shoe.seeds["boxes-p3"]
    if why == "left":
        table.leave(3)
        table.chips("buy-in", 3, 100)
    log_open(table, shoe, table.offers([1, 2]), **({} if why == "left" else {"passed": (3,)}))
    if why == "twice":
        table.opened(shoe, "boxes-p3")
    if why == "struck":
        table.house.wait(POLICY["seed"], table.house.now)
        table.lapse(shoe, "boxes-p3")
    shoe.seeds["boxes-p3"] = seed
    table.opened(shoe, "boxes-p3")
    return caught(table.house, field="player", expected=["boxes-p2", "boxes-p1"], found="boxes-p3")


@fraud("step-out-of-order", "seed-uninvited")
def a_seed_opened_after_the_seal() -> Planted:
    table = at_table()
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    table.seal(shoe)
    table.opened(shoe, "casino-p2")
    return caught(table.house, expected="a shoe whose opening has begun", found="opened")


# Seeds that are owed.


def everybody(table: Seating) -> Planted:
    """A commitment with a roster of all who sit there, which player 1 should not be in."""
    names = [table.table.players[seat] for seat in sorted(table.table.players)]
    table.roster = lambda away=(): names  # type: ignore[method-assign]
    table.commit()
    return caught(table.house, field="roster", expected=["boxes-p2", "boxes-p3"], found=names)


@fraud("shoe-differs")
def a_debtor_in_the_roster() -> Planted:
    table = owing(handed_in=False)
    table.owing.clear()
    return everybody(table)


@fraud("shoe-differs")
def a_debt_forgiven_before_another_shoe_was_sealed() -> Planted:
    """The void shoe's order would be known to nobody who could weigh it."""
    return everybody(owing())


@fraud("shoe-differs")
def a_debt_forgotten_since_the_debtor_moved_to_another_chair() -> Planted:
    table = owing()
    table.leave(1)
    table.chips("buy-in", 4, 100, player="boxes-p1")
    return everybody(table)


@fraud("shoe-differs")
def a_newcomer_in_the_roster_after_a_seed_that_was_not_opened() -> Planted:
    """Two seats could keep a table from ever dealing by coming back as the newest in turn."""
    table = owing(handed_in=False)
    table.chips("buy-in", 4, 100)
    names = ["boxes-p2", "boxes-p3", "boxes-p4"]
    table.roster = lambda away=(): names  # type: ignore[method-assign]
    table.commit()
    return caught(table.house, field="roster", expected=names[:2], found=names)


@fraud("shoe-differs")
def a_second_lapse_running_forgotten() -> Planted:
    table = at_table("boxes", (2, 3, 1))
    table.lapsing = {"boxes-p1"}
    table.one_round()
    table.one_round()
    table.owing.clear()
    return everybody(table)


@fraud("shoe-differs")
def a_debt_forgiven_by_the_seal_of_its_own_shoe() -> Planted:
    """Two lapses running: the seed is handed in while the others open theirs; another shoe must be sealed."""
    table = at_table("boxes", (2, 3, 1))
    table.lapsing = {"boxes-p1"}
    table.one_round()
    shoe = table.prepare()
    log_open(table, shoe, bets := table.offers([1, 2, 3]))
    table.house.wait(POLICY["seed"], table.house.now)
    table.lapse(shoe, "boxes-p1")
    table.hand_in("boxes-p1")
    table.opened(shoe, "boxes-p3")
    table.opened(shoe, "boxes-p2")
    sealed = table.seal(shoe)
    table.round(shoe, sealed, [bet for bet in bets if bet.seat != 1])
    table.reveal(shoe, sealed, "worn")
    return everybody(table)


@fraud("bet-without-seed")
def a_debtor_who_bets() -> Planted:
    """Without a seed, and with a waiver that a debtor may not give."""
    table = at_table("casino", (1, 2))
    table.chips("buy-in", 3, 100)
    shoe = table.prepare()
    table.lapsing = {"casino-p1"}
    table.open_seeds(shoe, [])
    table.lapsing = set()
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    table.seal(shoe)
    log_open(table, shoe, table.offers([1, 2, 3]), waived=(1,))
    return caught(table.house, field="waived", expected=[], found=[1])


@fraud("chips-not-allowed")
def a_debtor_who_leaves() -> Planted:
    table = owing(handed_in=False)
    table.leave(1)
    return caught(table.house, field="op")


@fraud("seed-not-owed", each=["never", "twice", "another shoe's"])
def a_late_seed_that_nobody_owes(wrong: str) -> Planted:
    table = owing(handed_in=wrong == "twice")
    seed = table.owing["boxes-p1"].seed.hex()
    who = "boxes-p2" if wrong == "never" else "boxes-p1"
    shoe = "boxes/7" if wrong == "another shoe's" else "boxes/1"
    table.house.log(forms.late_entry(table.house.at(), shoe, who, seed))
    return caught(table.house)


@fraud("seed-mismatch")
def another_seed_handed_in_late() -> Planted:
    table = owing(handed_in=False)
    table.owing["boxes-p1"].seed = b"as the house likes it"
    table.hand_in("boxes-p1")
    return caught(table.house, field="seed")


@fraud("decision-illegal")
def the_bet_of_a_struck_seat_dealt() -> Planted:
    """It goes back; the cards are dealt to the others' bets."""
    table, shoe, bets = bets_at()
    table.house.wait(POLICY["seed"], table.house.now)
    table.lapse(shoe, "boxes-p2")
    table.opened(shoe, "boxes-p1")
    table.round(shoe, table.seal(shoe), bets)
    return caught(table.house, field="decision", found={"move": "stand", "seat": 2})
