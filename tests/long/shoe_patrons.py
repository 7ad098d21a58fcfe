"""Games without a table for a house that is put to the test: shoe after shoe is committed to, contributed to, drawn
from at random, and revealed."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from fairshoe.client import Client, Problem, RemoteShoe, ShoeSeat, Unreachable

from .patrons import PatronThread
from .told import Told

PLAYERS = ("ann", "bob")
DRAWS = {"cut": 52, "die/0": 6, "die/1": 6}
KEEPS = 0.1
PAUSE = 0.05


class ShoePatrons(PatronThread):
    """The program of one game and its players, by the operator's `client`."""

    def __init__(self, client: Client, seed: int) -> None:
        super().__init__("patrons of shoes")
        self._client, self._random = client, random.Random(f"{seed} shoes")
        self._public = client.with_token(None)

    def play(self) -> None:
        roster = PLAYERS[: self._random.randrange(3)]
        shoe = self._client.create_shoe(roster, deck="french:1", draws=DRAWS)
        seats = {who: ShoeSeat(self._client.with_token(shoe.tokens[who]), shoe.name) for who in roster}
        while any(_contribute(seat) for seat in seats.values()):
            pass
        shoe.refresh()
        names = ["die/0", "die/1"]
        while shoe.state["pos"] < 40 and not self._over.is_set():
            to = self._random.choice(["", "", *roster])
            told = [names.pop()] if names and self._random.random() < 0.2 else []
            hidden = bool(to) or self._random.random() < 0.1
            shoe.draw(self._random.randint(1, 5), to=to, hidden=hidden, draws=told)
            with suppress(Unreachable):  # what is only looked at is not asked for again without end
                self._show(shoe, seats)
                if self._random.random() < 0.05:
                    shoe.reshuffle(hands_of(shoe.refresh()))
                if self._random.random() < KEEPS:
                    self.checkpoints.append((time.time(), self._public.checkpoint()))
        shoe.reveal()

    def _show(self, shoe: RemoteShoe, seats: dict[str, ShoeSeat]) -> None:
        """Now and then somebody shows a card of the own hand."""
        for seat in seats.values():
            if self._random.random() < 0.2 and (cards := seat.hand()):
                seat.show(self._random.choice(cards).pos)


def hands_of(state: dict[str, Any]) -> list[int]:
    """The positions of hidden cards that lie out."""
    gathered = state["gathered"][-1] if state["gathered"] else {"pos": 0, "out": []}
    runs = [range(run["pos"], run["pos"] + run["hidden"]) for run in state["drawn"] if "hidden" in run]
    return [pos for run in runs for pos in run if pos >= gathered["pos"] or pos in gathered["out"]]


def _contribute(seat: ShoeSeat) -> bool:
    """Whether the player may still have something to send."""
    try:
        return seat.contribute()
    except (Problem, Unreachable) as error:  # no checkpoint yet, or the house is away
        if isinstance(error, Problem) and error.status:
            raise
        time.sleep(PAUSE)
        return True


def drawn_faults(lines: Sequence[bytes], told: Sequence[Told]) -> list[str]:
    """Each acknowledged draw stands in the log once, with the same cards and numbers, and no other does."""
    entries = [entry for entry in map(json.loads, lines) if entry["kind"] == "drawn"]
    logged = [_form(entry) for entry in entries]
    said = [_form(each.answer) for each in told if each.path.endswith("/draw")]
    faults = [f"drawn twice: {form}" for form in _more(logged, said)]
    return faults + [f"acknowledged and not in the log: {form}" for form in _more(said, logged)]


def _form(drawn: dict[str, Any]) -> str:
    form = {name: drawn[name] for name in ("shoe", "pos", "cards", "hidden", "to") if name in drawn}
    return json.dumps(form | {"draws": drawn.get("draws", {})}, sort_keys=True)


def _more(some: list[str], others: list[str]) -> Iterator[str]:
    """Those that come more often in the first list."""
    left = list(others)
    for form in some:
        if form in left:
            left.remove(form)
        else:
            yield form
