"""A round, and the bank between rounds: folds of (table, bets, cards, decisions), suspended at every choice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import cache

from ..errors import IllegalDecision
from .cards import CardsMissing, CardSource
from .hand import UP, VALUE, Hand
from .moves import HIT_OR_STAND, STAND, Ask, Decision, Move
from .table import BankMove, Bet, Table

Steps = Generator[Ask, Decision, None]


class Round:
    """A round in progress or over.

    `ask`: the open decision point, None once it is over. `cards`: labels in dealt order, the first at `position` of a
    deck of `present` cards, of `size` in all; `reshuffled`: the offsets in them at which the shoe was reshuffled.
    `purse`: the chips off the table of each account that takes part.
    """

    reshuffled: tuple[int, ...] = ()

    def __init__(self, table: Table, source: CardSource, bets: Sequence[Bet], *, checked: bool = False) -> None:
        """`checked`: these bets at this very table are known to be legal. Raises IllegalBet."""
        rules = table.rules
        if not checked:
            rules.check_round_bets(table, bets)
        bank, stakes = table.bank, rules.takes_stakes
        purse = {bank: table.purse[bank]}
        hands: list[Hand] = []
        for seat, amount, box in bets:
            if seat not in purse:
                purse[seat] = table.purse[seat]
            hands.append(Hand(seat, box, amount))
            if stakes:
                purse[seat] -= amount
        self.table = table
        self.rules = rules
        self.bets = bets
        self.hands = hands
        self.dealer = Hand(bank, bank, 0)
        self.purse = purse
        self.position = source.position
        self.size = source.size
        self.present = source.present
        self.cards: list[str] = []
        self.decisions: list[Decision] = []
        self._source = source
        self._stakes = stakes
        self._draw = source.draw
        self._steps = rules.play(self)
        self.ask: Ask | None = next(self._steps, None)

    # What the caller does.

    def decide(self, decision: Decision) -> None:
        """Apply one decision; IllegalDecision leaves the round unchanged (GE-08)."""
        ask = self.ask
        if ask is None:
            raise IllegalDecision("the round is over", where="decision", expected="no decision")
        if not ask.allows(decision):
            ask.check(decision)
        self.apply_legal(decision)

    def apply_legal(self, decision: Decision) -> None:
        """Apply a decision that is known to be legal."""
        self.decisions.append(decision)
        try:
            self.ask = self._steps.send(decision)
        except StopIteration:
            self.ask = None

    @property
    def is_over(self) -> bool:
        return self.ask is None

    def close(self) -> Table:
        """Return the table after the round."""
        return self.rules.close(self)

    # What the rules do.

    def deal(self, hand: Hand, face: int = UP) -> str:
        """Draw one card to `hand` (GE-05); `face` says who sees it."""
        try:
            label = self._draw()
        except IndexError:
            label = self._draw_more()
        cards = self.cards
        hand.offsets.append(len(cards))
        cards.append(label)
        if face != UP:
            last = {len(hand.cards): face}
            hand.hidden = {**hand.hidden, **last} if hand.hidden else last
        hand.cards.append(label)
        value = VALUE[label]
        hand.hard += value
        if value == 1:
            hand.aces += 1
        return label

    def _draw_more(self) -> str:
        """A card is needed and none is at hand: because the shoe is empty, or because it was not given."""
        source = self._source
        if source.left:
            raise CardsMissing(f"only {len(self.cards)} cards", where="cards", expected="one more card")
        self.rules.handle_empty_shoe(self)
        self._draw = source.draw
        try:
            return self._draw()
        except IndexError:
            raise CardsMissing(f"only {len(self.cards)} cards", where="cards", expected="one more card") from None

    def show(self, hand: Hand) -> None:
        """Turn all cards of a hand up."""
        hand.hidden = {}

    @property
    def live(self) -> list[Hand]:
        """The hands that are not settled (GE-10), in acting order."""
        return [hand for hand in self.hands if not hand.outcome]

    def can_afford(self, seat: int, amount: int) -> bool:
        """GE-11: whether the owner's balance covers an extra stake."""
        return self.purse[seat] >= amount

    def wager(self, hand: Hand, amount: int) -> None:
        """Put `amount` more on a hand."""
        if self._stakes:
            self.purse[hand.seat] -= amount
        hand.bet += amount

    def split(self, hand: Hand) -> Hand:
        """Part a pair into two hands with equal bets; returns the right one, without its second card."""
        right = Hand(hand.seat, hand.box, hand.bet)
        if self._stakes:
            self.purse[hand.seat] -= hand.bet
        right.cards.append(hand.cards.pop())
        right.offsets.append(hand.offsets.pop())
        if 1 in hand.hidden:
            right.hidden = {0: hand.hidden[1]}
            hand.hidden = {index: face for index, face in hand.hidden.items() if index != 1}
        value = VALUE[right.cards[0]]
        right.hard = value
        right.aces = int(value == 1)
        hand.hard -= value
        hand.aces -= right.aces
        hand.split = right.split = True
        self.hands.insert(self.hands.index(hand) + 1, right)
        return right

    def insure(self, hand: Hand, amount: int) -> None:
        self.purse[hand.seat] -= amount
        hand.insured = amount

    def settle_insurance(self, hand: Hand, net: int) -> None:
        self.purse[hand.seat] += hand.insured + net
        self.purse[self.table.bank] -= net
        hand.insurance = net

    def settle(self, hand: Hand, net: int, outcome: str) -> None:
        """Pay (`net` > 0) or collect a hand: its stake comes off the table, `net` from or to the bank (GE-06)."""
        hand.net = net
        hand.outcome = outcome
        purse = self.purse
        purse[hand.seat] += hand.bet + net if self._stakes else net
        purse[self.table.bank] -= net

    def raise_payout(self, hand: Hand, net: int, outcome: str) -> None:
        """Pay the difference to a better result of a hand that was settled before (PO-27)."""
        self.purse[hand.seat] += net - hand.net
        self.purse[self.table.bank] -= net - hand.net
        hand.net = net
        hand.outcome = outcome

    def decision_point(self, hand: Hand, moves: tuple[Move, ...], default: Move) -> Ask:
        """Return the decision point of a hand's owner."""
        index = self.hands.index(hand)
        return _hit_or_stand(hand.seat, index) if moves is HIT_OR_STAND else Ask(hand.seat, index, moves, default)

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        """Reshuffle in the middle of a deal; nobody contributes and nobody chooses."""
        self._source.reshuffle(cut=cut, burn=burn)
        self.reshuffled += (len(self.cards),)

    @property
    def drawable(self) -> int:
        """PO-10: the cards that do not lie on the table: the stock, and what could be gathered."""
        return self.size - len(self.cards)


@cache
def _hit_or_stand(seat: int, index: int) -> Ask:
    """Return the commonest decision point of all, made once."""
    return Ask(seat, index, HIT_OR_STAND, STAND)


def replay(table: Table, cards: CardSource, bets: Sequence[Bet], decisions: Iterable[Decision]) -> Round:
    """Play logged decisions through. Raises IllegalBet, IllegalDecision."""
    played = Round(table, cards, bets)
    for decision in decisions:
        played.decide(decision)
    return played


class PartialRound(Round):
    """A round as far as its cards go: it may stand in the middle of a deal. `short`: it needs another card."""

    def __init__(self, table: Table, source: CardSource, bets: Sequence[Bet]) -> None:
        self.short = False
        try:
            super().__init__(table, source, bets)
        except CardsMissing:
            self.short, self.ask = True, None

    def apply_legal(self, decision: Decision) -> None:
        try:
            super().apply_legal(decision)
        except CardsMissing:
            self.short, self.ask = True, None


def replay_partial(table: Table, cards: CardSource, bets: Sequence[Bet], decisions: Iterable[Decision]) -> PartialRound:
    """Play logged decisions through, as far as the cards go. Raises IllegalBet, IllegalDecision."""
    played = PartialRound(table, cards, bets)
    for decision in decisions:
        played.decide(decision)
    return played


Strategy = Callable[[Round, Ask], Decision]


def run_round(
    table: Table,
    cards: CardSource,
    bets: Sequence[Bet],
    strategy: Strategy,
    *,
    trusted: bool = False,
    checked: bool = False,
) -> Round:
    """Play a round, asking `strategy` for decisions; a trusted one is not checked. `checked`: the bets are legal."""
    played = Round(table, cards, bets, checked=checked)
    apply = played.apply_legal if trusted else played.decide
    while (ask := played.ask) is not None:
        apply(strategy(played, ask))
    return played


class BankSettlement:
    """The question of who banks next. `ask` is the open choice, None when settled; then `result` holds."""

    def __init__(self, table: Table) -> None:
        self.before = table
        self.decisions: list[Decision] = []
        self.result = BankMove(table, "")
        self.ask: Ask | None = None
        self._steps = table.rules.settle_bank(table)
        self._advance(None)

    def decide(self, decision: Decision) -> None:
        """Apply one decision; IllegalDecision leaves everything unchanged."""
        if self.ask is None:
            raise IllegalDecision("the bank is settled", where="decision", expected="no decision")
        self.ask.check(decision)
        self.decisions.append(decision)
        self._advance(decision)

    def _advance(self, decision: Decision | None) -> None:
        try:
            self.ask = next(self._steps) if decision is None else self._steps.send(decision)
        except StopIteration as stop:
            self.ask = None
            self.result = stop.value


def replay_bank(table: Table, decisions: Iterable[Decision] = ()) -> BankSettlement:
    """Replay logged decisions about the bank. Raises IllegalDecision."""
    between = BankSettlement(table)
    for decision in decisions:
        between.decide(decision)
    return between
