"""The service's own fixture, and an environment without proxies."""

from __future__ import annotations

import pytest

from ..service.conftest import place as place
from ..service.conftest import store as store

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
