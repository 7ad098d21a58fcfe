"""A real house over SQLite, or with the mark `both` over PostgreSQL as well, with a clock that the tests move.

Its clients ask the application itself, without a socket, a ticker or a thread; tests that are marked `wire` have a real
server on loopback.
"""

from __future__ import annotations

import pytest

from fairshoe.service.settings import Settings

from .place import Place


def pytest_generate_tests(metafunc):
    if "store" in metafunc.fixturenames and metafunc.definition.get_closest_marker("both"):
        metafunc.parametrize("store", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def store(request):
    """The address of an empty database; nothing where it is SQLite in the data directory."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return ""
    return request.getfixturevalue("postgresql").database()


@pytest.fixture
def place(tmp_path, request, store):
    direct = request.node.get_closest_marker("wire") is None
    with Place(tmp_path / "data", Settings(database=store), direct=direct) as place:
        yield place
