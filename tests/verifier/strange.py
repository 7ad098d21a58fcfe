"""Files that are a log, or none, or hardly one: what is an entry and what is a finding (docs/log.md), by both readings.

Each is signed by the house as it stands, has the checkpoint of the log that it was made of, or none.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from tests.audit.planting import log
from tests.house import SIGNER

from .readings import Difference, first_reading, second_readings

BOM = b"\xef\xbb\xbf"
DEEP = 64
Chance = random.Random
Change = Callable[[list[bytes], Chance], list[bytes]]


def every(old: bytes, new: bytes) -> Change:
    """Replace a text in each line."""
    return lambda lines, _: [line.replace(old, new) for line in lines]


def above(*some: bytes) -> Change:
    return lambda lines, _: [*some, *lines]


def somewhere(old: str, new: bytes) -> Change:
    """Replace a pattern in one line in which it is found, often the first."""

    def change(lines: list[bytes], chance: Chance) -> list[bytes]:
        places = [place for place, line in enumerate(lines) if re.search(old.encode(), line)]
        if not places:
            return lines
        place = chance.choice([places[0], chance.choice(places)])
        return [*lines[:place], re.sub(old.encode(), new, lines[place], count=1), *lines[place + 1 :]]

    return change


def put(line: bytes) -> Change:
    """Put a line in the place of one, at the beginning or the end, or anywhere."""

    def change(lines: list[bytes], chance: Chance) -> list[bytes]:
        place = chance.choice([0, len(lines), chance.randrange(len(lines) + 1)])
        return [*lines[:place], line, *lines[place + chance.randrange(2) :]]

    return change


def nested(levels: int) -> bytes:
    return b'{"kind":"start","x":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


WHOLE: dict[str, Change] = {
    "as it is": lambda lines, _: lines,
    "every entry has a wrong field": every(b'"v":1}', b'"v":"1"}'),
    "no entry has its time": every(b'"at":"', b'"at":"x'),
    "it begins before 1970": lambda lines, _: [re.sub(rb'"at":"....', b'"at":"1969', lines[0]), *lines[1:]],
    "it begins with 1970": lambda lines, _: [
        re.sub(rb'"at":".{27}"', b'"at":"1970-01-01T00:00:00.000000Z"', lines[0]),
        *lines[1:],
    ],
    "no entry is canonical": every(b'":', b'": '),
    "every kind is unknown": every(b'"kind":"', b'"kind":"x'),
    "the first entry alone": lambda lines, _: lines[:1],
    "the last entry alone": lambda lines, _: lines[-1:],
    "laid out anew": lambda lines, _: lines[0].replace(b",", b",\n").split(b"\n"),
    "one list": lambda lines, _: [b"[" + b",".join(lines) + b"]"],
    "many lines that are no JSON above it": above(*[b"x"] * 4097),
    "many lines of another JSON above it": above(*[b"{}"] * 4096),
    "many empty lines above it": above(*[b""] * 4096),
    "a web page above it": above(b"<html>"),
    "a document type above it": above(b"<!DOCTYPE html>"),
    "a NUL above it": above(b"\x00"),
    "a tar archive": lambda lines, _: [b"log.jsonl".ljust(257, b"\0") + b"ustar  " + lines[0], *lines[1:]],
    "a byte order mark": lambda lines, _: [BOM + lines[0], *lines[1:]],
    "CR LF": lambda lines, _: [line + b"\r" for line in lines],
    "both": lambda lines, _: [BOM + lines[0] + b"\r", *(line + b"\r" for line in lines[1:])],
    "CR LF but for the first line": lambda lines, _: [lines[0], *(line + b"\r" for line in lines[1:])],
    "an empty line at its end": lambda lines, _: [*lines, b""],
    "empty lines at its end": lambda lines, _: [*lines, b"", b"", b""],
    "only empty lines": lambda lines, _: [b""] * 9,
}
PARTS: dict[str, Change] = {
    "a version with a fraction": somewhere('"v":1}', b'"v":3.0}'),
    "a version with an exponent": somewhere('"v":1}', b'"v":3e0}'),
    "a version that is a text": somewhere('"v":1}', b'"v":"3"}'),
    "a version beyond 2^53": somewhere('"v":1}', b'"v":9007199254740993}'),
    "a newer version": somewhere('"v":1}', b'"v":3}'),
    "a newer version and a fraction": somewhere('"v":1}', b'"v":3,"x":0.5}'),
    "a newer version and white space": somewhere('"v":1}', b'"v": 3}'),
    "a number with a fraction": somewhere(":([0-9]+)([,}])", rb":\g<1>.0\2"),
    "minus nothing": somewhere(":[0-9]+([,}])", rb":-0\1"),
    "a number too large": somewhere(":[0-9]+([,}])", rb":1e400\1"),
    "a number of many digits": somewhere(":[0-9]+([,}])", b":" + b"1" * 5000 + rb"\1"),
    "no number": somewhere(":[0-9]+([,}])", rb":NaN\1"),
    "a name twice": somewhere('"v":1}', b'"v":1,"v":1}'),
    "another kind at last": somewhere('"v":1}', b'"kind":"nothing","v":1}'),
    "an unpaired surrogate": somewhere('"v":1}', rb'"v":1,"w":"\\ud800"}'),
    "what is no UTF-8": somewhere('"v":1}', b'"v":1,"w":"\xff"}'),
    "nested as far as may be": put(nested(DEEP)),
    "nested further": put(nested(DEEP + 1)),
    "nested much further": put(nested(20_000)),
    "a line too long": put(b'{"kind":"start","x":"' + b"x" * 66_000 + b'"}'),
    "an object of no kind": put(b"{}"),
    "a kind that is a list": put(b'{"kind":["start"]}'),
    "a kind that every object has": put(b'{"kind":"constructor"}'),
    "a kind alone": put(b'{"kind":"table"}'),
    "no object": put(b'"kind"'),
    "an empty line": put(b""),
    "a CR": put(b"\r"),
}
ENDS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda file: file,
    "without its last line feed": lambda file: file[:-1],
    "cut off": lambda file: file[:-9],
    "with a part of another entry": lambda file: file + b'{"at":"2',
}
SIGNED = ("", "as it stands", "as it was")


class Strange(NamedTuple):
    """A file, and the lines that its checkpoint covers; None: it has no checkpoint."""

    name: str
    file: bytes
    signed: Sequence[bytes] | None = None

    def write(self, folder: Path) -> Path:
        """Write the log's directory. Returns its file of entries."""
        write_log(folder, self.signed or (), SIGNER)
        if self.signed is None:
            (folder / CHECKPOINT).unlink()
            (folder / VERIFIER).unlink()
        (folder / ENTRIES).write_bytes(self.file)
        return folder / ENTRIES


def made(name: str, lines: list[bytes], changes: Sequence[Change], end: str, signed: str, chance: Chance) -> Strange:
    changed = lines
    for change in changes:
        changed = change(changed, chance)
    file = ENDS[end](b"".join(line + b"\n" for line in changed))
    covered = {"": None, "as it stands": changed, "as it was": lines}[signed]
    return Strange(" ".join(filter(None, (name, end, signed and f"signed {signed}"))), file, covered)


def strange(game: str, many: int, seed: int = 0) -> Iterator[Strange]:
    """Yield every strange form of a log, and so `many` logs with several of them, each signed or not by chance."""
    lines, chance = list(log(game)), Chance(f"strange {game} {seed}")
    for name, change in (WHOLE | PARTS).items():
        yield made(name, lines, [change], "", chance.choice(SIGNED), chance)
    for _ in range(many):
        names = [*chance.sample(sorted(PARTS), chance.randrange(3)), chance.choice(sorted(WHOLE))]
        changes = [(WHOLE | PARTS)[name] for name in names]
        yield made(", ".join(names), lines, changes, chance.choice(sorted(ENDS)), chance.choice(SIGNED), chance)


def strange_differences(folder: Path, logs: Sequence[Strange]) -> list[Difference]:
    """Write each log, have both read it, and return those of which they say different things."""
    paths = [each.write(folder / str(number)) for number, each in enumerate(logs)]
    pairs = zip(logs, map(first_reading, (path.parent for path in paths)), second_readings(paths), strict=True)
    return [Difference(each.name, first, second) for each, first, second in pairs if first != second]
