"""Whether the witnesses that the reader trusts cosigned a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import CosignerKey, cosignature_time, cosigners_in
from fairshoe.log.directory import CHECKPOINT
from fairshoe.log.times import SECOND, timestamp

from ..findings.report import Report
from .head import HouseEvidence, read_beside, read_witness_key

MISSING = "witnesses-missing"
LATEST = 253_402_300_799
"""The last second that a time here has a name for."""


class RequiredWitnesses(NamedTuple):
    """The witnesses that the reader trusts, and of how many a cosignature is wanted."""

    witnesses: tuple[CosignerKey, ...] = ()
    quorum: int = 0

    def __bool__(self) -> bool:
        return bool(self.witnesses)

    def parameters(self) -> dict[str, Any]:
        """For the parameters of the report: nothing where no witness was named."""
        return {"witnesses": list(map(str, self.witnesses)), "quorum": self.quorum} if self else {}


def required_witnesses(keys: Sequence[str], quorum: int | None) -> RequiredWitnesses:
    """Witnesses by their verifier keys or files with them; all are wanted unless `quorum` says less. InputError."""
    witnesses = tuple(map(read_witness_key, keys))
    if len({witness.public for witness in witnesses}) < len(witnesses):
        raise InputError("one witness stands twice", where="--witness", expected="a key of its own for each")
    if quorum is not None and not 0 < quorum <= len(witnesses):
        raise InputError(
            f"{quorum} of {len(witnesses)} witnesses", where="--quorum", expected="at most all, at least 1"
        )
    return RequiredWitnesses(witnesses, len(witnesses) if quorum is None else quorum)


class Cosignatures(NamedTuple):
    """Cosignatures of wanted witnesses: those that hold, with POSIX seconds; the faults of others, in words."""

    required: RequiredWitnesses
    good: list[tuple[CosignerKey, int]]
    missing: list[str]

    @property
    def enough(self) -> bool:
        return len(self.good) >= self.required.quorum

    @property
    def expected(self) -> str:
        return f"cosignatures of {self.required.quorum} of {len(self.required.witnesses)} witnesses"

    @property
    def found(self) -> str:
        return f"{len(self.good)}: {', '.join(self.missing)}"


def check_cosignatures(note: str, wanted: RequiredWitnesses) -> Cosignatures:
    """Check the cosignatures of the wanted witnesses below a note."""
    good: list[tuple[CosignerKey, int]] = []
    missing: list[str] = []
    for witness in wanted.witnesses:
        try:
            good.append((witness, cosignature_time(note, witness)))
        except VerificationError as error:
            missing.append(error.what)
    return Cosignatures(wanted, good, missing)


def check_cosigned(report: Report, log: Path, head: HouseEvidence, wanted: RequiredWitnesses) -> None:
    """Report where the checkpoint has fewer valid cosignatures than wanted, and whose are missing. InputError."""
    note = read_beside(log, CHECKPOINT) or ""
    cosigned = check_cosignatures(note, wanted)
    if not cosigned.enough:
        without = "checkpoint-malformed" if note else "checkpoint-required"
        follows = head.forged if head.checkpoint is not None else without
        report.add(MISSING, field=CHECKPOINT, expected=cosigned.expected, found=cosigned.found, follows=follows)


def lines_of(note: str, cosigned: Cosignatures) -> Iterator[str]:
    """Yield lines on which cosignatures hold; without a named witness, on which stand there unchecked."""
    if not cosigned.required:
        yield _unchecked(cosigners_in(note))
        return
    for witness, seconds in cosigned.good:
        yield f"Cosigned by {witness.name} at {_at(seconds)}."
    for what in cosigned.missing:
        yield f"Missing: {what}."


def cosignatures_form(note: str, cosigned: Cosignatures) -> dict[str, Any]:
    """Return the cosignatures as JSON values; `cosigners` are names that stand there, checked or not."""
    return {
        "cosigners": cosigners_in(note),
        **cosigned.required.parameters(),
        "cosigned": [{"witness": str(witness), "time": seconds} for witness, seconds in cosigned.good],
        "missing": cosigned.missing,
    }


def report_too_few(cosigned: Cosignatures) -> str:
    """Describe that fewer witnesses than wanted cosigned; this is said first."""
    return f"{cosigned.expected} wanted, found {cosigned.found}"


def _unchecked(names: list[str]) -> str:
    if not names:
        return "No cosignature of a witness stands below the checkpoint."
    count = "1 cosignature stands" if len(names) == 1 else f"{len(names):,} cosignatures stand"
    return f"{count} below the checkpoint, by {', '.join(names)}; none was checked, since no --witness was named."


def _at(seconds: int) -> str:
    return f"{seconds} s after 1970" if seconds > LATEST else timestamp(seconds * SECOND)
