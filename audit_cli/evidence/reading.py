"""A log's lines as they were, where whoever copied or saved the file changed only how they are written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import cast

from fairshoe.errors import NotALog
from fairshoe.log.canonical import NotCanonical, parse
from fairshoe.log.directory import ENTRIES, blocks_of, has_tiles, open_entries, tiles_in
from fairshoe.log.tile_check import TileCheck, check_tiles
from fairshoe.log.tile_source import TILES

from ..findings.report import Report
from .head import Walked
from .nolog import BOM, entries_in, form_at_sight, form_of_lines, refusal

HEAD = 4096
"""How many bytes are looked at to say what a file is."""

TWO = "two entries in one line"
GLUED = b'}{"a'
"""Where a line without its LF goes on with the next: inside an entry it cannot stand."""


class Reading:
    """The entries of a log, read once: bytes without their line ends.

    A byte order mark is left out, and the CR of each line where the first ends in CR LF; two entries in a line are
    taken for two lines: `resaved` says so in words.
    A last line without its LF is an entry only where it is a whole one; `cut` is how many bytes of a line stand
    there. Raises NotALog, LogError.
    """

    def __init__(self, log: Path) -> None:
        self.path = entries_in(log)
        self.resaved: list[str] = []
        self.cut: int | None = None
        self.whole = False
        self.head = b""
        self._crs = False

    def __iter__(self) -> Iterator[bytes]:
        where = str(self.path)
        with open_entries(self.path) as stream:
            buffered = cast(BufferedReader, stream)
            self.head = buffered.peek(HEAD)[:HEAD]
            form = form_at_sight(self.head)
            if form is not None:
                raise refusal(form, where)
            blocks = blocks_of(buffered, where)
            yield from self._by_line(self._from_first(next(blocks, b"")))
            for block in blocks:
                if self._is_plain(block):
                    yield from block[:-1].split(b"\n")
                else:
                    yield from self._by_line(self._as_they_were(BytesIO(block)))

    def _is_plain(self, block: bytes) -> bool:
        """Whether these are just the lines that the house wrote."""
        return block.endswith(b"\n") and not self._crs and GLUED not in block

    def _by_line(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            if line.endswith(b"\n"):
                yield line[:-1]
            elif self._ends_with(line):
                yield line

    def _from_first(self, block: bytes) -> Iterable[bytes]:
        """The lines of the first block, which shows how the file was saved."""
        if block.startswith(BOM):
            self.resaved.append("a byte order mark at its beginning")
            block = block.removeprefix(BOM)
        if BytesIO(block).readline().endswith(b"\r\n"):
            self.resaved.append("line ends CR LF")
            self._crs = True
        return self._as_they_were(BytesIO(block))

    def _as_they_were(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        return self._apart(map(_without_cr, lines) if self._crs else lines)

    def _apart(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Two entries in a line are two lines: whoever joins files loses the LF between them."""
        for line in lines:
            at = line.find(GLUED)
            if at >= 0 and _is_entry(line[: at + 1]) and _is_entry(line[at + 1 :].removesuffix(b"\n")):
                if TWO not in self.resaved:
                    self.resaved.append(TWO)
                yield line[: at + 1] + b"\n"
                line = line[at + 1 :]
            yield line

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


def _without_cr(line: bytes) -> bytes:
    return line[:-2] + b"\n" if line.endswith(b"\r\n") else line.removesuffix(b"\r")


def told(lines: Iterator[bytes], progress: Callable[[int], None]) -> Iterator[bytes]:
    """The same lines; `progress` is told now and then how many bytes they have."""
    done = 0
    for number, line in enumerate(lines):
        done += len(line) + 1
        if not number & 0xFF:
            progress(done)
        yield line
