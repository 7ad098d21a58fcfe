"""One hand for people: commitment, seeds, key, every card with its arithmetic, the play, the payout."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from fairshoe.engine.cards import Dealt
from fairshoe.engine.story import Event, Told, told
from fairshoe.engine.table import HOUSE, POOL, account_name
from fairshoe.errors import FairshoeError
from fairshoe.protocol.commitment import commitment_of

from .arithmetic import steps
from .findings import Finding
from .found import FoundRound
from .kinds.reveal import sealed_of
from .report import Report


def hand_text(found: FoundRound, report: Report) -> str:
    """The whole story of a round; what the audit found about it stands at the end."""
    return "\n".join([*_head(found), "", *_shuffle(found), "", *_play(found), "", *_verdict(found, report)])


def _head(found: FoundRound) -> Iterator[str]:
    players = found.table.players
    yield f"Round {found.name}: {found.table.rules.name}, shoe {found.shoe.id}, log entry {found.line}"
    for bet in found.bets:
        box = "" if bet.box == bet.seat else f" on box {bet.box}"
        yield f"  {_who(bet.seat)} ({players.get(bet.seat, 'nobody')}) bets {bet.amount:,}{box}"


def _who(account: int) -> str:
    return {HOUSE: "the house", POOL: "the pool"}.get(account, f"seat {account}")


def _mark(good: bool) -> str:
    return "✓" if good else "✗"


def _shuffle(found: FoundRound) -> Iterator[str]:
    shoe = found.shoe
    yield "The shuffle"
    yield f"  commitment  {shoe.commitment}  (entry {shoe.index})"
    seeds = (shoe.seal or {}).get("seeds", {})
    for who in shoe.roster:
        if who in seeds:
            yield from _seed(who, seeds[who], shoe.hashes)
    if shoe.cut is not None:
        chooser = f"chosen by {shoe.cut['by']}" if "by" in shoe.cut else "by the committed draw `cut`"
        yield f"  cut         at {shoe.cut['at']}, {chooser}"
    if found.end is None:
        yield "  key         not revealed yet: the cards are bound by the commitment, but cannot be checked before"
        return
    key = bytes.fromhex(found.end["key"])
    fits = commitment_of(key) == shoe.commitment
    yield f"  key         {found.end['key']}"
    yield f"              {_mark(fits)} its SHA-256 is {'the commitment' if fits else commitment_of(key)}"
    if fits:
        try:
            yield from _cards(found, key)
        except FairshoeError as error:
            yield f"              ✗ {error}"


def _seed(who: str, seed: str, hashes: dict[str, str] | None) -> Iterator[str]:
    yield f"  seed        {who}: {seed}"
    if hashes is not None:
        digest = sha256(bytes.fromhex(seed)).hexdigest()
        yield f"              {_mark(hashes.get(who) == digest)} its SHA-256 {digest} was published before any seed"


def _cards(found: FoundRound, key: bytes) -> Iterator[str]:
    sealed = sealed_of(found.shoe, key)
    yield f"  transcript  its SHA-256 is {sealed.first_transcript.digest.hex()}"
    cards, position, size = found.entry["cards"], found.entry["pos"], len(sealed.deck)
    if found.entry.get("reshuffled") or any(dealt.gatherings for dealt in found.shoe.rounds):
        yield "  cards       the shoe was reshuffled in the middle of a deal: `verify` rebuilds every card of it"
        return
    first = (position + sealed.cut) % size
    last = max((position + offset + sealed.cut) % size for offset in range(len(cards)))
    walked = {}
    for step in steps(key, sealed):
        walked[step.at] = step
        if step.at == last and (first <= last):
            break
    yield "  cards       position: shuffle step i takes the next word w and swaps i with i + w mod (n - i)"
    for offset, card in enumerate(cards):
        step = walked[(position + offset + sealed.cut) % size]
        again = f" ({len(step.rejected)} words discarded)" if step.rejected else ""
        yield (
            f"    {_mark(step.card == card)} {position + offset:3}: {card}   "
            f"i = {step.at}, w = {step.word}{again}, {step.at} + {step.word} mod {size - step.at} "
            f"= {step.swapped}{'' if step.card == card else f', which is {step.card}'}"
        )


def _play(found: FoundRound) -> Iterator[str]:
    yield "The play"
    source = Dealt(
        found.entry["cards"], position=found.entry["pos"], present=found.shoe.present, size=len(found.shoe.deck)
    )
    try:
        round = Told(found.table, source, found.bets)
        for decision in found.decisions:
            round.decide(decision)
        events = told(round)
    except (FairshoeError, KeyError) as error:
        yield f"  ✗ the rules cannot play this round: {error}"
        return
    for event in events:
        yield f"  {_line(event)}"
    purse = round.close().purse
    yield "  chips afterwards: " + ", ".join(f"{_who(account)} {purse[account]:,}" for account in sorted(round.purse))


def _name(event: Event) -> str:
    hand = event.hand
    if hand is None:
        return "the shoe"
    if hand.bet == 0:
        return "dealer" if hand.seat <= 0 else f"dealer (seat {hand.seat})"
    return _who(hand.seat) if hand.box == hand.seat else f"box {hand.box}"


def _line(event: Event) -> str:
    who = _name(event)
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
            return "the shoe is reshuffled in the middle of the deal"


def _verdict(found: FoundRound, report: Report) -> Iterator[str]:
    about = [finding for finding in report.findings if finding.round == found.name or finding.entry == found.line]
    fails = [finding for finding in about if finding.severity == "fail"]
    if fails:
        yield "The audit found:"
        for finding in fails:
            yield f"  ✗ {finding.code} {finding.field or ''}: expected {finding.expected}, found {finding.found}"
    elif found.end is None:
        yield "Nothing is wrong so far. The shuffle is not checked before the key is revealed."
    else:
        yield "✓ Every card, decision and payout of this round is what the key and the rules give."


def hand_json(found: FoundRound, report: Report) -> dict[str, Any]:
    """The round, its shoe and what was found, as JSON values."""
    about: list[Finding] = [f for f in report.findings if f.round == found.name or f.entry == found.line]
    return {
        "round": found.name,
        "entry": found.line,
        "shoe": found.shoe.id,
        "commitment": found.shoe.commitment,
        "key": None if found.end is None else found.end["key"],
        "record": found.entry,
        "chips_before": {account_name(a): chips for a, chips in found.table.purse.items()},
        "findings": [finding._asdict() for finding in about],
    }
