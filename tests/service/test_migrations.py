"""A database of an earlier release is brought up to date when a service starts on it, and a newer one is left alone."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, inspect, select

from fairshoe.ceremony.state_codec import dump
from fairshoe.errors import InputError
from fairshoe.service.house import open_house
from fairshoe.service.settings import Settings
from fairshoe.service.store import schema
from fairshoe.service.store.forwarded import shared
from fairshoe.service.store.migrations import bring_up
from fairshoe.service.store.migrations.versions.version_9 import staged
from fairshoe.service.store.schema import OLDEST, VERSION, claims, metadata, read_version, write_meta
from tests.ceremony.walk import Walk

from .copies import backup, lose_database, restored
from .place import Place

DOCS = Path(__file__).parents[2] / "docs"


def is_unique(place):
    with place.house.database.begin_read() as connection:
        indexes = {index["name"]: index["unique"] for index in inspect(connection).get_indexes("answers")}
    return bool(indexes["answers_of"])


def differences(place):
    """Between its tables and those that a new database has."""
    options = {"include_object": lambda _, name, kind, *__: kind != "table" or name not in shared.tables}
    with place.house.database.begin_read() as connection:
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)


def commitments(place):
    return [entry["commitment"] for entry in place.of_kind("shoe")]


@pytest.fixture
def old(tmp_path, store, monkeypatch):
    """A house that the oldest release founded, with a round played, stopped; and its seats."""
    place = Place(tmp_path / "data", Settings(database=store), direct=True)
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "VERSION", OLDEST)
        found = SimpleNamespace(create_all=lambda connection: bring_up(connection, OLDEST))
        earlier.setattr(schema, "metadata", found)
        place.start()
        seats = place.sealed()
        place.bet_and_finish(seats)
        with place.house.database.begin_write() as connection:  # that release claimed no commitments
            connection.execute(delete(claims).where(claims.c.digest.in_(commitments(place))))
        assert not is_unique(place)
        assert differences(place)
        place.stop()
    return place, seats


@pytest.mark.both
def test_an_older_database_is_brought_up_to_date_and_played_on(old):
    place, seats = old
    place.start()
    try:
        with place.house.database.begin_read() as connection:
            assert read_version(connection) == VERSION
            assert set(commitments(place)) <= set(connection.execute(select(claims.c.digest)).scalars())
        assert is_unique(place)
        assert not differences(place)
        place.bet_and_finish([place.again(seat) for seat in seats])
        assert place.kinds().count("round") >= 2
        place.assert_clean()
    finally:
        place.stop()


@pytest.mark.parametrize("game", ["boxes", "pontoon"])
def test_a_stored_shoe_gets_the_stage_at_which_it_stands(game):
    class Stored(Walk):
        def apply(self, command):
            made = super().apply(command)
            state = json.loads(dump(self.state))
            for shoe in filter(None, [state["book"]["shoe"]]):
                stages.add(shoe.pop("stage"))
                del shoe["course"]
                shoe |= {"hashed": "then" if shoe["hashes"] else "", "opening": shoe["asked"]}
            assert staged(state) == json.loads(dump(self.state))
            return made

    stages = set()
    Stored(game, random.Random(game), 0.1).play(4)
    assert stages == {"hash", "bet", "seed", "round"}


@pytest.mark.both
def test_a_new_database_has_the_tables_that_an_older_one_gets(place):
    assert not differences(place)


@pytest.mark.both
def test_nothing_is_changed_under_a_service_that_runs(old, monkeypatch):
    place, _ = old
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "VERSION", OLDEST)
        place.start()
    try:
        with pytest.raises(InputError, match="a service runs"):
            open_house(place.directory, place.clock.clock(), settings=place.settings)
        assert not is_unique(place)
    finally:
        place.stop()


def test_a_backup_of_an_older_house_is_restored_as_one_of_now(old, monkeypatch):
    place, seats = old
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "VERSION", OLDEST)
        place.start()
        kept = backup(place)
        lose_database(place)
    restored(place, kept)
    try:
        assert not differences(place)
        place.bet_and_finish([place.again(seat) for seat in seats])
        place.assert_clean()
    finally:
        place.stop()


@pytest.mark.both
@pytest.mark.parametrize(
    ("version", "expected", "way_out"),
    [
        (int(VERSION) + 1, f"version {VERSION}", "the release that wrote it"),
        (int(OLDEST) - 1, f"version {OLDEST} to {VERSION}", "fairshoe pull"),
        (3, f"version {OLDEST} to {VERSION}", "fairshoe pull"),
    ],
)
def test_a_database_that_is_too_new_or_too_old_is_refused_in_words(place, version, expected, way_out):
    with place.house.database.begin_write() as connection:
        write_meta(connection, "version", str(version).encode())
        connection.exec_driver_sql("DROP TABLE sitters")  # other releases have other tables
    with pytest.raises(InputError) as caught:
        open_house(place.directory, place.clock.clock(), settings=place.settings)
    assert (caught.value.what, caught.value.expected) == (f"data of version {version}", expected)
    assert way_out in caught.value.remedy


def test_the_page_names_the_oldest_version_that_is_brought_up_to_date():
    assert f"from version {OLDEST} on" in (DOCS / "operations.md").read_text()
    assert f"from version {OLDEST} on" in (DOCS / "changelog.md").read_text()


def test_a_start_with_nothing_to_do_knows_no_alembic(tmp_path):
    program = (
        "import sys, pathlib; from fairshoe.service.house import open_house; "
        "[open_house(pathlib.Path(sys.argv[1])).close() for _ in range(2)]; "
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path / "data")], check=False).returncode == 0
