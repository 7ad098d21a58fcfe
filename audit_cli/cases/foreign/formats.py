"""The text of `fairshoe-audit foreign`: a line a hand, with a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fairshoe.terminal.screen import printable

from .check import DIFFERS, ForeignAnswer


def as_text(answers: Sequence[ForeignAnswer]) -> Iterator[str]:
    """Yield a line for each hand, its reasons and slips beneath it, then the counts and what no scheme here shows."""
    for row, answer in enumerate(answers, 1):
        told = "; ".join(f"{name} {state}" for name, state in answer.answers().items())
        named = " ".join(filter(None, (answer.hand.scheme, answer.hand.game, answer.hand.nonce)))
        yield printable(f"{row}: {f'{named}: ' if named else ''}{told}")
        for name, reason in answer.reasons.items():
            if len(answers) == 1 or answer.answers()[name] == DIFFERS:
                yield printable(f"   {name}: {reason}")
        yield from (printable(f"   {note}") for note in answer.notes)
    yield ""
    for name in answers[0].answers():
        counts = Counter(answer.answers()[name] for answer in answers)
        yield f"{name}: " + ", ".join(f"{count:,} {state}" for state, count in sorted(counts.items()))
    limits = dict.fromkeys(limit for answer in answers for limit in answer.limits)
    if limits:
        yield "What this cannot show:"
        yield from (f"  {limit}" for limit in limits)
