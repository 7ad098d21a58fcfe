"""A database of an earlier release is brought up to date when a service starts on it, and a newer one is left alone."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sqlalchemy import inspect

from fairshoe.errors import InputError
from fairshoe.service.house import open_house
from fairshoe.service.store import migrations, schema

from .copies import backup, lose_database, restored

NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "2", "1"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("label", sa.String(16)))
"""
"""A revision that a later release may have."""


def has_label(place):
    with place.house.database.begin_read() as connection:
        return "label" in {column["name"] for column in inspect(connection).get_columns("tokens")}


@pytest.fixture
def release(tmp_path, monkeypatch):
    """Install the next release, which has a second version of the tables."""

    def install():
        versions = tmp_path / "release" / "versions"
        versions.mkdir(parents=True)
        first = migrations.HERE / "versions" / "version_1.py"
        (versions / first.name).write_text(first.read_text())
        (versions / "version_2.py").write_text(NEXT)
        monkeypatch.setattr(migrations, "HERE", versions.parent)
        monkeypatch.setattr(schema, "VERSION", "2")

    return install


@pytest.mark.both
def test_an_older_database_is_brought_up_to_date_and_played_on(place, release):
    seats = place.sealed()
    place.bet_and_finish(seats)
    assert not has_label(place)
    place.stop()
    release()
    place.start()
    with place.house.database.begin_read() as connection:
        assert schema.read_version(connection) == "2"
    assert has_label(place)
    place.bet_and_finish([place.again(seat) for seat in seats])
    assert place.kinds().count("round") >= 2
    place.assert_clean()


@pytest.mark.both
def test_nothing_is_changed_under_a_service_that_runs(place, release):
    release()
    with pytest.raises(InputError, match="a service runs"):
        open_house(place.directory, place.clock.clock(), settings=place.settings)
    assert not has_label(place)


def test_a_backup_of_an_older_house_is_restored_as_one_of_now(place, release):
    seats = place.sealed()
    kept = backup(place)
    lose_database(place)
    release()
    restored(place, kept)
    assert has_label(place)
    place.bet_and_finish([place.again(seat) for seat in seats])
    place.assert_clean()


@pytest.mark.both
@pytest.mark.parametrize("version", ["2", "0", "10", "x"])
def test_a_database_of_another_version_is_refused_in_words(place, version):
    with place.house.database.begin_write() as connection:
        schema.write_meta(connection, "version", version.encode())
        connection.exec_driver_sql("DROP TABLE sitters")  # other releases have other tables
    with pytest.raises(InputError) as caught:
        open_house(place.directory, place.clock.clock(), settings=place.settings)
    assert (caught.value.what, caught.value.expected) == (f"data of version {version}", f"version {schema.VERSION}")
    assert "the release that wrote it" in caught.value.remedy


def test_a_start_with_nothing_to_do_knows_no_alembic(tmp_path):
    program = (
        "import sys, pathlib; from fairshoe.service.house import open_house; "
        "[open_house(pathlib.Path(sys.argv[1])).close() for _ in range(2)]; "
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path / "data")], check=False).returncode == 0
