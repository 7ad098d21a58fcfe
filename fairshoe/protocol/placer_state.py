"""A placer's answer to a question, as a pure step from state to state."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..errors import RuleError
from .placer_chain import END, Chain, ParsedQuestion, step_of
from .word_stream import places


class PlacerState(NamedTuple):
    """A shoe at its placer: `size` and `digest` of the last shuffle, a bit in `place_mask` for each place since; all
    digests."""

    chain: Chain
    size: int = 0
    digest: bytes = b""
    place_mask: int = 0
    shuffled: tuple[bytes, ...] = ()
    ended: bool = False


_places = lru_cache(maxsize=256)(places)


def answer_question(now: PlacerState, key: bytes, asked: ParsedQuestion) -> tuple[PlacerState, list[int]]:
    """The state after a question, and the places given for its cards. Raises RuleError where the question is not at the
    chain's end, a place is asked for twice, or something follows the end; nothing is given then."""
    if asked.chain != now.chain:
        what = f"the question stands at step {asked.chain.steps}, the chain at {now.chain.steps}, or their heads differ"
        raise RuleError(what, where="question", expected="the lines of the newest note")
    given: list[int] = []
    since = asked.since
    for line in asked.lines:
        step = step_of(line)
        if now.ended:
            raise RuleError("the chain has ended", where="question", expected=f"nothing after `{END}`")
        if step.kind == "card":
            given.append(_place(now, key, step.number))
            now = now._replace(place_mask=now.place_mask | 1 << step.number)
            line += f" {given[-1]}"
        elif step.kind == "shuffle":
            if step.digest in now.shuffled:
                raise RuleError("this digest was shuffled before", where="question", expected="each digest once")
            shuffled = (*now.shuffled, step.digest)
            now = now._replace(size=step.number, digest=step.digest, place_mask=0, shuffled=shuffled)
        now = now._replace(chain=now.chain.extend(line, since), ended=step.kind == END)
        since = ""
    return now, given


def _place(now: PlacerState, key: bytes, place: int) -> int:
    if place >= now.size:
        what = f"no place {place} in a deck of {now.size}" if now.size else "a card before the first shuffle"
        raise RuleError(what, where="question", expected="a place of the deck that was shuffled last")
    if now.place_mask >> place & 1:
        raise RuleError(f"place {place} was given before", where="question", expected="each place once")
    return _places(key, now.digest, now.size)[place]
