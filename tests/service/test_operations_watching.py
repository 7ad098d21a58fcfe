"""What is seen from outside: the client behind a proxy, the process, and numbers while the storage fails."""

from __future__ import annotations

import pytest

from fairshoe.service.errors import StorageBusy
from fairshoe.service.settings import Settings

from .place import Place
from .test_operations import lines, numbers

pytestmark = pytest.mark.wire


def test_a_line_names_the_client_behind_a_proxy_that_is_trusted(tmp_path):
    behind = Settings(trusted_proxies=("127.0.0.1",), log_requests=True)
    with lines("json") as stream, Place(tmp_path / "data", behind) as place:
        place.public.raw("GET", "/checkpoint", headers={"X-Forwarded-For": "198.51.100.7"})
    assert '"address": "198.51.100.7"' in stream.getvalue()


def test_metrics_tell_of_the_process(place):
    found = numbers(place.operator)
    assert found["process_open_fds",] > 0
    assert found["process_resident_memory_bytes",] > 0


def test_metrics_have_the_checks_of_readiness(place):
    place.casino()
    fine = {("fairshoe_ready", check): 1 for check in ("storage", "head", "clock", "limits")}
    assert fine.items() <= numbers(place.operator).items()
    place.clock.set_wall(2 * 3_600)
    found = numbers(place.operator)
    assert (found["fairshoe_ready", "clock"], found["fairshoe_ready", "storage"]) == (0, 1)


def test_metrics_are_there_while_the_storage_fails(tmp_path, monkeypatch):
    def unreadable(*_):
        raise StorageBusy("an I/O error")

    with Place(tmp_path / "data", Settings(metrics_public=True)) as place:
        place.casino()
        monkeypatch.setattr("fairshoe.service.store.condition.free_bytes", lambda _: 1024)
        monkeypatch.setattr(place.house.sequencer, "all_tables", unreadable)
        found = numbers(place.public)
        assert found["fairshoe_ready", "storage"] == 0
        assert ("fairshoe_players",) not in found
