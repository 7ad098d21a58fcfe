"""The log as anybody may read it: entries, tiles, places in its text, proof files of hands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, delete, func, select

from ..ceremony.acting.lone_shoe import ROW
from ..ceremony.chairs import OWED
from ..errors import InputError, RuleError
from ..log.canonical import Entry, parse
from ..log.checkpoint import checkpoint_of
from ..log.hand_proof import HandProof, build_proof
from ..log.tiles import Bundle, Tile, TiledTree, is_in
from ..record.hand_entries import DrawEntries, HandEntries, entries_of_shoe, names_for_shoe, round_of
from .errors import NotFound
from .signing import TreeHeadSigner
from .store.database import Database
from .store.journal import read_bundle, read_head, read_lines, read_tile
from .store.schema import entries, places
from .store.statements import RowWrite
from .table_store import check_table, no_table

BATCH = 500
"""Entries of the log that are read at once."""
PAGE = 100
"""Rounds that are looked through at once for a player's hands."""


class LogReader:
    """Reads what is open to everybody at any time: entries, tiles, checkpoints."""

    def __init__(self, database: Database, heads: TreeHeadSigner) -> None:
        self._database = database
        self.heads = heads

    def checkpoint(self) -> str:
        """The signed tree head, with the cosignatures over it that there are."""
        return self.heads.newest_checkpoint()

    def size(self) -> int:
        return self.heads.present().size

    def lines(self, start: int, stop: int) -> Iterator[bytes]:
        """Entries `start` up to but not `stop`, as their bytes without LF."""
        while start < stop:
            upto = min(start + BATCH, stop)
            with self._database.begin_read() as connection:
                lines = read_lines(connection, start, upto)
            yield from lines
            start = upto

    def bytes_of(self, start: int, stop: int) -> int:
        """Return the length in bytes of entries `start` up to but not `stop` as text, each with its LF."""
        query = select(func.coalesce(func.sum(func.length(entries.c.line) + 1), 0))
        with self._database.begin_read() as connection:
            found = connection.execute(query.where(entries.c.seq >= start, entries.c.seq < stop))
            return int(found.scalar_one())

    def tile(self, tile: Tile | Bundle) -> bytes | None:
        """The bytes of a tile or bundle, None where the log has not all of it yet."""
        if not is_in(tile, self.heads.present().size):
            return None
        with self._database.begin_read() as connection:
            return read_tile(connection, tile) if isinstance(tile, Tile) else read_bundle(connection, tile)

    def nodes(self, size: int) -> TiledTree:
        """The nodes of the tree over the first `size` entries, for proofs."""
        return TiledTree(size, lambda tile: self.tile(tile) or b"")

    def index(self) -> None:
        """Have the index of rounds follow the log a little, so that the first who asks for a proof does not wait."""
        size = self.size()
        index_upto(self._database, size - size % INDEX_BATCH, 1)

    def proof_of(self, round: str, witnesses: int = 0) -> HandProof:
        """Return a round's proof under the newest checkpoint with so many cosignatures. Raises NotFound, RuleError."""
        note = self.heads.witnessed(witnesses) if witnesses else self.heads.newest_checkpoint()
        if note is None:
            raise _too_new("no checkpoint is cosigned by so many witnesses yet")
        size = checkpoint_of(note).size
        expected = "TABLE#NUMBER of a round that was opened"
        missing = NotFound(f"no round {round[:80]!r}", where="round", expected=expected)
        try:
            hand = HandEntries(*round_of(round))
        except InputError as error:
            raise missing from error
        present = max(size, self.heads.present().size)
        index_upto(self._database, present)
        with self._database.begin_read() as connection:
            opened = lines_named(connection, [round], size)
            if not opened and lines_named(connection, [round], present):
                raise _too_new(f"the round is newer than the {size} entries that so many witnesses cosigned")
            if not opened:
                raise missing
            for place, line in lines_named(connection, [hand.table, parse(opened[0][1])["shoe"]], size):
                hand.take(place, line)
        return build_proof(round, note, hand.lines, self.nodes(size).node)

    def proof_of_shoe(self, shoe: str) -> HandProof:
        """The proof, under the newest checkpoint, of how far a table's shoe has come. Raises NotFound."""
        missing = NotFound(f"no shoe {shoe[:80]!r}", where="number", expected="a shoe that was committed to")
        note = self.heads.newest_checkpoint()
        size = checkpoint_of(note).size
        try:
            names = names_for_shoe(shoe)
        except InputError as error:
            raise missing from error
        index_upto(self._database, size)
        with self._database.begin_read() as connection:
            found = entries_of_shoe(lines_named(connection, names, size), shoe)
        if not found:
            raise missing
        return build_proof(shoe, note, found, self.nodes(size).node)

    def proof_of_draw(self, shoe: str, pos: int | None) -> HandProof:
        """Prove, under the newest checkpoint, a shoe without a table, or one of its cards. Raises NotFound."""
        with self._database.begin_read() as connection:
            check_table(connection, ROW + shoe)
        note = self.heads.newest_checkpoint()
        size = checkpoint_of(note).size
        index_upto(self._database, size)
        entries = DrawEntries(shoe, pos)
        with self._database.begin_read() as connection:
            own = lines_named(connection, [shoe], size)
            decks = [entry["deck"] for _, line in own if (entry := parse(line)).get("kind") == "shoe"]
            for place, line in lines_named(connection, [shoe, *decks], size):
                entries.take(place, line)
        if not entries.lines:
            raise NotFound(f"no such card of shoe {shoe[:32]!r}", where="shoe", expected="a card that was drawn")
        return build_proof(shoe if pos is None else f"{shoe}@{pos}", note, entries.lines, self.nodes(size).node)

    def hands_of(
        self, player: str, table: str, after: int
    ) -> tuple[list[tuple[str, int]], list[dict[str, object]], int | None]:
        """Of the next `PAGE` rounds at a table those that are over and in which a player bet, or banked: each with the
        player's seat; what the player was given, gave, or was paid beside the hands; and after which round more come,
        None after the last. Raises NotFound."""
        size = self.size()
        names = [f"{table}#{number}" for number in range(after + 1, after + 1 + PAGE)]
        index_upto(self._database, size)
        with self._database.begin_read() as connection:
            seen = [parse(line) for _, line in lines_named(connection, [table, *names, moves_name(table)], size)]
            shoes = {entry["shoe"] for entry in seen if entry["kind"] == "open"}
            told = [parse(line) for _, line in lines_named(connection, sorted(shoes), size)]
        if not seen:
            raise no_table(table)
        bank = {entry["shoe"]: entry.get("bank", "") for entry in told if entry["kind"] == "shoe"}
        over = {entry["round"] for entry in told if entry["kind"] == "round"}
        chairs: dict[int, str] = {}
        hands: list[tuple[str, int]] = []
        moves: list[dict[str, object]] = []
        for entry in seen:
            if (kind := entry["kind"]) == "bank" or (kind == "chips" and entry["op"] in MOVES):
                moves += _moves_of(player, entry, chairs)
            elif entry["kind"] == "chips" and "leaves" in entry:
                chairs.pop(entry["seat"], None)
            elif entry["kind"] == "chips":
                chairs[entry["seat"]] = entry["player"]
            elif entry["kind"] == "open" and entry["round"] in over:
                seats = {bank[entry["shoe"]], *(str(bet["seat"]) for bet in entry["bets"])}
                hands += [
                    (f"{table}#{entry['round']}", seat)
                    for seat, who in chairs.items()
                    if who == player and str(seat) in seats
                ]
        more = any(entry.get("round") == after + PAGE for entry in seen)
        return hands, moves, after + PAGE if more else None


MOVES = ("transfer", *OWED)
"""Operations that give a player chips of another player's, or of what the house holds; so does the sale of a bank."""


def _moves_of(player: str, entry: Entry, chairs: Mapping[int, str]) -> Iterator[dict[str, object]]:
    """Yield what such an entry gives the player, below zero what it takes, and who is on the other side."""
    told = {"op": entry.get("op", "sale"), "at": entry["at"]}
    if told["op"] in OWED:
        sides = [("", entry["player"], entry["amount"])]
    else:
        to = chairs.get(entry["to"], "")
        if told["op"] == "sale":
            seller, amount = chairs.get(entry["decisions"][0]["seat"], ""), entry["price"]
            sides = [(to, seller, amount), (seller, to, -amount)]
        else:
            sides = [(entry["player"], to, entry["amount"]), (to, entry["player"], -entry["amount"])]
    for other, who, amount in sides:
        if who == player:
            yield {**told, "amount": amount, **({"other": other} if other else {})}


def _too_new(what: str) -> RuleError:
    return RuleError(what, where="witnesses", remedy="ask for fewer, or again in a moment")


# Where in the log a table, a shoe or a round is told of: an index that is made when somebody asks for it.

INDEX_BATCH = 500
"""Entries that are indexed in one transaction."""
UP_TO = ""
PLACE = RowWrite(places)


def names_of(entry: Entry) -> Iterator[str]:
    """Yield the names under which an entry is indexed: of its table, shoe, deck or round, or `moves_name`."""
    kind, shoe = entry["kind"], entry.get("shoe", "")
    if kind == "table" or (kind == "chips" and (entry["op"] == "buy-in" or "leaves" in entry)):
        yield entry["table"]
    elif (kind == "chips" and entry["op"] in MOVES) or (kind == "bank" and "price" in entry):
        yield moves_name(entry["table"])
    elif shoe and kind != "bank":
        yield shoe
    elif kind == "deck":
        yield entry["deck"]
    if kind == "open":
        yield f"{shoe.rpartition('/')[0]}#{entry['round']}"


def moves_name(table: str) -> str:
    return f"{table}#moves"


def index_upto(database: Database, size: int, most: int | None = None) -> None:
    """Index the first `size` entries, as far as that was not done yet; no more than `most` transactions."""
    with database.begin_read() as connection:
        start = _read_index_end(connection)
    for _ in range(-((start - size) // INDEX_BATCH))[:most]:
        with database.begin_write(lightly=True) as connection:
            start = _read_index_end(connection)
            stop = min(start + INDEX_BATCH, read_head(connection).tree.size)
            rows = set(_rows(start, read_lines(connection, start, stop)))
            connection.execute(delete(places).where(places.c.name == UP_TO))
            PLACE.write(connection, [{"name": name, "seq": seq} for name, seq in (*sorted(rows), (UP_TO, stop))])
            start = stop


def _read_index_end(connection: Connection) -> int:
    return connection.execute(select(places.c.seq).where(places.c.name == UP_TO)).scalar() or 0


def _rows(start: int, lines: Sequence[bytes]) -> Iterator[tuple[str, int]]:
    for seq, line in enumerate(lines, start):
        try:
            names = list(names_of(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            continue
        for name in names:
            yield name, seq


def lines_named(connection: Connection, names: Sequence[str], stop: int) -> list[tuple[int, bytes]]:
    """The entries below number `stop` that tell of any of these names, in the log's order."""
    query = select(entries.c.seq, entries.c.line).where(
        entries.c.seq.in_(select(places.c.seq).where(places.c.name.in_(names), places.c.seq < stop))
    )
    return [(row.seq, row.line) for row in connection.execute(query.order_by(entries.c.seq))]
