"""What is installed only where it is asked for."""

from __future__ import annotations

from fairshoe.errors import InputError


def missing(extra: str, what: str, package: str) -> InputError:
    """The error where `what` needs a package that the extra brings."""
    return InputError(
        f"{package} is not installed",
        where=what,
        expected=f"the extra `{extra}`",
        remedy=f"pip install 'fairshoe[{extra}]'",
    )
