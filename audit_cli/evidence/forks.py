"""A fork file: two tree heads that one key signed for one log and that contradict each other. It needs no log.

Each side has a signed checkpoint and an RFC 6962 consistency proof from the tree of the first `size` entries to it.
The two roots at that size differ, so that no log that only grows has both.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from fairshoe.errors import FairshoeError, InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.note import Verifier, base64_of, bytes_of_base64
from fairshoe.log.tree import Leaves, check_consistency

from .kept import Kept

KIND = "fairshoe-audit fork"
VERSION = 1
MOST_FORK = 1 << 18
"""Bytes of a fork file."""
MOST_PROOF = 128
_SIDE = {"checkpoint", "root", "proof"}


class Side(NamedTuple):
    """One history: a signed checkpoint, the root over its first entries, the proof from there to the checkpoint."""

    note: str
    root: bytes
    proof: list[bytes]


class Fork(NamedTuple):
    """Two histories that differ within their first `size` entries. `entry`: the first that differs, which is said and
    not proven."""

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


def fork_between(one: Kept, other: Kept, copies: Sequence[Leaves]) -> Fork:
    """The fork, by the checkpoints themselves if they have one size, else by copies of the log. Raises NoFork.

    Heads of two sizes contradict each other only given a proof: what the larger log had at the smaller one's size.
    """
    small, large = sorted((one, other), key=lambda kept: kept.checkpoint.size)
    size = small.checkpoint.size
    if small.checkpoint.origin != large.checkpoint.origin:
        raise NoFork("the two checkpoints are of two logs")
    if size == large.checkpoint.size:
        if small.checkpoint.root == large.checkpoint.root:
            raise NoFork(f"both checkpoints have the same tree head, over {size} entries")
        leaves = None
    else:
        leaves = _fitting(large, copies)
        if leaves is None:
            what = f"no copy of the log fits {large.name}, so nothing shows what it had at {size} entries"
            raise NoFork(what, remedy=f"give a copy of the log whose {large.checkpoint.size} entries hash to its root")
        if leaves.root(size) == small.checkpoint.root:
            raise NoFork(f"{large.name} extends {small.name}: they are one history")
    if not size:
        raise NoFork("a log without entries has no history")
    ours, theirs = _fitting(small, copies), _fitting(large, copies)
    entry = None if ours is None or theirs is None else ours.first_difference(theirs)
    first = side_at(small.note, small.checkpoint, size)
    return Fork(size, first, side_at(large.note, large.checkpoint, size, leaves), entry)


def _fitting(kept: Kept, copies: Sequence[Leaves]) -> Leaves | None:
    """A copy whose first entries are those that the checkpoint covers."""
    size, root = kept.checkpoint[1:]
    return next((copy for copy in copies if len(copy) >= size and copy.root(size) == root), None)


def check_fork(fork: Fork, verifier: Verifier) -> tuple[Checkpoint, Checkpoint]:
    """The two checkpoints, if the fork convicts whoever holds that key. Raises VerificationError."""
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
    """The fork as the text of a file."""
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
    if form.keys() != _SIDE or type(form["checkpoint"]) is not str or len(form["proof"]) > MOST_PROOF:
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
