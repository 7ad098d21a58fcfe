"""A log in parts, given to workers of any kind: processes of this machine, or of many."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future, as_completed
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.terminal.files import is_stdin

from ..evidence.reading import Reading
from ..findings.report import Report
from .cut import Cut, cut
from .looking import Looking
from .play import Played, play, walk
from .survey import Piece, survey
from .whole import Chain, Whole, walk_into, whole

PIECE = 1 << 16
"""About so many bytes are counted together; a log is cut between such pieces."""
MOST_PIECES = 1 << 10
"""So many are looked over in one go."""


class Workers(NamedTuple):
    """Who does the work, and how `many` they are. `piece` is for tests, which cut small."""

    executor: Executor
    many: int
    piece: int = PIECE


def in_parts(
    path: Path,
    report: Report,
    workers: Workers,
    *,
    signed: Checkpoint | None = None,
    marks: Collection[int] = (),
    progress: Callable[[int], None] | None = None,
    looks: Callable[[], Looking] | None = None,
) -> Whole:
    """Audit a log's file. `signed`: what it is to be; `marks`: sizes at which the tree head is asked for; `progress` is
    told how many bytes were audited; `looks` makes what looks on, once a part. Raises NotInParts, with the report as it
    was, where the log is to be audited in one pass; and whatever the executor raises."""
    pieces = _surveyed(path, workers)
    sizes = sorted({*marks, *(() if signed is None else (signed.size,))})
    parts = cut(path, pieces, workers.many, sizes, looks)
    submit = workers.executor.submit
    running = {submit(play, part): number for number, part in enumerate(parts.parts)}
    with TemporaryFile() as shelf:
        try:
            played = _played(running, parts, shelf, progress)
            chain = Chain(parts, played, lambda into: submit(walk, into).result())
            if parts.shares:
                chain.gather()
            else:
                walks = []
                for number in range(1, len(played)):
                    tables = {name: each.standing for name, each in played[number - 1].tables.items()}
                    into = walk_into(parts, played, number, tables)
                    walks.append(None if into is None else submit(walk, into))
                chain.follow([None if each is None else each.result() for each in walks])
        except BaseException:
            for each in running:
                each.cancel()
            raise
        return whole(chain, report, sizes, signed)


def parted(
    reading: Reading,
    report: Report,
    workers: Workers,
    *,
    signed: Checkpoint | None,
    marks: Collection[int],
    progress: Callable[[int], None] | None,
    looks: Callable[[], Looking] | None = None,
) -> Whole | None:
    """The same of a log as `verify` reads it; None where it is to be audited in one pass, with the report as it was.

    Whatever goes wrong on the way is no word about the log: one pass has the last one.
    """
    if report.failed or is_stdin(reading.path) or reading.tiled or reading.tiles_beside() is not None:
        return None
    try:
        return in_parts(reading.path, report, workers, signed=signed, marks=marks, progress=progress, looks=looks)
    except Exception:
        return None


def _surveyed(path: Path, workers: Workers) -> list[Piece]:
    size = path.stat().st_size
    count = -(-size // workers.piece)
    share = min(MOST_PIECES, -(-count // workers.many))
    ranges = [range(first, min(first + share, count)) for first in range(0, count, share)]
    found = [workers.executor.submit(survey, path, numbers, workers.piece) for numbers in ranges]
    return [piece for each in found for piece in each.result()]


def _played(
    running: dict[Future[Played], int], cut: Cut, shelf: BinaryIO, progress: Callable[[int], None] | None
) -> list[Played]:
    """The parts in their order; what grows with the log is put on a shelf. With the first one in which something is
    found the rest is not waited for."""
    played: dict[int, Played] = {}
    done = 0
    for each in as_completed(running):
        number = running[each]
        played[number] = each.result()
        for audited in played[number].tables.values():
            audited.tally.put_away(shelf)
        done += cut.parts[number].hashed.end - cut.parts[number].hashed.begin
        if progress is not None:
            progress(done)
    return [played[number] for number in range(len(played))]
