"""A log's lines, also of a file that was saved again in another form; and what was given in place of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from gzip import GzipFile
from itertools import islice, repeat
from pathlib import Path

from fairshoe.errors import InputError, NotALog, NotCanonical, VerificationError
from fairshoe.log.canonical import parse
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.directory import ENTRIES, PACKED, blocks_of, has_tiles, open_entries, tiles_in
from fairshoe.log.hand_proof import BEGINS
from fairshoe.log.note import form_of, signatures_of, verifier_of
from fairshoe.log.tile_source import wrong_tiles
from fairshoe.log.times import is_moment
from fairshoe.log.tree import EMPTY_ROOT, Tree
from fairshoe.terminal.files import is_stdin
from fairshoe.terminal.formats import BOM, GUNZIP, HEAD, Form, format_of

from ..findings.report import Report
from .head import LogHeads

WANTED = "a log's directory, with log.jsonl or tiles; or log.jsonl as the house serves it: one entry a line"
FETCH_AGAIN = "get log.jsonl again, as a file and unchanged"
MAX_NAMES = 3
"""How many of the things in a directory are named."""

PROOF = Form("the proof of one hand", "check it with: fairshoe-audit hand FILE --key VKEY")
_RECEIPTS = Form("a file of receipts", "hold it against a log with: fairshoe-audit receipt FILE LOG --key VKEY")
_RECEIPT = "fairshoe receipt "
"""How a receipt begins, and the house's word for the receipts' key."""
_IN_JSON = (
    (('"protocol"', '"commitment"'), Form("the proof of one shoe", "check it with: fairshoe verify FILE")),
    (('"fairshoe-audit ',), Form("the report of an audit", "give the log that it is about")),
    (('"checkpoint"',), Form("the proof of one hand, laid out anew", "get the proof again, unchanged")),
    (('"kind"',), Form("entries that a program laid out anew", "get log.jsonl as it is")),
)


def form_at_sight(head: bytes) -> Form | None:
    """Return the format of a file that begins as no log does, by its first bytes; None if it may be a log."""
    form = format_of(head)
    if form is not None:
        return form
    if b"\x00" in head[:16]:
        return Form("a binary file: packed, or a database", "")
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(BEGINS):
        return PROOF
    return None if text.startswith(b"{") else _text_form(text.decode(errors="replace"))


def _text_form(text: str) -> Form | None:
    """A small text that belongs to a log or a proof."""
    if text.removeprefix('"').startswith(_RECEIPT):
        return _RECEIPTS
    if _is_readable(checkpoint_of, text):
        return Form("a checkpoint", "give the directory that it lies in, with log.jsonl; this one goes to --checkpoint")
    if _is_readable(signatures_of, text):
        return Form("a signed note", FETCH_AGAIN)
    if _is_readable(verifier_of, text):
        return Form("a verifier key", "give it to --key, and a log's directory in its place")
    form = form_of(text)
    if form is not None and ("key" in form or "hex" in form):
        return Form(form, "give a log's directory in its place")
    return None


def form_of_lines(head: bytes) -> Form:
    """Return the format of a file of which no line is an entry."""
    text = head.removeprefix(BOM).decode(errors="replace").lstrip()
    if not text:
        return Form("an empty file", FETCH_AGAIN)
    if text.startswith("{"):
        return _json_form(text)
    if text.startswith("["):
        return Form("one list in JSON, not one entry a line", "get log.jsonl as it is, without making a list of it")
    return Form("no line of it is an entry", FETCH_AGAIN)


def _json_form(text: str) -> Form:
    for marks, form in _IN_JSON:
        if all(mark in text for mark in marks):
            return form
    if any(f'"{name}"' in text for name in ("error", "status", "message", "title", "detail")):
        return Form("an error message, saved in the log's place", FETCH_AGAIN)
    return Form("no line of it is an entry", FETCH_AGAIN)


def refusal(form: Form, where: str) -> NotALog:
    return NotALog(f"no log: {form.what}", where=where, expected=WANTED, remedy=form.remedy or FETCH_AGAIN)


def check_no_address(path: Path) -> None:
    """Raise NotALog where the address of a house was given in a log's place."""
    scheme, _, rest = str(path).partition(":/")
    if scheme in ("http", "https") and not path.exists():
        address = f"{scheme}://{rest.lstrip('/')}"
        raise refusal(Form("an address", f"fetch the log first: fairshoe pull {address} DIR"), address)


def entries_in(path: Path) -> Path:
    """Return the file of entries of a log: `log.jsonl` of a directory, else what was given. Raises NotALog."""
    if is_stdin(path) or not path.is_dir() or has_tiles(path):
        return path
    for name in (ENTRIES, PACKED):
        if (path / name).exists():
            return path / name
    try:
        names = sorted(entry.name for entry in islice(path.iterdir(), 1000))
    except OSError as error:
        raise NotALog(f"cannot read: {error.strerror}", where=str(path), remedy="check who may read it") from None
    raise refusal(_directory_form(names), str(path))


def _directory_form(names: list[str]) -> Form:
    if "0" in names or "entries" in names:
        return Form("the tiles of a log without its checkpoint", "give the directory above, where the checkpoint lies")
    if not names:
        return Form("an empty directory", "give the directory that log.jsonl lies in")
    some = ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else "")
    packed = next((name for name in names if name.startswith(f"{ENTRIES}.")), None)
    remedy = "give the directory that log.jsonl lies in" if packed is None else f"unpack {packed} first"
    return Form(f"a directory without log.jsonl; in it: {some}", remedy)


def _is_readable(read: Callable[[str], object], text: str) -> bool:
    """Whether a text is what `read` reads."""
    try:
        read(text)
    except (InputError, VerificationError):
        return False
    return True


class LogLines:
    """The entries of a log, read once: bytes without their line ends. Left out are a byte order mark, the CR of each
    line if the first ends in CR LF, and empty lines at the end. A last line without LF is an entry if whole. Raises
    NotALog, LogError."""

    def __init__(self, log: Path, marks: Sequence[int] = ()) -> None:
        check_no_address(log)
        self.path = entries_in(log)
        self.marks = marks  # sizes of tree heads, ascending
        self.resaved: list[str] = []  # how the file was saved again
        self.blank = 0  # empty lines at the end
        self.saved: Tree | None = None  # the tree over the lines as they stand, in case the house signed these
        self.saved_roots = {0: EMPTY_ROOT}  # its heads, by size
        self.is_signed_so = False  # the house signed these
        self.cut_bytes: int | None = None  # bytes of a last line without LF
        self.whole = False  # it is an entry
        self.head = b""
        self.is_packed = False

    def __iter__(self) -> Iterator[bytes]:
        where = str(self.path)
        with open_entries(self.path) as stream:
            self.head, self.is_packed = stream.peek(HEAD)[:HEAD], isinstance(stream, GzipFile)
            first = True
            for block in blocks_of(stream, where):
                if first:
                    self._look(block.partition(b"\n")[0])
                if self.saved is not None:
                    self.saved.grow(block.split(b"\n")[:-1], self.marks, self.saved_roots)
                    block = (block.removeprefix(BOM) if first else block).replace(b"\r\n", b"\n")
                first = False
                lines = block.split(b"\n")
                rest, blank = lines.pop(), 0
                while lines and not lines[-1]:
                    lines.pop()
                    blank += 1
                if lines or rest:
                    yield from repeat(b"", self.blank)
                    self.blank = 0
                yield from lines
                self.blank += blank
                if rest and self._ends_with(rest):
                    yield rest

    def _look(self, line: bytes) -> None:
        """Note how the file was saved, which its first line shows."""
        if line.startswith(BOM):
            self.resaved.append("a byte order mark at its beginning")
        if line.endswith(b"\r"):
            self.resaved.append("line ends CR LF")
        if self.resaved:
            self.saved = Tree()

    def _ends_with(self, line: bytes) -> bool:
        """Whether what stands after the last LF is a whole entry."""
        self.cut_bytes = len(line)
        self.whole = _is_entry(line)
        return self.whole

    def no_log(self) -> NotALog:
        """Return the error for a file without any entry."""
        form = form_at_sight(self.head) or form_of_lines(self.head)
        if self.is_packed:
            form = Form(f"a gzip file, and in it {form.what}", GUNZIP)
        return refusal(form, str(self.path))

    def signed_tree(
        self, signed: Checkpoint | None, tree: Tree, roots: Mapping[int, bytes]
    ) -> tuple[Tree, Mapping[int, bytes]]:
        """Return the log's tree and its heads: over the entries, or over the file's own lines if a checkpoint covers
        those."""
        if signed is None:
            return tree, roots
        saved, heads = self.saved, self.saved_roots
        if saved is None and 0 < signed.size - tree.size <= self.blank:
            saved = Tree(tree.size, tree.peaks)
            for _ in range(signed.size - tree.size):
                saved.append(b"")
            heads = {**roots, saved.size: saved.root}
        self.is_signed_so = saved is not None and heads.get(signed.size) == signed.root
        return (saved, heads) if saved is not None and self.is_signed_so else (tree, roots)

    @property
    def tiled(self) -> bool:
        """Whether the entries are in tiles."""
        return has_tiles(self.path)

    def check_tiles(self, report: Report, walked: LogHeads) -> None:
        """Report tiles that are not what the entries in them make them. Raises NotALog where one is missing."""
        wrong = wrong_tiles(tiles_in(self.path)) if self.tiled else []
        if wrong:
            found = None if len(wrong) == 1 else f"{len(wrong):,} tiles that differ; this one is the first"
            expected, follows = "what the entries make it", walked.changed or walked.short
            report.add("tile-differs", field=wrong[0], expected=expected, found=found, follows=follows)

    def conclude(self, report: Report, size: int) -> str | None:
        """Report what became of the file on its way, and return the code of a finding that explains missing entries, if
        any."""
        words = " and ".join([*self.resaved, *["empty lines at its end"][: self.blank]])
        if self.is_signed_so:
            at = 0 if self.resaved else size
            report.add("entry-not-canonical", entry=at, expected="one JSON object a line, and LF", found=words)
        elif words:
            report.add("log-resaved", expected="the bytes that the house wrote", found=words)
        if self.cut_bytes is not None:
            found = "a whole entry without its line feed" if self.whole else f"{self.cut_bytes} bytes of an entry"
            at = size - 1 if self.whole else size
            report.add("entry-cut-off", entry=at, expected="a line feed at the end of each entry", found=found)
        return None if self.cut_bytes is None or self.whole else "entry-cut-off"


def _is_entry(line: bytes) -> bool:
    try:
        parse(line)
    except NotCanonical:
        return False
    return True


def begins_again(line: bytes, first: bytes, last_at: str) -> bool:
    """Whether another log begins with this line, after all signed ones: the first line again, or an earlier time."""
    at = line[7:34].decode("ascii", errors="replace")
    return line == first or (is_moment(at) and at < last_at)


def with_progress(lines: Iterator[bytes], progress: Callable[[int], None]) -> Iterator[bytes]:
    """Yield the same lines; `progress` is told now and then how many bytes they have."""
    done = 0
    while few := list(islice(lines, 256)):
        yield from few
        done += sum(map(len, few)) + len(few)
        progress(done)
