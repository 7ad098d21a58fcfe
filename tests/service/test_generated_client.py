"""A client that a program wrote from the description alone plays a round."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace

import pytest

NAME = "written_client"
OTHER_TYPES = {"application/jsonl": "text/plain", "application/x-tar": "application/octet-stream"}
"""Content types that the generator does not know, and what it shall take them for."""


def written_from(address, directory):
    config = directory / "config.json"
    config.write_text(json.dumps({"content_type_overrides": OTHER_TYPES, "post_hooks": []}))
    done = subprocess.run(
        [
            *(Path(sys.executable).parent / "openapi-python-client", "generate", "--fail-on-warning"),
            *("--url", f"{address}/openapi.json", "--meta", "none"),
            *("--output-path", directory / NAME, "--config", config),
        ],
        capture_output=True,
        text=True,
        cwd=directory,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def written(place, tmp_path, monkeypatch):
    """Its operations by their ids, its models, its clients."""
    written_from(place.address, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield SimpleNamespace(
        call=lambda group, operation: importlib.import_module(f"{NAME}.api.{group}.{operation}").sync_detailed,
        models=importlib.import_module(f"{NAME}.models"),
        client=importlib.import_module(f"{NAME}.client"),
    )
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def test_it_plays_a_round_of_casino(place, written):
    models, call = written.models, written.call
    house = written.client.AuthenticatedClient(base_url=place.address, token=place.token)
    public = written.client.Client(base_url=place.address)
    opened = call("tables", "create_table")(
        client=house, body=models.NewTable(rules=models.NewTableRules.CASINO, table="t1")
    )
    assert (opened.status_code, opened.parsed.phase) == (201, models.TableStatePhase.IDLE)
    who = models.NewSeat(player="alice", amount=1000, token_sha256=sha256(b"fs_alice").hexdigest())
    taken = call("tables", "take_seat")("t1", client=public, body=who).parsed
    alice = written.client.AuthenticatedClient(base_url=place.address, token="fs_alice")

    def send(group, operation, body=None, **more):
        given = {} if body is None else {"body": body}
        answer = call(group, operation)("t1", client=alice, **given, **more)
        assert answer.status_code == HTTPStatus.OK, answer.content
        return answer

    (wanted, *_) = taken.you.expects
    assert isinstance(wanted, models.ShoeWanted)
    (wanted, *_) = send("shoes", "ask_shoe", models.Nothing()).parsed.you.expects
    assert isinstance(wanted, models.HashWanted)
    seed = bytes(range(32))
    send("shoes", "send_hash", models.Hash(hash_=sha256(seed).hexdigest(), cut=wanted.cut[0]))
    state = send("shoes", "open_seed", models.Seed(seed=seed.hex())).parsed
    assert state.shoe.sealed
    place_bet(send, models, state)
    while (state := send("tables", "show_table").parsed).round_ is not None:
        (wanted, *_) = state.you.expects
        assert isinstance(wanted, models.DecisionWanted)
        default = wanted.default.to_dict()
        send("rounds", "make_decision", models.Decision.from_dict({"round": 1, "step": wanted.step} | default))
    assert state.last.round_ == 1
    assert state.last.hands[0].bet == 10
    place.assert_clean()


def place_bet(send, models, state):
    """The same bet twice, as one whose first answer was lost would send it."""
    wanted = next(form for form in state.you.expects if isinstance(form, models.BetsWanted))
    bets = models.Bets(round_=wanted.round_, bets=[models.BetFields(amount=10)])
    first, again = (send("rounds", "place_bets", bets, idempotency_key="k" * 32) for _ in range(2))
    assert "Idempotent-Replay" not in first.headers
    assert again.headers["Idempotent-Replay"] == "true"
    assert again.content == first.content


def test_it_is_told_what_is_wrong(place, written):
    models, call = written.models, written.call
    public = written.client.Client(base_url=place.address)
    answer = call("tables", "show_table")("nowhere", client=public)
    assert (answer.status_code, answer.parsed.type_) == (404, "/docs#not-found")
    assert isinstance(answer.parsed, models.Problem)
    assert call("tables", "list_tables")(client=public, limit=5).parsed.tables == []
