"""A real service on loopback, over SQLite, with a clock that the tests move.

Tests that are marked `direct` ask its application and not its server: what matters there is what it answers to many
requests. The same requests go over HTTP in `test_games` (bots), `test_ceremony` and most others.
"""

from __future__ import annotations

import pytest

from .place import Place


@pytest.fixture
def place(tmp_path, request):
    direct = request.node.get_closest_marker("direct") is not None
    with Place(tmp_path / "data", direct=direct) as place:
        yield place
