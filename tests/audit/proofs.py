"""Proof files of hands of honest logs, for tests; `python -m tests.audit.proofs` writes the vectors in docs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from audit_cli.cases.hand.run import Answer, TrustedInputs, check_hand_proof
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import build_proof, proof_text
from fairshoe.log.note import Signer
from fairshoe.log.tree import Leaves
from fairshoe.record.hand_entries import HandEntries, Line, round_of
from tests.house import SIGNER, honest

GAMES = {
    "banker": (1,),
    "boxes": (1, 2),
    "casino": (1, 2, 3),
    "chinese": (1, 2),
    "lounge": (1, 2),
    "pontoon": (1, 2, 3),
}
"""The six games, with the seats that are taken."""
VECTORS = Path("docs/vectors/proofs")
ROUND = 2
"""Which round of each game's log the vectors prove."""


@cache
def played(rules: str, rounds: int = 4) -> tuple[bytes, ...]:
    return tuple(honest(rules, rounds, seats=GAMES[rules], chips=100_000).lines)


def note_over(lines: Sequence[bytes], signer: Signer = SIGNER) -> tuple[str, Leaves]:
    """The signed checkpoint over a log, and its leaves."""
    return _note_over(tuple(lines), signer)


@lru_cache(maxsize=8)
def _note_over(lines: tuple[bytes, ...], signer: Signer) -> tuple[str, Leaves]:
    leaves = Leaves()
    leaves.extend(lines)
    return Checkpoint(signer.verifier.name, len(lines), leaves.root(len(lines))).signed(signer), leaves


def entries_for(lines: Iterable[bytes], name: str) -> list[Line]:
    """The entries that a round needs, of a whole log."""
    hand = HandEntries(*round_of(name))
    for index, line in enumerate(lines):
        hand.take(index, line)
    return hand.lines


def file_of(
    lines: Sequence[bytes], name: str, chosen: Iterable[tuple[int, bytes]] | None = None, signer: Signer = SIGNER
) -> bytes:
    """The proof file of a round, of these entries or of those that it needs."""
    note, leaves = note_over(lines, signer)
    wanted = list(entries_for(lines, name) if chosen is None else chosen)
    return proof_text(build_proof(name, note, wanted, leaves.node)).encode()


@cache
def proven(rules: str) -> bytes:
    """The proof file of one hand of each game."""
    return file_of(played(rules), f"{rules}#{ROUND}")


def checked(data: bytes, name: str | None = None, *, signer: Signer = SIGNER, **more: Any) -> Answer:
    """What a proof file shows; it can be told, whatever stands in it."""
    found = check_hand_proof(data, signer.verifier, name, TrustedInputs(**more))
    assert found.text.startswith(found.outcome.word)
    assert found.form["outcome"] == found.outcome.word
    return found


def rounds_of(lines: Iterable[bytes]) -> list[str]:
    """The names of all rounds that were opened."""
    opened = [entry for entry in map(json.loads, lines) if entry["kind"] == "open"]
    return [f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}" for entry in opened]


def write_vectors(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "key").write_text(f"{SIGNER.verifier}\n")
    for rules in GAMES:
        (folder / f"{rules}.json").write_bytes(proven(rules))


if __name__ == "__main__":
    write_vectors(VECTORS)
