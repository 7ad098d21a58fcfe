"""Tables whose player places the cards, in a real browser: it does so by itself, over a reload, and tells of houses
that lie."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from ..lying import LyingHouse
from ..lying_places import TO_PLACERS
from ..service.place import Place
from .player import new_table, play

SHOWN = ("another-bet", "asked-twice")
"""A lie about what the player sent, and one to have a place; tests/player/test_places.py has them all."""


def mover(page):
    """Whether a decision is waited for."""
    return page.locator("[data-move]").count


@pytest.mark.parametrize("game", ["banker", "casino"])
def test_the_browser_places_over_a_reload_and_checks_its_hands(tmp_path, sitting, game):
    with Place(tmp_path / "data") as place:
        place.operator.create_table(game, table="t1", placer="player")
        alice = sitting(place.address, "alice")
        page, sent = alice.page, []
        page.on("request", lambda request: sent.append(f"{request.url} {request.headers} {request.post_data}"))
        expect(page.locator(".placer")).to_contain_text("Nobody knows the next card")
        clicked = play([alice], 99, mover(page), decides=False)
        assert not {"do=hash", "do=seed"} & clicked
        page.reload()
        expect(page.locator("[data-move]").first).to_be_visible()
        page.keyboard.press("n" if page.locator("[data-move=decline]").count() else "s")
        play([alice], 2, page.locator(".sit").count)
        page.goto(f"{place.address}/#hands")
        expect(page.locator("[data-mark=pass]").nth(1)).to_be_visible()
        expect(page.locator("[data-mark]:not([data-mark=pass]), .alarm")).to_have_count(0)
        assert {"shoe", "placed"} <= {entry["kind"] for entry in place.entries()}
        place.assert_clean()
        keys = [entry["key"] for entry in place.of_kind("placed")]
        assert len(keys) == len(place.of_kind("shoe"))
        for key in keys:
            (last,) = (each for each in sent if key in each)
            assert "\\nend\\n" in last, "the key went out before the shoe's end"


def test_houses_that_lie_are_told_in_words(tmp_path, sitting):
    """Each with a browser of its own; the evidence has what the house signed."""
    with Place(tmp_path / "data") as place, ExitStack() as houses:
        lied_to = {}
        for name in SHOWN:
            house = houses.enter_context(LyingHouse(place, TO_PLACERS[f"places-{name}"], name))
            lied_to[name] = sitting(house.address, "alice", name), house

        def quiet():
            return [(each, house) for each, house in lied_to.values() if not each.page.locator(".alarm").count()]

        end = time.monotonic() + 120
        while quiet():
            for each, house in quiet():
                each.step(house.lie.rounds)
            next(iter(lied_to.values()))[0].page.wait_for_timeout(150)
            assert time.monotonic() < end, [name for name, each in lied_to.items() if each in quiet()]
        for each, house in lied_to.values():
            expect(each.page.locator(".alarm")).to_contain_text(each.texts[f"alarm.{house.lie.code}"])
            answered = {json.loads(body).get("question") for body in house.posted}
            assert not answered.intersection(house.lie.forged)


def test_a_seat_is_taken_along_in_the_middle_of_a_hand(tmp_path, sitting, browser):
    """The file has the key of the places and all that was answered: another browser goes on."""
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1", placer="player")
        alice = sitting(place.address, "alice")
        page = alice.page
        play([alice], 99, mover(page), decides=False)
        page.locator(".mychips summary").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Take my seat along").click()
        file = saved.value.path()
        alice.page.close()
        context = browser.new_context(locale="en-GB")
        other = context.new_page()
        other.goto(f"{place.address}/tables/t1")
        other.locator("details summary", has_text="I have my seat in a file").click()
        other.get_by_label("I have my seat in a file").set_input_files(file)
        expect(other.locator("[data-move]").first).to_be_visible()
        alice.page = other
        play([alice], 99, other.locator(".myhands li").count)
        expect(other.locator(".myhands li").first).to_have_attribute("data-mark", "pass")
        context.close()
        place.assert_clean()


def test_the_operator_opens_one(tmp_path, browser):
    with Place(tmp_path / "data") as place:
        context = browser.new_context(locale="de-DE")
        page = context.new_page()
        game = new_table(page, place.address, place.token)
        placer = page.get_by_label("Zweiter Geber: Niemand kennt die nächste Karte")
        placer.select_option("player")
        game.select_option("pontoon")
        expect(placer).to_have_value("")
        expect(placer.locator("[value=player]")).to_be_disabled()
        game.select_option("casino")
        placer.select_option("player")
        page.get_by_role("button", name="Öffnen").click()
        page.locator("[data-table] a").click()
        expect(page.locator(".placer")).to_contain_text("Niemand kennt die nächste Karte")
        assert place.of_kind("table")[0]["placer"] == "player"
        page.goto(place.address)
        expect(page.locator(".tablecard")).to_contain_text("Der Browser des Spielers nennt die Stellen")
        context.close()
