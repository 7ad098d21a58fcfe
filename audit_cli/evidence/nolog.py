"""What was given as a log and is none: what it is instead, and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError, NotALog, VerificationError
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import ENTRIES, has_tiles
from fairshoe.log.hand_proof import BEGINS
from fairshoe.log.note import form_of, signatures_of, verifier_of
from fairshoe.terminal.files import is_stdin

BOM = b"\xef\xbb\xbf"
WANTED = "a log's directory, with log.jsonl or tiles; or log.jsonl as the house serves it: one entry a line"
AGAIN = "get log.jsonl again, as a file and unchanged"
MOST_NAMES = 3
"""How many of the things in a directory are named."""


class Form(NamedTuple):
    """What something is, and what to do about it."""

    what: str
    remedy: str


_PACKED = (
    (b"\x1f\x8b", "a gzip file", "unpack it first: gunzip FILE.gz"),
    (b"PK\x03\x04", "a zip file", "unpack it first: unzip FILE.zip"),
    (b"\x28\xb5\x2f\xfd", "a zstd file", "unpack it first: unzstd FILE.zst"),
    (b"\xfd7zXZ\x00", "an xz file", "unpack it first: unxz FILE.xz"),
    (b"BZh", "a bzip2 file", "unpack it first: bunzip2 FILE.bz2"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip file", "unpack it first: 7z x FILE.7z"),
    (b"SQLite format 3", "a database (SQLite)", "get log.jsonl; the house serves it, and needs no database for that"),
    (b"\xff\xfe", "a text in UTF-16", "get it again unchanged, or save it as UTF-8 with LF line ends"),
    (b"\xfe\xff", "a text in UTF-16", "get it again unchanged, or save it as UTF-8 with LF line ends"),
    (b"{\x00", "a text in UTF-16", "get it again unchanged, or save it as UTF-8 with LF line ends"),
)
PROOF = Form("the proof of one hand", "check it with: fairshoe-audit hand FILE --key VKEY")
_PROOF_ANEW = Form("the proof of one hand, laid out anew by a program", "get the proof again, unchanged")
_RECEIPTS = Form("a file of receipts", "hold it against a log with: fairshoe-audit receipt FILE LOG --key VKEY")
_RECEIPT = "fairshoe receipt "
"""How a receipt begins, and the house's word for the receipts' key."""
_ERROR_PAGE = ("error", "errors", "status", "code", "message", "title", "detail")


def form_at_sight(head: bytes) -> Form | None:
    """What begins as no log does, by its first bytes; None where it may be a log."""
    for magic, what, remedy in _PACKED:
        if head.startswith(magic):
            return Form(what, remedy)
    if head[257:262] == b"ustar":
        return Form("a tar archive", "unpack it first, and give the directory: tar xf FILE.tar")
    if b"\x00" in head[:16]:
        return Form("a binary file, such as a database", AGAIN)
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(b"<"):
        return Form("a web page, perhaps an error that was saved in the log's place", AGAIN)
    if text.startswith(BEGINS):
        return PROOF
    return None if text.startswith(b"{") else _text_form(text.decode(errors="replace"))


def _text_form(text: str) -> Form | None:
    """A small text that belongs to a log or a proof."""
    if text.removeprefix('"').startswith(_RECEIPT):
        return _RECEIPTS
    if _reads(checkpoint_of, text):
        return Form("a checkpoint", "give the directory that it lies in, with log.jsonl; this one goes to --checkpoint")
    if _reads(signatures_of, text):
        return Form("a signed note", AGAIN)
    if _reads(verifier_of, text):
        return Form("a verifier key", "give it to --key, and a log's directory in its place")
    form = form_of(text)
    if form is not None and ("key" in form or "hex" in form):
        return Form(form, "give a log's directory in its place")
    return None


def form_of_lines(head: bytes) -> Form:
    """What a file is of which no line is an entry."""
    text = head.removeprefix(BOM).decode(errors="replace").lstrip()
    if not text:
        return Form("an empty file", AGAIN)
    if text.startswith("{"):
        return _json_form(text)
    if text.startswith("["):
        return Form("one list in JSON, not one entry a line", "get log.jsonl as it is, without making a list of it")
    return Form("no line of it is an entry", AGAIN)


def _json_form(text: str) -> Form:
    if '"protocol"' in text and '"commitment"' in text:
        return Form("the proof of one shoe", "check it with: fairshoe verify FILE")
    if text.removeprefix("{").lstrip().startswith('"checkpoint"'):
        return _PROOF_ANEW
    if '"fairshoe-audit ' in text:
        return Form("the report of an audit", "give the log that it is about")
    if '"kind"' in text:
        return Form("entries that a program laid out anew", "get log.jsonl as it is")
    if any(f'"{name}"' in text for name in _ERROR_PAGE):
        return Form(f"an error message{_said(text)}, saved in the log's place", AGAIN)
    return Form("no line of it is an entry", AGAIN)


def _said(text: str) -> str:
    """What an error message says, in short."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    said = [body[name] for name in _ERROR_PAGE if isinstance(body.get(name), str)] if isinstance(body, dict) else []
    return f" ({said[0][:80]})" if said else ""


def refusal(form: Form, where: str) -> NotALog:
    return NotALog(f"no log: {form.what}", where=where, expected=WANTED, remedy=form.remedy)


def check_no_address(path: Path) -> None:
    """Raise NotALog where the address of a house was given in a log's place."""
    scheme, _, rest = str(path).partition(":/")
    if scheme in ("http", "https") and not path.exists():
        address = f"{scheme}://{rest.lstrip('/')}"
        raise refusal(Form("an address", f"fetch the log first: fairshoe pull {address} DIR"), address)


def entries_in(path: Path) -> Path:
    """The file of entries of a log: `log.jsonl` of a directory, else what was given, such as a directory of tiles.

    Raises NotALog.
    """
    if is_stdin(path) or not path.is_dir() or has_tiles(path):
        return path
    if (path / ENTRIES).exists():
        return path / ENTRIES
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
    some = ", ".join(names[:MOST_NAMES]) + (f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")
    packed = next((name for name in names if name.startswith(f"{ENTRIES}.")), None)
    remedy = "give the directory that log.jsonl lies in" if packed is None else f"unpack {packed} first"
    return Form(f"a directory without log.jsonl; in it: {some}", remedy)


def _reads(read: Callable[[str], object], text: str) -> bool:
    """Whether a text is what `read` reads."""
    try:
        read(text)
    except (InputError, VerificationError):
        return False
    return True
