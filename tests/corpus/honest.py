"""Honest logs: each game, each kind of entry, each reason for which a shoe may end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules.lounge import BUY_IN
from fairshoe.log.times import DAY, HOUR, SECOND
from fairshoe.record.entries import start_entry
from tests import everything
from tests.house import POLICY, House, Prepared, Seating

from .case import shows


def seated(house: House, rules: str, seats: Sequence[int] = (1, 2), **more: Any) -> Seating:
    """A table where nobody forgets anything."""
    options: dict[str, Any] = {"casino": {"packs": 3}}.get(rules, {})
    return Seating(house, rules, rules, seats, **{"careless": 0, **options, **more})


def played(house: House, rules: str, rounds: int, seats: Sequence[int] = (1, 2), **more: Any) -> Seating:
    """So many rounds; then the table is closed and left."""
    table = seated(house, rules, seats, **more)
    table.play(rounds, close=True)
    return table


# The games.


@shows("a table of banker: one player, who sends no hash and may cut at the opening, a shoe a round")
def game_banker(house: House) -> None:
    played(house, "banker", 3, (1,))


@shows("a table of boxes: a shoe a round, a box that is not the chair's own")
def game_boxes(house: House) -> None:
    played(house, "boxes", 3)


@shows("a table of casino: one shoe for many rounds, which ends when everybody has left")
def game_casino(house: House) -> None:
    played(house, "casino", 5)


@shows("a table of chinese: the bank goes round")
def game_chinese(house: House) -> None:
    played(house, "chinese", 3)


@shows("a table of lounge: everybody pays for the game, bets are fixed, and the pool is shared at last")
def game_lounge(house: House) -> None:
    played(house, "lounge", 3, gift=1500)


@shows("a table of pontoon: the first banker is found by a shoe of its own, a card is burned")
def game_pontoon(house: House) -> None:
    played(house, "pontoon", 4)


# How a sealed shoe ends.


@shows("a reveal since the cut card was reached: a shoe that many rounds wore out")
def reveal_worn(house: House) -> None:
    seated(house, "casino", (1, 2, 3, 4, 5, 6, 7)).play(1)


@shows("a reveal since the bank moved: a natural changed the banker of pontoon")
def reveal_bank(house: House) -> None:
    table = seated(house, "pontoon")
    while not everything.logged(house, '"kind":"reveal"', '"why":"bank"'):
        table.play(1)


def one_sealed(table: Seating, rounds: int = 1) -> tuple[Prepared, Any]:
    """A sealed shoe and some rounds from it."""
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    for _ in range(rounds):
        betting = table.open(shoe)
        if betting is None:
            raise LookupError("nobody can bet")
        table.round(shoe, sealed, list(betting.bets))
    return shoe, sealed


@shows("a reveal since the shoe was as old as it may become; somebody had bet once an hour")
def reveal_age(house: House) -> None:
    table = everything.Overnight(house, "casino", "casino", (1,), packs=8, careless=0)
    table.play(1)
    table.leave(1)


@shows("a reveal since every chair but the bank's was left")
def reveal_left_by_all(house: House) -> None:
    table = seated(house, "casino")
    shoe, sealed = one_sealed(table)
    table.leave_all()
    table.reveal(shoe, sealed, "left")


@shows("a reveal since nobody had bet for an hour")
def reveal_left_in_silence(house: House) -> None:
    table = seated(house, "casino")
    shoe, sealed = one_sealed(table)
    house.wait(HOUR // SECOND, table.betting_since)
    table.reveal(shoe, sealed, "left")
    table.leave_all()


@shows("a reveal since nobody did anything for an hour after the table was closed")
def reveal_left_after_the_closing(house: House) -> None:
    table = seated(house, "casino")
    shoe, sealed = one_sealed(table)
    table.close()
    house.wait(HOUR // SECOND, house.now)
    table.reveal(shoe, sealed, "left")
    table.leave_all()


# How a shoe ends before its seal.


@shows("a shoe void since a player asked for another one")
def void_reshuffle(house: House) -> None:
    table = seated(house, "casino")
    table.asked_reshuffle("casino-p2")
    table.leave_all()


@shows("a shoe void since the last seed was not opened in time; it is handed in, and its owner waits for a seal")
def void_seed(house: House) -> None:
    table = seated(house, "boxes", (1, 2, 3))
    table.unopened_seed()
    table.play(2)
    table.leave_all()


@shows("a shoe void since the only one who had bet was struck: no bet is left to deal for, and it is nobody's seed")
def void_seed_of_nobody(house: House) -> None:
    table = seated(house, "boxes", (1, 2, 3))
    newest = table.opening_order(table.table.players.values())[0]
    table.lapsing = {newest}
    table.passing = {seat for seat, who in table.table.players.items() if who != newest}
    table.one_round()
    table.leave_all()


@shows("a shoe void since the table was closed")
def void_close(house: House) -> None:
    table = seated(house, "boxes")
    shoe = table.prepare()
    table.close()
    table.void(shoe, "close")
    table.leave_all()


@shows("a shoe void since its banker left")
def void_bank(house: House) -> None:
    table = seated(house, "chinese", (1, 2, 3))
    table.settle_bank()
    shoe = table.prepare()
    table.leave(table.table.bank)
    table.void(shoe, "bank")
    table.leave_all()


@shows("a shoe void since no hash came in time")
def void_idle_without_a_hash(house: House) -> None:
    table = seated(house, "casino")
    shoe = table.commit()
    house.wait(POLICY["hash"], shoe.committed)
    table.void(shoe, "idle")
    table.leave_all()


@shows("a shoe of one round void since nobody bet in time")
def void_idle_without_a_bet(house: House) -> None:
    table = seated(house, "boxes")
    shoe = table.prepare()
    house.wait(POLICY["bet"], shoe.hashed)
    table.void(shoe, "idle")
    table.leave_all()


@shows("a shoe void since it was too old: the service was down for a day")
def void_age(house: House) -> None:
    table = seated(house, "casino")
    shoe = table.commit()
    house.wait(POLICY["shoe"], shoe.committed)
    table.void(shoe, "age")
    table.leave_all()


# Seeds.


@shows("two lapses running: the second one is owed, handed in, and forgiven with the next seal")
def seeds_two_lapses(house: House) -> None:
    table = seated(house, "boxes", (1, 2, 3))
    newest = table.opening_order(table.table.players.values())[0]
    table.lapsing = {newest}
    table.play(2)
    table.lapsing = set()
    table.play(2)
    table.leave_all()


@shows("a player who sends no hash is named as unheard, and after two limits in a row left out as away")
def seeds_unheard_and_away(house: House) -> None:
    table = seated(house, "boxes", (1, 2, 3))
    table.silent = {"boxes-p3"}
    while not everything.logged(house, '"away":[3]'):
        table.play(1)
    table.leave_all()


@shows("who owes a seed, and who sat down since a seed was missing, are not in the roster: owes, waits")
def seeds_owed_and_waiting(house: House) -> None:
    table = seated(house, "boxes", (1, 2, 3))
    table.unopened_seed()
    table.chips("buy-in", 4, 2000)
    table.play(2)
    table.leave_all()


# Bets.


@shows("chairs that pass, that are late by the limit, that bet by a waiver")
def bets_passed_late_waived(house: House) -> None:
    table = seated(house, "casino", (1, 2, 3))
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    table.chips("buy-in", 4, 2000, name="Zoë  the 4th")
    table.passing, table.tardy = {2}, {3}
    while not everything.logged(house, '"waived"'):
        betting = table.open(shoe)
        if betting is None:
            raise LookupError("nobody can bet")
        table.round(shoe, sealed, list(betting.bets))
    table.leave_all()
    table.reveal(shoe, sealed, "left")


@shows("the house's word closes the betting of boxes before the limit: who has not bet is late")
def bets_closed_by_word(house: House) -> None:
    table = seated(house, "boxes")
    table.no_more_bets, table.tardy = True, {1}
    table.play(1)
    table.leave_all()


@shows("a chair whose chips do not reach the lowest bet: unfunded")
def bets_unfunded(house: House) -> None:
    table = seated(house, "casino", (1, 2))
    table.chips("cash-out", 2, 4_999)
    shoe, sealed = one_sealed(table)
    table.leave_all()
    table.reveal(shoe, sealed, "left")


@shows("a banker who cannot cover every bet: uncovered")
def bets_uncovered(house: House) -> None:
    table = seated(house, "chinese", (1, 2, 3), chips=150)
    while not everything.logged(house, '"uncovered"'):
        table.play(1)
    table.leave_all()


# Chips.


@shows("chips bought, taken out, given to another chair; a name as people write it; a chair left")
def chips_move(house: House) -> None:
    table = seated(house, "casino")
    table.chips("buy-in", 4, 2000, name="Zoë  the 4th")
    table.chips("buy-in", 1, 500)
    table.chips("cash-out", 1, 300)
    table.chips("transfer", 2, 150, to=1)
    table.leave(2)


@shows("the house puts a player out between two shoes")
def chips_evicted(house: House) -> None:
    table = seated(house, "boxes")
    table.play(1)
    table.leave(2, by="house")
    table.play(1)
    table.leave_all()


@shows("a buy-in of lounge is paid back for a round that went wrong")
def chips_refund_round(house: House) -> None:
    table = seated(house, "lounge", (1, 2, 3))
    table.play(1)
    table.chips("refund", 1, BUY_IN, game=1, why="round")


@shows("everybody leaves a game of lounge, and its pool is shared among those who paid")
def chips_share(house: House) -> None:
    table = seated(house, "lounge", (1, 2, 3))
    table.play(1)
    table.leave_all()


@shows("a game of lounge that is not played out thirty days after the closing: the buy-ins are paid back less gifts")
def chips_refund_unfinished(house: House) -> None:
    everything.unfinished_lounge(house)


# The bank.


class Bargaining(Seating):
    """Whoever may deal does this with the bank, if that can be."""

    wish = "accept"

    def choose(self, ask: Ask) -> Decision:
        moves = {move.name: move for move in ask.moves}
        if "agree" in moves:
            return Decision(ask.actor, "agree", moves["agree"].low)
        if "accept" in moves:
            move = moves.get(self.wish, moves["accept"])
            return Decision(ask.actor, move.name, 40 if move.name == "sell" else 0, move.among[: move.fewest])
        return super().choose(ask)


def bargained(house: House, wish: str, why: str) -> None:
    table = Bargaining(house, "pontoon", "pontoon", (1, 2), careless=0)
    table.wish = wish
    while not everything.logged(house, f'"why":"{why}"'):
        table.play(1)
    table.play(1)
    table.leave_all()


@shows("the bank of pontoon sold: a decision of each, and a price")
def bank_sale(house: House) -> None:
    bargained(house, "sell", "sale")


@shows("the bank of pontoon given away")
def bank_gift(house: House) -> None:
    bargained(house, "give", "gift")


@shows("a stock that runs out in the middle of a deal is reshuffled, cut and burned")
def reshuffle_in_a_deal(house: House) -> None:
    table = seated(house, "pontoon", (1, 2, 3, 4, 5, 6, 7))
    while not everything.logged(house, '"kind":"reshuffle"'):
        table.play(1)


# Starts, and decisions of the table.


class Silent(Seating):
    """Nobody decides. In the first round in which the table decides `least` times the service starts, `pause` seconds
    after decision number `after` (0: after the deal). `anew`: the limit that runs begins anew with that."""

    least, after, pause, anew = 2, 0, 20, True

    def choose(self, ask: Ask) -> Decision:
        return ask.by_default()

    def decided(self, decisions: Iterable[Decision], since: int) -> list[str]:
        made = list(decisions)
        moments: list[str] = []
        for number in range(len(made) + 1):
            if number == self.after and len(made) >= self.least and not self.started:
                self.start(since)
            moments += super().decided(made[number : number + 1], since)
            since = self.house.now if moments else since
        return moments

    @property
    def started(self) -> bool:
        return everything.logged(self.house, '"kind":"start"')

    def start(self, since: int) -> None:
        before = self.house.started
        self.house.wait(self.pause, since)
        self.house.start()
        if not self.anew:
            self.house.started = before


def restarted(house: House, rules: str, after: int, *, pause: int = 20, anew: bool = True) -> None:
    """A round that the players leave to the table, and in which the service starts."""
    seats = (1,) if rules == "banker" else (1, 2)
    table = Silent(house, rules, rules, seats, careless=0, **({"packs": 3} if rules == "casino" else {}))
    table.least, table.after, table.pause, table.anew = len(seats), after, pause, anew
    if table.rules.one_round:
        while not table.started:
            table.play(1)
        table.leave_all()
        return
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    sealed = table.seal(shoe)
    while not table.started:
        betting = table.open(shoe)
        if betting is None:
            raise LookupError("nobody can bet")
        table.round(shoe, sealed, list(betting.bets))
    table.leave_all()
    table.reveal(shoe, sealed, "left")


@shows("the service starts while a decision is waited for; the limit begins anew, and then the table decides")
def start_before_a_decision(house: House) -> None:
    restarted(house, "casino", 0)


@shows("the table decided for one player, the service starts, and a limit later the table decides for another")
def start_between_two_decisions(house: House) -> None:
    restarted(house, "casino", 1)


@shows("the table has decided, the service starts, and then the round is logged")
def start_after_the_last_decision(house: House) -> None:
    restarted(house, "banker", 1, pause=1)


@shows("a start at one of two tables: the limits of the other run on")
def start_at_one_table(house: House) -> None:
    one, other = seated(house, "casino"), seated(house, "boxes")
    shoes = [(table, table.commit()) for table in (one, other)]
    house.now += 10 * SECOND
    house.start("casino")
    other.house.now = shoes[1][1].committed + POLICY["hash"] * SECOND
    other.void(shoes[1][1], "idle")
    house.wait(POLICY["hash"], house.now)
    one.void(shoes[0][1], "idle")
    one.leave_all()
    other.leave_all()


@shows("a step that came two hours late is noted, and no more")
def late_by_hours(house: House) -> None:
    table = seated(house, "casino")
    other = seated(house, "boxes")
    shoe = table.commit()
    for _ in range(4):
        house.now += HOUR // 2
        other.chips("buy-in", 1, 100)
    table.void(shoe, "idle")
    table.leave_all()
    other.leave_all()


# Without a table.


@shows("three shoes without a table: a deck of its own, a beacon, a chosen and a drawn cut, a lapse, and one of nobody")
def raffles(house: House) -> None:
    everything.raffles(house)


@shows("a table is opened and closed, and nobody came")
def table_closed(house: House) -> None:
    seated(house, "casino", ()).close()


@shows("a service that started before there was any table")
def start_alone(house: House) -> None:
    house.log(start_entry(house.at()))
    house.now += DAY
    house.start()
