"""Whether the entries of a proof file are just those that this hand needs."""

from __future__ import annotations

from fairshoe.errors import InputError
from fairshoe.log.canonical import NotCanonical, decode
from fairshoe.log.hand_proof import HandProof, Proven
from fairshoe.record.hand_entries import HandEntries, round_of

from ..walk.malformed import VERSION
from ..walk.shapes import KINDS, entry_faults
from .missing import missing_from
from .parts import Part, Parts
from .refused import ProofRefused

WHOLE_LOG = "get the proof again; if it is the same, audit the whole log: `fairshoe-audit verify`"


def parts_of(proof: HandProof) -> Parts:
    """The entries of a proof. Raises ProofRefused where they are not all of this hand, or not all that it needs;
    InputError where the file names no round."""
    table, number = round_of(proof.round)
    parts = [_part(each) for each in proof.entries]
    needed = HandEntries(table, number)
    for part in parts:
        needed.take(part.place, part.line)
    try:
        lines = needed.lines
    except InputError:
        raise _refused(
            f"there is no round {proof.round} in it", "the `table`, `shoe` and `open` of that round"
        ) from None
    stray = sorted({part.place for part in parts} - {index for index, _ in lines})
    if stray:
        raise _refused("it is not of this hand, or not needed", f"entries of round {proof.round}", f"entry {stray[0]}")
    try:
        whole = Parts(proof.round, parts)
    except InputError as error:
        raise _refused(error.what, error.expected, error.where) from None
    for missing in missing_from(whole):
        raise _refused(f"it lacks {missing}", "every entry that the hand needs")
    return whole


def _part(each: Proven) -> Part:
    where = f"entry {each.place}"
    try:
        entry = decode(each.line)
    except NotCanonical as error:
        raise _refused(error.what, error.expected, where) from None
    kind = entry.get("kind")
    if type(kind) is not str or kind not in KINDS:
        raise _refused("of no kind that is known", "an entry of a log", where)
    faults = entry_faults(entry)
    if faults or entry["v"] != VERSION:
        raise _refused(f"malformed: {', '.join(faults) or 'v'}", "the fields that docs/log.md lists", where)
    return Part(each.place, each.line, entry)


def _refused(what: str, expected: str, where: str = "proof") -> ProofRefused:
    return ProofRefused(what, where=where, expected=expected, remedy=WHOLE_LOG)
