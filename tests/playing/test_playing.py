"""Tables played by keys in the terminal, against a real service: to the end of a shoe, after a crash, and against a
house that lies."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from textual import events

from fairshoe.client import Client
from fairshoe.playing.hands import HandVerdicts
from fairshoe.playing.screens import PlayApp, TableList, TableScreen, TextPrompt
from tests.long.serving import free_port
from tests.lying import LIES, LyingHouse
from tests.service.place import Place, at, wait_for

CHIPS = "10000"
NOT_BY_ITSELF = "+-tlxzwi"
"""Keys that a player who plays on does not press."""


@pytest.fixture
def place(tmp_path):
    with Place(tmp_path / "house") as place:
        yield place


class Player:
    """Presses keys. `others`: seats that play as the table would."""

    def __init__(self, address, books, others=(), size=(110, 50)):
        books.mkdir(exist_ok=True)
        self.size = size
        self.app = PlayApp(Client(address), books)
        self.books, self.others = books, others

    def run(self, *steps):
        async def session():
            async with self.app.run_test(size=self.size) as self.pilot:
                for step in steps:
                    await step()

        asyncio.run(session())

    @property
    def table(self):
        return self.app.screen

    def keys(self):
        return [each.key for each in self.table._choices] if isinstance(self.table, TableScreen) else []

    def text(self):
        return "\n".join(str(each.render()) for each in self.table.query("Static"))

    async def until(self, done):
        end = time.monotonic() + 60
        while not done():
            await self.pilot.pause(0.01)
            assert time.monotonic() < end, self.text()

    async def press(self, key):
        await self.pilot.press({"+": "plus", "-": "minus"}.get(key, key))

    async def sit(self, *chips):
        await self.until(lambda: isinstance(self.table, TableList) and self.table.query_one("DataTable").row_count)
        await self.press("enter")
        for text in ("alice", *(chips or (CHIPS,))):
            await self.until(lambda: isinstance(self.table, TextPrompt) and self.table.query("Input"))
            field = self.table.query_one("Input")
            field.value = text or field.value
            await self.press("enter")
            await self.until(lambda field=field: field not in self.table.query("Input"))
        await self.until(lambda: isinstance(self.table, TableScreen))

    async def go_on(self):
        await self.until(lambda: isinstance(self.table, TableList) and self.table.query_one("DataTable").row_count)
        await self.press("enter")
        await self.until(lambda: isinstance(self.table, TableScreen))

    async def play(self, over):
        """Press the first key that plays on, again and again; fails if there is none for a minute."""
        end = time.monotonic() + 60
        while True:
            await self.pilot.pause(0.01)
            if over():  # nothing changes between this look and the key
                return
            assert time.monotonic() < end, self.text()
            if isinstance(self.table, TextPrompt):
                await self.press("enter")
                continue
            for other in self.others:
                at(other).step()
            keys = [each for each in self.table._choices if each.key not in NOT_BY_ITSELF]
            keys = [each for each in keys if each.label != "change your bet"]
            if keys and not self.table.sitting.sent_at:
                if keys[0].key == "b":
                    shoe = self.state()["shoe"]  # none where it has ended since the keys were shown
                    assert shoe is None or shoe["commitment"] in self.text(), "it is shown before the bet"
                await self.press(keys[0].key)
                end = time.monotonic() + 60

    async def leave(self):
        screen = self.table
        while screen in self.app.screen_stack:
            await self.play(lambda: "l" in self.keys() or screen not in self.app.screen_stack)
            await self.press("l")
            await self.pilot.pause(0.05)

    def state(self):
        return next(each for each in self.app.screen_stack if isinstance(each, TableScreen)).sitting.seat.state

    def marks(self):
        (path,) = self.books.glob("*.hands")
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return {line["round"]: line["word"] for line in lines if "word" in line}


def test_chips_that_the_rules_fix_are_offered(place, tmp_path):
    """A lounge takes 10,000 and nothing else (LO-02)."""
    place.operator.create_table("lounge", table="t1")
    player = Player(place.address, tmp_path / "books")
    player.run(lambda: player.sit("1000", ""), player.leave)
    assert place.of_kind("chips")[0]["amount"] == 10_000


def test_a_key_that_is_pressed_twice_asks_and_sends_once(place, tmp_path):
    """Whoever is quick, or has a slow line, stays at the table."""
    place.operator.create_table("casino", table="t1")
    player = Player(place.address, tmp_path / "books")

    def at_once(*keys):
        for key in keys:
            player.app.post_message(events.Key(key, "\r" if key == "enter" else key))

    async def a_bet():
        await player.play(lambda: {"b"} <= set(player.keys()))
        at_once("b", "b")
        await player.until(lambda: isinstance(player.table, TextPrompt))
        await player.pilot.pause(0.1)
        assert sum(isinstance(each, TextPrompt) for each in player.app.screen_stack) == 1
        at_once("enter", "enter", "escape")
        await player.until(lambda: not isinstance(player.table, TextPrompt))
        await player.pilot.pause(0.1)
        assert isinstance(player.table, TableScreen)
        await player.play(lambda: player.state()["rounds"] == 1)

    player.run(player.sit, a_bet, player.leave)
    place.assert_clean()


@pytest.mark.parametrize("rules", ["casino", "boxes", "banker", "lounge", "pontoon", "chinese"])
def test_a_session_by_keys_to_the_end_of_a_shoe(place, tmp_path, rules):
    table = place.operator.create_table(rules, table="t1")
    others = [table.sit("bob", 10_000)] if rules in ("pontoon", "chinese") else []
    player = Player(place.address, tmp_path / "books", others)

    async def two_rounds():
        await player.play(lambda: player.state()["rounds"] >= 2 and player.state()["round"] is None)

    player.run(player.sit, two_rounds, player.leave)
    if others:
        others[0].finish()
    assert place.entries()[-1]["kind"] in ("chips", "reveal", "void")
    found = player.marks()
    assert set(found.values()) == {"PASS"}, found
    assert len(found) >= 2
    place.assert_clean()


@pytest.mark.parametrize("rules", ["banker", "casino"])
def test_who_places_the_cards_sees_it_and_has_nothing_to_do(place, tmp_path, rules):
    place.operator.create_table(rules, table="t1", placer="player")
    player = Player(place.address, tmp_path / "books")
    seen = []

    async def two_rounds():
        await player.play(lambda: player.state()["rounds"] >= 2 and player.state()["round"] is None)
        seen.append(player.text())

    player.run(player.sit, two_rounds, player.leave)
    assert "the cards yourself" in seen[0]
    found = player.marks()
    assert set(found.values()) == {"PASS"}, found
    place.assert_clean()
    assert len(place.of_kind("placed")) == len(place.of_kind("shoe"))


def test_a_program_that_was_killed_goes_on_with_its_seat_and_its_seeds(place, tmp_path):
    table = place.operator.create_table("casino", table="t1")
    books = tmp_path / "books"
    books.mkdir()
    player = Player(place.address, books)
    outer, inner = os.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 110, 0, 0))
    command = [sys.executable, "-m", "fairshoe", "play", place.address, "--books", str(books)]
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment) as process:
        os.close(inner)
        shown = bytearray()
        reader = threading.Thread(target=read_all, args=(outer, shown), daemon=True)
        reader.start()
        try:
            for mark, keys in KEYS:
                wait_for(lambda mark=mark: mark in shown)
                shown.clear()
                os.write(outer, keys)
            wait_for(lambda: (table.state()["shoe"] or {}).get("opened"))
        finally:
            process.kill()
    reader.join()
    os.close(outer)
    seed = place.of_kind("opened")[0]["seed"]

    async def a_round():
        assert player.table.sitting.seat.player == "alice"
        await player.play(lambda: player.state()["rounds"] >= 1 and player.state()["round"] is None)

    player.run(player.go_on, a_round, player.leave)
    assert seed in "".join(path.read_text() for path in books.glob("*.seat"))
    assert [entry["op"] for entry in place.of_kind("chips")] == ["buy-in", "cash-out"], "one chair, taken once"
    assert set(player.marks().values()) == {"PASS"}
    place.assert_clean()


KEYS = (
    (b"casino", b"\r"),
    (b"your name", b"alice\r"),
    (b"how many chips", b"\r"),
    ("new\u00a0shoe".encode(), b"n"),
    ("cut\u00a0the\u00a0shoe".encode(), b"c"),
    (b"where to cut", b"\r"),
)
"""What a terminal shows, and what is pressed then."""


def read_all(handle, into):
    with suppress(OSError):
        while data := os.read(handle, 65_536):
            into += data


def test_a_house_that_is_away_is_told_of_and_what_was_sent_is_done_when_it_comes_back(place, tmp_path):
    place.restart(port=free_port())
    place.operator.create_table("banker", table="t1")
    player = Player(place.address, tmp_path / "books")

    async def away():
        await player.play(lambda: player.keys()[:2] == ["h", "s"])
        await asyncio.to_thread(place.stop)
        await player.until(lambda: "the house does not answer" in player.text())
        await player.press("s")
        await player.until(lambda: "sent, and not answered yet" in player.text())
        place.start(port=urlsplit(place.address).port)
        number = player.state()["rounds"]
        await player.until(lambda: player.marks().get(number) == "PASS")
        await player.until(lambda: "not answer" not in player.text())

    player.run(player.sit, away, player.leave)
    decided = [(each["move"], "by" in each) for each in place.of_kind("round")[-1]["decisions"]]
    assert [each for each in decided if each[0] != "decline"] == [("stand", False)], "the seat's own"
    place.assert_clean()


def test_hands_are_checked_one_by_one_while_the_table_is_shown(place, tmp_path):
    """Keys are heard between two of them."""
    seat = place.operator.create_table("banker", table="t1").sit("alice", 1000, book=tmp_path / "seat")
    hands = HandVerdicts(seat, tmp_path / "seat")
    seat.play(3)
    assert [hands.check_next() for _ in range(4)] == [True, True, False, False]
    assert hands.marks == {number: ("PASS", hands.marks[number][1]) for number in (1, 2, 3)}
    hands.close()
    seat.close()


def test_a_house_whose_log_has_another_commitment_gets_no_seed(place, tmp_path):
    with LyingHouse(place, LIES["another-commitment"]) as house:
        player = Player(house.address, tmp_path / "books")

        async def alarm():
            await player.play(lambda: "the seed stays closed" in player.text())

        player.run(player.sit, alarm)
    assert not place.of_kind("opened")
    assert not place.of_kind("seal")


def test_a_hand_that_does_not_hold_is_red_says_why_and_is_kept(place, tmp_path):
    with LyingHouse(place, LIES["another-card"]) as house:
        player = Player(house.address, tmp_path / "books")

        async def a_round():
            await player.play(lambda: player.state()["rounds"] >= 1 and player.state()["round"] is None)

        player.run(player.sit, a_round, player.leave)
    assert "FAIL" in player.marks().values()
    (saved,) = list(player.books.glob("*.hand-1.json"))
    key = place.public.verifier()
    audit = [sys.executable, "-m", "audit_cli.main", "hand", str(saved), "--key", key]
    again = subprocess.run(audit, capture_output=True, text=True, check=False)
    assert again.returncode == 1, again.stdout + again.stderr
    (line,) = [line for line in next(player.books.glob("*.hands")).read_text().splitlines() if "FAIL" in line]
    assert "cards-" in line or "card" in line, line
