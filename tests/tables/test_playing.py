"""The pages where one plays, in a real browser: sessions by clicks, each player in a browser of their own."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fairshoe.engine.rules import rules_of
from fairshoe.service.api import modules

from ..page.test_looks import faults
from ..service.place import Place
from .player import play

GAMES = {
    "casino": {"packs": 3},
    "boxes": {"packs": 4},
    "lounge": {},
    "chinese": {"escape": False},
    "pontoon": {},
    "banker": {},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_session_by_clicks_is_checked_by_both_browsers(tmp_path, sitting, game):
    with Place(tmp_path / "data") as place:
        place.operator.create_table(game, table="t1", options=GAMES[game])
        names = ["alice", "Bøb"][: rules_of(game).chairs[1]]
        players = [sitting(place.address, name) for name in names]

        clicked = set()
        if game == "pontoon":
            clicked |= play(players, 99, lambda: len(place.of_kind("bank")) > 0)
            for each in players:
                expect(each.page.locator(".news")).to_contain_text("(PO-04)")
                expect(each.page.locator(".drawn li")).to_have_count(2)

        def left():
            return all(each.page.locator(".sit").count() for each in players)

        clicked |= play(players, 2, left)
        assert {"do=shoe", "do=leave"} <= clicked
        for each in players:
            each.page.goto(f"{place.address}/#hands")
            expect(each.page.locator("[data-mark=pass]").first).to_be_visible()
            expect(each.page.locator("[data-mark=open]")).to_have_count(0)
            assert each.page.locator("[data-mark=fail]").count() == 0
            whys = each.page.locator("li:has-text('banked') .why")
            assert all(why.startswith((*names, "Seat ")) for why in whys.all_inner_texts())
        page = players[0].page
        moved = [each for each in place.of_kind("chips") if each.get("player") == "alice"]
        won = sum({"buy-in": -1}.get(each["op"], 1) * each["amount"] for each in moved)
        result = re.sub("-", "−", f"{won:+,}" if won else "0")
        expect(page.locator(".lead")).to_contain_text(
            re.compile(rf"(Result of the hands|In all): {re.escape(result)}[.,] ")
        )
        fees = "Paid for seats: 10,000, of it 1,000 in fees."
        assert (fees in page.locator(".lead").inner_text()) == (game == "lounge")
        with page.expect_download() as file:
            page.get_by_role("button", name="CSV").click()
        head, *lines = csv.reader(Path(file.value.path()).read_text("utf-8-sig").splitlines())
        assert (head[5], head[8]) == ("Result", "Why")
        assert sum(int(line[5]) for line in lines) == won
        assert all(line[8] for line in lines)
        if game == "chinese":
            other = page.context.browser.new_context(locale="en-GB").new_page()
            fetched(place, other)
            banked = other.locator("li:has-text('banked') .why").all_inner_texts()
            assert {why[:2] for why in banked} == {"p-"}, "by the id in the log"
            other.context.close()
        newest = page.locator(".myhands li").first.get_attribute("data-hand")
        page.goto(f"{place.address}/verify")
        page.locator("div:has(form.proof) ~ .kept a.row.pass", has_text=newest).click()
        expect(page.locator("#verdict.pass")).to_contain_text(newest)
        page.get_by_role("link", name="My hands").click()
        expect(page.locator(f"[data-hand='{newest}']")).to_be_visible()
        place.assert_clean()


def test_a_reload_in_the_middle_of_a_hand_goes_on_and_keys_decide(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        alice = sitting(place.address, "alice", viewport={"width": 390, "height": 844}, color_scheme="dark")
        page = alice.page
        play([alice], 99, page.locator("[data-move]").count, decides=False)
        page.reload()
        expect(page.locator("[data-move]").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        hidden = place.public.get("/v1/tables/t1")["round"]["view"]["dealer"]["cards"]
        assert hidden[1] is None
        expect(page.locator(".dealer .card.down")).to_have_count(1)
        insured = page.locator("[data-move=decline]").count()
        expect(page.locator(".dock:not([aria-disabled])")).to_be_visible()
        page.keyboard.press("n" if insured else "s")
        play([alice], 99, page.locator(".myhands li").count)
        expect(page.locator(".myhands li").first).to_have_attribute("data-mark", "pass")


LUCKY = """async () => {
  const { browserStorage } = await import("/modules/player.js");
  const storage = await browserStorage();
  const [name, kept] = (await storage.all("")).find(([name]) => / hand /.test(name));
  for (let round = 100; round < 200; round++) {
    const hand = { ...kept.hand, id: `t1#${round}`, round, net: 10, bets: [10] };
    await storage.put(name.replace(/\\d+$/, String(round).padStart(12, "0")), { ...kept, hand });
  }
}"""
"""A hundred more hands than were played, all won."""


def fetched(place, page):
    """Have a browser that has none fetch alice's hands."""
    page.goto(f"{place.address}/#hands")
    page.get_by_text("Fetch hands that").click()
    page.get_by_label("Table", exact=True).fill("t1")
    page.get_by_label("Your name").fill("alice")
    page.get_by_role("button", name="Fetch").click()
    expect(page.locator("[data-mark=pass]")).to_have_count(len(place.of_kind("round")))


def test_my_hands_say_why_they_were_paid_and_come_back_to_a_browser_that_lost_them(tmp_path, sitting, browser):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        alice = sitting(place.address, "alice")
        play([alice], 2, alice.page.locator(".sit").count)
        expect(alice.page.locator(".paid li").first).to_contain_text(re.compile(r"you: .*\(BK-\d\d\)"))
        clause = alice.page.locator(".paid a").first
        clause.click()
        expect(alice.page.get_by_role("dialog").locator("li:focus")).to_have_id(clause.inner_text())
        alice.page.keyboard.press("Escape")
        alice.page.locator("[data-hand] a").first.click()
        expect(alice.page.locator(".trust")).to_contain_text("This browser has known the key since")
        alice.page.go_back()
        other = browser.new_context(locale="en-GB").new_page()
        fetched(place, other)
        expect(other.locator(".why").first).to_contain_text(re.compile(r"\(BK-\d\d\)"))
        other.context.close()
        alice.page.evaluate(LUCKY)
        alice.page.goto(f"{place.address}/#hands")
        expect(alice.page.locator("[data-chance=outside]")).to_contain_text("fewer than one player in 1,000")


def test_who_asks_for_a_shoe_that_somebody_else_asked_for_goes_on(tmp_path, sitting):
    """The shoe was asked for by somebody else, and nothing of it came through."""
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        alice, bob = sitting(place.address, "alice"), sitting(place.address, "bob")
        bob.page.route(re.compile("/events$"), lambda route: route.abort())
        bob.page.reload()
        expect(bob.page.locator("[data-do=shoe]")).to_be_visible()
        sent = []
        bob.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
        look = re.compile("/v1/tables/t1$")
        bob.page.route(look, lambda route: route.continue_() if sent else route.abort())
        alice.page.locator("[data-do=shoe]").click()
        expect(alice.page.locator("[data-do=hash]")).to_be_visible()
        bob.page.locator("[data-do=shoe]").click()
        bob.page.locator("[data-do=hash]").click()
        expect(bob.page.locator("div.trouble")).to_have_text("")
        expect(bob.page.locator(".roster")).to_contain_text("you: promised")


HOLD = """(name) => new Promise((held) => navigator.locks.request(name, () => {
  held();
  return new Promise((done) => window.free = done);
}))"""
"""Have this tab look after a seat that was left, as it does while it checks hands."""


def test_hands_of_a_shoe_that_goes_on_are_checked_when_it_is_over_though_their_player_has_left(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        alice, bob = sitting(place.address, "alice"), sitting(place.address, "bob")

        def alice_has_left():
            bob.step(99)  # bob stays, and the shoe with him
            return alice.page.locator(".sit").count()

        play([alice], 1, alice_has_left)
        hands = alice.context.new_page()
        hands.goto(f"{place.address}/#hands")
        expect(hands.locator("[data-mark=open]").first).to_be_visible()
        hands.evaluate(HOLD, f"{place.address} tab t1")
        play([alice, bob], 1, lambda: bob.page.locator(".sit").count())
        expect(bob.page.locator("[data-mark=pass]").first).to_be_visible()
        hands.evaluate("free()")
        for each in (alice, bob):
            expect(each.page.locator("[data-mark=pass]").first).to_be_visible()
            expect(each.page.locator("[data-mark=open]")).to_have_count(0)
            expect(each.page.locator("div.trouble")).to_have_text([""])
        expect(hands.locator("[data-mark]")).not_to_have_count(0)
        expect(hands.locator("[data-mark=open]")).to_have_count(0)


def test_several_boxes_until_the_operator_takes_no_more_bets(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("boxes", table="t1")
        alice, bob = (
            sitting(place.address, "alice", viewport={"width": 390, "height": 844}),
            sitting(place.address, "bob", language="german"),
        )
        operator = alice.context.new_page()
        operator.add_init_script(f"sessionStorage.setItem('operator', '{place.token}')")
        operator.goto(f"{place.address}/tables/t1")
        alice.page.locator("[data-do=shoe]").click()
        for each in (alice, bob):
            each.page.locator("[data-do=hash]").click()
        bob.page.locator("[data-box='1']").click()
        bob.page.locator("[data-chip='10']").click()
        bob.page.locator("[data-do=bet]").click()
        for box in (1, 5):
            alice.page.locator(f"[data-box='{box}']").click()
            alice.page.locator("[data-chip='10']").click()
        alice.page.locator("[data-do=bet]").click()
        told = bob.page.get_by_role("status").filter(has_text="Box 1")
        expect(told).to_have_text("Ihr Einsatz von 10 auf Box 1 zählt nicht: Dort setzt, wem die Box gehört.")
        operator.get_by_role("button", name="No more bets").click()
        expect(told).to_contain_text("Keine Hand für Sie: Es kam kein Einsatz rechtzeitig.")
        hands = alice.page.locator(".seat.you .hand")
        expect(hands).to_have_count(2)
        assert [text.split("\n")[0] for text in hands.all_inner_texts()] == ["Box 1", "Box 5"]
        play([alice, bob], 99, alice.page.locator(".paid li").count)
        expect(alice.page.locator(".paid li").first).to_contain_text("you, Box 1: ")
        assert [each["seat"] for each in place.of_kind("round")[0]["hands"]] == [1, 1]
        assert alice.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_is_typed_in_stays_and_the_fee_is_told_before_it_is_paid(tmp_path, browser):
    with Place(tmp_path / "data") as place:
        table = place.operator.create_table("lounge", table="t1")
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(f"{place.address}/tables/t1")
        page.get_by_label("Your name").fill("alice")
        table.sit("bob", 10_000)
        expect(page.locator(".seat .name").first).to_contain_text("bob")
        expect(page.get_by_label("Your name")).to_have_value("alice")
        expect(page.locator(".costs")).to_contain_text(
            "1,000 are the house’s fee. Paid back only if the house errs; a pool that all have left is shared."
        )
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator(".seat.you")).to_be_visible()
        expect(page.locator(".mychips .costs")).to_have_count(1)
        expect(page.locator(".seat .name em")).to_have_text(["in the game"] * 2)
        page.context.close()


def test_table_and_verifier_weigh_less_than_110_kb():
    files, seen = modules.files(), set()
    wanted = ["main.js", "tables.css", "worker.js"]
    while wanted:
        name = wanted.pop()
        seen.add(name)
        found = re.findall(r'(?:from|import|import\()"\./([^"]+)"', files[name].data.decode())
        wanted += {*found} - seen
    seen -= {name for name in seen if name.startswith(("operator-", "rules-", "quicknet-"))}  # for other pages, beacons
    assert {name.partition("-")[0] for name in seen} >= {"english", "german", "hands"}
    assert sum(len(files[name].packed) for name in seen) < 110_000


def test_a_seat_is_one_tabs_and_a_connection_that_was_lost_comes_back(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="t1")
        alice = sitting(place.address, "alice")
        other = alice.context.new_page()
        other.goto(f"{place.address}/tables/t1")
        expect(other.locator("div.trouble")).to_contain_text("open in another tab")
        expect(other.locator("form.sit")).to_have_count(0)
        other.close()
        play([alice], 99, alice.page.locator("[data-chip]").count)
        alice.page.locator("[data-chip]").first.click()
        alice.context.set_offline(True)
        alice.page.locator("[data-do=bet]").click()
        alice.page.wait_for_timeout(300)
        alice.context.set_offline(False)
        play([alice], 99, alice.page.locator("[data-mark=pass]").count)
        place.assert_clean()


def test_nothing_is_in_the_way_of_a_screen_reader(tmp_path, sitting, axe):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        for scheme, language in (("light", "english"), ("dark", "german")):
            each = sitting(place.address, scheme, language=language, color_scheme=scheme, reduced_motion="reduce")
            for path in ("/tables/t1", "/", "/#hands"):
                each.page.goto(place.address + path)
                each.page.locator("main h1").wait_for()
                assert faults(each, axe) == []
