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
        expect(page.locator("dialog li")).to_have_count(26)
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
