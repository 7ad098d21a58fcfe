"""The npm package's client of shoes without tables, in Node, at a real house."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tests.service.place import Place
from tests.verifier.node import node


def test_a_game_with_hidden_hands_and_lies_that_are_noticed(tmp_path: Any) -> None:
    with Place(tmp_path / "data") as place:
        command = [node(), str(Path(__file__).with_name("client.mjs")), place.address, place.token]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert place.assert_clean().checks["cards"] == "pass"
