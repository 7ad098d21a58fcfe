"""What a program does to the files of one directory, recorded by strace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CALLS = "openat,open,creat,close,dup,dup2,dup3,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate"
CALLS += ",fsync,fdatasync,sync_file_range,rename,renameat,renameat2,unlink,unlinkat,link,linkat,mmap,sendfile"
CALLS += ",copy_file_range,mkdir,mkdirat,rmdir,fcntl"
LINE = re.compile(r"(\d+\.\d+) (\w+)\((.*)\) = (-?\d+|\?)(<[^ ]*>)?(?: .*)?<(\d+\.\d+)>$")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
ANNOTATED = re.compile(r"(AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>")
FORBIDDEN = ("writev", "pwritev", "pwritev2", "fallocate", "copy_file_range", "sendfile", "truncate", "dup", "dup2")


class Op(NamedTuple):
    """A call that succeeded. `kind`: open, close, write (at, data), size (at), sync, rename, unlink, link. `begun` and
    `done` are seconds since 1970; `name` and `other` are names in the directory, "" for the directory itself."""

    kind: str
    begun: float
    done: float
    handle: int = -1
    name: str = ""
    other: str = ""
    at: int = 0
    data: bytes = b""
    flags: str = ""


class Recording:
    """`under` are the words to run a program by, `ops` what it did in `directory` then, in the order of their ends."""

    def __init__(self, directory: Path, traces: Path) -> None:
        self._directory, self._traces = directory, traces
        traces.mkdir()
        self.under = ["strace", "-ff", "-ttt", "-T", "-y", "-xx", "-s", "1048576", "--seccomp-bpf"]
        self.under += ["-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(traces / "trace")]

    def ops(self) -> list[Op]:
        found = [op for path in self._traces.iterdir() for op in self._of(path)]
        return sorted(found, key=lambda op: op.done)

    def _of(self, path: Path) -> Iterator[Op]:
        with path.open() as lines:
            for line in lines:
                if (match := LINE.match(line)) and match[4] not in ("-1", "?"):
                    begun, call, words, result, spent = float(match[1]), match[2], match[3], match[4], float(match[6])
                    yield from self._op(call, words, int(result), {"begun": begun, "done": begun + spent})

    def _op(self, call: str, words: str, result: int, when: dict[str, Any]) -> Iterator[Op]:
        handle = int(words.split("<", 1)[0]) if words[:1].isdigit() else -1
        names = [self._name(text) for text, _ in TEXT.findall(words)]
        plain = TEXT.sub("", ANNOTATED.sub("", words)).split(", ")
        if call in ("openat", "open", "creat"):
            if names[0] is not None:
                yield Op(
                    "open", handle=result, name=names[0], flags="O_CREAT|O_TRUNC" if call == "creat" else words, **when
                )
        elif call in ("rename", "renameat", "renameat2", "link", "linkat"):
            if None not in names[:2]:
                kind = "link" if call.startswith("link") else "rename"
                yield Op(kind, name=str(names[0]), other=str(names[1]), **when)
        elif call in ("unlink", "unlinkat", "rmdir"):
            if names[0] is not None:
                yield Op("unlink", name=names[0], **when)
        elif call == "close":
            yield Op("close", when["begun"], when["begun"], handle=handle)  # another thread may have its number at once
        elif handle >= 0 and self._inside(words):
            yield from self._changed(call, handle, words, plain, result, when)

    def _changed(
        self, call: str, handle: int, words: str, plain: list[str], result: int, when: dict[str, Any]
    ) -> Iterator[Op]:
        if call in ("write", "pwrite64"):
            text, cut = TEXT.findall(words)[0]
            assert not cut
            at = int(plain[-1]) if call == "pwrite64" else -1
            yield Op("write", handle=handle, at=at, data=_bytes(text)[:result], **when)
        elif call == "ftruncate":
            yield Op("size", handle=handle, at=int(plain[-1]), **when)
        elif call in ("fsync", "fdatasync"):
            yield Op("sync", handle=handle, **when)
        else:
            assert call not in FORBIDDEN, (call, words[:200])

    def _name(self, text: str) -> str | None:
        """A path's name in the directory, None where it is elsewhere."""
        path = Path(_bytes(text).decode(errors="replace"))
        if path == self._directory:
            return ""
        return path.name if path.parent == self._directory else None

    def _inside(self, words: str) -> bool:
        found = ANNOTATED.match(words)
        return found is not None and self._name(found[2]) is not None


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
