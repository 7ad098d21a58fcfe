"""A log as tiles, with a tile, a bundle of entries, the checkpoint, or where they lie changed."""

from __future__ import annotations

import random

from fairshoe.log.tiles import Bundle, Tile, bundle_of
from fairshoe.log.tree import leaf_hash
from tests.house import SIGNER

from . import byte_level
from .corpus import KEY, Log, logs, signed
from .evidence import same_note
from .forms import Case, Run, json_or_text
from .reading import FORMATS, verify


def tiles_of(log: Log) -> dict[str, bytes]:
    """The files of a log with fewer than 257 entries."""
    size = len(log.lines)
    return {
        "log/checkpoint": signed(log.text).encode(),
        "log/log.vkey": f"{SIGNER.verifier}\n".encode(),
        f"log/{Bundle(0, size).path}": bundle_of(log.lines),
        f"log/{Tile(0, 0, size).path}": b"".join(map(leaf_hash, log.lines)),
    }


def by_tiles(source: random.Random) -> Case:
    log, other = source.choice(logs()), source.choice(logs())
    files = tiles_of(log)
    name = source.choice([name for name in files if "vkey" not in name])
    before, beside = files[name], tiles_of(other)
    match source.choice(("bytes", "bytes", "bytes", "gone", "moved", "as it was")):
        case "bytes":
            what, files[name] = byte_level.changed(before, source.choice([*beside.values()]), source)
            same = same_note(before, files[name]) if name == "log/checkpoint" else before == files[name]
        case "gone":
            what, same = "gone", False
            del files[name]
        case "moved":
            what, same = "under another name", False
            files[f"{name}x" if source.random() < 0.5 else "log/tile/entries/001"] = files.pop(name)
        case _:
            what, same = "as it was", True
    reason = "" if same else f"{name}: {what}"
    runs = [verify(("log", "--key", KEY), reason, form, source) for form in ("json", source.choice(FORMATS))]
    if log.rounds:
        form = json_or_text(source)
        words = ("fairshoe-audit", "hand", "log", "--round", source.choice(log.rounds), "--key", KEY, "--format", form)
        runs.append(Run(words, form, reason))
    return Case(f"{log.name} in tiles, {name}: {what}", files, runs)
