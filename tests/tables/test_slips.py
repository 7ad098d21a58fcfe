"""Slips of a finger: the second half of a double click, and a button that comes to stand where another one stood."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from ..service.place import Place
from .player import play

HELD = """(() => {
  const own = setTimeout;
  const wait = (act) => own(() => (self.held ? wait(act) : act()), 400);
  self.setTimeout = (act, ms, ...more) => (ms === 400 ? wait(act) : own(act, ms, ...more));
})()"""
"""A changed dock takes no input for 400 ms, and for as long as the page is `held`."""
WIDTHS = [(390, 844), (1280, 900)]


def boxes_of(page, found):
    return [each.bounding_box() for each in page.locator(found).all()]


def meet(one, other):
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize("size", WIDTHS)
def test_a_double_click_on_the_last_move_bets_nothing(tmp_path, sitting, size):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        alice = sitting(place.address, "alice", script=HELD, viewport={"width": size[0], "height": size[1]})
        page = alice.page
        play([alice], 99, page.locator("[data-move=stand]").count, decides=False)
        moves = boxes_of(page, "[data-move]")
        where = page.locator("[data-move=stand]").bounding_box()
        at = where["x"] + where["width"] / 2, where["y"] + where["height"] / 2
        ready = page.locator(".dock:not([aria-disabled])")
        expect(ready).to_be_visible()
        page.evaluate("self.held = true")
        page.mouse.click(*at)
        again = page.locator("[data-do=again], [data-do=bet], [data-do=pass]")
        expect(again.first).to_be_visible()
        assert not [
            1 for each in boxes_of(page, "[data-do=again], [data-do=pass]") for move in moves if meet(each, move)
        ]
        rounds = place.public.get("/v1/tables/t1")["rounds"]
        place_of_again = again.first.bounding_box()
        page.mouse.click(place_of_again["x"] + 5, place_of_again["y"] + 5)
        page.keyboard.press("s")
        state = place.public.get("/v1/tables/t1")
        assert (state["rounds"], state["bets"]["in"], state["bets"]["passed"]) == (rounds, [], [])
        page.evaluate("self.held = false")
        expect(ready).to_be_visible()
        page.locator("[data-do=again]").click()
        expect(page.locator("[data-move]").or_(page.locator(".outcome")).first).to_be_visible()


@pytest.mark.parametrize(("bank", "stops"), [("2", "Leave the round, bet back"), ("1", "Deal again")])
def test_a_free_hand_is_asked_in_its_own_words(tmp_path, sitting, bank, stops):
    """CH-21, CH-24; before, it was asked whether one gave the bank up."""
    with Place(tmp_path / "data") as place:
        place.operator.create_table("chinese", table="t1", options={"free_hand": True})
        alice, _ = sitting(place.address, "alice"), sitting(place.address, "bob")
        free = {
            "do": "decisions",
            "about": "round",
            "round": 1,
            "step": 0,
            "moves": [{"move": "continue"}, {"move": "stop"}],
        }

        def asked(route):
            state = route.fetch().json()
            if "you" in state:
                state |= {"bank": bank, "you": state["you"] | {"expects": [free]}}
            route.fulfill(body=json.dumps(state), content_type="application/json")

        alice.page.route(re.compile("/events$"), lambda route: route.abort())
        alice.page.route(re.compile(r"/v1/tables/t1(\?|$)"), asked)
        alice.page.reload()
        moves = alice.page.locator("[data-move]")
        expect(moves).to_have_count(2)
        assert moves.all_inner_texts() == ["Play onC", f"{stops}X"], "with their keys"


def test_what_a_low_purse_the_limit_and_an_empty_table_mean_is_said(tmp_path, sitting):
    """ "You have 40; the least bet is 50"; before, chips were offered that the house refused."""
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1", options={"minimum": 4})
        alice = sitting(place.address, "alice")
        page = alice.page
        play([alice], 99, page.locator("[data-move]").count, decides=False)
        rounds = len(place.of_kind("round"))
        while len(place.of_kind("round")) == rounds:  # no longer: the limit of the next bets would pass too
            place.clock.forward(31)
            place.house.sequencer.transactions.catch_up("t1")
        expect(page.locator("[data-limit]")).to_contain_text(re.compile("Stand|No insurance"))
        expect(page.get_by_text("Nobody else sits here")).to_be_visible()
        page.locator("[data-do=pass]").focus()
        expect(page.locator(".dock:not([aria-disabled])")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(".waiting")).to_contain_text("Everybody sits out: a round is dealt once somebody bets")
        expect(page.locator(".dock:focus")).to_have_count(1)
        expect(page.locator("[data-do=again]")).to_be_enabled()
        page.get_by_text("My chips").click()
        amount = page.locator(".mychips input[type=number]")
        amount.fill(str(place.public.get("/v1/tables/t1")["chips"]["1"] - 3))
        page.locator("[data-do=cash-out]").click()
        short = page.locator(".notice")
        expect(short).to_contain_text("You have 3; a bet here takes at least 4.")
        expect(page.locator("[data-chip]")).to_have_count(0)
        expect(page.locator("[data-do=cash-out]:enabled")).to_have_text("Cash out 3")
        expect(short.locator("[data-do=leave]")).to_have_text("Leave with 3")
        short.get_by_role("button", name="Buy in 1").click()
        expect(short).to_have_count(0)
        page.locator("[data-chip]").first.click()
        expect(page.locator("[data-do=bet]")).to_be_enabled()


def test_a_shoe_on_which_nobody_can_bet_says_so_and_how_to_end_it(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("boxes", table="t1")
        page = sitting(place.address, "alice").page
        page.locator("[data-do=shoe]").click()
        expect(page.locator("[data-chip]").first).to_be_visible()
        page.get_by_text("My chips").click()
        page.locator(".mychips input[type=number]").fill("999")
        page.locator("[data-do=cash-out]").click()
        expect(page.locator(".waiting")).to_contain_text("can bet: it ends unplayed. Reshuffle ends it now")
        page.locator("[data-do=reshuffle]").click()
        expect(page.locator(".waiting")).to_contain_text("Waiting for a shoe")
        assert place.last() == ("void", "reshuffle")
