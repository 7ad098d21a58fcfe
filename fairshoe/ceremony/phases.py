"""The ceremony on one page: what each phase is, who may say what in it, which limit runs and what it does.

A table is in one phase at a time. What a chair is told that it may do (`expects`), what is refused and
with which words, the deadlines that are shown and the diagram in docs/ceremony.md derive from `PHASES`.

Where one shoe serves many rounds:    idle → hash → seed → bet → round → bet → round → … → idle
Where one shoe serves one round:      idle → hash → bet → seed → round → idle
A sole player there sends no hash:    idle → bet → seed → round → idle
Before a shoe a chair may have to say what becomes of the bank: idle → bank → hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Phase(NamedTuple):
    """`says`: what may be sent, by the route's name, the most urgent first; what is not among them is refused.

    `limits` are the policy's that run, `at_limit` says what they do; `moves` names the next phase by event.
    """

    says: tuple[str, ...]
    limits: tuple[str, ...]
    at_limit: str
    moves: Mapping[str, str]


ALWAYS = ("seats", "chips", "refund", "here", "evict", "close")
"""Chairs and chips, which have rules of their own: see `chairs`; and a chair that nobody waits for is back."""

PHASES: dict[str, Phase] = {
    "idle": Phase(
        says=("seed", "shoe", *ALWAYS),
        limits=(),
        at_limit="",
        moves={
            "a shoe is asked for": "hash",
            "a shoe of one round is asked for by a sole player": "bet",
            "a shoe is asked for, and a chair may have the bank": "bank",
            "the table is closed": "closed",
        },
    ),
    "bank": Phase(
        says=("seed", "decisions", "here", "evict", "close"),
        limits=("decision",),
        at_limit="the bank is accepted, an offer refused",
        moves={"the bank is settled": "hash", "the bank is settled between two rounds": "bet"},
    ),
    "hash": Phase(
        says=("seed", "hash", "reshuffle", *ALWAYS),
        limits=("hash", "shoe"),
        at_limit="the hashes that are here stand in `seeds`; without any the shoe is void (idle)",
        moves={
            "all hashes are in": "seed",
            "all hashes are in, and the shoe serves one round": "bet",
            "the shoe is void": "idle",
        },
    ),
    "bet": Phase(
        says=("seed", "waiver", "bets", "no-more-bets", "reshuffle", *ALWAYS),
        limits=("bet", "shoe"),
        at_limit="the round opens with the bets that are here; a shoe of one round without any is void (idle)",
        moves={
            "everybody has bet or passed": "round",
            "everybody has bet or passed, and the shoe serves one round": "seed",
            "the shoe is revealed or void": "idle",
        },
    ),
    "seed": Phase(
        says=("seed", *ALWAYS),
        limits=("seed",),
        at_limit="while nobody has opened and somebody else remains, whose turn it is is struck; else the shoe is void",
        moves={
            "all seeds are open": "bet",
            "all seeds are open, and bets stand": "round",
            "the shoe is void": "idle",
        },
    ),
    "round": Phase(
        says=("seed", "decisions", *ALWAYS),
        limits=("decision",),
        at_limit="the table decides by default",
        moves={"the round is over": "bet", "the round is over, and the shoe": "idle"},
    ),
    "closed": Phase(says=("seed", *ALWAYS), limits=(), at_limit="", moves={}),
}
