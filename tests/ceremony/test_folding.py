"""A table that is folded from its log is the one that wrote it, but for what came in since and is not logged."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fairshoe.ceremony.acting.commands import Command
from fairshoe.ceremony.acting.state import State, fold
from fairshoe.engine.rules import RULES
from fairshoe.errors import VerificationError
from fairshoe.log.canonical import Entry

from .walk import Walk


def told(state: State) -> dict[str, Any]:
    """What the log tells of a table, beside its book. The numbers of receipts stand in no log."""
    shoe, here = state.shoe, set(state.table.players.values())
    hashed = shoe is not None and shoe.hashes
    return {
        "commitment": state.commitment,
        "hashes": {who: given for who, given in state.hashes.items() if hashed and who in here},
        "burned": state.burned,
        "last": state.last_round,
        "stood": None if state.standing_bets is None else state.standing_bets | {"links": {}},
        "chips": dict(state.table.purse),
        "bank": state.table.bank,
    }


class Followed(Walk):
    """Holds the machine against its log, folded entry by entry."""

    folded: dict[str, State]
    seen = 0

    def apply(self, command: Command | None) -> list[Entry]:
        made = super().apply(command)
        if self.seen == 0:
            self.folded = {}
        new, self.seen = self.log[self.seen :], len(self.log)
        fold(self.folded, new)
        assert told(self.folded["t"]) == told(self.state), new
        return made


@pytest.mark.parametrize("game", sorted(RULES))
def test_a_table_folded_from_its_log_is_the_one_that_wrote_it(game: str) -> None:
    walk = Followed(game, random.Random(f"folding {game}"), 0.1)
    walk.play(8)
    assert walk.folded["t"].standing_bets is not None


@pytest.mark.parametrize("kind", ["seeds", "seal", "round"])
def test_an_entry_of_a_shoe_that_was_not_begun_cannot_be_followed(kind: str) -> None:
    walk = Walk("casino", random.Random("strange"), 0.0)
    walk.play(3)
    at = next(place for place, entry in enumerate(walk.log) if entry["kind"] == kind)
    states: dict[str, State] = {}
    fold(states, (entry for entry in walk.log[:at] if entry["kind"] != "shoe" and "shoe" not in entry))
    with pytest.raises(VerificationError, match="cannot follow") as caught:
        fold(states, [walk.log[at]])
    assert caught.value.where == f"the {kind} of {walk.log[at]['at']}"
