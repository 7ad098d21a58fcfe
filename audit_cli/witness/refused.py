"""Why a witness does not cosign."""

from __future__ import annotations

from pathlib import Path

from fairshoe.errors import FairshoeError

MALFORMED = 400
UNSIGNED = 403
UNKNOWN = 404
CONFLICT = 409
INCONSISTENT = 422


class Refused(FairshoeError):
    """No cosignature. `status` is the answer's by c2sp.org/tlog-witness.

    `size`: what the witness last cosigned, with status 409. `entry`: the first that differs, where that is known.
    `evidence`: the directory that keeps both checkpoints. `convicts`: they alone show that the house signed two
    histories.
    """

    def __init__(
        self,
        status: int,
        what: str,
        *,
        expected: str = "",
        remedy: str = "",
        size: int = 0,
        entry: int | None = None,
        convicts: bool = False,
    ) -> None:
        super().__init__(what, where="checkpoint", expected=expected, remedy=remedy)
        self.status = status
        self.size = size
        self.entry = entry
        self.convicts = convicts
        self.evidence: Path | None = None
        self.fault = "house" if status == INCONSISTENT else "caller"
