"""Choices left to a house, or to a seat that works with it: counted, never judged. See docs/ceremony.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..engine.moves import TABLE, Decision
from ..log.times import SECOND, microseconds
from ..protocol.transcript import MIN_SEED
from ..record.forms import decision_of
from ..record.hand_entries import LEFT_OUT
from ..record.rounds import Betting, betting_of
from .book import Book, Shoe, has_part, has_seed, standing_bets
from .contributing import roster
from .stages import Stage

Counted = tuple[str, str | None, int]
"""A choice, the player concerned, how often."""
CHOICES = {
    "gathered": "cards gathered and shuffled anew",
    "lapse": "lapse",
    "late": "seed handed in late",
    "token": "token given by the house",
}
"""The choice that every entry of a kind shows, for its player if it names one."""
REPEATED_ROUND = "beacon round of another shoe"
"""A shoe without a table names the beacon's round of another one."""
START_WHILE_DUE = "start while a step was due"
UNPUBLISHED = "waited without a published question"
"""A round waits at the log's end without a question of the house for its next card."""
HANDED_IN = "answer handed in against a receipt"
"""The house gave a receipt for a placer's answer."""
MISSING_KEY = "key of the player's places out for over 30 days"
"""The key of a player who places has not come in thirty days."""


class Choices:
    """Counts of choices by table, player and choice; the table is None for a log's own. `recent`: the choices of tables
    that were added since somebody who asks for them looked; None if nobody does."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str | None, str | None, str]] = Counter()
        self.recent: list[tuple[str, str, int]] | None = None

    def add(self, table: str | None, counted: Iterable[Counted]) -> None:
        for name, player, times in counted:
            self.add_one(table, name, player, times)

    def add_one(self, table: str | None, name: str, player: str | None = None, times: int = 1) -> None:
        self.counts[table, player, name] += times
        if self.recent is not None and table is not None:
            self.recent.append((table, name, times))

    def count(self, other: Choices) -> None:
        """Add the counts of other entries."""
        self.counts.update(other.counts)

    def as_json(self) -> dict[str, Any]:
        """Three objects of counts, sorted by name: of the log, by table, by table and player."""
        log = Counter[str]()
        tables: dict[str, Counter[str]] = defaultdict(Counter)
        players: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for (table, player, name), times in self.counts.items():
            log[name] += times
            if table is not None:
                tables[table][name] += times
                if player is not None:
                    players[table][player][name] += times
        return {"log": _sort_members(log), "tables": _sort_members(tables), "players": _sort_members(players)}


def _sort_members(found: Any) -> Any:
    """Objects with their members in order."""
    return {name: _sort_members(found[name]) for name in sorted(found)} if isinstance(found, dict) else found


def count_choices(book: Book | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    """Count the choices that an entry shows, given the book before it."""
    kind, player = entry["kind"], entry.get("player")
    if kind in CHOICES:
        yield CHOICES[kind], player, 1
    match kind:
        case "chips":
            yield from _count_chips(book, entry)
        case "shoe":
            yield from _count_shoe(book, entry)
        case "seeds" if shoe is not None:
            yield from (("hash not heard", who, 1) for who in shoe.roster if who not in entry["hashes"])
        case "seal" if shoe is not None:
            yield from _count_seal(book, shoe, entry)
        case "open" if (betting := betting_of(entry)) is not None:
            yield from count_missing_bets(book, betting)
        case "round" | "bank" if book is not None:
            yield from count_decisions(book, shoe, map(decision_of, entry.get("decisions", ())))
        case "opened" | "late":
            if len(entry["seed"]) < 2 * MIN_SEED:  # others can find it by trying: its hash hides nothing
                yield "short seed", player, 1
            if kind == "late" and book is not None and player in book.debts:
                yield from _count_overdue_seed(book, entry["player"], entry["at"])
        case "drawn" if "hidden" in entry:
            yield "hidden card", entry.get("to"), entry["hidden"]
        case "void":
            yield f"void: {entry['why']}", entry.get("by"), 1
        case "reveal" if entry["why"] != "worn":
            yield f"ended before it was worn: {entry['why']}", None, 1
            if book is not None and shoe is not None:
                yield "cards left in shoes ended before they were worn", None, max(0, shoe.deck_size - shoe.position)
        case "close" if book is not None and book.shoe is not None and book.shoe.is_opening:
            yield "closed after a seal" if book.shoe.sealed else "closed in an opening", None, 1


def count_start(in_play: bool) -> Iterator[Counted]:
    """A `start` entry; `in_play`: whether any shoe was, whose limits begin anew by it."""
    yield "start", None, 1
    if in_play:
        yield "start while a shoe was in play", None, 1


def _count_chips(book: Book | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    if "by" in entry:
        yield "put out after lapsed limits" if "lapsed" in entry else "put out by the house", entry["player"], 1
    if entry["op"] == "refund":
        yield "refund", entry["player"], 1
    shoe = None if book is None else book.shoe
    if book is not None and shoe is not None and shoe.is_opening and "leaves" in entry:
        seat = entry["seat"]
        if seat in book.chairs and seat != book.table.bank and has_part(book, shoe, seat):
            yield "left a sealed shoe" if shoe.sealed else "left a shoe in its opening", entry["player"], 1


def _count_shoe(book: Book | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    """Count a sole contributor, and players left out as away who would be in the roster otherwise."""
    if len(entry["roster"]) == 1:
        yield "sole contributor", entry["roster"][0], 1
    if book is not None and any(reason in entry for reason in LEFT_OUT):
        for seat in roster(book):
            if book.chairs[seat].player not in entry["roster"]:
                yield "left out as away", book.chairs[seat].player, 1


def _count_seal(book: Book | None, shoe: Shoe, entry: Mapping[str, Any]) -> Iterator[Counted]:
    """Count silent players of a shoe without seeds, and a shoe of many rounds sealed without a root."""
    lasts = book is not None and shoe.purpose is None and not book.rules.one_round
    if lasts and "cards_root" not in entry:
        yield "sealed without a root", None, 1
    for player in shoe.roster if shoe.stage is Stage.HASH else ():
        yield "hash not heard", player, 1


def count_missing_bets(book: Book | None, betting: Betting) -> Iterator[Counted]:
    """Yield who waived, passed or was late, and whose bet did not count."""
    players = {} if book is None else book.table.players
    _, waived, passed, late, uncovered, unfunded = betting
    for name, seats in (("waiver", waived), ("pass", passed), ("late bet", late), ("unfunded", unfunded)):
        for seat in seats:
            yield name, players.get(seat), 1
    for bet in uncovered:
        yield "bet without cover", players.get(bet.seat), 1


def count_decisions(book: Book, shoe: Shoe | None, decisions: Iterable[Decision]) -> Iterator[Counted]:
    """Count decisions by who made them, and those of a banker by whether the banker has a seed in the shoe."""
    players, bank = book.table.players, book.table.bank
    for actor, _, _, _, by in decisions:
        if by == TABLE:
            yield "decision by the table", players.get(actor), 1
        elif actor == bank:
            yield "decision of the bank", players.get(bank), 1
    if shoe is not None and bank in book.chairs and not has_seed(book, shoe, bank):
        yield "banked without a seed", players[bank], 1


def count_busts(book: Book, seats: Iterable[int]) -> Iterator[Counted]:
    """Count the hands of a round that went bust, by seat."""
    for seat in seats:
        yield "bust", book.table.players.get(seat), 1


def count_unshown(shoe: Shoe) -> Iterator[Counted]:
    """Yield the hidden cards of a shoe without a table that nobody has shown, by the player to whom they were dealt."""
    if shoe.told_cards is not None:
        runs = [shoe.told_cards.hidden_at(pos) for pos in shoe.told_cards.shown]
        shown = Counter(run.pos for run in runs if run is not None)
        for run in shoe.told_cards.runs:
            if run.hidden and run.size > shown[run.pos]:
                yield "hidden card never shown", run.to or None, run.size - shown[run.pos]


def _count_overdue_seed(book: Book, player: str, at: str) -> Iterator[Counted]:
    debt = book.debts[player]
    if not debt.is_paid and microseconds(at) > microseconds(debt.at) + book.policy.shoe * SECOND:
        yield "seed not handed in by the shoe's age", player, 1


def count_unfinished(book: Book, at: str) -> Iterator[Counted]:
    """Yield counts of what is unfinished at the log's end, at `at`: owed seeds, a live shoe, bets not dealt."""
    for player in book.debts:
        yield from _count_overdue_seed(book, player, at)
    if book.shoe is not None:
        yield from count_unfinished_shoe(book.shoe)
    if book.shoe is not None and book.open_round is not None:
        yield "bets not dealt", None, len(standing_bets(book, book.shoe, book.open_round))


def count_unfinished_shoe(shoe: Shoe) -> Iterator[Counted]:
    """Yield counts of a shoe that is not over by the log's end, whose order somebody may know."""
    start = shoe.told_cards.start if shoe.told_cards is not None else 0
    if shoe.sealed:
        yield "shoe sealed and not ended", None, 1
        yield "cards left in shoes sealed and not ended", None, max(0, start + shoe.deck_size - shoe.position)
    elif shoe.is_opening:
        yield "shoe opened and not sealed", None, 1


def count_wait(shoe: Shoe) -> Iterator[Counted]:
    """Count a round, or another step that needs places, that came more than an hour late."""
    if shoe.player_places:
        yield "waited for the player's places for over an hour", next(iter(shoe.roster), None), 1
    else:
        yield "waited for a placer for over an hour", None, 1
