"""What stands of seeds in the database is in the public log by then: each was opened, or is its hash alone."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from fairshoe.engine.rules import RULES
from fairshoe.service.store.schema import tables

from .place import step


def stored_states(place):
    with place.house.database.reading() as connection:
        return list(connection.execute(select(tables.c.state)).scalars())


def opened_in(place):
    """The seeds of a log, from each kind of entry that opens one."""
    for entry in place.entries():
        if entry["kind"] in ("opened", "late"):
            yield entry["seed"]


@pytest.mark.direct
@pytest.mark.parametrize("rules", sorted(RULES))
def test_a_seed_in_the_database_is_one_that_the_log_shows(place, rules):
    table = place.operator.create_table(rules, table="t1")
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(3, table.state()["chairs"]))]
    kept = set()
    for _ in range(25):
        for seat in seats:
            step(seat)
            (state,) = stored_states(place)
            shoe = json.loads(state)["book"]["shoe"]
            seeds = set() if shoe is None else set(shoe["opened"].values())
            assert seeds <= set(opened_in(place))
            kept |= seeds
    assert kept
