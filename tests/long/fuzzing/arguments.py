"""Words that somebody may type, or paste, behind a command."""

from __future__ import annotations

import random

from .byte_level import STEERING
from .corpus import KEY, Log

TEXTS = (
    *("", " ", "-", "--", "-x", "--key", "é", "千代", "x" * 5000, "%s", "{}", "\udcff", "..", "/", ".", "nowhere"),
    *("0", "1", "-1", "9" * 400, "1e9", "٣", "casino#1", "casino", "#", "#1", "casino#", "casino#0", "banker#01"),
    *("log", "log/log.jsonl", "log/checkpoint", "log/log.vkey", "old", "old.checkpoint", "house.vkey", "nowhere/log"),
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "text", "json", "payout-differs", KEY, "00" * 32, "Ah Tc"),
    *("'", "$(x)", "\x00", "2026-01-01", "2026-01-01T00:00:00Z", "french:1", "french:9999", "@log/log.jsonl", "a=00"),
    *STEERING,
)
EVIDENCE = ("--key", "--checkpoint", "--format", "--output", "--require-complete")
OPTIONS = {
    ("fairshoe-audit", "verify"): ("--key", "--checkpoint", "--format", "-q", "--resume"),
    ("fairshoe-audit", "hand"): (
        *("--round", "--seed", "--commitment", "--cards", "--player", "--since", "--until", "--list"),
        *EVIDENCE,
    ),
    ("fairshoe-audit", "refunds"): EVIDENCE,
    ("fairshoe-audit", "explain"): (),
    ("fairshoe", "verify"): ("--commitment", "--json"),
    ("fairshoe", "shuffle"): (
        *("--key", "--shoe", "--deck", "--seed", "--beacon", "--cut", "--draw", "--first"),
        "--json",
    ),
}
COMMON = ("--help", "-h", "--version", "--", "--nonsense", "-z")


def arguments(log: Log, source: random.Random) -> tuple[list[str], bytes | None]:
    """A command line of words at random, and perhaps something on standard input."""
    command = source.choice(list(OPTIONS))
    words: list[str] = [*command]
    if source.random() < 0.1:
        words[1] = source.choice(TEXTS)
    pool = OPTIONS[command]
    if source.random() < 0.8:
        words.append(source.choice(("log", "log", source.choice(TEXTS))))
    for _ in range(source.choice((0, 1, 2, 3, 6))):
        if pool and source.random() < 0.8:
            words.append(source.choice(pool))
        elif source.random() < 0.3:
            words.append(source.choice(COMMON))
        if source.random() < 0.8:
            words.append(source.choice((*TEXTS, *log.rounds)))
    stdin = source.choice((b"", log.text, b"\x00" * 100, KEY.encode()))
    return words, stdin
