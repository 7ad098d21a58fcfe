"""The payments into the games of a table: those of games long past are on the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from fairshoe.ceremony.book import BuyIn

from .disk import told_of_the_disk

MOST_KEPT = 4096
CACHE = -2048
"""What the database may hold in memory: so many KB."""
TABLES = (
    f"PRAGMA cache_size = {CACHE}",
    "PRAGMA journal_mode = OFF",
    "CREATE TABLE paid (game INTEGER, seat INTEGER, player TEXT, gifts TEXT, refunded INTEGER, "
    "PRIMARY KEY (game, seat, player)) WITHOUT ROWID",
    "CREATE TABLE payers (game INTEGER, seat INTEGER, player TEXT, PRIMARY KEY (game, seat)) WITHOUT ROWID",
)
PAID = "SELECT gifts, refunded FROM paid WHERE game = ? AND seat = ? AND player = ?"
PAYER = "SELECT player FROM payers WHERE game = ? AND seat = ?"
ALL = (
    "SELECT paid.game, paid.seat, paid.player, gifts, refunded FROM paid JOIN payers "
    "ON paid.game = payers.game AND paid.seat = payers.seat "
    "ORDER BY paid.game, paid.seat, paid.player = payers.player, paid.player"
)


class Payments:
    """Who paid into which game: each may be refunded once, however late.

    `most` of them are in memory (where it is set to None all, each the same object for ever), the others in a temporary
    database that goes with the process. Every method raises LogError where the disk is full.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most: int | None = MOST_KEPT if most is None else most
        self._paid: dict[tuple[int, int, str], BuyIn] = {}
        self._payers: dict[tuple[int, int], str] = {}
        self._old: sqlite3.Connection | None = None
        self._present = 0

    def add(self, paid: BuyIn) -> None:
        """One more payment, in the place of an earlier one of the same player for the chair."""
        self._paid[paid.game, paid.seat, paid.player] = paid
        self._payers[paid.game, paid.seat] = paid.player
        if self.most is not None and len(self._paid) > max(self.most, 2 * self._present):
            self._spill(paid.game)
            self._present = len(self._paid)

    def get(self, game: int, seat: int, player: str) -> BuyIn | None:
        """What a player paid for a chair in a game."""
        key = game, seat, player
        paid = self._paid.get(key)
        if paid is None and self._old is not None:
            with told_of_the_disk():
                found = self._old.execute(PAID, key).fetchone()
            if found is not None:
                paid = self._paid[key] = BuyIn(*key, int(found[0]), bool(found[1]))
        return paid

    def payer(self, game: int, seat: int) -> str | None:
        """Who paid last for a chair in a game."""
        player = self._payers.get((game, seat))
        if player is None and self._old is not None:
            with told_of_the_disk():
                found = self._old.execute(PAYER, (game, seat)).fetchone()
            player = None if found is None else str(found[0])
        return player

    def __iter__(self) -> Iterator[BuyIn]:
        """All, by game and chair; of a chair whoever paid last comes last."""
        self._write(list(self._paid.values()))
        if self._old is not None:
            with told_of_the_disk():
                for game, seat, player, gifts, refunded in self._old.execute(ALL):
                    yield BuyIn(game, seat, player, int(gifts), bool(refunded))

    def _spill(self, present: int) -> None:
        """All but those of the present game, which still change, go to the disk."""
        old = [paid for paid in self._paid.values() if paid.game != present]
        self._write(old)
        for paid in old:
            del self._paid[paid.game, paid.seat, paid.player]
            self._payers.pop((paid.game, paid.seat), None)

    def _write(self, payments: list[BuyIn]) -> None:
        """Have these in the database, as they are now."""
        if not payments:
            return
        with told_of_the_disk():
            if self._old is None:
                self._old = sqlite3.connect("")
                for statement in TABLES:
                    self._old.execute(statement)
            self._old.executemany(
                "REPLACE INTO paid VALUES (?, ?, ?, ?, ?)",
                [(paid.game, paid.seat, paid.player, str(paid.gifts), paid.refunded) for paid in payments],
            )
            payers = {(paid.game, paid.seat): self._payers.get((paid.game, paid.seat)) for paid in payments}
            rows = [(*place, player) for place, player in payers.items() if player is not None]
            self._old.executemany("REPLACE INTO payers VALUES (?, ?, ?)", rows)
