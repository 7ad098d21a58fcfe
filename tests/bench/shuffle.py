"""A whole shuffle to the standard library's."""

from __future__ import annotations

import random
import secrets

import fairshoe

from .timing import compared

TIMES = 500


def run() -> None:
    key = secrets.token_bytes(32)
    system = secrets.SystemRandom()
    for packs in (1, 6):
        deck = fairshoe.french(packs)
        labels = list(deck)

        def ours(deck: tuple[str, ...] = deck) -> None:
            for _ in range(TIMES):
                fairshoe.shuffle(key=key, shoe="bench", deck=deck)

        for name, shuffle in (("random.shuffle", random.shuffle), ("SystemRandom.shuffle", system.shuffle)):

            def theirs(shuffle=shuffle, labels=labels) -> None:  # type: ignore[no-untyped-def]
                for _ in range(TIMES):
                    shuffle(labels)

            a, b, ratio = compared(ours, theirs)
            print(
                f"shuffle {52 * packs:3} cards: {TIMES / a:9,.0f}/s, {name} {TIMES / b:9,.0f}/s: "
                f"{ratio:.2f} times its time"
            )
