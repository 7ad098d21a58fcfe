"""A real house over SQLite, with a clock that the tests move.

Its clients ask the application itself, without a socket, a ticker or a thread; tests that are marked `wire` have a real
server on loopback.
"""

from __future__ import annotations

import pytest

from .place import Place


@pytest.fixture
def place(tmp_path, request):
    with Place(tmp_path / "data", direct=request.node.get_closest_marker("wire") is None) as place:
        yield place
