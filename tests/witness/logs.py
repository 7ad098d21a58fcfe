"""Logs of a house that may sign what it likes, and what is submitted of them to a witness."""

from __future__ import annotations

import base64

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.log.tree import Leaves
from tests.cosigner import Cosigner

from .stand_in import TIME as TIME

HOUSE = Signer("house.example/log", b"h" * 32)
NAMESAKE = Signer("house.example/log", b"n" * 32)
OTHER = Signer("other.example", b"o" * 32)
WITNESS = Cosigner("witness.example/w1", b"w" * 32)
SECOND = Cosigner("witness.example/w2", b"v" * 32)


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


def body(old, lines):
    """What an honest log submits after `old` entries."""
    proof = [base64.b64encode(each).decode() for each in leaves(lines).consistency(old, len(lines))]
    return "\n".join([f"old {old}", *proof, "", note(lines)])


def write(directory, lines, signer=HOUSE):
    write_log(directory, lines, signer)
    return directory
