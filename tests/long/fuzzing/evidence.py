"""Changed checkpoints, keys and remembered files beside an honest log."""

from __future__ import annotations

import random
from base64 import b64decode

from tests.house import SIGNER

from . import byte_level
from .corpus import KEY, NAMESAKE, STRANGER, Log, logs, signed
from .forms import Case, text_of
from .log_cases import files_of
from .reading import FORMATS, verify

EVIDENCE = ("log/checkpoint", "log/checkpoint", "log/log.vkey", "old.checkpoint", "house.vkey", "old/log.jsonl")


def by_evidence(source: random.Random) -> Case:
    """A changed checkpoint, key or remembered file beside an honest log."""
    log, other = source.choice(logs()), source.choice(logs())
    files = files_of(log, log.text, SIGNER)
    if source.random() < 0.25:
        return other_evidence(log, other, files, source)
    name = source.choice(
        ("log/checkpoint", "log/checkpoint", "log/log.vkey", "old.checkpoint", "house.vkey", "old/log.jsonl")
    )
    before = files[name]
    what, files[name] = byte_level.changed(before, signed(other.text).encode(), source)
    form = source.choice(FORMATS)
    known, remembered = "", ""
    if name == "log/checkpoint" and not same_note(before, files[name]):
        known = remembered = "the checkpoint is not the one that was signed"
    if name == "house.vkey" and not same_key(before, files[name]):
        known = "the key is another"
    if name == "old.checkpoint" and not same_text(before, files[name]):
        remembered = "what is remembered differs"
    runs = [
        verify(("log", "--key", "house.vkey"), known, "json", source),
        verify(("log", "--checkpoint", "old.checkpoint", "--key", KEY), remembered, form, source),
    ]
    if name == "log/log.vkey":
        runs.append(verify(("log",), "", form, source))
    if name == "old/log.jsonl":
        whole = log.text.startswith(unix(files[name]).removesuffix(b"\n"))
        runs = [verify(("log", "--checkpoint", "old"), "" if whole else "the copy differs", form, source)]
    return Case(f"{log.name}, {name}: {what}", files, runs)


def other_evidence(log: Log, other: Log, files: dict[str, bytes], source: random.Random) -> Case:
    """Genuine evidence of something else."""
    size = source.randrange(len(log.lines))
    older = text_of([*log.lines[:size]])
    name, note = source.choice(
        (
            ("an older checkpoint", signed(older)),
            ("a checkpoint of another origin", signed(log.text, SIGNER, "fairshoe.test/elsewhere")),
            ("a checkpoint by another key", signed(log.text, NAMESAKE)),
            ("a checkpoint of another house", signed(log.text, STRANGER)),
            ("the checkpoint of another log", signed(other.text)),
        )
    )
    files["log/checkpoint"] = note.encode()
    reason = "" if note.encode() == files["old/checkpoint"] else name
    return Case(f"{log.name}, {name}", files, [verify(("log", "--key", KEY), reason, source.choice(FORMATS), source)])


def lines_of(note: bytes) -> list[str] | None:
    """A small text, however an editor writes line ends, and with or without a byte order mark."""
    try:
        return note.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except UnicodeDecodeError:
        return None


def unix(data: bytes) -> bytes:
    """Without what an editor adds that saves a file for another system."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


def same_note(before: bytes, after: bytes) -> bool:
    """Whether the signed text and its signature still stand in a note; other lines may have come to the signatures."""
    old, new = lines_of(before), lines_of(after)
    if old is None or new is None:
        return False
    signature = old.index("") + 1
    return new[:signature] == old[:signature] and any(same_line(old[signature], line) for line in new[signature:])


def same_line(old: str, new: str) -> bool:
    """The same signature; the last bits of its base64 mean nothing."""
    try:
        one, other = ((line.rpartition(" ")[0], b64decode(line.rpartition(" ")[2])) for line in (old, new))
    except ValueError:
        return False
    return one == other


def same_text(before: bytes, after: bytes) -> bool:
    """The same origin, size and root."""
    old, new = lines_of(before), lines_of(after)
    return old is not None and new is not None and old[:3] == new[:3]


def same_key(before: bytes, after: bytes) -> bool:
    """The same key; its id may be written otherwise."""
    try:
        old, new = (data.decode("utf-8-sig").strip().split("+", 2) for data in (before, after))
        return (old[0], bytes.fromhex(old[1]), old[2]) == (new[0], bytes.fromhex(new[1]), new[2])
    except (UnicodeDecodeError, ValueError, IndexError):
        return False
