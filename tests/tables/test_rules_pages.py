"""The pages of the rules: they state what the engine plays by a table's options; and how the lobby tells them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import RULES, chinese, lounge, pontoon, rules_of
from fairshoe.engine.rules.casino import INSERT_SPREAD

from ..hands import hand_of
from ..page.test_looks import faults
from ..service.place import Place
from ..service.test_pages import BROWSER
from ..service.wire import call
from .texts import strange

OFF = {
    "banker": {"packs": 1, "minimum": 4, "maximum": 1000},
    "boxes": {"packs": 4, "minimum": 10, "maximum": 20},
    "casino": {"packs": 8, "minimum": 3, "maximum": 1001, "insert": 70},
    "chinese": {
        "packs": 2,
        "minimum": 5,
        "maximum": 50,
        "rotation": "fixed",
        "first_dealer": 3,
        "direction": "anticlockwise",
        "escape": False,
        "free_hand": True,
        "five_dragon_21_triple": True,
        "twenty_one_double": True,
    },
    "lounge": {"packs": 8, "gift": 700, "fewest": 3},
    "pontoon": {"minimum": 3, "maximum": 9, "participants": 9},
}
"""Every option of every game off its default; pontoon has no other number of packs."""


def limits(rules):
    return [rules.lowest_bet, rules.maximum // rules.bet_unit * rules.bet_unit]


def packs(rules):
    return [rules.cards, *([rules.packs] if rules.packs > 1 else [])]


NUMBERS = {
    "banker": {"BK-01": packs, "GE-04": limits},
    "boxes": {"BX-04": packs, "GE-04": limits, "BX-06": lambda rules: [len(rules.boxes)]},
    "casino": {
        "CA-01": lambda rules: [rules.chairs[1]],
        "CA-02": packs,
        "CA-06": lambda rules: [rules.insert, rules.insert + INSERT_SPREAD - 1],
        "CA-08": limits,
    },
    "chinese": {
        "CH-01": packs,
        "CH-02": lambda rules: rules.chairs,
        "CH-03": lambda rules: [rules.first_dealer],
        "CH-05": lambda rules: [*limits(rules), chinese.MAX_LOSS, chinese.MAX_LOSS],
    },
    "lounge": {
        "LO-02": lambda rules: [lounge.BUY_IN],
        "LO-03": lambda rules: [lounge.TO_POOL, lounge.TO_HOUSE],
        "LO-05": lambda rules: [rules.gift],
        "LO-07": lambda rules: [lounge.BUY_IN],
        "LO-08": lambda rules: [rules.fewest] if rules.fewest > 1 else [],
        "LO-09": packs,
    },
    "pontoon": {
        "PO-01": lambda rules: rules.chairs,
        "PO-02": packs,
        "PO-12": limits,
        "PO-38": lambda rules: [pontoon.MAX_LOSS, pontoon.MAX_LOSS],
    },
}
"""The numbers of each clause that follow from options or stand in the engine."""
UNMARKED = {"CA-08", "CH-05", "GE-04", "LO-05", "PO-12", "CH-02", "GE-07"}
"""Clauses of a table's limits, of its chairs and its time: no house rules."""
DRAGONS = hand_of("2s 3s 4s 5s 6s"), hand_of("2s 3s 4s 5s 7s")
SWITCHED = {
    "CH-03": (
        r"passes on: (.*)\. ",
        lambda rules: {"fixed": "never", "three_rounds": "after three rounds"}[rules.rotation],
    ),
    "CH-08": (r"cards for everybody, (\w+)", lambda rules: rules.direction),
    "CH-21": (r"you may( not)? leave", lambda rules: None if rules.free_hand else " not"),
    "CH-22": (r"cards( do not)? escape", lambda rules: None if rules._may_escape(hand_of("7s 8s")) else " do not"),
    "CH-24": (r"(again|plays on)", lambda rules: "again" if rules.free_hand else "plays on"),
    "CH-30": (r".*\b(\d):1", lambda rules: str(max(map(rules._dragon_factor, DRAGONS)))),
    "CH-38": (r".*\b(\d):1", lambda rules: str(max(map(rules._dragon_factor, DRAGONS)))),
    "CH-42": (r"(1:1, with 21 2:1|1:1)", lambda rules: ["1:1", "1:1, with 21 2:1"][rules._price_factor(21) - 1]),
    "CH-43": (r"(twice|once)", lambda rules: ["once", "twice"][rules._price_factor(21) - 1]),
    "CH-44": (r"(\d):1", lambda rules: str(rules._price_factor(21))),
}
"""What the words of a clause say that a switch changes, and what the engine does."""


def stated(page, address, path):
    """Each clause's words by its id, and the ids of those that are marked as changed."""
    page.goto(f"{address}{path}")
    page.locator("main h1").wait_for()
    read = "each => each.map(one => [one.id, one.firstChild.data, one.matches('.changed')])"
    found = page.locator(".clauses li").evaluate_all(read)
    return {clause: words for clause, words, _ in found}, {clause for clause, _, changed in found if changed}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A house with a table of each game with every option off its default, and one at the defaults."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        for game, options in OFF.items():
            place.operator.create_table(game, table=f"own-{game}", options=options, policy={"decision": 77})
        place.operator.create_table("casino", table="solo", placer="player")
        yield place


def test_each_page_states_the_numbers_that_the_engine_plays_by(place, browser):
    page = browser.new_context(locale="en-GB").new_page()
    for game in RULES:
        usual = {}
        for path, options, decision in (
            (f"/rules/{game}", {}, Policy().decision),
            (f"/tables/own-{game}/rules", OFF[game], 77),
        ):
            rules = rules_of(game, options)
            assert not options or {*options, "packs"} == {*rules.options}
            told, changed = stated(page, place.address, path)
            usual = usual or told
            wanted = NUMBERS[game] | {"GE-07": lambda _, decision=decision: [decision]}
            for clause, numbers in wanted.items():
                found = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", told[clause])]
                assert found == [*numbers(rules)], (path, told[clause])
            for clause, (pattern, said) in SWITCHED.items() if game == "chinese" else ():
                found = re.search(pattern, told[clause])
                assert found[1] == said(rules), (path, told[clause])
            differ = {clause for clause in told if told[clause] != usual[clause]}
            assert differ <= {*wanted, *SWITCHED}
            assert changed == differ - UNMARKED
    assert "CA-05" not in stated(page, place.address, "/tables/solo/rules")[0], "a player who places does not cut"
    page.context.close()


@pytest.mark.parametrize(("language", "width"), [("en-GB", 1280), ("de-DE", 360)])
def test_rules_and_lobby_are_for_everybody_in_both_languages(place, browser, axe, language, width):
    context = browser.new_context(locale=language, viewport={"width": width, "height": 800})

    class Reading:
        page = context.new_page()

    page = Reading.page
    for path in ("/tables/own-chinese/rules", "/rules/lounge", "/"):
        page.goto(f"{place.address}{path}")
        page.locator("main h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(Reading, axe) == []
        if language == "de-DE":
            assert strange(page, "CH", "LO", "GE", "own", *RULES, "solo") == set()
    context.close()


def test_the_lobby_tells_who_places_the_cards_the_edge_the_price_and_what_is_off_its_default(place, browser):
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(place.address)
    card = {name: page.locator("li").filter(has=page.get_by_text(name, exact=True)) for name in ("solo", "own-chinese")}
    expect(card["solo"]).to_contain_text("The player’s browser places the cards")
    expect(card["solo"]).to_contain_text("House edge about 0.7% by basic strategy")
    expect(card["own-chinese"]).to_contain_text("Packs: 2; The bank passes on: never; First dealer’s seat: 3")
    expect(
        page.get_by_text(
            "1,000 are the house’s fee. Paid back only if the house errs; a pool that all have left is shared."
        )
    ).to_have_count(1)
    own = page.locator(".own").all_inner_texts()
    assert len(own) == len(OFF)
    assert "bet" not in "".join(own), "limits are no house rules"
    card["own-chinese"].get_by_role("link", name="Rules", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Rules of table own-chinese")
    expect(page.locator(".facts .changed")).to_have_count(len(OFF["chinese"]) - 2)
    page.get_by_role("link", name="To the table").click()
    page.get_by_role("link", name="Rules of this table").click()
    above = page.get_by_role("dialog")
    expect(above.locator("h1")).to_have_text("Rules of table own-chinese")
    above.get_by_role("button", name="To the table").click()
    expect(page.locator("h1")).to_have_text(["own-chinese"])
    assert len(page.context.pages) == 1
    page.context.close()


def test_rules_of_what_there_is_not_are_pages_of_404_and_problems_for_programs(place, browser):
    there = [*(f"/rules/{game}" for game in RULES), "/tables/solo", "/tables/solo/rules"]
    for path in (*there, "/rules/", "/rules/whist", "/tables/nowhere", "/tables/nowhere/rules", "/tables/%00/rules"):
        answer = call(place, "GET", path, Accept=BROWSER)
        assert answer.status == (200 if path in there else 404)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert (b'<a href="/docs/rules">' in answer.body) == (path in there), "without JavaScript"
    assert call(place, "GET", "/docs/rules").status == 200
    assert call(place, "GET", "/rules/whist", Accept="*/*").headers["Content-Type"] == "application/problem+json"
    page = browser.new_context(locale="en-GB").new_page()
    for path, said in (("/rules/whist", "There is no such page here"), ("/tables/nowhere/rules", "no table nowhere")):
        page.goto(f"{place.address}{path}")
        expect(page.get_by_role("alert")).to_contain_text(said)
    page.context.close()
