"""The pages for who reads German: a hand by clicks, and no word on any page that is not one of the German texts."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from ..lying import TEN_WAYS, LyingHouse
from ..service.place import Place
from ..verifier.node import node
from .player import play
from .texts import strange

NAMES = "Zoë", "abend", "CA"


def test_a_hand_is_played_and_checked_in_german(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="abend")
        zoe = sitting(place.address, "Zoë", "abend", "german", viewport={"width": 390, "height": 844})
        page = zoe.page
        assert page.evaluate("document.documentElement.lang") == "de"
        found = set()

        def hands():
            found.update(strange(page, *NAMES))
            return page.locator(".myhands li").count()

        clicked = play([zoe], 99, hands)
        assert {"do=hash", "do=bet"} <= clicked
        expect(page.locator(".paid li").first).to_contain_text(re.compile(r"Sie: \w+ [+−]?\d+.*\(CA-\d\d\)"))
        play([zoe], 1, page.locator(".sit").count)
        (name,) = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('fairshoe.name p-'))")
        assert page.evaluate("(name) => localStorage[name]", name) == "Zoë"
        page.goto(f"{place.address}/#hands")
        expect(page.locator("[data-mark=pass]").first).to_contain_text("geprüft: Alles stimmt")
        found |= strange(page, *NAMES)
        page.goto(place.address)
        expect(page.locator(".tablecard")).to_contain_text("0 von 7 Plätzen besetzt")
        assert found | strange(page, *NAMES) == set()
        place.assert_clean()


def test_a_lie_is_told_in_german_and_a_refusal_with_what_was_said_in_english(tmp_path, sitting):
    lie = TEN_WAYS["decision-by-the-table"]
    with Place(tmp_path / "data") as place, LyingHouse(place, lie) as house:
        zoe = sitting(house.address, "Zoë", "decision-by-the-table", "german")
        play([zoe], 99, zoe.page.locator(".alarm").count)
        alarm = zoe.page.locator(".alarm")
        expect(alarm).to_contain_text("Dieses Haus ist nicht ehrlich")
        expect(alarm.locator("li")).to_have_text(re.compile(r"^Runde \d+: Es sagt, Sie hätten anders gespielt"))
        assert strange(zoe.page, *NAMES, "decision-by-the-table") == set()
        other = zoe.context.new_page()
        other.goto(f"{house.address}/tables/decision-by-the-table")
        expect(other.locator(".trouble")).to_contain_text("Ihr Platz ist in einem anderen Tab offen")
        other.goto(f"{house.address}/#hands")
        other.get_by_text("Hände holen, die").click()
        other.get_by_label("Tisch", exact=True).fill("t1")
        other.get_by_role("button", name="Holen").click()
        expect(other.get_by_role("status").first).to_contain_text("Das geht nicht: ")
        expect(other.get_by_role("status").first.locator("[lang=en]")).to_contain_text("1 to 64 characters")


COUNTED = """
  import { filledIn } from "./fairshoe/web/verifier/page/language.ts";
  const written = (value) => value.toLocaleString("de");
  const counted = [0, 1, 2, 1234].map((n) => filledIn("{n|eine Hand|# Hände} von {n}{m}", "de", { n }, written));
  console.log(JSON.stringify(counted));
"""


def test_the_language_is_the_browsers_until_another_is_chosen_and_then_for_every_page(tmp_path, browser):
    with Place(tmp_path / "data") as place:
        context = browser.new_context(locale="de-AT")
        page = context.new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page.goto(place.address)
        expect(page.locator("h1")).to_have_text("Wählen Sie einen Tisch")
        assert [name for name in asked if name.startswith("german-")]
        assert not [name for name in asked if name.startswith("english-")]
        page.get_by_role("button", name="English").click()
        expect(page.locator("h1")).to_have_text("Choose a table")
        page.goto(f"{place.address}/verify")
        expect(page.locator("h1")).to_have_text("Was this hand dealt fairly?")
        page.get_by_role("button", name="Deutsch").click()
        page.get_by_role("link", name="fairshoe").click()
        expect(page.locator("h1")).to_have_text("Wählen Sie einen Tisch")
        assert page.evaluate("document.documentElement.lang") == "de"
        counted = ["0 Hände von 0{m}", "eine Hand von 1{m}", "2 Hände von 2{m}", "1.234 Hände von 1.234{m}"]
        words = [node(), "--input-type=module", "--eval", COUNTED]
        done = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == counted
        context.close()
