"""The operator's page: how the house is, what each table waits for, and what only the operator does."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from fairshoe.service.tokens import READER, issue

from ..page.test_looks import faults
from ..service.place import Place
from ..service.test_placers import KEY, BesidePlacer
from .player import new_table, play
from .test_playing import GAMES
from .texts import strange


class Desk:
    """The operator's page in a browser of its own."""

    def __init__(self, browser, place, token=None, **options):
        self.context = browser.new_context(locale="en-GB", **options)
        self.page = self.context.new_page()
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.goto(f"{place.address}/operator")
        self.enter(token or place.token)

    def enter(self, token):
        self.page.get_by_label("The operator’s token").fill(token)
        self.page.get_by_role("button", name="Go on").click()

    def table(self, name):
        return self.page.locator(f"[data-table='{name}']")


@pytest.fixture
def desk(browser):
    made = []

    def desk(*given, **options):
        made.append(Desk(browser, *given, **options))
        return made[-1]

    yield desk
    for each in made:
        each.context.close()


def test_the_operator_opens_a_table_and_its_token_stays_in_the_tab(tmp_path, browser):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("banker", table="da")
        context = browser.new_context(locale="de-DE")
        page = context.new_page()
        game = new_table(page, place.address, place.token)
        game.wait_for()
        for name in GAMES:
            game.select_option(name)
            assert strange(page) == set()
        game.select_option("casino")
        name = page.get_by_label("Name des Tisches")
        name.fill("ein Abend")
        assert not name.evaluate("one => one.checkValidity()")
        name.fill("abend")
        limits = page.locator("form details")
        for field, wrong, right, told in (
            ("packs", "1", "3", "Von 3 bis 8."),
            ("maximum", "9" * 18, "500", "Von 0 bis 9.007.199.254.740.991."),
            ("minimum", "-" + "9" * 18, "2", "Von 0 bis 9.007.199.254.740.991."),
            ("table", "da", "abend", "Einen Tisch mit diesem Namen gibt es schon."),
            ("bet", "4", "60", "Von 5 bis 3.600."),
            ("lapses", "1", "2", "Von 2 bis 100."),
        ):
            limits.evaluate("one => one.open = true")
            input = page.locator(f"form [name={field}]")
            input.fill(wrong)
            limits.evaluate("one => one.open = false")
            page.get_by_role("button", name="Öffnen").click()
            expect(page.locator(f"label:has([name={field}]) .trouble")).to_have_text(told)
            expect(input).to_be_focused()
            input.fill(right)
        page.get_by_role("button", name="English").click()
        expect(page.get_by_label("Name of the table")).to_have_value("abend")
        assert [page.locator(f"form [name={one}]").input_value() for one in ("rules", "packs", "lapses")] == [
            *("casino", "3", "2")
        ]
        page.get_by_role("button", name="Deutsch").click()
        name.wait_for()
        page.get_by_role("button", name="Öffnen").click()
        expect(page.get_by_text("Der Tisch abend ist offen.").first).to_be_visible()
        expect(name).to_have_value("")
        expect(page.locator("[data-table=abend]")).to_contain_text("Casino · 2 bis 500")
        assert place.public.get("/v1/tables/abend")["rules"] == "casino"
        other = context.new_page()
        other.goto(place.address)
        expect(other.locator(".tablecard").first).to_contain_text("2 bis 500")
        assert other.evaluate("sessionStorage.length") == 0
        context.close()


def test_a_wrong_token_is_refused_at_once_and_a_readers_changes_nothing(tmp_path, desk):
    with Place(tmp_path / "data") as place:
        (alice,) = place.casino(1)
        desk = desk(place, "nobodys")
        for token in ("nobodys", alice.token):
            desk.enter(token)
            expect(desk.page.get_by_role("alert")).to_contain_text("neither the operator nor a reader has this token")
            assert desk.page.evaluate("sessionStorage.length") == 0
        with place.house.database.begin_write() as connection:
            reader = issue(connection, READER)
        desk.enter(reader)
        expect(desk.table("t1")).to_contain_text("p1")
        expect(desk.page.get_by_role("button")).to_have_text(["Deutsch", "Forget the token"])


def test_tables_are_shown_with_what_they_wait_for_and_are_operated(tmp_path, desk, axe):
    with Place(tmp_path / "data") as place:
        seats, turn = place.playing(2)
        place.sit("lounge", 2, name="lounge")
        desk = desk(place, viewport={"width": 390, "height": 844})
        page, table = desk.page, desk.table("t1")
        for check in ("Storage", "Newest checkpoint", "Clock", "Time limits"):
            expect(page.locator("li.pass", has_text=check)).to_contain_text("fine")
        expect(page.locator("li.pass", has_text="Its log")).to_contain_text(f"{len(place.entries())} entries")
        expect(page.locator("li.pass", has_text="Free disk")).to_contain_text("MiB")
        expect(table).to_contain_text(f"p{seats.index(turn) + 1} decides", use_inner_text=True)
        expect(table).to_contain_text("the limit ends at")
        expect(table.locator("[data-seat='2']")).to_contain_text(
            f"{place.public.get('/v1/tables/t1')['round']['view']['chips']['2']:,} chips"
        )
        expect(table.locator("[data-seat='2']")).to_contain_text("seed opened")
        assert faults(desk, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        table.locator("[data-seat='2']").get_by_role("button", name="Put out").click()
        expect(table.locator("[data-seat='2']")).to_contain_text("goes when the shoe ends")
        assert place.public.get("/v1/tables/t1")["evicted"] == [2]
        table.get_by_role("button", name="Close the table").click()
        expect(table.get_by_role("button", name="Close the table")).to_have_count(0)
        assert place.public.get("/v1/tables/t1")["closed"]
        expect(table).to_contain_text("the table is closing")
        page.context.new_page().goto(place.address)
        expect(page.context.pages[-1].locator(".tablecard", has_text="t1")).to_contain_text("the table is closing")
        lounge = desk.table("lounge")
        lounge.get_by_role("button", name="Close the table").click()
        expect(lounge.get_by_role("button", name="Close the table")).to_have_count(0)
        lounge.get_by_text("Refund a game").first.click()
        lounge.get_by_label("Who paid for which game").select_option("p1: game 1")
        lounge.get_by_label("Why").select_option("the game is not played out: 10,000")
        lounge.get_by_role("button", name="Refund a game").click()
        expect(lounge.locator("details[open]")).to_have_count(0)
        expect(page.locator("#said")).to_have_text("Done.")
        lounge.get_by_text("Refund a game").first.click()
        expect(lounge.get_by_label("Who paid for which game").locator("option")).to_have_text("p2: game 1")
        place.operator.table("lounge").send("refund", player="p2", game=1, why="round")
        lounge.get_by_role("button", name="Refund a game").click()
        refused = desk.page.locator("main > div > .trouble")
        expect(refused).to_contain_text("no buy-in of p2")
        with page.expect_response("**/v1/house"):  # a look at the house, after which it had gone
            pass
        with page.expect_response("**/v1/house"):
            pass
        expect(refused).to_contain_text("no buy-in of p2")
        assert [each["player"] for each in place.of_kind("chips") if each["op"] == "refund"] == ["p1", "p2"]


def come_back(browser, place, operator, seat):
    """Ask for a seat of t1 back with a browser that has lost it, and let that in; gives the browser's page."""
    page = browser.new_context(locale="en-GB").new_page()
    page.clock.install()
    page.goto(f"{place.address}/tables/t1")
    page.get_by_text("I sat here, and this browser has lost my seat").click()
    page.get_by_label("Which seat was mine").select_option(str(seat))
    page.get_by_role("button", name="Ask for it back").click()
    expect(page.locator(".trouble")).to_contain_text("the operator has to let you in")
    row = operator.table("t1").locator(f"[data-seat='{seat}']")
    row.get_by_text("Let the player back in").first.click()
    digest = page.locator(".trouble code").inner_text()
    assert [len(group) for group in digest.split()] == 8 * [8]
    row.get_by_label("Fingerprint of the new token").fill(digest.upper())
    row.get_by_role("button", name="Let the player back in").click()
    expect(row.locator("details[open]")).to_have_count(0)
    page.clock.run_for(6_000)
    return page


@pytest.mark.parametrize("game", ["boxes", "lounge", "chinese"])
def test_a_low_purse_a_silent_placer_and_a_cleared_browser(tmp_path, sitting, browser, desk, game):
    with BesidePlacer(tmp_path) as place:
        place.come()
        place.operator.create_table(game, table="t1", options=GAMES[game], placer=KEY)
        players = [sitting(place.address, name) for name in ("alice", "bob")[: 1 + (game == "chinese")]]
        if game != "lounge":  # which has a fixed price
            poor = sitting(place.address, "carol", chips=1)
            players.append(poor)
            play(players, 99, poor.page.locator(".notice", has_text="You have 1; a bet here takes at least").count)
            expect(poor.page.locator("[data-chip]")).to_have_count(0)

        def asked():
            return [each for each in players if each.page.locator("[data-move=hit]").count()]

        play(players, 99, asked, decides=False)
        (who,), cards = asked(), ".felt .hand .card"
        lying = who.page.locator(cards).count()
        place.go()
        seat = int(who.page.locator(".seat.you").get_attribute("data-seat"))
        who.page.locator(".dock:not([aria-disabled]) [data-move=hit]").click()
        expect(who.page.locator(".waiting")).to_contain_text("Waiting for placer.example to say")
        expect(who.page.locator(cards)).to_have_count(lying)
        expect(who.page.locator(".turn")).to_have_count(0)
        old, who.page = who.page, come_back(browser, place, desk(place), seat)
        expect(old.locator(".trouble").first).to_contain_text("This browser’s token is not known here")
        expect(old.locator(".dock button")).to_have_count(0)
        expect(who.page.locator(cards)).to_have_count(lying)
        place.come()
        play(players, 99, who.page.locator(".myhands li").count)
        expect(who.page.locator(".alarm")).to_have_count(0)
        assert [each["seat"] for each in place.of_kind("token")] == [seat]
        place.clean()
        place.go()
        who.page.context.close()


def test_who_placed_the_cards_is_offered_a_file_first_and_let_back_in_to_leave(tmp_path, sitting, browser, desk):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1", placer="player")
        alice = sitting(place.address, "alice")
        offer = alice.page.locator(".notice")
        expect(offer).to_contain_text("Only this browser has the key")
        with alice.page.expect_download():
            offer.get_by_role("button", name="Take my seat along").click()
        expect(offer).to_have_count(0)
        alice.page.locator("[data-do=shoe]").click()
        expect(offer).to_have_count(1)
        play([alice], 99, lambda: len(place.of_kind("round")) == 1)
        alice.page.close()
        page = come_back(browser, place, desk(place), 1)
        expect(page.locator(".dock")).to_contain_text("The operator can let you back in, to cash out and leave")
        page.get_by_text("My chips").click()
        page.locator("[data-do=leave]").click()
        expect(page.locator("form.sit")).to_be_visible()
        assert page.locator(".alarm").count() == 0
        assert place.of_kind("chips")[-1]["leaves"]
        place.assert_clean()
        page.context.close()
