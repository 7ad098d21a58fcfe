"""What a player's table offers beside the game: hints, past results, chips for another player, keys, and a view of the
hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ..page.test_looks import faults
from ..service.place import Place
from .player import play
from .texts import strange

SEEN = """() => {
  const place = (what) => document.querySelector(what).getBoundingClientRect();
  const hands = [...document.querySelectorAll(".seat.you .hand")].map((hand) => hand.getBoundingClientRect().bottom);
  const bar = place(".bar");
  return [place(".dealer .cards").top, bar.top - Math.max(...hands), bar.height / innerHeight];
}"""
"""Where the dealer's cards begin, how far my lowest hand is above the dock, what share of the page the dock takes."""
COVERED = """() => {
  const below = document.querySelector(".bar").getBoundingClientRect().top;
  return document.querySelector(".seat.you .hands").getBoundingClientRect().bottom - below;
}"""


@pytest.mark.parametrize("language", ["english", "german"])
def test_hints_results_chips_and_keys(tmp_path, sitting, axe, language):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1", options={"packs": 3})
        size = {"width": 360, "height": 740}
        alice = sitting(place.address, "alice", language=language, viewport=size, reduced_motion="reduce")
        bob = sitting(place.address, "bob")
        page, said = alice.page, alice.texts
        play([alice, bob], 99, page.locator(".past li").count)
        play([alice, bob], 99, page.locator(".dock:not([aria-busy]) [data-move=hit]").count)
        assert page.evaluate(COVERED) <= 0, "the dock covers no card"
        expect(page.locator(".advice, .hinted")).to_have_count(0)
        page.locator(".mychips summary").click()
        page.get_by_label(said["hints"]).check()
        hint = page.locator(".hinted").get_attribute("data-move")
        expect(page.locator(".advice")).to_contain_text(said[f"move.{hint}"])
        page.reload()
        expect(page.locator(".hinted")).to_have_attribute("data-move", hint)
        bet = place.public.get("/v1/tables/t1")["round"]["bets"][0]["amount"]
        chips = place.public.get("/v1/tables/t1")["chips"]["1"]
        left = re.sub(r"(?=(?:...)+$)", ".?", str(chips - bet)).removeprefix(".?")
        expect(page.locator(".seat.you .name span")).to_have_text(re.compile(f"^{left}$"))

        play([alice, bob], 99, page.locator("[data-do=again]").count)
        page.locator(".mychips summary").click()
        expect(page.locator("[data-do=transfer]")).to_be_enabled()
        amount = page.locator(".mychips input[type=number]")
        amount.fill("5000")
        expect(page.locator("[data-do=transfer]")).to_be_disabled()
        amount.fill("7")
        before = place.public.get("/v1/tables/t1")["chips"]
        page.locator("[data-do=transfer]").click()
        expect(bob.page.locator(".seat.you .name span")).to_have_text(f"{before['2'] + 7:,}")
        assert place.public.get("/v1/tables/t1")["chips"]["1"] == before["1"] - 7

        page.locator("h1").click()
        page.keyboard.press("?")
        letters = page.locator("dialog kbd").all_inner_texts()
        assert letters == [*"BCDFGHINPSWXZ"], "the keys of casino, each once"
        assert faults(alice, axe) == []
        if language == "german":
            assert strange(page, "alice", "bob", "CA") == set()
        page.keyboard.press("Escape")
        page.keyboard.press("d")
        expect(page.locator(".seat.you .bets .stack b")).to_have_text(str(2 * bet))
        past = page.locator(".past li").first
        expect(past.locator("i")).not_to_have_count(0)
        past.locator("a").click()
        expect(page).to_have_url(f"{place.address}/v1/rounds/t1%23{place.public.get('/v1/tables/t1')['rounds']}/verify")


def test_seven_boxes_on_a_phone_beside_the_dealers_card_and_a_bet_that_is_cut(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("boxes", table="t1", options={"packs": 4})
        alice = sitting(place.address, "alice", viewport={"width": 360, "height": 800})
        page = alice.page
        expect(page.locator(".news")).to_be_empty()
        play([alice], 99, page.locator("[data-box]").count)
        for _ in range(3):
            page.locator("[data-chip='200']").click()
        expect(page.locator(".limited")).to_contain_text("Your bet is cut to 500: 2 to 500 may be bet")
        page.get_by_role("button", name="Clear").click()
        expect(page.locator(".limited")).to_have_count(0)
        for box in range(1, 8):
            page.locator(f"[data-box='{box}']").click()
            page.locator("[data-chip='10']").click()
        assert page.evaluate("document.querySelector('.bar').offsetHeight / innerHeight") < 1 / 3
        page.locator("[data-do=bet]").click()
        play(
            [alice], 99, lambda: page.locator("[data-move]").count() or page.locator(".paid li").count(), decides=False
        )
        if page.locator("[data-move]").count():  # else the dealer had ace and ten
            top, above, share = page.evaluate(SEEN)
            assert top >= 0, "the dealer's cards are seen"
            assert above >= 0, "the dock covers no hand"
            assert share < 1 / 3
        play([alice], 99, page.locator(".paid li").count)
        expect(page.locator(".news")).to_contain_text("all cards are shuffled anew after each round (BX-05).")
