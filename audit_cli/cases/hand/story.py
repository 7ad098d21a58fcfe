"""The story of a round, for people: when each step was, commitment, seeds, cut, bets and key of its shoe, and what the
rules make of its cards."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from fairshoe.engine.cards import LoggedCards
from fairshoe.engine.hand import Hand as Cards
from fairshoe.engine.table import HOUSE, POOL, Bet
from fairshoe.engine.view import Event, RecordedRound
from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import CUT
from fairshoe.record.forms import decision_of
from fairshoe.record.hand_entries import unnamed

from .watcher import ShoeEntry, WatchedRound

GOOD, BAD = "✓", "✗"
MAX_NAME = 40
"""How much of a name is shown."""
_SAYS = {
    "shoe": "the house commits to the shoe's key",
    "seeds": "the hashes of the players' seeds are all in",
    "opened": "{who} opens a seed",
    "lapse": "{who} lets the time pass and is struck from the shoe",
    "seal": "the order of the cards is fixed",
    "reshuffle": "the shoe is reshuffled in the middle of a deal",
    "reveal": "the house reveals the key",
    "void": "the shoe is void",
    "lost": "the house says that the shoe is lost",
    "bank": "the first banker is found",
    "open": "the bets of this round stand",
    "round": "this round is over",
}


def mark(good: bool) -> str:
    return GOOD if good else BAD


def name_account(hand: WatchedRound, account: int) -> str:
    """Name the owner of an account: `alice (seat 1)`. The id alone counts: a name may be `the dealer`, or another
    player's id."""
    if account in (HOUSE, POOL):
        return "the house" if account == HOUSE else "the pool"
    player = hand.player(account)
    return player if player == unnamed(account) else f"{player or 'nobody'} (seat {account})"


def name_player(player: str, name: str | None) -> str:
    """An id, and beside it in quotes the name of that player where that is another: `p2 “Bjørn”`."""
    if name in (None, player):
        return player
    shown = "".join("'" if c in '“”„‟″"' else c for c in str(name))
    return f"{player} “{shown if len(shown) <= MAX_NAME else shown[: MAX_NAME - 1] + '…'}”"


def times(hand: WatchedRound) -> Iterator[str]:
    """Every entry that the round follows from, with its time."""
    steps = [*hand.steps, ShoeEntry(hand.opened_line, hand.open_round.at, "open")]
    if hand.line is not None and hand.how == "round":
        steps.append(ShoeEntry(hand.line, hand.at, "round"))
    yield f"What happened when, with shoe {hand.shoe.id}:"
    for step in sorted(steps):
        says = _SAYS[step.kind].format(who=step.who if step.who else "somebody")
        yield f"     {step.at}  entry {step.entry}: {says}"


def _entry(hand: WatchedRound, kind: str, player: str = "") -> str:
    """` (entry 7)`, where the step is known."""
    found = next((step for step in hand.steps if step.kind == kind and player in ("", step.who)), None)
    return "" if found is None else f" (entry {found.entry})"


def commitment(hand: WatchedRound) -> Iterator[str]:
    yield f"1. Before any bet the house committed to a secret key (entry {hand.shoe.index}):"
    yield f"     {hand.shoe.commitment}"


def seeds(hand: WatchedRound) -> Iterator[str]:
    told = hand.shoe.book_shoe
    if told.player_places:
        yield "2. The player's own client placed the cards: neither the house nor the player knew one before it lay."
    elif not told.opened:
        yield "2. No player added entropy: the order depends on the house's key alone."
    elif told.alone:
        yield "2. The player added entropy after the commitment and the bet:"
    else:
        yield "2. The players added entropy, first everybody's hash and only then the seeds, one after the other:"
    for player in told.roster:
        if player in told.opened:
            yield f"     {player}: {told.opened[player]}{_entry(hand, 'opened', player)}"
            if not told.alone:
                digest = sha256(bytes.fromhex(told.opened[player])).hexdigest()
                same = told.hashes.get(player) == digest
                yield f"     {mark(same)} its SHA-256 is {digest}, as was sent before{_entry(hand, 'seeds')}"
        elif player in told.struck:
            yield f"     {player} was struck before any seed was opened{_entry(hand, 'lapse', player)}"
        elif not told.alone:
            yield f"     {player} contributed nothing"
    if told.cut is not None:
        yield f"   The shoe was cut at {told.cut.at:,}, chosen by {told.cut.by}."
    elif hand.drawn_cut is not None:
        yield f"   The shoe was cut at {hand.drawn_cut:,}, by the committed draw `cut`."
    elif CUT in told.draws:
        yield "   Nobody chose the cut: it is the committed draw `cut`, which the key will show."
    if hand.shoe.burn is not None:
        yield f"   Its first card, {hand.shoe.burn}, was burned: shown and put aside{_entry(hand, 'seal')}."


def bets(hand: WatchedRound) -> Iterator[str]:
    betting, told = hand.open_round.betting, hand.shoe.book_shoe
    yield f"3. The bets stood before the first card of the round (entry {hand.opened_line}):"
    named: set[int] = set()
    for bet in hand.bets:
        player = hand.player(bet.seat)
        without = ", without a seed of their own in the shoe, by a waiver" if _waived(hand, bet.seat, player) else ""
        yield f"     {_bet(hand, bet, once=named)}{without}"
    for bet in betting.bets:
        if bet not in hand.bets and hand.player(bet.seat) in told.struck:
            yield f"     {_bet(hand, bet, once=named)}: returned, since the seed was not opened"
    for bet in betting.uncovered:
        yield f"     {_bet(hand, bet, once=named)}: not taken, since the bank does not cover it"
    for seat in betting.passed:
        yield f"     {name_account(hand, seat)} passes"
    for seat in betting.late:
        yield f"     {name_account(hand, seat)} is too late to bet"
    for seat in betting.unfunded:
        yield f"     {name_account(hand, seat)} has not the chips for the lowest bet"


def _waived(hand: WatchedRound, seat: int, player: str) -> bool:
    told = hand.shoe.book_shoe
    return seat in hand.open_round.betting.waived or (player in told.waived and player not in told.opened)


def _bet(hand: WatchedRound, bet: Bet, *, once: set[int]) -> str:
    """A bet; whoever is not among `once` yet is told with the name."""
    box = "" if bet.box == bet.seat else f" on box {bet.box}"
    player = hand.player(bet.seat)
    name = None if bet.seat in once or not player else hand.name_of(player)
    once.add(bet.seat)
    return f"{name_player(player or 'nobody', name)} (seat {bet.seat}) bets {bet.amount:,}{box}"


def key(hand: WatchedRound) -> Iterator[str]:
    if hand.end is None:
        if hand.end_kind:
            yield "4. The shoe came to no reveal: this round was not dealt to its end."
        else:
            yield "4. The key is not revealed yet: the commitment binds the cards, but they cannot be checked before."
        if hand.bound:
            yield f"     {mark(True)} Each card leads to the root in the seal (entry {hand.shoe.seal_line}): the house"
            yield "       could not exchange it afterwards. Whether the key gives this order, the reveal shows."
        return
    digest = commitment_of(bytes.fromhex(hand.end["key"]))
    yield f"4. When the shoe was done the house revealed the key (entry {hand.end_line}):"
    yield f"     {hand.end['key']}"
    yield f"     {mark(digest == hand.shoe.commitment)} its SHA-256 is {digest}"


def play(hand: WatchedRound) -> Iterator[str]:
    if hand.entry is None:
        yield "6. What was played and paid cannot be told: no entry of this round could be followed."
        return
    yield "6. The rules, with the decisions in the log, give the rest:"
    source = LoggedCards(hand.entry["cards"], position=hand.position, present=hand.present, size=len(hand.shoe.deck))
    try:
        round = RecordedRound(hand.before, source, hand.bets)
        for decision in map(decision_of, hand.entry["decisions"]):
            round.decide(decision)
    except (FairshoeError, LookupError) as error:
        yield f"     {BAD} the rules cannot play this round: {error}"
        return
    for event in round.events:
        yield f"     {_sentence(event, 'the shoe' if event.hand is None else _owner(hand, event.hand))}"
    if not round.is_over:
        yield f"     {BAD} the round is not over after the decisions in the log"
    chips = ", ".join(f"{name_account(hand, account)} {round.purse[account]:,}" for account in sorted(round.purse))
    yield f"   Chips afterwards: {chips}"


def _owner(hand: WatchedRound, cards: Cards) -> str:
    """Name the owner of a hand of cards."""
    if cards.seat == hand.before.bank:
        return "the dealer"
    player = hand.player(cards.seat) or "nobody"
    return player if cards.box == cards.seat else f"{player}, box {cards.box}"


def _sentence(event: Event, owner: str) -> str:
    """Describe an event in a sentence."""
    amount = f"{event.amount:,}"
    match event.what:
        case "deal":
            hidden = ", face down" if event.hidden else ""
            return f"{owner} gets {event.label}{hidden}: {event.total}"
        case "decide":
            extra = f" {amount}" if event.amount else ""
            return f"{owner} on {event.total}: {event.label}{extra}"
        case "show":
            return f"{owner} shows {event.label}: {event.total}"
        case "wager":
            return f"{owner} puts {amount} more on it"
        case "split":
            return f"{owner} splits into two hands of {amount}"
        case "insure":
            return f"{owner} insures for {amount}"
        case "insurance":
            return f"{owner}: insurance {event.amount:+,}"
        case "settle":
            bet = 0 if event.hand is None else event.hand.bet
            return f"{owner}: {event.label} on {event.total}, bet {bet:,}, net {event.amount:+,}"
        case _:
            return "the cards out of play are reshuffled in the middle of the deal"
