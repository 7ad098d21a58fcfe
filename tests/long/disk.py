"""What a program does to the files of one directory, recorded by strace, and the directory as a power cut may leave it.

What was synced is there, and of the rest anything or nothing. Of each file the writes since its last sync are kept or
lost one by one, some of them torn at a sector; of the names that were made, changed or removed since the directory's
last sync either the first few are kept, or any."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
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


SECTOR = 512
LOST = 0.5
TORN = 0.2
"""How often a write that was not synced is lost; and how often one that is not, is torn."""


@dataclass
class File:
    """`written`: the writes and changes of size that are not on the disk for certain, with when each was done."""

    content: bytearray = field(default_factory=bytearray)
    written: list[Op] = field(default_factory=list)

    def sync(self, begun: float) -> None:
        for op in [op for op in self.written if op.done <= begun]:
            apply(self.content, op)
        self.written = [op for op in self.written if op.done > begun]

    def left(self, chance: random.Random) -> bytes:
        content = bytearray(self.content)
        for op in self.written:
            if chance.random() >= LOST:
                for part in torn(op, chance) if chance.random() < TORN else [op]:
                    apply(content, part)
        return bytes(content)


def apply(content: bytearray, op: Op) -> None:
    end = op.at if op.kind == "size" else op.at + len(op.data)
    content.extend(bytes(max(0, end - len(content))))
    if op.kind == "size":
        del content[end:]
    else:
        content[op.at : end] = op.data


def torn(op: Op, chance: random.Random) -> Iterable[Op]:
    """Some of the sectors of a write; a change of size is whole."""
    if op.kind == "size":
        return [op]
    starts = range(-(op.at % SECTOR), len(op.data), SECTOR)
    parts = [(max(0, start), op.data[max(0, start) : start + SECTOR]) for start in starts]
    return [op._replace(at=op.at + start, data=data) for start, data in parts if chance.random() >= LOST]


class Disk:
    """The files of one directory while the recorded calls are done."""

    def __init__(self) -> None:
        self._handles: dict[int, tuple[File, bool, int] | None] = {}
        self._names: dict[str, File] = {}
        self._kept: dict[str, File] = {}
        self._renamed: list[tuple[Op, File | None]] = []

    def do(self, op: Op) -> None:
        if op.kind == "open":
            self._open(op)
        elif op.kind == "close":
            self._handles.pop(op.handle, None)
        elif op.kind in ("rename", "link", "unlink"):
            self._rename(op, self._names.get(op.name))
        elif op.kind == "sync":
            self._sync(op)
        else:
            self._write(op)

    def left(self, chance: random.Random) -> dict[str, bytes]:
        """What a power cut leaves now, by name."""
        names, pending = dict(self._kept), self._renamed
        if chance.random() < 0.5:
            pending = pending[: chance.randint(0, len(pending))]
        else:
            pending = [each for each in pending if chance.random() >= LOST]
        for op, file in pending:
            rename(names, op, file)
        return {name: file.left(chance) for name, file in names.items()}

    def _open(self, op: Op) -> None:
        if not op.name:
            self._handles[op.handle] = None
            return
        if op.name not in self._names:
            assert "O_CREAT" in op.flags, op
            self._rename(op, File())
        file = self._names[op.name]
        if "O_TRUNC" in op.flags:
            file.written.append(op._replace(kind="size", at=0))
        self._handles[op.handle] = (file, "O_APPEND" in op.flags, 0)

    def _rename(self, op: Op, file: File | None) -> None:
        rename(self._names, op, file)
        self._renamed.append((op, file))

    def _write(self, op: Op) -> None:
        found = self._handles[op.handle]
        assert found is not None
        file, appends, place = found
        assert not appends, op
        if op.kind == "write" and op.at < 0:
            op = op._replace(at=place)
            self._handles[op.handle] = (file, appends, place + len(op.data))
        file.written.append(op)

    def _sync(self, op: Op) -> None:
        found = self._handles[op.handle]
        if found is not None:
            found[0].sync(op.begun)
            return
        for change, file in [each for each in self._renamed if each[0].done <= op.begun]:
            rename(self._kept, change, file)
        self._renamed = [each for each in self._renamed if each[0].done > op.begun]


def rename(names: dict[str, File], op: Op, file: File | None) -> None:
    """Change the names of a directory; what another loss made impossible is not done."""
    if op.kind == "open" and file is not None:
        names[op.name] = file
    elif op.kind == "unlink":
        names.pop(op.name, None)
    elif file is not None and names.get(op.name) is file:
        names[op.other] = file
        if op.kind == "rename":
            del names[op.name]


def cuts(
    ops: Sequence[Op], moments: Iterable[float], chance: random.Random
) -> Iterator[tuple[float, dict[str, bytes]]]:
    """What a power cut leaves at each moment, the earliest first."""
    disk, done = Disk(), 0
    for moment in sorted(moments):
        while done < len(ops) and ops[done].done <= moment:
            disk.do(ops[done])
            done += 1
        yield moment, disk.left(chance)


def write(files: dict[str, bytes], directory: Path) -> None:
    directory.mkdir(mode=0o700)
    for name, content in files.items():
        path = directory / name
        path.write_bytes(content)
        path.chmod(0o600)
