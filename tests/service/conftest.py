"""A real service on loopback, over SQLite, with a clock that the tests move."""

from __future__ import annotations

import pytest

from .place import Place


@pytest.fixture
def place(tmp_path):
    with Place(tmp_path / "data") as place:
        yield place
