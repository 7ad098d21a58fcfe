"""What only a browser has: its storage, its locks between tabs, its workers, a reload in the middle of a hand."""

from __future__ import annotations

import pytest

from ..lying import LIES, LyingHouse
from ..page.conftest import TIMEOUT
from ..page.conftest import browser as browser
from ..service.place import Place

POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'"
SETUP = """async () => {
  const { browserStorage, House, inWorker, Seat } = await import("/modules/player.js");
  self.house = new House("", { storage: await browserStorage(), judge: inWorker() });
  self.Seat = Seat;
}"""
SIT = 'async (table) => { self.seat = await Seat.sit(house, table, { player: "alice", amount: 1000 }) }'
HAND = """async () => {
  let found = null;
  seat.addEventListener("hand", ({ detail: { mark } }) => mark !== "open" && (found ??= [mark, ""]));
  seat.addEventListener("alarm", ({ detail: { code, what } }) => (found = [code, what]));
  seat.follow();
  for (let number = 0; number < 2000 && !found; number++) {
    const wish = seat.wanted;
    if (wish?.do === "decisions") await seat.decide(wish.default).catch(() => {});
    await new Promise((done) => setTimeout(done, 50));
  }
  return found;
}"""


@pytest.fixture
def tabs(browser):
    """Opens tabs of one browser at a house, on a page that may use its modules and nothing else."""
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT)
    empty = {"body": "<!doctype html><title>x</title>", "headers": {"Content-Security-Policy": POLICY}}
    context.route("**/empty", lambda route: route.fulfill(content_type="text/html", **empty))

    def tab(address):
        page = context.new_page()
        page.goto(f"{address}/empty")
        page.evaluate(SETUP)
        return page

    yield tab
    context.close()


def test_a_hand_is_played_over_a_reload_and_checked_in_a_worker(tmp_path, tabs):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        page = tabs(place.address)
        page.evaluate(SIT, "t1")
        page.evaluate("async () => { await seat.askShoe(); await seat.bet([{ amount: 10 }]) }")
        other = tabs(place.address)
        resume = "() => Seat.resume(house, 't1').then((seat) => (self.seat = seat).player, (error) => error.name)"
        assert other.evaluate(resume) == "Elsewhere"
        page.reload()
        page.evaluate(SETUP)
        assert page.evaluate(resume) == "alice"
        assert page.evaluate(HAND) == ["pass", ""]
        page.close()
        while (player := other.evaluate(resume)) == "Elsewhere":  # the browser still closes the page
            other.wait_for_timeout(20)
        assert player == "alice"
        place.assert_clean()


def test_a_lie_is_told_in_a_browser(tmp_path, tabs):
    with Place(tmp_path / "data") as place, LyingHouse(place, LIES["log-starts-anew"], "t1") as house:
        page = tabs(house.address)
        page.evaluate(SIT, "t1")
        page.evaluate("async () => { await seat.askShoe(); await seat.bet([{ amount: 10 }]) }")
        code, what = page.evaluate(HAND)
        assert code == "log-does-not-extend"
        assert "two logs" in what
