"""One hand for people: commitment, seeds, key, every card with its arithmetic, the play, the payout."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from fairshoe.engine.cards import Dealt
from fairshoe.engine.story import Event, Told
from fairshoe.engine.table import HOUSE, POOL, account_name
from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of

from .arithmetic import steps
from .findings import Finding
from .found import FoundRound
from .kinds.reveal import sealed_of
from .report import Report

GOOD, BAD = "✓", "✗"


def hand_text(found: FoundRound, report: Report) -> str:
    """The whole story of a round; what the audit found about it stands at the end."""
    parts = (_head, _commitment, _seeds, _bets, _key, _cards, _play)
    lines = [line for part in parts for line in (*part(found), "")]
    return "\n".join([*lines, *_verdict(found, report)])


def _mark(good: bool) -> str:
    return GOOD if good else BAD


def _who(found: FoundRound, account: int) -> str:
    """How a person is called: `alice (seat 1)`."""
    if account in (HOUSE, POOL):
        return "the house" if account == HOUSE else "the pool"
    return f"{found.table.players.get(account, 'nobody')} (seat {account})"


def _head(found: FoundRound) -> Iterator[str]:
    yield f"Round {found.name}: {found.table.rules.name}, shoe {found.shoe.id}, log entry {found.line}"


def _commitment(found: FoundRound) -> Iterator[str]:
    yield f"1. Before any bet the house committed to a secret key (entry {found.shoe.index}):"
    yield f"     {found.shoe.commitment}"


def _seeds(found: FoundRound) -> Iterator[str]:
    told = found.shoe.told
    if not told.opened:
        yield "2. No player added entropy: the order depends on the house's key alone."
    elif told.alone:
        yield "2. The player added entropy after the commitment and the bet:"
    else:
        yield "2. The players added entropy, first everybody's hash and only then the seeds, one after the other:"
    for who in told.roster:
        if who in told.opened:
            yield f"     {who}: {told.opened[who]}"
            if not told.alone:
                digest = sha256(bytes.fromhex(told.opened[who])).hexdigest()
                yield f"     {_mark(told.hashes.get(who) == digest)} its SHA-256 is {digest}"
        elif who in told.struck:
            yield f"     {who} was struck before any seed was opened"
        elif not told.alone:
            yield f"     {who} contributed nothing"
    if told.cut is not None:
        chooser = "by the committed draw `cut`" if told.cut.by is None else f"chosen by {told.cut.by}"
        yield f"   The shoe was cut at {told.cut.at}, {chooser}."


def _bets(found: FoundRound) -> Iterator[str]:
    yield "3. The bets stood before the first card of the round:"
    for bet in found.bets:
        box = "" if bet.box == bet.seat else f" on box {bet.box}"
        yield f"     {_who(found, bet.seat)} bets {bet.amount:,}{box}"


def _key(found: FoundRound) -> Iterator[str]:
    if found.end is None:
        yield "4. The key is not revealed yet: the commitment binds the cards, but they cannot be checked before."
        return
    digest = commitment_of(bytes.fromhex(found.end["key"]))
    yield "4. When the shoe was done the house revealed the key:"
    yield f"     {found.end['key']}"
    yield f"     {_mark(digest == found.shoe.commitment)} its SHA-256 is {digest}"


def _cards(found: FoundRound) -> Iterator[str]:
    if found.end is None or commitment_of(bytes.fromhex(found.end["key"])) != found.shoe.commitment:
        yield "5. Without the key that was committed to no card can be checked."
        return
    if found.entry.get("reshuffled") or any(dealt.gatherings for dealt in found.shoe.rounds):
        yield "5. The shoe was reshuffled in the middle of a deal: `fairshoe-audit verify` rebuilds every card of it."
        return
    try:
        lines = list(_arithmetic(found, bytes.fromhex(found.end["key"])))
    except FairshoeError as error:
        lines = [f"     {BAD} {error}"]
    yield "5. Key and seeds give every card. The shoe begins as a sorted deck of n cards; step i of the shuffle takes"
    yield "   the next word w of the stream and swaps places i and i + w mod (n - i). Place i is final then."
    yield from lines


def _arithmetic(found: FoundRound, key: bytes) -> Iterator[str]:
    sealed = sealed_of(found.shoe, key)
    size, cards = len(sealed.deck), found.entry["cards"]
    wanted = {(found.entry["pos"] + offset + sealed.cut) % size: offset for offset in range(len(cards))}
    lines = {}
    for step in steps(key, sealed):
        offset = wanted.get(step.at)
        if offset is not None:
            again = f" after {len(step.rejected)} discarded" if step.rejected else ""
            other = "" if step.card == cards[offset] else f", which is {step.card}"
            lines[offset] = (
                f"     {_mark(not other)} {cards[offset]}   i = {step.at}, w = {step.word}{again}: "
                f"{step.at} + {step.word} mod {size - step.at} = {step.swapped}{other}"
            )
            if len(lines) == len(cards):
                break
    for offset in range(len(cards)):
        yield lines[offset]


def _play(found: FoundRound) -> Iterator[str]:
    yield "6. The rules, with the decisions in the log, give the rest:"
    shoe = found.shoe
    source = Dealt(found.entry["cards"], position=found.position, present=found.present, size=len(shoe.deck))
    try:
        round = Told(found.table, source, found.bets)
        for decision in found.decisions:
            round.decide(decision)
    except (FairshoeError, KeyError) as error:
        yield f"     {BAD} the rules cannot play this round: {error}"
        return
    for event in round.events:
        yield f"     {_sentence(event, _owner(found, event))}"
    chips = ", ".join(f"{_who(found, account)} {round.purse[account]:,}" for account in sorted(round.purse))
    yield f"   Chips afterwards: {chips}"


def _owner(found: FoundRound, event: Event) -> str:
    hand = event.hand
    if hand is None:
        return "the shoe"
    if hand.seat == found.table.bank:
        return "the dealer"
    name = found.table.players.get(hand.seat, "nobody")
    return name if hand.box == hand.seat else f"{name}, box {hand.box}"


def _sentence(event: Event, who: str) -> str:
    amount = f"{event.amount:,}"
    match event.what:
        case "deal":
            hidden = ", face down" if event.hidden else ""
            return f"{who} gets {event.label}{hidden}: {event.total}"
        case "decide":
            extra = f" {amount}" if event.amount else ""
            return f"{who} on {event.total}: {event.label}{extra}"
        case "show":
            return f"{who} shows {event.label}: {event.total}"
        case "wager":
            return f"{who} puts {amount} more on it"
        case "split":
            return f"{who} splits into two hands of {amount}"
        case "insure":
            return f"{who} insures for {amount}"
        case "insurance":
            return f"{who}: insurance {event.amount:+,}"
        case "settle":
            bet = 0 if event.hand is None else event.hand.bet
            return f"{who}: {event.label} on {event.total}, bet {bet:,}, net {event.amount:+,}"
        case _:
            return "the cards out of play are reshuffled in the middle of the deal"


def _verdict(found: FoundRound, report: Report) -> Iterator[str]:
    fails = [finding for finding in findings_about(found, report) if finding.severity == "fail"]
    if fails:
        yield f"{BAD} The audit found:"
        for finding in fails:
            field = f" {finding.field}" if finding.field else ""
            yield f"  {finding.code}{field}: expected {finding.expected}, found {finding.found}"
    elif found.end is None:
        yield "Nothing is wrong so far. The cards are not checked before the key is revealed."
    else:
        yield f"{GOOD} Every card, decision and payout of this round is what the key and the rules give."


def findings_about(found: FoundRound, report: Report) -> list[Finding]:
    """What the audit says of the round, its entry, or its shoe."""

    def about(finding: Finding) -> bool:
        of_shoe = finding.shoe == found.shoe.id and finding.round in (None, found.number)
        return of_shoe or finding.entry in (found.line, found.shoe.index)

    return [finding for finding in report.findings if about(finding)]


def hand_json(found: FoundRound, report: Report) -> dict[str, Any]:
    """The round, its shoe and what was found, as JSON values."""
    return {
        "round": found.name,
        "entry": found.line,
        "shoe": found.shoe.id,
        "commitment": found.shoe.commitment,
        "key": None if found.end is None else found.end["key"],
        "record": found.entry,
        "chips_before": {account_name(account): chips for account, chips in found.table.purse.items()},
        "findings": [finding._asdict() for finding in findings_about(found, report)],
    }
