"""The ways in which a log is read, and why each of them must not say that it passes."""

from __future__ import annotations

import random
from typing import NamedTuple

from audit_cli import formats

from .corpus import KEY, Log
from .forms import Run, json_or_text

FORMATS = tuple(formats.FORMATS)


class Reasons(NamedTuple):
    """Why a changed log must not pass, "" if it may.

    `impossible`: by its entries, whoever signs them. The others by what the reader has: the log as it lies there
    (`alone`), the house's `key`, something `remembered`, `both`. `evidence`: the part of `key` that is about the file
    as a whole, whatever stands in it.
    """

    impossible: str
    alone: str
    key: str
    remembered: str
    both: str
    evidence: str

    @classmethod
    def of(cls, log: Log, data: bytes, impossible: str, by: str) -> Reasons:
        same = data == log.text
        unsigned = "it is not what was signed" if by == "nobody" and not same else ""
        alone = impossible or unsigned
        missing = "the checkpoint is missing" if by == "missing" else ""
        another = "another key signed it" if by in ("namesake", "stranger") else ""
        elsewhere = "the checkpoint has another origin" if by == "stranger" else ""
        differs = "" if data.startswith(log.text) else "what is remembered differs"
        evidence = unsigned or missing or another
        remembered = alone or missing or differs or elsewhere
        return cls(impossible, alone, alone or evidence, remembered, remembered or evidence, evidence)


def with_key(words: tuple[str, ...], reason: str, form: str, source: random.Random) -> Run:
    return verify((*words, "--key", source.choice((KEY, "house.vkey"))), reason, form, source)


def verify(words: tuple[str, ...], reason: str, form: str, source: random.Random) -> Run:
    return Run(("fairshoe-audit", "verify", *words, "--format", form), form, reason)


def hand(log: Log, changed: str | None, reasons: Reasons, source: random.Random) -> Run:
    """A hand of the changed log: the changed round where one was changed, else any."""
    form = json_or_text(source)
    name = changed or source.choice(log.rounds or ("casino#1",))
    words: tuple[str, ...] = ("hand", "log", "--round", name, "--format", form)
    reason = reasons.impossible if changed else ""
    if source.random() < 0.2:
        words += ("--cards", source.choice(("Ah", "10h Tc", "Kd 2c 3c")))
    if source.random() < 0.5:
        words += ("--key", KEY)
        reason = reason or reasons.evidence
    return Run(("fairshoe-audit", *words), form, reason)


def hands(log: Log, reasons: Reasons, source: random.Random) -> Run:
    form = json_or_text(source)
    words: tuple[str, ...] = ("fairshoe-audit", "hand", "log", "--list", "--key", KEY, "--format", form)
    player = ("--player", f"{log.name.split()[0]}-p1")
    words += source.choice(((), player, ("--since", "2026-01-01"), ("--until", "2026-01-01T00:01:00Z")))
    return Run(words, form, reasons.evidence)


def refunds(reasons: Reasons, source: random.Random) -> Run:
    form = json_or_text(source)
    words = ("fairshoe-audit", "refunds", "log", "--format", form)
    if source.random() < 0.5:
        return Run((*words, "--key", KEY), form, reasons.evidence)
    return Run(words, form)
