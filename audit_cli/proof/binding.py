"""Whether the entries of a proof file can be followed, and are just those that this hand needs."""

from __future__ import annotations

from collections.abc import Iterator

from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry, NotCanonical, decode
from fairshoe.log.hand_proof import HandProof
from fairshoe.record.forms import newest, version_of
from fairshoe.record.hand_entries import HandEntries, round_of

from ..walk.shapes import ENVELOPE, KINDS, entry_faults
from .missing import missing_from
from .parts import Part, Parts
from .refused import ProofRefused

WHOLE_LOG = "get the proof again; if it is the same, audit the whole log: `fairshoe-audit verify`"


def faults_of(proof: HandProof) -> Iterator[str]:
    """What in the entries that the house signed nobody can follow, in words. Raises InputError where one is of a newer
    version than this."""
    for place, line, _ in proof.entries:
        try:
            entry = decode(line)
        except NotCanonical as error:
            yield f"entry {place}: {error.what}"
            continue
        if type(entry.get("v")) is int and entry["v"] > newest():
            what, expected = "written by a newer fairshoe", f"v up to {newest()}"
            raise InputError(what, where=f"entry {place}", expected=expected, remedy="take the newest fairshoe-audit")
        if faults := _faults(entry):
            yield f"entry {place}: malformed: {', '.join(faults)}"


def parts_of(proof: HandProof) -> Parts:
    """The entries of a proof without faults. Raises ProofRefused where they are not all of this hand, or not all that
    it needs; InputError where the file names no round."""
    table, number = round_of(proof.round)
    parts = [Part(place, line, decode(line)) for place, line, _ in proof.entries]
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
    whole = Parts(proof.round, parts)
    for missing in missing_from(whole):
        raise _refused(f"it lacks {missing}", "every entry that the hand needs")
    return whole


def _faults(entry: Entry) -> list[str]:
    """The fields that are missing, unknown or of another form."""
    kind = entry.get("kind")
    if type(kind) is not str or kind not in KINDS:
        return ["kind"]
    stated = {name: value for name, value in entry.items() if name not in ENVELOPE}
    return entry_faults(entry) or ([] if entry["v"] == version_of(kind, stated) else ["v"])


def _refused(what: str, expected: str, where: str = "proof") -> ProofRefused:
    return ProofRefused(what, where=where, expected=expected, remedy=WHOLE_LOG)
