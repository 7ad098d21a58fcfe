"""The npm package's client of shoes without tables, in Node, at a real house."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from fairshoe.service.settings import Settings
from tests.service.place import Place, wait_for
from tests.service.test_placers import KEY, BesidePlacer
from tests.verifier.node import node


def play(place: Any, *given: str) -> None:
    command = [node(), str(Path(__file__).with_name("client.mjs")), place.address, place.token, *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_a_game_with_hidden_hands_and_lies_that_are_noticed(tmp_path: Any) -> None:
    (source := tmp_path / "rounds").touch()
    with Place(tmp_path / "data", Settings(beacons=(str(source),))) as place:
        play(place)
        assert place.assert_clean().checks["cards"] == "pass"


def test_a_game_with_a_second_dealer(tmp_path: Any) -> None:
    with BesidePlacer(tmp_path) as place:
        place.come()
        play(place, KEY)
        wait_for(lambda: len(place.of_kind("placed")) == 1)
        assert place.assert_clean().checks["cards"] == "pass"
        place.go()
