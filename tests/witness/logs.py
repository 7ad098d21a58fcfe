"""Logs of a house that may sign what it likes, and a witness of them."""

from __future__ import annotations

import base64
from contextlib import contextmanager

from audit_cli.witness.memory import opened
from audit_cli.witness.witness import Witness
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.cosignature import Cosigner
from fairshoe.log.directory import write_log
from fairshoe.log.leaves import Leaves
from fairshoe.log.note import Signer

HOUSE = Signer("house.example/log", b"h" * 32)
NAMESAKE = Signer("house.example/log", b"n" * 32)
OTHER = Signer("other.example", b"o" * 32)
WITNESS = Cosigner("witness.example/w1", b"w" * 32)
SECOND = Cosigner("witness.example/w2", b"v" * 32)
TIME = 1_800_000_000


def entries(count, changed=None):
    """Entries of which one, or all from one on, may be other ones."""
    return [f'{{"entry":{n}{"" if changed is None or n < changed else ",x:1"}}}'.encode() for n in range(count)]


def leaves(lines):
    found = Leaves()
    found.extend(lines)
    return found


def head(lines, signer=HOUSE, origin=None):
    return Checkpoint(origin or signer.verifier.name, len(lines), leaves(lines).root(len(lines)))


def note(lines, signer=HOUSE):
    return head(lines, signer).signed(signer)


def submission_text(old: int, proof: list[bytes], note: str) -> str:
    """The body that says so."""
    lines = [f"old {old}", *(base64.b64encode(each).decode() for each in proof), "", note]
    return "\n".join(lines)


def body(old, lines, signed=None):
    """What an honest log submits after `old` entries; `signed` in the place of its checkpoint."""
    proof = leaves(lines).consistency(old, len(lines)) if old <= len(lines) else []
    return submission_text(old, proof, signed or note(lines)).encode()


def write(directory, lines, signer=HOUSE):
    write_log(directory, lines, signer)
    return directory


@contextmanager
def witness_in(directory, *verifiers, cosigner=WITNESS, clock=lambda: TIME):
    with opened(directory, cosigner.key) as memory:
        for verifier in verifiers or [HOUSE.verifier]:
            memory.add(verifier)
        yield Witness(memory, cosigner, clock)
