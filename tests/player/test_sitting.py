"""The browser's core where a tab is closed, an answer lost, a house far away; and where players are careless."""

from __future__ import annotations

import subprocess

from fairshoe.engine.rules import RULES
from fairshoe.service.settings import Settings

from ..client.servers import Quiet, Serving
from ..lying import Lie, LyingHouse
from ..service.place import Place
from ..verifier.node import node
from .test_honest import HERE, LIMIT, played


class Clock(Serving):
    """Lets seconds pass at a house: as many as a path says."""

    def __init__(self, place):
        self.place = place

    def handler(self):
        place = self.place

        class Handler(Quiet):
            def do_GET(self):
                place.clock.forward(int(self.path[1:]))
                self.send_response(204)
                self.end_headers()

        return Handler


def test_a_seat_is_kept(tmp_path):
    with (
        Place(tmp_path / "data") as place,
        LyingHouse(place, Lie, "without-events") as without_events,
        Clock(place) as clock,
    ):
        place.operator.create_table("chinese", table="void")
        for table in ("tabs", "taken", "claimed", "lost", "restored", "left"):
            place.operator.create_table("casino", table=table)
        for table in ("follow-live", "follow-polling"):
            place.operator.create_table("banker", table=table)
        words = [place.address, without_events.address, clock.address]
        command = [node(), "--test-reporter=tap", str(HERE / "sitting.mjs"), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stdout + done.stderr
        place.assert_clean()


def test_careless_players_see_no_alarm(tmp_path):
    """They look seldom, lose answers, see old ones, let limits pass, leave, are put out, go on in another tab."""
    with Place(tmp_path / "data", settings=Settings(limits=False)) as place, Clock(place) as clock:
        for rules in RULES:
            place.operator.create_table(rules, table=rules, policy={"bet": 20})
        words = [place.address, clock.address, place.token, "2", "35", *RULES]
        sessions = played("careless.mjs", *words)
        place.assert_clean()
    assert [each["rules"] for each in sessions] == list(RULES)
    for each in sessions:
        assert each["alarms"] == []
        assert {mark for _, mark, _ in each["marks"]} <= {"open", "bound", "pass"}, each
    assert sum(mark == "pass" for each in sessions for _, mark, _ in each["marks"]) > 5
