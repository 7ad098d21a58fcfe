"""One changed file after the other, by number."""

from __future__ import annotations

import random
from collections.abc import Callable

from .evidence import by_evidence
from .forms import Case
from .log_cases import by_bytes, by_fields, by_lines, unchanged
from .others import by_arguments, by_deck, by_proof
from .tiled import by_tiles


def case(seed: int, number: int) -> Case:
    """The case of this number: always the same."""
    source = random.Random(f"{seed} {number}")
    kinds: list[tuple[int, Callable[[random.Random], Case]]] = [
        (30, by_fields),
        (22, by_bytes),
        (20, by_lines),
        (12, by_evidence),
        (7, by_proof),
        (4, by_deck),
        (4, by_arguments),
        (5, by_tiles),
        (1, unchanged),
    ]
    (chosen,) = source.choices([make for _, make in kinds], [weight for weight, _ in kinds])
    return chosen(source)
