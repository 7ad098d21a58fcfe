"""The format of a file that somebody gave in the place of another, by its first bytes."""

from __future__ import annotations

from typing import NamedTuple

HEAD = 4096
"""How many bytes are read to say what a file is."""
BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before a text in UTF-8."""
GZIP, GUNZIP = b"\x1f\x8b", "unpack it first: gunzip FILE.gz"
"""How a gzip file begins, and what to do with one."""


class Form(NamedTuple):
    """A file's format, and what to do about it; an empty remedy: get the right file."""

    what: str
    remedy: str


_UTF_16 = Form("a text in UTF-16", "get it again unchanged, or save it as UTF-8 with LF line ends")
_MAGIC = {
    GZIP: Form("a gzip file", GUNZIP),
    b"BZh": Form("a bzip2 file", "unpack it first: bunzip2 FILE.bz2"),
    b"\x28\xb5\x2f\xfd": Form("a zstd file", "unpack it first: unzstd FILE.zst"),
    b"\xfd7zXZ\x00": Form("an xz file", "unpack it first: unxz FILE.xz"),
    b"7z\xbc\xaf\x27\x1c": Form("a 7z file", "unpack it first: 7z x FILE.7z"),
    b"PK\x03\x04": Form("a zip file", "unpack it first: unzip FILE.zip"),
    b"SQLite format 3": Form("a database (SQLite)", ""),
    b"\x89PNG": Form("a picture (PNG)", ""),
    b"\xff\xd8\xff": Form("a picture (JPEG)", ""),
    b"%PDF-": Form("a PDF", ""),
    b"\xff\xfe": _UTF_16,
    b"\xfe\xff": _UTF_16,
    b"{\x00": _UTF_16,
}
TAR = 257, b"ustar"
"""Offset and bytes of a tar archive's magic number."""


def is_tar(head: bytes) -> bool:
    at, mark = TAR
    return head[at : at + len(mark)] == mark


def format_of(head: bytes) -> Form | None:
    """Return the format of a file that begins with `head`; None where it may be a text in UTF-8."""
    for magic, form in _MAGIC.items():
        if head.startswith(magic):
            return form
    if is_tar(head):
        return Form("a tar archive", "unpack it first, and give the directory: tar xf FILE.tar")
    if head.removeprefix(BOM).lstrip().startswith(b"<"):
        return Form("a web page, perhaps an error that was saved in its place", "")
    return None
