"""Chips: a chair of the house that banks and one that helps it, a purse emptied and filled, a buy-in given back."""

from __future__ import annotations

import hashlib

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting import seeding, shoes
from fairshoe.ceremony.acting.work import Work
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.rules.lounge import BUY_IN, GAME, Lounge
from fairshoe.engine.table import Table, changed_accounts, move_chips
from fairshoe.record.entries import chips_entry

from .play import Play


class BankerLeaves(Play):
    name = "banker-leaves"
    about = "its banker leaves before a bad round, so that the shoe ends as `bank`, and comes back"
    rules = "pontoon"
    sitting = ("s1", "s2", "h1")

    def in_idle(self) -> None:
        for player in self.sitting:
            if self.state.book.seat_of(player) is None:
                self.sit(player)
        super().in_idle()

    def in_bet(self) -> None:
        bank = self.state.table.bank
        if self.honest(self.state.table.players.get(bank)) or self.peek() >= 0:
            super().in_bet()
            return
        self.forge(lambda work: moved(work, "cash-out", bank, work.state.table.purse[bank], leaves=True))
        self.do(None)


class ChipsLeave(BankerLeaves):
    name = "banker-cashes-out"
    about = "its banker's chips go to another chair before a bad round, so that it cannot cover the lowest bet"

    def in_idle(self) -> None:
        for player in ("s1", "s2"):
            if self.state.table.purse[self.seat(player)] < self.purse // 2:
                self.do(say.BuyIn(self.seat(player), self.purse))
        super().in_idle()

    def in_bet(self) -> None:
        bank = self.state.table.bank
        if self.honest(self.state.table.players.get(bank)) or self.peek() >= 0:
            Play.in_bet(self)
            return
        other = next(seat for seat in self.seats(honest=False) if seat != bank)
        self.forge(lambda work: moved(work, "transfer", bank, work.state.table.purse[bank] - 1, to=other))
        self.do(None)


def moved(
    work: Work,
    op: str,
    seat: int,
    amount: int,
    *,
    to: int | None = None,
    leaves: bool = False,
    game: int = 0,
    why: str | None = None,
) -> None:
    """Chips move without anybody asking whether they may."""
    before, player = work.state.table, work.state.table.players[seat]
    after = move_chips(before, op, seat, player, amount, to=to, leaves=leaves, game=game)
    changed = changed_accounts(before, after, seat)
    entry = chips_entry(
        work.at,
        work.state.id,
        op,
        seat,
        player,
        amount,
        changed,
        to=to,
        leaves=leaves,
        game=game or None,
        why=why,
    )
    work.log(entry, after)


class CoverEaten(Play):
    """The banker's cover is small, and an accomplice acts before the player."""

    name = "cover-eaten"
    about = "before bad rounds a seat of its own, which acts first, bets as much as its banker covers"
    tells = ("bet without cover",)
    rules = "pontoon"
    options = {"minimum": 10, "maximum": 5_000}  # noqa: RUF012
    sitting = ("s1", "s2", "s3", "h1")
    stack = 1_000

    def in_idle(self) -> None:
        """Whoever banks has as little as a cover needs, the others enough."""
        for seat in self.seats(honest=False):
            over = self.state.table.purse[seat] - self.stack
            if over > 0 and seat == self.state.table.bank:
                self.do(say.CashOut(seat, over))
            elif over < 0:
                self.do(say.BuyIn(seat, -over if seat == self.state.table.bank else self.purse))
        super().in_idle()

    def about_bank(self, ask: Ask) -> Decision:
        """The bank goes to a chair that is followed by an accomplice."""
        if ask.actor == self.seat("s3") and any(move.name == "give" for move in ask.moves):
            return Decision(ask.actor, "give", 0, (self.seat("s1"),))
        return super().about_bank(ask)

    def in_bet(self) -> None:
        table = self.state.table
        cover, eater = table.purse.get(table.bank, 0), table.bank + 1
        most = min(cover // 2, table.rules.maximum, table.purse.get(eater, 0) // 2)
        eats = eater in self.seats(honest=False) and cover - 2 * most < 2 * self.unit <= 2 * most
        if not eats or self.peek() >= 0:
            super().in_bet()
            return
        for seat in self.seats():
            self.bet(seat)
        self.bet(eater, most)
        super().in_bet()


class ChipsMinted(Play):
    """A chair that owes is left, and taken again at nothing."""

    name = "left-below-zero"
    about = "a chair of its own gives away 56 chips more than it has, leaves, and comes back at 0"
    sitting = ("s1", "s2", "h1")
    purse = 10_000

    def sit(self, player: str, seat: int = 0) -> None:
        amount = 10**9 if self.honest(player) else self.purse
        self.do(say.TakeSeat(player, amount, seat))

    def in_idle(self) -> None:
        self.forge(self.mint)
        self.sums.setdefault(self.shoes, [0, 0])[0] += 56
        self.sit("s1", 1)
        super().in_idle()

    def mint(self, work: Work) -> None:
        before = work.state.table
        amount = before.purse[1] + 56
        after = before.after({1: -56, 2: before.purse[2] + amount})
        self.write_chips(work, "transfer", amount, before, after, to=2)
        gone = after.rules.left(after, 1)
        self.write_chips(work, "cash-out", 0, after, gone, leaves=True)

    def write_chips(
        self,
        work: Work,
        op: str,
        amount: int,
        before: Table,
        after: Table,
        *,
        to: int | None = None,
        leaves: bool = False,
    ) -> None:
        changed = changed_accounts(before, after, 1)
        entry = chips_entry(work.at, work.state.id, op, 1, "s1", amount, changed, to=to, leaves=leaves)
        work.log(entry, after)


class RefundAfterSeeds(Play):
    """The order is made by everybody still; but the player is dealt nothing, in the whole game."""

    name = "refund-after-seeds"
    about = "gives the player's buy-in back between `seeds` and the first deal, in every other game of lounge"
    rules = "lounge"
    sitting = ("s1", "h1")

    def hash(self, player: str) -> bool:
        rules, table, shoe = self.state.rules, self.state.table, self.state.shoe
        last = shoe is not None and len(self.state.hashes) == len(shoe.roster) - 1
        if not last or not isinstance(rules, Lounge) or not rules.unbegun(table) or table.memory[GAME] % 2:
            return super().hash(player)
        self.forge(lambda work: self.given_back(work, player))
        self.do(None)
        return True

    def given_back(self, work: Work, player: str) -> None:
        digest = hashlib.sha256(self.seed_of(player, work.shoe().id)).hexdigest()
        seeding.give_hash(work, say.GiveHash(self.seat(player), digest, None))
        shoes.log_hashes(work)
        game = work.state.table.memory[GAME]
        moved(work, "refund", self.seat("h1"), BUY_IN, game=game, why="round")


class PurseToggled(Play):
    """It acts first. A pass would be a word of its own, and an empty chair would be left for the whole shoe."""

    name = "purse-toggled"
    about = "empties the purse of a seat of its own, which stays, where it is better without it, and fills it again"
    tells = ("unfunded",)
    sitting = ("s1", "h1")

    def in_bet(self) -> None:
        if not self.state.bets:
            better = filled if self.peek(filled) >= self.peek(emptied) else emptied
            better(self)
        super().in_bet()


def filled(play: Play) -> None:
    seat = play.seat("s1")
    if not play.state.table.purse[seat]:
        play.do(say.BuyIn(seat, play.purse))


def emptied(play: Play) -> None:
    seat = play.seat("s1")
    if has := play.state.table.purse[seat]:
        play.do(say.CashOut(seat, has))


TRICKS = (BankerLeaves, ChipsLeave, CoverEaten, ChipsMinted, RefundAfterSeeds, PurseToggled)
