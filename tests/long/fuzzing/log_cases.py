"""Changed logs: field by field, line by line, byte by byte; signed again by whoever can, read in every way."""

from __future__ import annotations

import random
from typing import NamedTuple

from fairshoe.log.note import Signer
from tests.house import SIGNER

from . import byte_level, json_level, line_level
from .corpus import KEY, NAMESAKE, STRANGER, Log, logs, signed
from .forms import Case, Run, text_of
from .reading import FORMATS, Reasons, hand, hands, refunds, verify, with_key

WAYS = ("key", "alone", "checkpoint", "copy", "hand", "hand", "hand", "list", "refunds", "refunds", "stdin", "file")
"""How a changed log is read besides `verify --key`."""


class Tampered(NamedTuple):
    """A `log.jsonl` after a change. `impossible`: why it cannot pass whoever signs it; `round`: the changed one."""

    name: str
    data: bytes
    impossible: str
    round: str | None = None


def by_fields(source: random.Random) -> Case:
    log = source.choice(logs())
    changed = json_level.changed(log, source)
    data = text_of(changed.lines)
    reason = f"no honest log has it: {changed.name}" if changed.impossible else ""
    entry = log.entries[changed.place]
    about = f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}" if entry["kind"] in ("round", "open") else None
    return of_log(log, Tampered(changed.name, data, reason, about), source)


def by_lines(source: random.Random) -> Case:
    log, other = source.choice(logs()), source.choice(logs())
    moved = line_level.changed(log, other, source)
    data = text_of(moved.lines)
    reason = f"no honest log has this order: {moved.name}" if moved.impossible else ""
    return of_log(log, Tampered(moved.name, data, reason), source)


def by_bytes(source: random.Random) -> Case:
    log, other = source.choice(logs()), source.choice(logs())
    data, names = log.text, []
    for _ in range(source.choice((1, 1, 1, 2, 8))):
        name, data = byte_level.changed(data, other.text, source)
        names.append(name)
    return of_log(log, Tampered(", ".join(names), data, impossible_bytes(log, data)), source)


def impossible_bytes(log: Log, data: bytes) -> str:
    """Why bytes cannot be those of an honest log, as far as one changed line, or no line end, shows it."""
    if data and not data.endswith(b"\n"):
        return "the last line has no end"
    lines = data.split(b"\n")[:-1]
    differ = [i for i, (old, new) in enumerate(zip(log.lines, lines, strict=False)) if old != new]
    if len(lines) == len(log.lines) and len(differ) == 1 and not json_level.honestly(log, differ[0], lines[differ[0]]):
        return f"no honest log has entry {differ[0]} so"
    return ""


def unchanged(source: random.Random) -> Case:
    log = source.choice(logs())
    files = files_of(log, log.text, SIGNER)
    runs = [
        Run(("fairshoe-audit", "verify", "log", "--key", KEY, "--checkpoint", "old", "--format", form), form, exactly=0)
        for form in FORMATS
    ]
    evidence = ("--key", KEY, "--checkpoint", "old.checkpoint")
    runs += [Run(("fairshoe-audit", "hand", "log", "--round", name, *evidence), exactly=0) for name in log.rounds]
    runs.append(Run(("fairshoe-audit", "refunds", "log", *evidence), exactly=0))
    return Case(f"{log.name}: unchanged", files, runs)


def files_of(log: Log, data: bytes, signer: Signer | None) -> dict[str, bytes]:
    """The changed log, signed by somebody or with the checkpoint that it had; and what is remembered of it."""
    old = signed(log.text).encode()
    beside = old if signer is None else signed(data, signer).encode()
    verifier = f"{(signer or SIGNER).verifier}\n".encode()
    return {
        "log/log.jsonl": data,
        "log/checkpoint": beside,
        "log/log.vkey": verifier,
        "old/log.jsonl": log.text,
        "old/checkpoint": old,
        "old.checkpoint": old,
        "house.vkey": f"{KEY}\n".encode(),
    }


def of_log(log: Log, tampered: Tampered, source: random.Random) -> Case:
    by = source.choice(("house", "house", "house", "nobody", "nobody", "namesake", "stranger", "missing"))
    signer = {"house": SIGNER, "namesake": NAMESAKE, "stranger": STRANGER}.get(by)
    data = tampered.data
    files = files_of(log, data, signer)
    if by == "missing":
        del files["log/checkpoint"]
    reasons = Reasons.of(log, data, tampered.impossible, by)
    runs = [with_key(("log",), reasons.key, "json", source)]
    for _ in range(source.choice((1, 1, 2))):
        form = source.choice(FORMATS)
        match source.choice(WAYS):
            case "key":
                runs.append(with_key(("log",), reasons.key, form, source))
            case "alone":
                runs.append(verify(("log",), reasons.alone, form, source))
            case "checkpoint":
                runs.append(verify(("log", "--checkpoint", "old.checkpoint"), reasons.remembered, form, source))
            case "copy":
                old = source.choice(("old", "old/log.jsonl"))
                runs.append(verify(("log", "--checkpoint", old), reasons.remembered, form, source))
                runs.append(verify(("log", "--checkpoint", old, "--key", KEY), reasons.both, form, source))
            case "hand":
                runs.append(hand(log, tampered.round, reasons, source))
            case "list":
                runs.append(hands(log, reasons, source))
            case "refunds":
                runs.append(refunds(reasons, source))
            case "stdin":
                words = ("fairshoe-audit", "verify", "-", "--key", KEY, "--format", form)
                runs.append(Run(words, form, "a log from standard input has no checkpoint", stdin=data))
            case _:
                runs.append(verify(("log/log.jsonl",), reasons.alone, form, source))
    return Case(f"{log.name}, {tampered.name}, signed by {by}", files, runs)
