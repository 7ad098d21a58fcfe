"""A table as the signed log tells it to somebody who sits there: the shoe in play, and whose turn it is to open a seed.

Entries are folded into the ceremony's own book, whose rules say the rest.
"""

from __future__ import annotations

from ..ceremony import fold
from ..ceremony.book import Chair, Shoe
from ..ceremony.contributing import openers
from ..engine.table import HOUSE, Table
from ..log.canonical import Entry
from ..record.forms import account_of, shoe_id, table_of
from ..record.hand_entries import ENDS, chairs_in, seated, takes_chair, unnamed

LONG_AGO = ""
"""When a chair was taken, if that was before the entries that are followed: it sorts before every time."""
STEPS = ("seeds", "open", "opened", "lapse", "seal")


def may_sit_down(entry: Entry) -> bool:
    """Whether a player may have taken a chair by this entry: who has more than was paid sat there already."""
    return bool(takes_chair(entry) and entry["chips"][str(entry["seat"])] <= entry["amount"])


class SignedTable:
    """Takes a table's entries in order, without gaps from some entry on; what was before that is not known.

    Who took a chair before is older than whoever takes one since. `newcomers` are who seem to have sat down since: of
    a player without chips who buys in, the entry alone does not tell. `ended` are shoes that are over. `bets` of the
    round whose bets stand, as logged. Entries that cannot be followed raise KeyError, TypeError, ValueError.
    """

    def __init__(self, opened: Entry) -> None:
        self.book = fold.opened_table(opened)
        self.commitments: dict[str, str] = {}
        self.ended: set[str] = set()
        self.newcomers: set[str] = set()
        self.bets: list[Entry] = []
        self._late: dict[str, str] = {}
        self._sure: dict[str, Chair] = {}

    def take(self, entry: Entry) -> None:
        kind, at = entry["kind"], entry["at"]
        if kind == "chips" and entry["table"] == self.book.id:
            self._chips(entry)
        elif kind == "shoe":
            self._seat(entry)
            self.commitments[entry["shoe"]] = entry["commitment"]
            fold.take(self.book, None, entry)
        elif kind == "late":
            self._late[entry["player"]] = at
            fold.take(self.book, None, entry)
        elif kind in ENDS:
            self.ended.add(entry["shoe"])
            if (shoe := self.shoe(entry["shoe"])) is not None:
                fold.ended(self.book, shoe, at)
        elif kind == "round":
            self.book.open = None
        elif kind in STEPS and (shoe := self.shoe(entry["shoe"])) is not None:
            fold.take(self.book, shoe, entry)
            self.bets = entry["bets"] if kind == "open" else self.bets

    def shoe(self, name: str) -> Shoe | None:
        shoe = self.book.shoe
        return shoe if shoe is not None and shoe.id == name else None

    def before(self, name: str) -> str:
        """The shoe that has to be over before this one is opened, "" where there is none."""
        table, number = table_of(name)
        return shoe_id(table, number - 1) if number > 1 else ""

    def waits_for(self, shoe: Shoe) -> list[str]:
        """Who has still to open a seed, in order."""
        return openers(self.book, shoe)

    # Chairs.

    def _chips(self, entry: Entry) -> None:
        """Who sits where. Other moves of chips change no order of opening."""
        seat, player, players = entry["seat"], entry["player"], dict(self.book.table.players)
        if entry.get("leaves"):
            self._sure.pop(player, None)
            if seat in players:
                self.book.chairs[seat] = self._chair(player) if players[seat] != player else self.book.chairs[seat]
                del players[seat]
                self._follow(entry, players)
        elif takes_chair(entry) and self.book.seat_of(player) is None:
            if seat not in players and may_sit_down(entry):
                if player not in self.book.put_out:
                    self.newcomers.add(player)
                self._follow(entry, players | {seat: player})
            else:  # this player has sat there all the time
                self.book.chairs[seat] = self._chair(player)
                self.book.table = self._table(players | {seat: player})
            self._sure[player] = self.book.chairs[seat]

    def _chair(self, player: str) -> Chair:
        """A chair that was taken since, or before all that is followed."""
        taken = self._late.get(player, LONG_AGO)
        return self._sure.get(player) or Chair(player, LONG_AGO, taken, taken)

    def _table(self, players: dict[int, str]) -> Table:
        table = self.book.table
        return Table(table.rules, players, dict.fromkeys(players, 0) | dict(table.purse), table.bank, table.memory)

    def _follow(self, entry: Entry, players: dict[int, str]) -> None:
        fold.take(self.book, self.book.shoe, entry, self._table(players))

    def _seat(self, entry: Entry) -> None:
        """Everybody sits where the `shoe` says; of whom it leaves out perhaps only the chair is known."""
        book, known = self.book, self.book.table.players
        purse = {account: chips for name, chips in entry["chips"].items() if (account := account_of(name)) is not None}
        players = {seat: known.get(seat, unnamed(seat)) for seat in chairs_in(entry)} | seated(entry)
        bank = account_of(entry["bank"])
        memory = book.rules.recalled(entry.get("memory", {}), entry.get("paid", ()))
        book.chairs = {seat: self._chair(player) for seat, player in players.items()}
        book.table = Table(book.rules, players, purse, HOUSE if bank is None else bank, memory)
