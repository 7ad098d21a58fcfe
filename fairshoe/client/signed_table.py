"""A table as the signed log tells it to somebody who sits there: shoes in play, and whose turn it is to open a seed.

Entries are folded into the ceremony's own book, whose rules say the rest.
"""

from __future__ import annotations

from ..ceremony import follow
from ..ceremony.book import Book, Chair, Shoe
from ..ceremony.contributing import openers
from ..ceremony.policy import Policy
from ..engine.rules import rules_of
from ..engine.table import HOUSE, Table, fresh_table
from ..log.canonical import Entry
from ..record.forms import account_of, shoe_id, table_of
from ..record.hand_entries import ENDS, takes_chair
from ..record.opens import betting_of

LONG_AGO = ""
"""When a chair was taken, if that was before the entries that are followed: it sorts before every time."""
ELSEWHERE = 1_000
"""Beyond every chair: for who sits nobody knows where."""


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
        rules = rules_of(opened["rules"], opened["options"])
        self.book = Book(opened["table"], Policy(**opened["policy"]), fresh_table(rules))
        self.commitments: dict[str, str] = {}
        self.ended: set[str] = set()
        self.newcomers: set[str] = set()
        self.bets: list[Entry] = []
        self._late: dict[str, str] = {}
        self._sure: dict[int, Chair] = {}

    def take(self, entry: Entry) -> None:
        kind, at = entry["kind"], entry["at"]
        if kind == "chips" and entry["table"] == self.book.id:
            self._chips(entry, at)
        elif kind == "shoe":
            self._shoe(entry, at)
        elif kind == "late":
            self._late[entry["player"]] = at
            follow.handed_in(self.book, entry["shoe"], at, entry["player"])
        elif kind in ENDS:
            self._end(entry["shoe"], at)
        elif kind == "round":
            self.book.open = None
        elif (shoe := self.shoe(entry.get("shoe", ""))) is not None:
            self._step(shoe, entry, at)

    def shoe(self, name: str) -> Shoe | None:
        return next((shoe for shoe in self.book.live if shoe.id == name), None)

    def before(self, name: str) -> str:
        """The shoe that has to be over before this one is opened, "" where there is none."""
        table, number = table_of(name)
        return shoe_id(table, number - 1) if number > 1 else ""

    def waits_for(self, shoe: Shoe) -> list[str]:
        """Who has still to open a seed, in order."""
        return openers(self.book, shoe)

    def _step(self, shoe: Shoe, entry: Entry, at: str) -> None:
        match entry["kind"]:
            case "seeds":
                follow.hashed(self.book, shoe, at, entry["hashes"], None)
            case "open":
                betting = betting_of(entry)
                if betting is None:
                    raise ValueError("an `open` of another form")
                self.bets = entry["bets"]
                follow.betted(self.book, shoe, at, entry["round"], betting)
            case "opened":
                follow.opened(self.book, shoe, at, entry["player"], entry["seed"])
            case "lapse":
                follow.lapsed(self.book, shoe, at, entry["player"])
            case "seal":
                follow.sealed(self.book, shoe, at, entry.get("seeds", {}), None, burns=False)

    def _end(self, name: str, at: str) -> None:
        self.ended.add(name)
        shoe = self.shoe(name)
        if shoe is not None:
            follow.ended(self.book, shoe, at)

    # Chairs.

    def _chips(self, entry: Entry, at: str) -> None:
        """Who sits where. Other moves of chips change no order of opening."""
        seat, player = entry["seat"], entry["player"]
        sitting = self.book.seat_of(player)
        if entry.get("leaves"):
            self._sure.pop(seat, None)
            if sitting is not None:
                self._follow_chips(entry, sitting, {at: who for at, who in self._players().items() if at != sitting})
        elif takes_chair(entry) and sitting is None:
            self._make_room(seat)
            others = self._players()
            if may_sit_down(entry):
                if player not in self.book.put_out:
                    self.newcomers.add(player)
                self._follow_chips(entry, seat, others | {seat: player})
            else:
                self.book.chairs[seat] = Chair(player, LONG_AGO, LONG_AGO, LONG_AGO)
                self.book.table = self._seated(others | {seat: player})
            self._sure[seat] = self.book.chairs[seat]

    def _make_room(self, seat: int) -> None:
        """Whoever was put on this chair sits somewhere else."""
        chair = self.book.chairs.pop(seat, None)
        if chair is not None:
            elsewhere = max(ELSEWHERE, *self.book.chairs) + 1 if self.book.chairs else ELSEWHERE
            self.book.chairs[elsewhere] = chair
            self.book.table = self._seated({at: each.player for at, each in self.book.chairs.items()})

    def _players(self) -> dict[int, str]:
        return dict(self.book.table.players)

    def _seated(self, players: dict[int, str]) -> Table:
        table = self.book.table
        return Table(table.rules, players, dict.fromkeys(players, 0) | dict(table.purse), table.bank, table.memory)

    def _follow_chips(self, entry: Entry, seat: int, players: dict[int, str]) -> None:
        after = self._seated(players)
        follow.chips(self.book, entry["at"], entry["op"], seat, entry["player"], after, by=entry.get("by"))

    # Commitments.

    def _shoe(self, entry: Entry, at: str) -> None:
        self._seat(entry)
        self.commitments[entry["shoe"]] = entry["commitment"]
        follow.committed(
            self.book,
            at,
            entry["shoe"],
            cards=entry["cards"],
            roster=entry["roster"],
            draws=entry["draws"],
            cutter=entry.get("cutter"),
            purpose=entry.get("purpose"),
            policy=self.book.policy,
        )

    def _seat(self, entry: Entry) -> None:
        """Put everybody of whom nothing else is known on some chair that the `shoe` says is taken."""
        book = self.book
        purse = {account: chips for name, chips in entry["chips"].items() if (account := account_of(name)) is not None}
        chairs = dict(self._sure)
        free = [seat for seat in sorted(purse) if seat > HOUSE and seat not in chairs]
        known = {chair.player for chair in chairs.values()}
        others = [player for player in entry["roster"] if player not in known]
        others += [f"seat {seat}" for seat in free[len(others) :]]
        for seat, player in zip(free, others, strict=False):
            taken = self._late.get(player, LONG_AGO)
            chairs[seat] = Chair(player, LONG_AGO, taken, taken)
        players = {seat: chair.player for seat, chair in chairs.items()}
        bank = account_of(entry["bank"])
        book.chairs = chairs
        book.table = Table(
            book.rules, players, dict.fromkeys(players, 0) | purse, HOUSE if bank is None else bank, entry["memory"]
        )
