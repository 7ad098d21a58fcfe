"""A log's lines as they were, where whoever copied or saved the file changed only how they are written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import cast

from fairshoe.errors import NotALog
from fairshoe.log.canonical import NotCanonical, parse
from fairshoe.log.directory import ENTRIES, blocks_of, has_tiles, open_entries, tiles_in
from fairshoe.log.tile_source import TILES, TileCheck, check_tiles
from fairshoe.log.times import is_moment

from ..findings.report import Report
from .head import Walked
from .nolog import BOM, check_no_address, entries_in, form_at_sight, form_of_lines, refusal

HEAD = 4096
"""How many bytes are looked at to say what a file is."""


class Reading:
    """The entries of a log, read once: bytes without their line ends.

    A byte order mark is left out, and the CR of each line where the first ends in CR LF: `resaved` says so in words.
    A last line without its LF is an entry only where it is a whole one; `cut` is how many bytes of a line stand
    there. Raises NotALog, LogError.
    """

    def __init__(self, log: Path) -> None:
        check_no_address(log)
        self.path = entries_in(log)
        self.resaved: list[str] = []
        self.cut: int | None = None
        self.whole = False
        self.head = b""

    def __iter__(self) -> Iterator[bytes]:
        where = str(self.path)
        with open_entries(self.path) as stream:
            buffered = cast(BufferedReader, stream)
            self.head = buffered.peek(HEAD)[:HEAD]
            form = form_at_sight(self.head)
            if form is not None:
                raise refusal(form, where)
            first = True
            for block in blocks_of(buffered, where):
                if first:
                    block, first = self._as_saved(block), False
                lines = block.split(b"\n")
                rest = lines.pop()
                yield from (line.removesuffix(b"\r") for line in lines) if self.resaved else lines
                if rest and self._ends_with(rest):
                    yield rest

    def _as_saved(self, block: bytes) -> bytes:
        """The first block, which shows how the file was saved, without a byte order mark."""
        if block.startswith(BOM):
            self.resaved.append("a byte order mark at its beginning")
        if block.partition(b"\n")[0].endswith(b"\r"):
            self.resaved.append("line ends CR LF")
        return block.removeprefix(BOM)

    def _ends_with(self, line: bytes) -> bool:
        """Whether what stands after the last LF is a whole entry."""
        self.cut = len(line)
        self.whole = _is_entry(line)
        return self.whole

    def no_log(self) -> NotALog:
        """What to say where no line was an entry."""
        return refusal(form_of_lines(self.head), str(self.path))

    def tiles_beside(self) -> TileCheck | None:
        """To compare the tiles beside a `log.jsonl`, where there are any."""
        folder = self.path.parent
        there = not self.tiled and self.path.name == ENTRIES and (folder / TILES).is_dir()
        return TileCheck(folder) if there else None

    @property
    def tiled(self) -> bool:
        """Whether the entries are in tiles."""
        return has_tiles(self.path)

    def check_tiles(self, report: Report, walked: Walked, beside: TileCheck | None) -> None:
        """Report tiles that are not what the entries make them: `beside` is what was compared on the way. Raises
        NotALog where the entries are in tiles, and one is missing."""
        if beside is not None:
            beside.finish()
        check = check_tiles(tiles_in(self.path)) if self.tiled else beside
        if check is not None and check.wrong is not None:
            found = None if check.count == 1 else f"{check.count:,} tiles that differ; this one is the first"
            expected, follows = "what the entries make it", walked.changed or walked.short
            report.add("tile-differs", field=check.wrong, expected=expected, found=found, follows=follows)

    def conclude(self, report: Report, size: int) -> str | None:
        """Report what became of the file on its way; `size` entries were read. Returns the code of the finding from
        which it follows that entries are missing, if there is one."""
        if self.resaved:
            report.add("log-resaved", expected="the bytes that the house wrote", found=" and ".join(self.resaved))
        if self.cut is not None:
            found = "a whole entry without its line feed" if self.whole else f"{self.cut} bytes of an entry"
            at = size - 1 if self.whole else size
            report.add("entry-cut-off", entry=at, expected="a line feed at the end of each entry", found=found)
        return None if self.cut is None or self.whole else "entry-cut-off"


def _is_entry(line: bytes) -> bool:
    try:
        parse(line)
    except NotCanonical:
        return False
    return True


def begins_again(line: bytes, first: bytes, last_at: str) -> bool:
    """Whether another log begins with this line, after all that was signed: the first line comes again, or time goes
    back."""
    at = line[7:34].decode("ascii", errors="replace")
    return line == first or (is_moment(at) and at < last_at)


def told(lines: Iterator[bytes], progress: Callable[[int], None]) -> Iterator[bytes]:
    """The same lines; `progress` is told now and then how many bytes they have."""
    done = 0
    for number, line in enumerate(lines):
        done += len(line) + 1
        if not number & 0xFF:
            progress(done)
        yield line
