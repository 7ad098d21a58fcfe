"""The player's own placer, which gives the places of the cards at its table (docs/placer-protocol.md).

It answers only what the signed log and question explain: the bet and decisions that were sent, and a card that the
round needs now. Each answer is in the seat's book before it leaves, so that a question has only one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

from ..cards import named_deck
from ..ceremony.book import Shoe
from ..ceremony.contributing import transcript_of
from ..ceremony.observed_steps import decision_in, is_own_decision
from ..ceremony.policy import MAX_LAPSED_LIMITS
from ..engine.cards import LoggedCards
from ..engine.hand import VALUE
from ..engine.moves import TABLE, Decision
from ..engine.round import replay_partial
from ..engine.table import Bet, Table
from ..engine.view import open_cards
from ..errors import FairshoeError, LogError, RuleError, VerificationError
from ..log.canonical import Entry, text_of
from ..log.note import Signer, Verifier, open_note
from ..protocol.placer_chain import ParsedQuestion, new_chain, parse_question, shoe_of, shuffle_line, since_of
from ..protocol.placer_state import PlacerState, answer_question
from ..record.forms import bet_form, decision_of, table_of
from .book import UNSURE, AnsweredQuestion, Pledge, SeatBook
from .errors import Form, PlacesKept, Problem
from .openings import SignedTable, SignedTableLog

RANKS = [label for label in VALUE if label.endswith("s")]
"""A card of each rank: whether a round needs another one depends on no suit where one plays alone."""

MAX_CLOCK_LEAD = 1.0
"""Seconds by which the house's clock may run ahead of this one within a limit."""


class NewQuestion(NamedTuple):
    """A question that is new: the key that it is about, how far the shoe's chain is, what the house shows with it."""

    question: ParsedQuestion
    pledge: Pledge
    now: PlacerState
    parts: tuple[str, ...]
    cards: tuple[str | None, ...]


class PlayerPlacer:
    """Of one seat. `house` gives the log's key; `clock` the seconds of the epoch."""

    def __init__(
        self,
        book: SeatBook,
        openings: SignedTableLog,
        house: Callable[[], Verifier],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._book = book
        self._openings = openings
        self._house = house
        self._clock = clock
        self._table: SignedTable | None = None
        self._chains: dict[str, tuple[int, PlacerState]] = {}

    @property
    def verifier(self) -> str:
        """The verifier key that the buy-in names."""
        return str(Signer(self._book.player, self._book.placer_key()).verifier)

    def root_of(self, shoe: str) -> str:
        """Return the root that binds the cards of a shoe by the signed log, "" as long as it is not known."""
        found = None if self._table is None else self._table.shoe(shoe)
        return "" if found is None else found.root

    def commitment(self, note: str) -> Form:
        """Return the commitment to a key for the shoe that a signed text names. VerificationError, InputError."""
        origin, shoe, commitment = shoe_of(open_note(note, self._house()))
        if origin != self._house().name or table_of(shoe)[0] != self._book.table:
            raise PlacesKept(f"a key is wanted for shoe {shoe} of {origin}, which is not this table's")
        return {"shoe": shoe, "commitment": self._book.seed_for(shoe, commitment).hash}

    def answer(self, shown: Form, state: Form) -> Form | None:
        """Return the answer to the question in a table's state, and keep it; None if it asks somebody else. Raises
        PlacesKept or another VerificationError, Problem if no checkpoint holds yet."""
        try:
            return self._answer(shown, state)
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration, LogError) as error:
            raise PlacesKept(f"the question cannot be read: {error!r}"[:300]) from None
        except FairshoeError as error:
            if isinstance(error, VerificationError | Problem | OSError):
                raise
            raise PlacesKept(f"the question cannot be followed: {error}"[:300]) from None

    def _answer(self, shown: Form, state: Form) -> Form | None:
        text = open_note(shown["question"], self._house())
        question = parse_question(text)
        chain = question.chain
        pledge = next((each for each in self._book.pledges(chain.shoe) if each.hash == chain.placer), None)
        if pledge is None or pledge.player != self._book.player:
            return None
        known = self._book.questions.get(chain.placer, [])
        for each in known:
            if each.question == text:
                return {"question": shown["question"], "given": each.given, "note": each.note}
        now = self._placing(pledge, known)
        if chain.steps < now.chain.steps:
            self._book.keep_evidence(shown["question"])
            raise PlacesKept(f"step {chain.steps + 1} of shoe {chain.shoe} was asked for before, by another question")
        if chain.steps > now.chain.steps:
            what = f"step {chain.steps + 1} of shoe {chain.shoe} is asked for, and this book answered {now.chain.steps}"
            remedy = "play from the newest book: an older copy does not go on with this shoe"
            raise Problem(0, {"detail": f"{what}; {remedy}"})
        if chain != now.chain:
            raise PlacesKept(f"the house asks for step {chain.steps + 1} of shoe {chain.shoe} after other steps")
        asking = NewQuestion(question, pledge, now, tuple(shown["since"]), tuple(shown.get("cards", ())))
        if since_of(asking.parts) != question.since:
            raise PlacesKept("what is shown to have happened is not what the house signed")
        round, decisions = self._check(asking, state)
        try:
            after, given = answer_question(now, pledge.seed, question)
        except RuleError as error:
            raise PlacesKept(f"{error.what}; expected {error.expected}") from None
        note = Signer(pledge.player, pledge.placer).sign(after.chain.note(pledge.seed if after.ended else b""))
        self._book.keep_placed(AnsweredQuestion(text, given, note, round, decisions, list(asking.cards), self._clock()))
        self._chains[chain.placer] = len(self._book.questions[chain.placer]), after
        return {"question": shown["question"], "given": given, "note": note}

    def _placing(self, pledge: Pledge, known: Sequence[AnsweredQuestion]) -> PlacerState:
        """How far the chain is, from its beginning by all that was answered."""
        found = self._chains.get(pledge.hash)
        if found is None or found[0] != len(known):
            chain = new_chain(self._house().name, pledge.shoe, pledge.commitment, pledge.player, pledge.hash)
            now = PlacerState(chain)
            for each in known:
                now, _ = answer_question(now, pledge.seed, parse_question(each.question))
            found = self._chains[pledge.hash] = len(known), now
        return found[1]

    # What must be so.

    def _check(self, asking: NewQuestion, state: Form) -> tuple[int, list[str]]:
        """Return the round that the question belongs to, 0 if none, and the decisions that it tells of."""
        name, lines = asking.question.chain.shoe, asking.question.lines
        if lines == ("end",):
            over = self._follow(name, state).book.unrevealed_placers.get(name)
            if over is None:
                raise PlacesKept(f"the key is wanted, and the signed log does not show how shoe {name} ended")
            _same(asking.parts, over.shoe.trees.newest, "the tree that ends with the shoe's end")
            return 0, []
        if lines[0].startswith("shuffle"):
            table = self._follow(name, state)
            shoe = self._shoe(table, asking.pledge)
            digest = transcript_of(shoe, asking.pledge.commitment, named_deck(table.book.rules.deck)).digest
            if lines != (shuffle_line(shoe.cards, digest, bytes.fromhex(shoe.root)),) or asking.now.chain.steps:
                raise PlacesKept(f"the house asks for {lines[0]!r}, which is not the shuffle of shoe {name}")
            _same(asking.parts, shoe.trees.unsealed, "the tree that ends before the seal")
            return 0, []
        first = len(asking.parts) == 2 and asking.parts[0].isdecimal()
        table = self._follow(name, state) if first or self._table is None else self._table
        shoe, opened = self._shoe(table, asking.pledge), table.book.open_round
        if opened is None:
            raise PlacesKept(f"a card is wanted, and no bets stand in shoe {name}")
        given, bets = asking.now.place_mask.bit_count(), opened.betting.bets
        dealt, most = given - shoe.position, table.book.rules.initial_cards * (len(bets) + 1)
        wanted = tuple(f"card {place}" for place in range(given, given + min(len(lines), max(most - dealt, 1))))
        if lines != wanted:
            raise PlacesKept(f"the house asks for {', '.join(lines)}; expected at most {', '.join(wanted)}")
        if first != (dealt == 0):
            raise PlacesKept(f"{dealt} cards of round {opened.number} lie, and the house says otherwise")
        if first:
            self._check_bets(table)
            _same(asking.parts, shoe.trees.newest, f"the tree that ends with what began round {opened.number}")
            return opened.number, []
        self._check_decisions(asking, table, opened.number, bets)
        return opened.number, list(asking.parts)

    def _follow(self, name: str, state: Form) -> SignedTable:
        """Return the table by the house's signed log, whose last round is as it was played here."""
        table = self._table = self._openings.follow(name, state)
        if not table.book.player_places:
            raise PlacesKept("by the signed log this table's player does not place its cards")
        if table.last is not None:
            self._check_last(table, table.last)
        return table

    def _shoe(self, table: SignedTable, pledge: Pledge) -> Shoe:
        shoe = table.shoe(pledge.shoe)
        if shoe is None or not shoe.sealed:
            raise PlacesKept(f"shoe {pledge.shoe} is not sealed and in play")
        if table.commitments[shoe.id] != pledge.commitment:
            raise PlacesKept(f"shoe {shoe.id} has another commitment than this key was made for")
        if shoe.placer is None or shoe.placer[:3] != (self._book.player, pledge.hash, self.verifier):
            raise PlacesKept(f"shoe {shoe.id} has not this client's key as its placer's")
        return shoe

    def _check_bets(self, table: SignedTable) -> None:
        """The logged ones are those that were sent."""
        opened = table.book.open_round
        number = 0 if opened is None else opened.number
        if not table.book.rules.bets_freely:
            return
        seat, sent = self._book.seat, self._book.bets.get(number, {}).get("bets", [])
        own = [bet_form(Bet(seat, bet["amount"], bet.get("box", seat))) for bet in sent]
        if sorted(map(text_of, own)) != sorted(map(text_of, table.bets)):
            raise PlacesKept(f"other bets stand in round {number} than were sent from this book")

    def _check_decisions(self, asking: NewQuestion, table: SignedTable, number: int, bets: Sequence[Bet]) -> None:
        """Those told of are the player's; and whatever lies hidden, with them the round can need a card."""
        before = [each for each in self._book.questions[asking.pledge.hash] if each.round == number]
        told = [part for each in before for part in each.decisions]
        forms = [decision_in(part) for part in (*told, *asking.parts)]
        self._check_made(table, forms, number, before, table.book.chairs[self._book.seat].lapse_count)
        shown, cards = before[-1].cards, asking.cards
        if len(cards) != sum(len(each.given) for each in before):
            raise PlacesKept(f"the house shows {len(cards)} cards of round {number}, and was given others")
        if any(old not in (None, new) for old, new in zip(shown, cards, strict=False)):
            raise PlacesKept(f"a card of round {number} is another one than before")
        position = asking.now.place_mask.bit_count() - len(cards)
        if not may_need(table.book.table, cards, position, bets, [decision_of(form) for form in forms]):
            raise PlacesKept(f"a card is wanted in round {number}, and by the cards so far it needs none")

    def _check_made(
        self, table: SignedTable, forms: Sequence[Form], number: int, before: Sequence[AnsweredQuestion], lapsed: int
    ) -> None:
        """Check that each decision is the player's, or the table's after the limit, by this clock since the answer
        `before`. `lapsed`: limits in a row before the deal."""
        told, late = sum(len(each.decisions) for each in before), 0
        for step, form in enumerate(forms):
            by_table = self._check_decision(form, number, step)
            late += by_table and lapsed < MAX_LAPSED_LIMITS and step >= told
            lapsed = lapsed + 1 if by_table else 0
        limit, since = table.book.policy.decision, max(before[-1].at, self._book.acted.get(number, 0))
        if late and self._clock() < since + late * limit - MAX_CLOCK_LEAD:
            clock = "by this machine's clock"
            raise PlacesKept(f"the table has decided in round {number}, and {clock} the limit of {limit} s is not over")

    def _check_decision(self, form: Form, number: int, step: int) -> bool:
        """Whether the table made it. Raises PlacesKept unless it is the one that was sent, or none was."""
        sent, by_table = self._book.decisions.get((number, step)), form.get("by") == TABLE
        if not is_own_decision(form, self._book.seat, sent, unsure=UNSURE in (sent or {})):
            said = "the table's" if by_table else form["move"]
            own = f"was sent: {sent['move']}" if sent else "none was sent from this book"
            raise PlacesKept(f"decision {step + 1} of round {number} is said to be {said}, and {own}")
        return by_table

    def _check_last(self, table: SignedTable, entry: Entry) -> None:
        """A round that is over stands in the log as it was played."""
        number, sitting = entry["round"], self._book.placer
        pledges = [pledge for pledge in self._book.pledges(entry["shoe"]) if pledge.placer == sitting]
        before = [
            each for pledge in pledges for each in self._book.questions.get(pledge.hash, ()) if each.round == number
        ]
        if not before:
            return
        self._check_made(table, entry["decisions"], number, before, table.lapsed)
        given = [place for each in before for place in each.given]
        if entry["placed"]["places"] != given:
            raise PlacesKept(f"the log has other places of round {number} than were given")
        if any(old not in (None, new) for old, new in zip(before[-1].cards, entry["cards"], strict=False)):
            raise PlacesKept(f"the log has other cards of round {number} than were shown")


def may_need(
    table: Table, cards: Sequence[str | None], position: int, bets: Sequence[Bet], decisions: Sequence[Decision]
) -> bool:
    """Whether a round needs another card, for some cards in place of each None, which lies hidden."""
    size = table.rules.cards
    for guess in product(RANKS, repeat=cards.count(None)):
        labels = iter(guess)
        dealt = [next(labels) if card is None else card for card in cards]
        try:
            played = replay_partial(
                table, LoggedCards(dealt, position=position, present=size, size=size), bets, decisions
            )
            if played.short and open_cards(played) == list(cards):
                return True
        except RuleError:
            continue
    return False


def _same(parts: tuple[str, ...], tree: tuple[str, str], what: str) -> None:
    if parts != tree:
        raise PlacesKept(f"the question names a tree of {parts[:1]}; expected {what}, of {tree[0]} entries")
