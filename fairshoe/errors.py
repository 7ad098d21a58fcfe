"""The error tree. Every error says whose fault it is, where, what was expected and what to do.

FairshoeError
├── InputError          the caller passed something malformed
├── RuleError           a move that the rules or the ceremony do not allow
│   ├── IllegalDecision
│   └── IllegalBet
├── VerificationError   a proof or log does not hold
└── LogError            the log cannot be read or written
    ├── NotALog         what was given in its place is something else
    └── NotCanonical    a line of it is no entry, or not written as one
"""

from __future__ import annotations

from typing import Any


class FairshoeError(Exception):
    """Base of every error that fairshoe raises on purpose.

    Attributes: `fault` (caller, player, house, machine), `where` (field or place), `expected`,
    `remedy` (what to do about it); the last three may be empty.
    """

    fault = "caller"

    def __init__(self, what: str, *, where: str = "", expected: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.expected = expected
        self.remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        parts = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.expected:
            parts.append(f"expected {self.expected}")
        if self.remedy:
            parts.append(self.remedy)
        return "; ".join(parts)


def _again(kind: type[FairshoeError], args: tuple[Any, ...], told: dict[str, Any]) -> FairshoeError:
    """An error out of another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(told)
    return error


class InputError(FairshoeError):
    """Malformed input: nothing was done with it."""


class RuleError(FairshoeError):
    """Well-formed, but not allowed now. State is unchanged (GE-08)."""

    fault = "player"


class IllegalDecision(RuleError):
    """A choice that the round does not offer (GE-08)."""


class IllegalBet(RuleError):
    """A bet outside the limits, or one that would not pay in whole units (GE-04)."""


class VerificationError(FairshoeError):
    """A proof, a signature or a log that does not hold."""

    fault = "house"


class LogError(FairshoeError):
    """A log that cannot be read as one, or cannot be written."""

    fault = "machine"


class NotALog(LogError):
    """A file given as a log is none: the person who gave it can mend that."""

    fault = "caller"


class NotCanonical(LogError):
    """Bytes that are not an entry of the log's profile."""

    fault = "house"


def missing(extra: str, what: str, package: str) -> InputError:
    """Return the error where `what` needs a package that the extra brings."""
    return InputError(
        f"{package} is not installed",
        where=what,
        expected=f"the extra `{extra}`",
        remedy=f"pip install '.[{extra}]'",
    )
