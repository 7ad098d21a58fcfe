"""Hold the cards that a log says were dealt against the order that the key gives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from operator import eq

from fairshoe.protocol.shoe import Sealed
from fairshoe.record.entries import reshuffle_entry

from .audit import Audit
from .comparison import differences
from .state import AuditedShoe, DealtRound, Gathering, LoggedEntry

MAX_FEW = 5
"""Number of cards that may all differ before the whole order counts as another one."""


def count_misplaced(shoe: AuditedShoe, order: Sequence[str], draws: dict[str, int], logged: dict[str, int]) -> str:
    """Describe how many cards are misplaced if the shoe's whole order is another one; else "".

    That is if over half of the dealt cards, and the first ones, are misplaced; without cards, if none of several draws
    fits.
    """
    if not shoe.rounds:
        other = [name for name in draws if draws[name] != logged.get(name)]
        return f"{len(other)} draws that differ" if len(other) == len(draws) > 1 else ""
    if _is_in_one_row(shoe, order):
        return ""
    fits: list[bool] = []
    for each in shoe.rounds:
        length = each.gatherings[0].after if each.gatherings else len(each.cards)
        rows = (order[start : start + length] for start in (each.position, each.logged_position))
        fits += max((list(map(eq, each.cards[:length], chain(row, repeat("")))) for row in rows), key=sum)
        if each.gatherings:
            break
    return elsewhere(fits)


def elsewhere(fits: Sequence[bool]) -> str:
    """How many cards do not fit, where more than half of all do not, and of the first ones; else ""."""
    same, first = sum(fits), sum(fits[:MAX_FEW])
    is_another = len(fits) > MAX_FEW and same * 2 < len(fits) and first * 2 < MAX_FEW
    return f"{len(fits) - same:,} of {len(fits):,} cards elsewhere" if is_another else ""


def check_dealt(audit: Audit, shoe: AuditedShoe, sealed: Sealed, order: Sequence[str]) -> None:
    """Compare every dealt card of a shoe, through its reshuffles; `order` is that of the whole shoe."""
    if shoe.burn is not None and [shoe.burn] != order[:1]:
        line, expected = shoe.seal_line, order[0] if order else None
        audit.find("burn-differs", shoe.place, entry=line, field="burn", expected=expected, found=shoe.burn)
    if shoe.rounds:
        audit.report.checked("cards")
    if _is_in_one_row(shoe, order):
        return
    for dealt in shoe.rounds:
        if dealt.gatherings:
            order = _compare_reshuffled(audit, shoe, sealed, dealt)
        else:
            _check_row(audit, shoe, dealt, order)


def _check_row(audit: Audit, shoe: AuditedShoe, dealt: DealtRound, order: Sequence[str]) -> None:
    """The cards of a round in one row; at the logged position, if that is another, they are not exchanged."""
    cards = dealt.cards
    rows = [order[start : start + len(cards)] for start in (dealt.position, dealt.logged_position)]
    if cards in rows:
        return
    _name(audit, shoe, dealt, 0, cards, rows[0])


def is_dealt_in_one_row(shoe: AuditedShoe, sealed: Sealed) -> bool:
    """Whether the dealt cards are the first of the key's order, as usual: the rest is then not needed."""
    row = _cards_in_row(shoe)
    if row is None:
        return False
    start = shoe.rounds[0].position if shoe.rounds else 0
    first = sealed.first(min(max(start + len(row), 1), len(sealed)))
    return row == first[start : start + len(row)] and (shoe.burn is None or first[:1] == [shoe.burn])


def _is_in_one_row(shoe: AuditedShoe, order: Sequence[str]) -> bool:
    """Return the same of the whole order, but for a burned card."""
    row = _cards_in_row(shoe)
    start = shoe.rounds[0].position if shoe.rounds else 0
    return row is not None and row == order[start : start + len(row)]


def _cards_in_row(shoe: AuditedShoe) -> list[str] | None:
    """Return the cards of all rounds, where they lie one behind the other."""
    row: list[str] = []
    start = shoe.rounds[0].position if shoe.rounds else 0
    for dealt in shoe.rounds:
        if dealt.gatherings or dealt.position != start + len(row):
            return None
        row += dealt.cards
    return row


def _name(
    audit: Audit, shoe: AuditedShoe, dealt: DealtRound, offset: int, found: Sequence[str], expected: Sequence[str]
) -> None:
    """Report each card that differs."""
    for i, card in enumerate(found):
        wanted = expected[i] if i < len(expected) else None
        if card != wanted:
            audit.find(
                "card-differs",
                shoe.round(dealt.number),
                entry=dealt.line,
                field=f"cards[{offset + i}]",
                expected=wanted,
                found=card,
            )


def _compare_reshuffled(audit: Audit, shoe: AuditedShoe, sealed: Sealed, dealt: DealtRound) -> list[str]:
    """A round with reshuffles in the middle: compare it piece by piece; gives the order afterwards."""
    on_table: list[int] = []
    start, position = 0, dealt.position
    for number, gathering in enumerate(dealt.gatherings):
        indexes = sealed.order_indexes()[position:]
        piece = dealt.cards[start : gathering.after]
        on_table += indexes[: len(piece)]
        _name(audit, shoe, dealt, start, piece, [sealed.deck[i] for i in indexes[: len(piece)]])
        held = set(on_table)
        sealed.reshuffle([i for i in range(len(sealed.deck)) if i not in held], cut=gathering.cut)
        burned = gathering.burn and len(sealed) > 1
        logged = dealt.logged[number] if number < len(dealt.logged) else None
        _check_entry(audit, shoe, sealed, dealt, gathering, logged, burned)
        start, position = gathering.after, int(burned)
    order = sealed.order()
    rest = dealt.cards[start:]
    _name(audit, shoe, dealt, start, rest, order[position : position + len(rest)])
    return order


def _check_entry(
    audit: Audit,
    shoe: AuditedShoe,
    sealed: Sealed,
    dealt: DealtRound,
    gathering: Gathering,
    logged: LoggedEntry | None,
    burned: bool,
) -> None:
    if logged is None:
        return
    latest = sealed.transcript.reshuffles[-1]
    first = sealed.first(1) or [logged.entry.get("burn", "")]  # of a deck whose places nobody asked for, as it says
    expected = reshuffle_entry(
        logged.entry["at"],
        shoe.id,
        logged.entry["round"],
        k=latest.number,
        after=gathering.after,
        cards=latest.size,
        deck=latest.deck_hash,
        cut=sealed.cut if gathering.cut else None,
        burn=first[0] if burned else None,
        cards_root=sealed.cards_root,
    )
    for path, wanted, found in differences(expected, logged.entry):
        place = shoe.round(dealt.number)
        audit.find("reshuffle-differs", place, entry=logged.line, field=path, expected=wanted, found=found)
