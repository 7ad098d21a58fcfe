"""Where in the log a table, a shoe or a round is told of: an index that is made when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, delete, insert, select

from ...errors import LogError
from ...log.canonical import Entry, parse
from .database import Database
from .journal import read_head, read_lines
from .schema import entries, places

BATCH = 2_000
"""Entries that are indexed in one transaction."""
UP_TO = ""


def names_of(entry: Entry) -> Iterator[str]:
    """The names under which an entry is found: its table's, of `table` and of `chips` that say who sits there; its
    shoe's; its round's, of `open`."""
    kind, shoe = entry["kind"], entry.get("shoe", "")
    if kind == "table" or (kind == "chips" and (entry["op"] == "buy-in" or "leaves" in entry)):
        yield entry["table"]
    elif shoe and kind != "bank":
        yield shoe
    if kind == "open":
        yield f"{shoe.rpartition('/')[0]}#{entry['round']}"


def index_upto(database: Database, size: int) -> None:
    """Index the first `size` entries, as far as that was not done yet."""
    while _indexed(database) < size:
        with database.writing() as connection:
            start = _start(connection)
            stop = min(start + BATCH, read_head(connection).tree.size)
            rows = set(_rows(start, read_lines(connection, start, stop)))
            connection.execute(delete(places).where(places.c.name == UP_TO))
            values = [{"name": name, "seq": seq} for name, seq in sorted(rows)]
            connection.execute(insert(places), [*values, {"name": UP_TO, "seq": stop}])


def _rows(start: int, lines: Sequence[bytes]) -> Iterator[tuple[str, int]]:
    for seq, line in enumerate(lines, start):
        try:
            names = list(names_of(parse(line)))
        except (LogError, KeyError):
            continue
        for name in names:
            yield name, seq


def _indexed(database: Database) -> int:
    with database.reading() as connection:
        return _start(connection)


def _start(connection: Connection) -> int:
    return connection.execute(select(places.c.seq).where(places.c.name == UP_TO)).scalar() or 0


def lines_named(connection: Connection, names: Sequence[str], stop: int) -> list[tuple[int, bytes]]:
    """The entries below number `stop` that tell of any of these names, in the log's order."""
    query = select(entries.c.seq, entries.c.line).where(
        entries.c.seq.in_(select(places.c.seq).where(places.c.name.in_(names), places.c.seq < stop))
    )
    return [(row.seq, row.line) for row in connection.execute(query.order_by(entries.c.seq))]
