"""How a table's page follows it: many tabs of one browser over HTTP/1.1, and a stream that goes mute."""

from __future__ import annotations

import threading

from playwright.sync_api import expect

from ..client.servers import muting, place_of
from ..service.place import Place
from .player import play

TABS = 8
MAX_STREAMS = 3
OVER_HTTP = """
let hidden = false;
Object.defineProperty(navigator, "locks", { value: undefined });
Object.defineProperty(document, "hidden", { get: () => hidden });
self.turn = (to) => { hidden = to; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""A page that came over plain HTTP has no locks. The headless browser hides no tab: `turn` says that one is hidden."""

IS_FREE = """async () => {
  const { browserStorage } = await import("/modules/player.js");
  const leases = await (await browserStorage()).all("lease");
  return leases.every(([, { until }]) => until <= Date.now());
}"""
"""Whether the page that was left has let go of its seat and stream; a busy browser may forget it for 15 s."""


def streams(place, page, number):
    """Wait until so many streams are open."""
    for _ in range(1500):  # a lease that was not given back lasts 15 s
        if place.server.requests.following.count == number:
            return
        page.wait_for_timeout(20)
    assert place.server.requests.following.count == number


def test_eight_tabs_of_one_browser_bet_decide_and_show_the_table(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        alice = sitting(place.address, "alice", script=OVER_HTTP)
        alice.page.goto(place.address)
        while not alice.page.evaluate(IS_FREE):
            alice.page.wait_for_timeout(50)
        alice.page.goto(f"{place.address}/tables/t1")
        expect(alice.page.locator(".seat.you")).to_be_visible()
        others = [alice.context.new_page() for _ in range(TABS - 1)]
        for tab in others:
            tab.goto(f"{place.address}/tables/t1", wait_until="commit")
        for tab in others:
            expect(tab.locator(".seat")).to_be_visible()
        streams(place, alice.page, MAX_STREAMS)

        def shows(tab, number):
            expect(tab.locator(".told:not([role]) p b")).to_have_text(alice.texts["last.title"].format(round=number))

        def plays(number):
            before = alice.page.locator(".told:not([role])").inner_text()
            play([alice], 99, lambda: alice.page.locator(".told:not([role])").inner_text() != before)
            shows(alice.page, number)

        plays(1)
        for tab in others:
            shows(tab, 1)
        for tab in others:
            tab.evaluate("turn(true)")
        streams(place, alice.page, 1)
        plays(2)
        for tab in others:
            shows(tab, 1)
        for tab in others:
            tab.evaluate("turn(false)")
        for tab in others:
            shows(tab, 2)
        alice.page.evaluate("turn(true)")
        place.operator.table("t1").send("close")
        expect(alice.page.locator(".waiting")).to_contain_text(alice.texts["phase.closed"])
        assert all("by" not in decision for each in place.of_kind("round") for decision in each["decisions"])
        alice.page.goto("about:blank")
        while not any(tab.locator(".seat.you").count() for tab in others):
            others[0].wait_for_timeout(100)


def test_beside_a_stream_that_went_mute_the_page_looks_until_it_speaks_again(tmp_path, browser):
    mute = threading.Event()
    with Place(tmp_path / "data") as place, muting(place_of(place.address), mute) as way:
        seat = place.operator.create_table("casino", table="t1").sit("alice", 1000)
        page = browser.new_page(locale="en-GB")
        page.clock.install()
        page.goto(f"http://{way}/tables/t1")
        live, slow = page.locator(".room[data-connection=live]"), page.locator(".room[data-connection=polling]")
        expect(live).to_be_visible()
        mute.set()
        seat.send("chips", op="buy-in", amount=777)
        page.clock.run_for(21_000)
        expect(slow).to_be_visible()
        expect(page.locator("[data-seat='1']")).to_contain_text("1,777")
        expect(page.locator(".polling")).to_have_text("slow: asking each second")
        page.clock.run_for(21_000)
        seat.send("chips", op="buy-in", amount=1)
        expect(page.locator("[data-seat='1']")).to_contain_text("1,778")
        expect(slow).to_be_visible()
        mute.clear()
        page.clock.run_for(61_000)
        streams(place, page, 1)
        seat.send("chips", op="buy-in", amount=1)
        expect(live).to_be_visible()
        expect(page.locator("[data-seat='1']")).to_contain_text("1,779")
        page.context.close()
