"""A proof file that shows nothing: whoever changed it, or left something out, is not to be told from it."""

from __future__ import annotations

from fairshoe.errors import VerificationError


class ProofRefused(VerificationError):
    """Nothing is said of the hand."""

    fault = "unknown"


def refused(error: VerificationError) -> ProofRefused:
    """The same error, with nobody's fault."""
    return ProofRefused(error.what, where=error.where, expected=error.expected, remedy=error.remedy)
