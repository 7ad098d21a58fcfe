"""A table with a placer in a real browser: the operator opens it, the page says who deals beside the house and what is
waited for, and hands are checked."""

from __future__ import annotations

from playwright.sync_api import expect

from ..service.test_placers import BesidePlacer
from .player import new_table, play


def test_a_second_dealer_beside_the_house(tmp_path, sitting, browser):
    with BesidePlacer(tmp_path) as place:
        place.come()
        context = browser.new_context(locale="de-DE")
        page = context.new_page()
        new_table(page, place.address, place.token).select_option("banker")
        page.get_by_label("Name des Tisches").fill("t1")
        page.get_by_label("Zweiter Geber").select_option("placer.example")
        page.get_by_role("button", name="Öffnen").click()
        table = page.locator("[data-table=t1]")
        expect(table).to_contain_text("Die Stellen der Karten nennt: placer.example")
        alice = sitting(place.address, "alice")
        expect(alice.page.locator(".placer")).to_contain_text("Nobody knows the next card")
        place.go()
        alice.page.locator("[data-do=shoe]").click()
        expect(alice.page.locator(".waiting")).to_contain_text("Waiting for placer.example to say")
        expect(table.locator(".trouble")).to_contain_text("Steht still: Der zweite Geber schweigt.")
        context.close()
        place.come()
        play([alice], 2, alice.page.locator(".sit").count)
        alice.page.goto(f"{place.address}/#hands")
        expect(alice.page.locator("[data-mark=pass]").first).to_be_visible()
        assert alice.page.locator("[data-mark=fail]").count() == 0
        place.clean()
        place.go()
