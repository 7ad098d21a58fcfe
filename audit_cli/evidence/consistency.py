"""Whether a log has the tree heads of two kept checkpoints, and the RFC 6962 proof that the one extends the other."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Leaves

from .kept import kept_of, leaves_of


class Consistency(NamedTuple):
    """`wrong`: what does not hold, in sentences that name OLD or NEW; without any `proof` is the proof. `key`: whose
    signatures were checked."""

    old: Checkpoint
    new: Checkpoint
    wrong: list[str]
    proof: list[bytes]
    key: str | None


def consistency(old: Path, new: Path, log: str, verifier: Verifier | None) -> Consistency:
    """Hold a log against two checkpoints. Raises InputError, LogError, Unreachable."""
    wrong: list[str] = []
    heads: list[Checkpoint] = []
    for name, path in (("OLD", old), ("NEW", new)):
        kept = kept_of(path, None)
        heads.append(kept.checkpoint)
        try:
            if verifier is not None:
                open_checkpoint(kept.note, verifier)
        except VerificationError as error:
            wrong.append(f"{name}: {error.what}")
    first, second = heads
    if first.origin != second.origin:
        raise InputError("two logs", where="NEW", expected=f"a checkpoint of {first.origin}, as OLD is")
    if first.size > second.size:
        raise InputError(
            f"OLD covers {first.size} entries and NEW {second.size}", where="OLD", expected="OLD, then NEW"
        )
    leaves = leaves_of(log, second.size)
    wrong += [said for name, head in (("OLD", first), ("NEW", second)) if (said := _unlike(name, head, leaves))]
    proof = [] if wrong else leaves.consistency(first.size, second.size)
    return Consistency(first, second, wrong, proof, None if verifier is None else str(verifier))


def _unlike(name: str, head: Checkpoint, leaves: Leaves) -> str:
    if len(leaves) < head.size:
        return f"{name}: it covers {head.size} entries, and the log has {len(leaves)}"
    root = leaves.root(head.size)
    if root == head.root:
        return ""
    return f"{name}: over its {head.size} entries the log has another tree head, {root.hex()}, not {head.root.hex()}"
