"""What a player's browser notices and keeps to itself: houses that lie, cards that are hidden, a seat that goes on
elsewhere or in the background, a page in a frame."""

from __future__ import annotations

import json
import re
import time
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from ..lying import LIES, Lie, LyingHouse
from ..lying_places import TO_PLACERS
from ..page.test_looks import faults
from ..player.test_lies import KEPT_BACK
from ..service.place import Place
from .player import Player, play
from .texts import texts

UNCOVERED = """() => {
  const place = (what) => document.querySelector(what).getBoundingClientRect();
  return place(".seat.you").bottom <= place(".bar").top;
}"""
"""Whether the dock lies below my chips."""
SHOWN = ("another-commitment", "log-starts-anew", "bet-called-late", "another-payout")
"""One lie about a shoe, the log, what the player did and a payout; tests/player/test_lies.py has them all."""


@pytest.fixture(scope="module")
def lied_to(tmp_path_factory, browser):
    """What the page says and saves of each lie, all of them told at once, each to a browser of its own; and of which
    tables a seed was opened."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place, ExitStack() as houses:
        players = {}
        for name in SHOWN:
            house = houses.enter_context(LyingHouse(place, LIES[name]))
            players[name] = Player(browser, house.address, "alice", name)
            houses.callback(players[name].context.close)

        def quiet():
            return {name: each for name, each in players.items() if not each.page.locator(".alarm").count()}

        end = time.monotonic() + 120
        while quiet() and time.monotonic() < end:
            for name, each in quiet().items():
                each.step(LIES[name].rounds)
            next(iter(players.values())).page.wait_for_timeout(150)
        told = {name: told_by(each) for name, each in players.items() if name not in quiet()}
        yield told, {each["shoe"].rpartition("/")[0] for each in place.of_kind("opened")}


def told_by(player):
    """The words of the alarm, the file that is saved, and what the browser complained of."""
    words = player.page.locator(".alarm").inner_text()
    with player.page.expect_download() as saved:
        player.page.locator(".alarm button").click()
    return words, json.loads(saved.value.path().read_text()), player.complaints


def test_every_lie_has_a_text():
    lies = [*LIES.values(), *TO_PLACERS.values()]
    assert {f"alarm.{lie.code}" for lie in lies} <= texts("english").keys()


@pytest.mark.parametrize("name", SHOWN)
def test_a_lie_is_told_in_words_with_the_evidence(lied_to, name):
    """A seed that should stay stays."""
    told, opened = lied_to
    assert name in told, "nothing was noticed"
    words, evidence, complaints = told[name]
    assert texts("english")[f"alarm.{LIES[name].code}"] in words
    assert {found["code"] for found in evidence["found"]} == {LIES[name].code}
    assert (name in opened) == (name not in KEPT_BACK)
    assert complaints == []


class Heard(LyingHouse):
    """An honest house that notes what it answers."""

    def __init__(self, place, table):
        self.said = []
        super().__init__(place, Chinese, table)

    def answer(self, *request):
        status, told, data = super().answer(*request)
        self.said.append(data)
        return status, told, data


class Chinese(Lie):
    rules = "chinese"


def test_what_is_hidden_is_neither_in_the_traffic_nor_in_the_memory_of_the_page(tmp_path, sitting):
    """One pack, all cards face down: until the hand is over bob hears of his own two cards alone."""
    with Place(tmp_path / "data") as place, Heard(place, "t1") as house:
        both = sitting(place.address, "alice"), sitting(house.address, "bob")
        bob = both[1]

        def heard():
            """The cards that bob's browser was told of the newest round."""
            number = place.of_kind("open")[-1]["round"]
            states = [state for state in map(read, house.said) if (state.get("round") or {}).get("round") == number]
            told = json.dumps([state | {"last": None} for state in states])
            return number, set(re.findall(r'"([A2-9TJQK][cdhs])"', told))

        def may_move():
            return any(each.page.locator("[data-move]").count() for each in both) and heard()[1]

        play(both, 99, may_move, decides=False)
        session = bob.context.new_cdp_session(bob.page)
        heap = []
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda part: heap.append(part["chunk"]))
        session.send("HeapProfiler.takeHeapSnapshot")
        number, cards = heard()
        said = b"".join(house.said)
        play(both, 99, lambda: len(place.of_kind("reveal")) >= number)
        entry = next(each for each in place.of_kind("round") if each["round"] == number)
        own = next((each["cards"] for each in [*entry["hands"]] if each["seat"] == 2), entry["dealer"]["cards"])
        assert cards == {entry["cards"][at] for at in own[:2]}
        expect(both[0].page.locator(".myhands .why").first).to_contain_text("bob: ")
        key = next(each["key"] for each in place.of_kind("reveal") if each["shoe"] == entry["shoe"])
        assert "bob" in "".join(heap)
        assert key not in "".join(heap)
        assert key.encode() not in said


def read(data):
    """What was said, where it is a table's state."""
    form = json.loads(data) if data.startswith(b"{") and data.count(b"\n") < 2 else {}
    return form if "phase" in form else {}


def test_a_seat_goes_on_in_another_browser_by_its_file(tmp_path, sitting, browser):
    with Place(tmp_path / "data") as place:
        for table in ("t1", "t2"):
            place.operator.create_table("banker", table=table)
        alice = sitting(place.address, "alice")
        play([alice], 99, alice.page.locator("[data-move]").count, decides=False)
        alice.page.get_by_text("My chips").click()
        with alice.page.expect_download() as taken:
            alice.page.get_by_role("button", name="Take my seat along").click()
        file = taken.value.path()
        alice.page.goto("about:blank")
        other = browser.new_context(locale="en-GB").new_page()
        other.goto(f"{place.address}/tables/t1")
        expect(other.locator(".dock")).to_contain_text("Every seat is taken")
        other.goto(f"{place.address}/tables/t2")
        other.get_by_text("I have my seat in a file").first.click()
        other.locator("input[type=file]").set_input_files(file)
        expect(other.locator(".trouble")).to_contain_text("The file is of your seat at another table")
        other.locator(".trouble a", has_text="t1").click()
        expect(other.locator("[data-move]").first).to_be_visible()
        other.locator("[data-move=decline], [data-move=stand]").first.click()
        expect(other.locator("[data-hand]").or_(other.locator("[data-move=stand]")).first).to_be_visible()
        other.context.close()


def test_a_page_that_slept_opens_its_seed_when_it_wakes(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        alice, bob = sitting(place.address, "alice"), sitting(place.address, "bob")
        alice.page.locator("[data-do=shoe]").click()
        bob.page.locator("[data-do=hash]").click()
        expect(bob.page.locator(".roster")).to_contain_text("promised")
        session = bob.context.new_cdp_session(bob.page)
        asleep = []
        session.on("Debugger.paused", lambda where: asleep.append(where))
        session.send("Debugger.enable")
        session.send("Debugger.pause")  # as a browser does to a page in the background: nothing in it goes on
        while not asleep:
            alice.page.wait_for_timeout(50)
        alice.page.locator("[data-do=hash]").click()
        expect(alice.page.locator(".waiting")).to_contain_text("Waiting for seeds to be opened: bob")
        assert place.of_kind("opened") == []
        session.send("Debugger.disable")
        expect(alice.page.locator(".fixed")).to_be_visible()
        assert [each["player"] for each in place.of_kind("opened")] == ["bob", "alice"]


@pytest.mark.parametrize("game", ["casino", "banker"])
def test_a_seed_typed_by_the_player_is_in_the_shuffle_and_beside_its_hands(tmp_path, sitting, axe, game):
    """Of a player who sends no hash too; one that is short, or was used before, is refused."""
    typed = "Würfel 6 1 4 4 2 3"
    with Place(tmp_path / "data") as place:
        for table in ("t1", "t2"):
            place.operator.create_table(game, table=table)
        alice = sitting(place.address, "alice", viewport={"width": 360, "height": 480})
        page = alice.page

        def take(seed):
            page.get_by_text("A seed of my own").click()
            page.get_by_label("My own seed").fill(seed)
            page.get_by_role("button", name="Take it").click()

        page.locator("[data-do=shoe]").click()
        told = alice.texts["fair.mine.sole" if game == "banker" else "fair.mine.why"]
        expect(page.locator("dd > .quiet").last).to_have_text(told)
        page.wait_for_function(UNCOVERED)
        take("too short")
        expect(page.locator(".own .trouble")).to_contain_text("at least 16 bytes")
        assert faults(alice, axe) == []
        page.get_by_label("My own seed").fill(typed)
        page.get_by_role("button", name="Take it").click()
        expect(page.locator("dd b")).to_have_text(typed)
        play([alice], 1, page.locator(".sit").count)
        assert place.of_kind("opened")[0]["seed"] == typed.encode().hex()
        expect(page.locator("[data-mark=pass]").first).to_contain_text(f"Your own seed in this shoe: {typed}")
        page.goto(f"{place.address}/tables/t2")
        page.get_by_label("Your name").fill("alice")
        page.get_by_role("button", name="Sit down").click()
        page.locator("[data-do=shoe]").click()
        take(typed)
        expect(page.locator(".own .trouble")).to_contain_text("this seed was used before")
        place.assert_clean()


def test_a_page_in_a_frame_does_nothing(tmp_path, browser):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        context = browser.new_context()
        page = context.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        frame = f'<!doctype html><iframe src="{place.address}/tables/t1"></iframe>'
        context.route("http://elsewhere.test/", lambda route: route.fulfill(content_type="text/html", body=frame))
        page.goto("http://elsewhere.test/")
        page.wait_for_load_state("networkidle")
        assert f"{place.address}/tables/t1" in asked
        assert [url for url in asked if "/v1/" in url or "/modules/" in url] == []
        context.close()
