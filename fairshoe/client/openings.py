"""Whether a seed may leave: by what the house has signed, never by what it says.

The house first shows a signed checkpoint that extends the seat's newest. Under it the seat reads all entries since its
chair was taken, because a later player opens first; earlier ones come with proofs. The shoe must be in play under the
seed's commitment, with the promised hash, and it must be this player's turn. `fold` makes the book of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..ceremony import fold
from ..ceremony.book import Chair, Shoe
from ..ceremony.contributing import openers
from ..ceremony.placer_steps import record_tree
from ..ceremony.stages import Course, Stage
from ..engine.table import HOUSE, Table
from ..errors import InputError, LogError
from ..log.canonical import Entry, parse
from ..log.checkpoint import Checkpoint
from ..log.hand_proof import proof_of
from ..protocol.commitment import commitment_of
from ..record.forms import account_of, decision_of, shoe_id, table_of
from ..record.hand_entries import ENDS, chairs_in, seated, takes_chair, unnamed
from .book import Pledge, SeatBook
from .checkpoint import Checkpoints, SignedLog
from .errors import Form, Problem, SeedKept
from .service import Service

Places = list[tuple[int, Entry]]


class SignedTableLog:
    """The signed log of a seat's table, as far as the seat has followed it."""

    def __init__(self, client: Service, book: SeatBook, checkpoints: Checkpoints) -> None:
        self._client = client
        self._book = book
        self._checkpoints = checkpoints
        self._log: SignedLog | None = None
        self._table: SignedTable | None = None

    def find(self, name: str, state: Form, *, owed: bool) -> Pledge:
        """Return the seed of shoe `name` that may be sent now, and keep the checkpoint that shows it.

        Raises SeedKept or another VerificationError, Problem if no checkpoint shows it yet, or the seed is not known
        here.
        """
        if self._book.placer:
            raise SeedKept(f"this player places: what is made for shoe {name} is a key, and no seed")
        try:
            entries, head = self._fetch_entries(name, state)
            if owed:
                return self._owed(name, [entry for _, entry in entries if entry.get("shoe") == name])
            table = self._follow(name, entries, head)
            try:
                return self._turn(table, name, state, {entry["shoe"] for _, entry in entries if entry["kind"] in ENDS})
            except SeedKept as error:
                if head.size > state["log"]:
                    raise Problem(409, {"detail": f"the table has gone on: {error.what}"}) from None
                raise
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration, LogError, InputError) as error:
            raise SeedKept(f"the entries about shoe {name} cannot be followed: {error!r}"[:300]) from None

    def follow(self, name: str, state: Form) -> SignedTable:
        """Return the table of shoe `name` by the signed log. Raises as `find`, and what SignedTable raises."""
        return self._follow(name, *self._fetch_entries(name, state))

    # The log.

    def _fetch_entries(self, name: str, state: Form) -> tuple[Places, Checkpoint]:
        """Return the entries that a proof of the shoe has, and the checkpoint that shows them, which is kept."""
        if table_of(name)[0] != self._book.table:
            raise SeedKept(f"shoe {name} is of another table")
        proof = proof_of(self._client.shoe_proof(*table_of(name)).encode())
        head = self._checkpoints.accept(proof)
        if head.size < state["log"]:
            raise Problem(0, {"detail": "no checkpoint holds the entries so far: nothing is given away"})
        return [(each.place, parse(each.line)) for each in proof.entries], head

    def _follow(self, name: str, entries: Places, head: Checkpoint) -> SignedTable:
        """Return the table at the head, read from this seat's chair on, or from earlier for a doubtful newcomer."""
        log, table = self._log, self._table
        if log is None or table is None:
            log, table = self._begin(entries, self._own_place(entries))
        self._log = self._table = None
        while True:
            marks = f'"shoe":"{self._book.table}/'.encode(), f'"table":"{self._book.table}"'.encode()
            for size, tree, line in log.entries(head, marks):
                entry = parse(line)
                table.take(entry)
                record_tree(table.book, entry, size, tree)
            roster = next(
                entry["roster"] for _, entry in entries if (entry["kind"], entry.get("shoe")) == ("shoe", name)
            )
            newcomers = table.newcomers.intersection(roster)
            said = [place for place, entry in entries if takes_chair(entry) and entry["player"] in newcomers]
            if min(said, default=log.start) >= log.start:
                break
            log, table = self._begin(entries, min(said))
        self._log, self._table = log, table
        return table

    def _begin(self, entries: Places, start: int) -> tuple[SignedLog, SignedTable]:
        opened = next(
            entry for _, entry in entries if (entry["kind"], entry.get("table")) == ("table", self._book.table)
        )
        return SignedLog(self._client, start), SignedTable(opened)

    def _own_place(self, entries: Places) -> int:
        """Return the place of the entry by which this seat was taken, the first one if the player was evicted since."""
        mine = self._book.player, self._book.seat
        for place, entry in entries:
            known = self._book.sat is None or place < self._book.sat
            if known and (entry.get("player"), entry.get("seat")) == mine and may_sit_down(entry):
                return place
        raise SeedKept("the house does not show how this seat was taken")

    # What it must say.

    def _turn(self, table: SignedTable, name: str, state: Form, ended: Collection[str]) -> Pledge:
        """Of a shoe in play: the player's turn has come. `ended`: more shoes that are over."""
        player, shoe, before = self._book.player, table.shoe(name), table.before(name)
        if state.get("placer", {}).get("key", "") != table.book.placer:
            raise SeedKept("the signed log has another placer of the table than the house shows")
        if shoe is None:
            raise SeedKept(f"shoe {name} is not in play")
        if before and before not in table.ended_shoes and before not in ended:
            raise SeedKept(f"shoe {before} has not ended")
        if player not in shoe.roster or player in shoe.struck:
            raise SeedKept(f"{player} has no part in shoe {name}")
        if shoe.sealed:
            raise SeedKept(f"shoe {name} is sealed")
        if shoe.course is Course.ONE and not shoe.is_opening:
            raise SeedKept(f"no bets stand: shoe {name} has no `open`")
        pledge = self._check_sole(table, shoe) if shoe.alone else self._check_order(table, shoe)
        self._check_bets(table, state.get("round"))
        return pledge

    def _check_sole(self, table: SignedTable, shoe: Shoe) -> Pledge:
        """A sole contributor sends no hash, and may make the seed only now."""
        known, commitment = self._book.pledges(shoe.id), table.commitments[shoe.id]
        if any(pledge.promised for pledge in known):
            raise SeedKept(f"it was promised by a hash, and shoe {shoe.id} has no `seeds`")
        if not shoe.is_opening:
            raise SeedKept(f"shoe {shoe.id} has no `open`")
        return self._book.seed_for(shoe.id, commitment)

    def _check_order(self, table: SignedTable, shoe: Shoe) -> Pledge:
        """One contributor of several opens the seed whose hash the log has, in turn."""
        if shoe.stage is Stage.HASH:
            raise SeedKept(f"shoe {shoe.id} has no `seeds` yet")
        pledge = self._promised(shoe.id, table.commitments[shoe.id], shoe.hashes.get(self._book.player))
        if self._book.player in shoe.opened:
            raise SeedKept(f"the seed of shoe {shoe.id} is open")
        first = table.waits_for(shoe)[:1]
        if first != [self._book.player]:
            raise SeedKept(f"{'nobody' if not first else first[0]} opens first")
        return pledge

    def _promised(self, shoe: str, commitment: str, hash: str | None) -> Pledge:
        """Return the seed that was made for this commitment, and whose hash the log has."""
        known = self._book.pledges(shoe)
        if not known:
            what = f"the seed of shoe {shoe} is not known here: play from the book that has it"
            raise Problem(0, {"detail": what})
        pledge = next((each for each in known if each.commitment == commitment), None)
        if pledge is None:
            raise SeedKept(f"shoe {shoe} has another commitment than this seed was made for")
        if pledge.hash != hash:
            raise SeedKept(f"the `seeds` of shoe {shoe} do not have this seat's hash")
        return pledge

    def _check_bets(self, table: SignedTable, round: Form | None) -> None:
        """Of the bets that stand: the logged ones of the seat are those that it was shown."""
        opened = table.book.open_round
        if opened is None or round is None or round["round"] != opened.number:
            return
        logged, shown = (
            [bet for bet in bets if bet["seat"] == self._book.seat] for bets in (table.bets, round["bets"])
        )
        if logged != shown:
            raise SeedKept(f"other bets stand in round {opened.number} than were shown")

    def _owed(self, name: str, entries: Iterable[Entry]) -> Pledge:
        """Of a seed that is to be handed in: its shoe is over, or goes on without it, by the shoe's own entries."""
        commitment, hash, over = "", None, False
        for entry in entries:
            kind = entry["kind"]
            if kind == "shoe":
                commitment = entry["commitment"]
            elif kind == "seeds":
                hash = entry["hashes"].get(self._book.player)
            elif kind == "lapse":
                over |= entry["player"] == self._book.player
            elif kind in ENDS:
                key = entry.get("key")
                if key is not None and commitment_of(bytes.fromhex(key)) != commitment:
                    raise SeedKept(f"the key of shoe {name} is not the one that was committed to")
                over = True
        pledge = self._promised(name, commitment, hash)
        if not over:
            raise SeedKept(f"shoe {name} is neither void nor over, and {self._book.player} has not let it lapse")
        return pledge


# The table.

LONG_AGO = ""
"""When a chair was taken, if that was before the entries that are followed: it sorts before every time."""
STEPS = ("seeds", "open", "opened", "lapse", "seal")


def may_sit_down(entry: Entry) -> bool:
    """Whether a player may have taken a chair by this entry: who has more than was paid sat there already."""
    return bool(takes_chair(entry) and entry["chips"][str(entry["seat"])] <= entry["amount"])


class SignedTable:
    """Takes a table's entries in order, without gaps from some entry on.

    `newcomers` seem to have sat down since: a `chips` entry alone does not tell a player who buys in without chips.
    `ended_shoes`: those over. `bets`: the open round's; `last`: the last round of a player who places, `lapsed`: that
    player's lapses at its deal. Raises KeyError, TypeError, ValueError."""

    def __init__(self, opened: Entry) -> None:
        self.book = fold.open_table(opened)
        self.commitments: dict[str, str] = {}
        self.ended_shoes: set[str] = set()
        self.newcomers: set[str] = set()
        self.bets: list[Entry] = []
        self.last: Entry | None = None
        self.lapsed = 0
        self._seated_at: dict[str, str] = {}
        self._sure: dict[str, Chair] = {}

    def take(self, entry: Entry) -> None:
        kind, at = entry["kind"], entry["at"]
        if "shoe" in entry and table_of(entry["shoe"])[0] != self.book.id:
            return  # of a table whose name begins with this one's
        if kind == "chips" and entry["table"] == self.book.id:
            self._chips(entry)
        elif kind == "shoe":
            self._seat(entry)
            self.commitments[entry["shoe"]] = entry["commitment"]
            fold.apply_entry(self.book, None, entry)
        elif kind == "late":
            self._seated_at[entry["player"]] = at
            fold.apply_entry(self.book, None, entry)
        elif kind in ENDS:
            self.ended_shoes.add(entry["shoe"])
            if (shoe := self.shoe(entry["shoe"])) is not None:
                fold.end_shoe(self.book, shoe, at)
        elif kind == "round":
            self._round(entry)
        elif kind == "placed":
            self.book.unrevealed_placers.pop(entry["shoe"], None)
        elif kind in STEPS and (shoe := self.shoe(entry["shoe"])) is not None:
            fold.apply_entry(self.book, shoe, entry)
            self.bets = entry["bets"] if kind == "open" else self.bets

    def _round(self, entry: Entry) -> None:
        """Of a player who places its cards, decisions and chips are followed too."""
        book, shoe = self.book, self.shoe(entry["shoe"])
        book.open_round = None
        if book.player_places and shoe is not None:
            self.last, self.lapsed = entry, max((chair.lapse_count for chair in book.chairs.values()), default=0)
            shoe.position = entry["pos"] + len(entry["cards"])
            fold.record_decisions(book, entry["at"], map(decision_of, entry["decisions"]))
            self._purse(entry)

    def _purse(self, entry: Entry) -> None:
        """The chips of the accounts that changed."""
        table = self.book.table
        accounts = {name: account_of(name) for name in entry["chips"]}
        self.book.table = table.after(
            {account: entry["chips"][name] for name, account in accounts.items() if account is not None}
        )

    def shoe(self, name: str) -> Shoe | None:
        shoe = self.book.shoe
        return shoe if shoe is not None and shoe.id == name else None

    def before(self, name: str) -> str:
        """Return the shoe that has to be over before this one is opened, "" where there is none."""
        table, number = table_of(name)
        return shoe_id(table, number - 1) if number > 1 else ""

    def waits_for(self, shoe: Shoe) -> list[str]:
        """Return the players who have still to open a seed, in order."""
        return openers(self.book, shoe)

    # Chairs.

    def _chips(self, entry: Entry) -> None:
        """Record who sits where. Other moves of chips change no order of opening."""
        seat, player, players = entry["seat"], entry["player"], dict(self.book.table.players)
        if entry.get("leaves"):
            self._sure.pop(player, None)
            if seat in players:
                self.book.chairs[seat] = self._chair(player) if players[seat] != player else self.book.chairs[seat]
                del players[seat]
                self._follow(entry, players)
        elif takes_chair(entry) and self.book.seat_of(player) is None:
            if seat not in players and may_sit_down(entry):
                if player not in self.book.eviction_times:
                    self.newcomers.add(player)
                self._follow(entry, players | {seat: player})
            else:  # this player has sat there all the time
                self.book.chairs[seat] = self._chair(player)
                self.book.table = self._table(players | {seat: player})
            self._sure[player] = self.book.chairs[seat]
        elif self.book.player_places and seat in players:
            fold.record_act(self.book, seat, entry["at"])
        if self.book.player_places:
            self._purse(entry)

    def _chair(self, player: str) -> Chair:
        """A chair that was taken since, or before all that is followed."""
        taken = self._seated_at.get(player, LONG_AGO)
        return self._sure.get(player) or Chair(player, LONG_AGO, taken, taken)

    def _table(self, players: dict[int, str]) -> Table:
        table = self.book.table
        return Table(table.rules, players, dict.fromkeys(players, 0) | dict(table.purse), table.bank, table.memory)

    def _follow(self, entry: Entry, players: dict[int, str]) -> None:
        fold.apply_entry(self.book, self.book.shoe, entry, self._table(players))

    def _seat(self, entry: Entry) -> None:
        """Seat everybody as the `shoe` says. Of players that it leaves out perhaps only the chair is known."""
        book, known = self.book, self.book.table.players
        purse = {account: chips for name, chips in entry["chips"].items() if (account := account_of(name)) is not None}
        players = {seat: known.get(seat, unnamed(seat)) for seat in chairs_in(entry)} | seated(entry)
        bank = account_of(entry["bank"])
        memory = book.rules.import_memory(entry.get("memory", {}), entry.get("paid", ()))
        book.chairs = {seat: self._chair(player) for seat, player in players.items()}
        book.table = Table(book.rules, players, purse, HOUSE if bank is None else bank, memory)
