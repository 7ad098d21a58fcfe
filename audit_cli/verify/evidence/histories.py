"""Checkpoints that somebody kept, held against a log or against each other.

A fork file proves without a log that one key signed two contradicting heads: each side has a checkpoint and an RFC 6962
consistency proof from the first `size` entries to it, and the two roots at that size differ."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import FairshoeError, InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from fairshoe.log.directory import CHECKPOINT, read_text
from fairshoe.log.hand_proof import BEGINS, MAX_PROOF, proof_of
from fairshoe.log.note import Verifier, base64_of, bytes_of_base64
from fairshoe.log.tree import Leaves, check_consistency
from fairshoe.terminal.files import begins_with, is_stdin, read_bytes

from .log_lines import LogLines


class RememberedCheckpoint(NamedTuple):
    """A checkpoint as it was kept; `name` is what the reader calls it."""

    name: str
    note: str
    checkpoint: Checkpoint


def read_checkpoint(path: Path, verifier: Verifier | None) -> RememberedCheckpoint:
    """Read a checkpoint's file, or one in a directory or a proof. Raises VerificationError, InputError."""
    place = path / CHECKPOINT if path.is_dir() else path
    note = note_in(place)
    if note is None:
        raise InputError("no such file", where=str(place), expected="a checkpoint, or a proof of a hand")
    return RememberedCheckpoint(
        str(path), note, checkpoint_of(note) if verifier is None else open_checkpoint(note, verifier)
    )


def leaves_of(log: str, most: int) -> Leaves:
    """Return leaf hashes of a log's first `most` entries, fewer if it is shorter. Raises LogError, InputError."""
    leaves = Leaves()
    leaves.extend(islice(LogLines(Path(log)), most))
    return leaves


def is_proof(path: Path) -> bool:
    """Whether a file begins as every proof file does, and no log. Raises InputError where it cannot be read."""
    return begins_with(path, BEGINS)


def note_in(path: Path) -> str | None:
    """Return a file's note, unchecked, None without a file; `-`: standard input, for short proofs. Raises
    InputError."""
    if is_proof(path):
        return proof_of(read_bytes(path, MAX_PROOF)).checkpoint
    text = read_text(path)
    if text is not None and is_stdin(path) and text.encode().startswith(BEGINS):
        return proof_of(text.encode()).checkpoint
    return text


class HistoriesDiffer(FairshoeError):
    """A log does not have the tree heads of two checkpoints; each sentence names OLD or NEW."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


def consistency(
    old: RememberedCheckpoint, new: RememberedCheckpoint, log: str, verifier: Verifier | None
) -> list[bytes]:
    """Return the RFC 6962 proof between two checkpoints, by a log that has both, under one key. Raises HistoriesDiffer,
    InputError, LogError."""
    first, second = old.checkpoint, new.checkpoint
    if first.origin != second.origin:
        raise InputError("two logs", where="NEW", expected=f"a checkpoint of {first.origin}, as OLD is")
    if first.size > second.size:
        what = f"OLD covers {first.size} entries and NEW {second.size}"
        raise InputError(what, where="OLD", expected="OLD, then NEW")
    leaves, wrong = leaves_of(log, second.size), []
    for name, kept in (("OLD", old), ("NEW", new)):
        size, root = kept.checkpoint[1:]
        try:
            if verifier is not None:
                open_checkpoint(kept.note, verifier)
        except VerificationError as error:
            wrong.append(f"{name}: {error.what}")
        if len(leaves) < size:
            wrong.append(f"{name}: it covers {size} entries, and the log has {len(leaves)}")
        elif (found := leaves.root(size)) != root:
            wrong.append(
                f"{name}: over its {size} entries the log has another tree head, {found.hex()}, not {root.hex()}"
            )
    if wrong:
        raise HistoriesDiffer(wrong)
    return leaves.consistency(first.size, second.size)


KIND = "fairshoe-audit fork"
VERSION = 1
MAX_FORK = 1 << 18
"""Bytes of a fork file."""
MAX_HASHES = 128
_SIDE = {"checkpoint", "root", "proof"}


class Side(NamedTuple):
    """One history: a signed checkpoint, the root over its first entries, the proof from there to the checkpoint."""

    note: str
    root: bytes
    proof: list[bytes]


class Fork(NamedTuple):
    """Two histories that differ within `size` entries. `entry`: the first that differs, unproven."""

    size: int
    one: Side
    other: Side
    entry: int | None = None


def side_at(note: str, checkpoint: Checkpoint, size: int, leaves: Leaves | None = None) -> Side:
    """A side for the first `size` entries; `leaves` are the checkpoint's own, needed where it has more. InputError."""
    if leaves is None:
        return Side(note, checkpoint.root, [])
    return Side(note, leaves.root(size), leaves.consistency(size, checkpoint.size))


class NoFork(FairshoeError):
    """Nothing shows that the two contradict each other."""


def fork_between(one: RememberedCheckpoint, other: RememberedCheckpoint, copies: Sequence[Leaves]) -> Fork:
    """Return the fork of two checkpoints, for different sizes by copies of the log, which give the larger one's root at
    the smaller size. Raises NoFork."""
    small, large = sorted((one, other), key=lambda kept: kept.checkpoint.size)
    size = small.checkpoint.size
    if small.checkpoint.origin != large.checkpoint.origin:
        raise NoFork("the two checkpoints are of two logs")
    if size == large.checkpoint.size:
        if small.checkpoint.root == large.checkpoint.root:
            raise NoFork(f"both checkpoints have the same tree head, over {size} entries")
        leaves = None
    else:
        leaves = _find_copy(large, copies)
        if leaves is None:
            what = f"no copy of the log fits {large.name}, so nothing shows what it had at {size} entries"
            raise NoFork(what, remedy=f"give a copy of the log whose {large.checkpoint.size} entries hash to its root")
        if leaves.root(size) == small.checkpoint.root:
            raise NoFork(f"{large.name} extends {small.name}: they are one history")
    if not size:
        raise NoFork("a log without entries has no history")
    ours, theirs = _find_copy(small, copies), _find_copy(large, copies)
    entry = None if ours is None or theirs is None else ours.first_difference(theirs)
    first = side_at(small.note, small.checkpoint, size)
    return Fork(size, first, side_at(large.note, large.checkpoint, size, leaves), entry)


def _find_copy(kept: RememberedCheckpoint, copies: Sequence[Leaves]) -> Leaves | None:
    """A copy whose first entries are those that the checkpoint covers."""
    size, root = kept.checkpoint[1:]
    return next((copy for copy in copies if len(copy) >= size and copy.root(size) == root), None)


def check_fork(fork: Fork, verifier: Verifier) -> tuple[Checkpoint, Checkpoint]:
    """Return the two checkpoints, if the fork convicts whoever holds that key. Raises VerificationError."""
    one, other = (_check_side(side, fork.size, verifier) for side in (fork.one, fork.other))
    if one.origin != other.origin:
        raise VerificationError("the two checkpoints are of two logs", where="fork", expected="one origin")
    if fork.one.root == fork.other.root:
        raise VerificationError("both sides have the same root", where="fork", expected="two histories")
    return one, other


def _check_side(side: Side, size: int, verifier: Verifier) -> Checkpoint:
    checkpoint = open_checkpoint(side.note, verifier)
    if not 0 < size <= checkpoint.size:
        raise VerificationError(f"no tree of {size} entries", where="fork", expected=f"1 to {checkpoint.size}")
    check_consistency(size, side.root, checkpoint.size, checkpoint.root, side.proof)
    return checkpoint


def fork_text(fork: Fork) -> str:
    """Return the fork as the text of a file."""
    form = {
        "kind": KIND,
        "v": VERSION,
        "size": fork.size,
        "entry": fork.entry,
        "sides": [_side_form(side) for side in (fork.one, fork.other)],
    }
    return json.dumps(form, indent=1, ensure_ascii=True) + "\n"


def _side_form(side: Side) -> dict[str, Any]:
    return {"checkpoint": side.note, "root": base64_of(side.root), "proof": [base64_of(each) for each in side.proof]}


def fork_of(text: str) -> Fork:
    """Read a fork file. Raises InputError."""
    try:
        form = json.loads(text, object_pairs_hook=_object)
        if form.keys() != {"kind", "v", "size", "entry", "sides"} or (form["kind"], form["v"]) != (KIND, VERSION):
            raise _no_fork()
        size, entry = form["size"], form["entry"]
        if type(size) is not int or not (entry is None or type(entry) is int):
            raise _no_fork()
        one, other = map(_side, form["sides"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise _no_fork() from None
    return Fork(size, one, other, entry)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise _no_fork()
    return dict(pairs)


def _side(form: Any) -> Side:
    if form.keys() != _SIDE or type(form["checkpoint"]) is not str or len(form["proof"]) > MAX_HASHES:
        raise _no_fork()
    return Side(form["checkpoint"], _hash(form["root"]), [_hash(each) for each in form["proof"]])


def _hash(text: Any) -> bytes:
    try:
        data = bytes_of_base64(text) if type(text) is str else b""
    except ValueError:
        data = b""
    if len(data) != 32:
        raise _no_fork()
    return data


def _no_fork() -> InputError:
    return InputError(
        "not a fork file",
        where="fork",
        expected=f'an object of kind "{KIND}", version {VERSION}, with size, entry and two sides',
        remedy="fairshoe-audit fork OLD NEW LOG --output FILE makes one",
    )
