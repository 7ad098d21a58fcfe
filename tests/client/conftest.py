"""A real service on loopback, and an environment without proxies."""

from __future__ import annotations

import pytest

from ..service.place import Place

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture
def place(tmp_path):
    with Place(tmp_path / "data") as place:
        yield place


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
