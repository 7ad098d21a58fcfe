"""What a player's table offers beside the game: hints, past results, chips for another player, keys, and a view of the
hand."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from fairshoe.engine.view import PUBLIC, view

from ..hands import begin, seated
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
UNCOVERED = """async () => {
  const [news, bar] = [".news", ".bar"].map((what) => document.querySelector(what));
  for (let frames = 0; frames < 100; frames++) {
    if (news.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top) return true;
    await new Promise(requestAnimationFrame);
  }
  return false;
}"""
"""Whether the news come to lie above the dock."""


CUT = """() => {
  const brokenIn = (text) => [...(text.data ?? "").matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  });
  const seen = [...document.querySelectorAll("main *, dialog *")].filter((one) => one.checkVisibility());
  const wide = seen.filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest(".past"));
  const broken = seen.filter((one) => one.matches("button, summary, .name *")).flatMap((one) => [...one.childNodes]);
  return [...wide.map((one) => one.outerHTML), ...broken.flatMap(brokenIn).map(({ 0: word }) => word)];
}"""
"""What is wider than the page, and the words of buttons and names that are broken."""


def result(amount):
    """An amount as pages in English say it."""
    return re.escape(f"{amount:+,}".replace("-", "−") if amount else "0")


def test_hints_results_chips_and_keys(tmp_path, sitting, axe):
    """In German, whose words are the longer ones, on a small phone."""
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1", options={"packs": 3})
        size = {"width": 360, "height": 740}
        alice = sitting(place.address, "alice", language="german", viewport=size, reduced_motion="reduce")
        bob = sitting(place.address, "bob")
        page, said = alice.page, alice.texts
        play([alice, bob], 99, page.locator(".past li").count)
        play([alice, bob], 99, page.locator(".dock:not([aria-busy]) [data-move=hit]").count)
        assert page.evaluate(COVERED) <= 0, "the dock covers no card"
        expect(page.locator(".advice, .hinted")).to_have_count(0)
        page.locator(".mychips summary").click()
        page.get_by_label(said["hints"]).check()

        def hints():
            bob.step(99)
            return page.locator(".hinted").count()

        play([alice], 99, hints, decides=False)  # of the next round, where this one went on meanwhile
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
        expect(page.locator("[data-do=cash-out]")).to_be_disabled()
        expect(page.locator(".mychips [role=status]")).to_have_text(re.compile(r"Sie haben [\d.]+$"))
        amount.fill("7")
        before = place.public.get("/v1/tables/t1")["chips"]
        page.locator("[data-do=transfer]").click()
        expect(bob.page.locator(".seat.you .name span")).to_have_text(f"{before['2'] + 7:,}")
        assert place.public.get("/v1/tables/t1")["chips"]["1"] == before["1"] - 7
        expect(bob.page.locator(".news")).to_contain_text("alice gave you 7.")
        expect(page.locator(".news")).to_contain_text(re.compile("(You gave bob|Sie haben bob) 7"))
        bob.page.reload()
        expect(bob.page.locator(".news")).to_contain_text("alice gave you 7.")
        expect(bob.page.locator(".panels")).to_contain_text(re.compile(rf"In all: {result(before['2'] + 7 - 1000)}\."))

        page.locator("h1").click()
        page.keyboard.press("?")
        letters = page.locator("dialog kbd").all_inner_texts()
        assert letters == [*"BCDFGHINPSWXZ"], "the keys of casino, each once"
        page.locator("dialog tr").last.scroll_into_view_if_needed()
        last, back = (page.locator(f"dialog {what}").last.bounding_box() for what in ("tr", "button"))
        assert last["y"] + last["height"] <= back["y"], "the button covers no row"
        assert faults(alice, axe) == []
        assert page.evaluate(CUT) == []
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
        expect(page.locator(".limited")).to_contain_text("Your bet is 500: 2 to 500 may be bet")
        page.get_by_role("button", name="Clear").click()
        expect(page.locator(".limited")).to_have_count(0)
        for box in range(1, 8):
            page.locator(f"[data-box='{box}']").click()
            page.locator("[data-chip='10']").click()
        assert page.evaluate("document.querySelector('.bar').offsetHeight / innerHeight") < 1 / 3
        page.locator("[data-do=bet]").click()
        play([alice], 99, page.locator("[data-move], .paid li").count, decides=False, stop=".paid li")
        if page.locator("[data-move]").count():  # else the dealer had ace and ten
            top, above, share = page.evaluate(SEEN)
            assert top >= 0, "the dealer's cards are seen"
            assert above >= 0, "the dock covers no hand"
            assert share < 1 / 3
        play([alice], 99, page.locator(".paid li").count, stop=".paid li")  # and no new shoe is asked for
        expect(page.locator(".news")).to_contain_text("all cards are shuffled anew after each round (BX-05).")
        expect(page.locator(".waiting")).to_contain_text("Ask for the next shoe")


def told(place, page, **changed):
    """Have the page look at t1 as everybody sees it, with its state changed so, and at nothing newer."""
    state = place.public.get("/v1/tables/t1") | changed
    page.route(re.compile("/events$"), lambda route: route.abort())
    page.route(re.compile("/v1/tables/t1$"), lambda route: route.fulfill(json=state))
    page.goto(f"{place.address}/tables/t1")


def seat_of(player, *expects):
    return {"seat": 1, "player": player, "expects": expects}


def test_each_bet_of_a_hand_has_its_own_sign_and_news_end_with_the_next_shoe(tmp_path, browser):
    insured = begin(seated("casino"), "T A T 9", [10], "insure:5")
    hand = {"bet": 10, "cards": [0, 2], "insured": 5, "insurance": -5, "net": 0, "outcome": "push", "seat": 1}
    last = {"round": 1, "shoe": "t1/1", "cards": ["Ts", "Ah", "Td", "9c"], "decisions": [], "chips": {"house": 5}}
    last |= {"at": "", "hands": [hand | {"total": 20}], "dealer": {"cards": [1, 3], "total": 20}}
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        context = browser.new_context(locale="en-GB", viewport={"width": 360, "height": 560})
        page = context.new_page()
        told(place, page, phase="round", round={"round": 1, "bets": [], "view": view(insured, PUBLIC)})
        expect(page.locator(".outcome")).to_have_text(["insurance −5"])
        shoe = {"shoe": "t1/2", "commitment": "", "cards": 312, "position": 0, "sealed": False, "roster": []}
        shoe |= {"hashed": [], "opened": [], "struck": [], "burned": []}
        ended = {"kind": "reveal", "shoe": "t1/1", "why": "worn"}
        told(place, page, phase="hash", seats=[{"seat": 1, "player": "alice"}], last=last, shoe=shoe, ended=ended)
        expect(page.locator(".outcome")).to_have_text(["insurance −5", "push 0"])
        expect(page.locator(".outcome.lost")).to_have_count(1)
        expect(page.locator(".paid li")).to_contain_text("alice: push 0, insurance −5")
        expect(page.locator(".news")).to_be_empty()
        told(place, page, ended=ended)
        expect(page.locator(".news")).to_contain_text("its insert card has come (CA-07)")
        assert page.evaluate(UNCOVERED), "the dock covers no news"
        page.set_viewport_size({"width": 640, "height": 400})
        assert page.evaluate("getComputedStyle(document.querySelector('.bar')).position") == "static", "at 200 %"
        context.close()


def test_a_player_is_told_of_the_end_of_a_seat_and_offered_no_chips_that_there_are_not(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        page = sitting(place.address, "alice").page
        you = seat_of("alice", {"do": "chips", "ops": ["buy-in", "cash-out", "leave"], "may": True})
        told(place, page, you=you, evicted=[1])
        expect(page.locator(".dock")).to_contain_text("The operator puts you out: when this shoe is over")
        page.get_by_text("My chips").click()
        for amount in ("1.5", "9" * 21):
            page.locator(".mychips input[type=number]").fill(amount)
            expect(page.locator("[data-do=buy-in]")).to_be_disabled()
        told(place, page, you=you, closed=True, phase="closed")
        notice = page.locator(".notice")
        expect(notice).to_contain_text("The table is closed. Leave, and take your chips.")
        expect(notice.get_by_role("button")).to_have_text(["Leave with 1,000"])
        expect(page.locator("[data-do=leave]")).to_have_count(1)


def test_the_cards_of_a_round_go_with_its_last_player_and_its_bank_is_one(tmp_path, browser):
    hand = {"bet": 10, "cards": [0, 2], "net": -10, "outcome": "lose", "seat": 1, "total": 19}
    last = {"round": 1, "shoe": "t1/1", "cards": ["Ts", "Ah", "9d", "Tc"], "decisions": [], "at": ""}
    last |= {"hands": [hand], "dealer": {"cards": [1, 3], "total": 21}, "chips": {"1": 0, "2": 0}}
    seats = [{"seat": 1, "player": "alice"}, {"seat": 2, "player": "bob"}]
    with Place(tmp_path / "data") as place:
        place.operator.create_table("chinese", table="t1")
        page = browser.new_context(locale="en-GB").new_page()
        told(place, page, last=last, seats=seats, bank="1")
        expect(page.locator(".dealer h2")).to_have_text("bob · banked")
        expect(page.locator(".seat", has_text="bank")).to_have_attribute("data-seat", "1")
        expect(page.locator(".dealer .card")).to_have_count(2)
        state = place.public.get("/v1/tables/t1") | {"last": last, "seats": [{"seat": 1, "player": "fritz"}]}
        page.route(re.compile("/v1/tables/t1$"), lambda route: route.fulfill(json=state))
        expect(page.locator(".felt .card")).to_have_count(0)
        page.context.close()


def test_a_lounge_sells_a_seat_once_its_pool_is_empty(tmp_path, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("lounge", table="t1")
        page = sitting(place.address, "alice").page
        you = seat_of("alice", {"do": "chips", "ops": ["buy-in", "cash-out", "leave"], "may": True})
        told(place, page, you=you, chips={"1": 3000, "pool": 0})
        notice = page.locator(".notice")
        expect(notice).to_contain_text("The pool is empty: this game is over")
        expect(notice.get_by_role("button", name="Buy in 10,000")).to_be_enabled()
        expect(notice.get_by_role("button", name="Leave with 3,000")).to_be_enabled()
        last = {"round": 1, "cards": [], "chips": {"pool": 9000}, "dealer": {"cards": []}, "hands": [], "at": ""}
        told(place, page, you=you, chips={"1": 0, "pool": 9000}, last=last)
        expect(notice).to_have_count(0)
        page.locator(".mychips summary").click()
        expect(page.locator("[data-do=buy-in]")).to_be_disabled()
        other = page.context.browser.new_page()
        told(place, other, chips={"1": 0, "pool": 9000}, last=last)
        expect(other.locator(".dock")).to_contain_text("A game is running: nobody buys in until its pool is empty.")
        expect(other.get_by_role("button", name="Sit down")).to_have_count(0)
        other.close()


def test_no_key_gives_the_bank_away_before_the_player_was_asked_and_no_price_is_preset(tmp_path, sitting):
    others = {"among": [2], "fewest": 1, "most": 1}
    moves = [{"move": "accept"}, {"move": "give"} | others]
    moves += [{"move": "sell", "low": 1, "high": 998} | others | {"among": [chair]} for chair in (2, 3)]
    asked = {"do": "decisions", "about": "bank", "round": 0, "step": 0, "moves": moves, "default": {"move": "refuse"}}
    with Place(tmp_path / "data") as place:
        place.operator.create_table("pontoon", table="t1")
        page = sitting(place.address, "alice", language="german", viewport={"width": 360, "height": 740}).page
        place.operator.table("t1").sit("bob", 1000)
        told(place, page, phase="bank", bank="2", you=seat_of("alice", asked))
        sent = []
        page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
        expect(page.locator("[data-move=give]")).to_be_visible()
        assert page.evaluate(CUT) == []
        page.set_viewport_size({"width": 360, "height": 640})
        bar = page.locator(".bar")
        assert bar.evaluate("bar => bar.scrollHeight - bar.clientHeight") == 0, "every button is seen"
        expect(page.locator(".dock:not([aria-disabled])")).to_be_visible()
        page.keyboard.press("g")
        expect(page.get_by_role("group", name="Wem?").first.locator("input:focus")).to_have_count(1)
        page.keyboard.press("l")
        price = page.get_by_label("Betrag: 1 bis 998").first
        expect(price).to_be_focused()
        expect(price).to_have_value("")
        page.keyboard.press("Enter")
        expect(price).to_be_focused()
        assert sent == []
        price.fill("7")
        page.get_by_role("group", name="Wem?").last.get_by_label("bob").check()
        with page.expect_request(re.compile("/decisions$")) as sale:
            page.keyboard.press("Enter")
        assert (sale.value.post_data_json["move"], sale.value.post_data_json["amount"]) == ("sell", 7)
        agree = {"move": "agree", "low": 40, "high": 40}
        for moves, words in (
            ([agree], "bob verkauft Ihnen die Bank für 40,"),
            ([{"move": "agree"}], "bob schenkt Ihnen"),
        ):
            offer = asked | {"step": 1, "seller": 2, "moves": [*moves, {"move": "refuse"}]}
            told(place, page, phase="bank", bank="1", you=seat_of("alice", offer))
            expect(page.locator(".advice")).to_contain_text(words)
            expect(page.locator("[data-move=agree]")).to_contain_text("für 40" if "40" in words else "Bank nehmen")
        insure = asked | {"about": "round", "moves": [{"move": "insure", "low": 5, "high": 5}, {"move": "decline"}]}
        told(place, page, phase="round", you=seat_of("alice", insure))
        expect(page.locator("[data-move=insure]")).to_contain_text("Versichern für 5")
        told(place, page, phase="round", you=seat_of("alice", insure | {"moves": [{"move": "hit"}]}))
        expect(page.locator(".advice")).to_have_text("Die Regeln lassen Ihnen nur diesen Zug.")


def test_a_dealer_reveals_all_or_those_that_are_ticked_and_one_row_sells_the_bank(tmp_path, sitting):
    some = {"among": [2, 3], "fewest": 1, "most": 2}
    asked = {"do": "decisions", "about": "round", "round": 1, "step": 0, "default": {"move": "hit"}}
    with Place(tmp_path / "data") as place:
        place.operator.create_table("chinese", table="t1")
        page = sitting(place.address, "alice").page
        for name in ("bob", "carl"):
            place.operator.table("t1").sit(name, 1000)

        def decided(moves, *presses, **changed):
            told(place, page, **changed, you=seat_of("alice", asked | {"moves": moves} | changed))
            expect(page.locator(".dock:not([aria-disabled])")).to_be_visible()
            with page.expect_request(re.compile("/decisions$")) as sent:
                for press in presses:
                    press()
            return {name: sent.value.post_data_json.get(name) for name in ("move", "chosen", "amount")}

        reveal, sell = page.locator("[data-move=reveal]"), page.locator("[data-move=sell]")
        moves = [{"move": "reveal"} | some, {"move": "hit"}]
        assert decided(moves, reveal.click) == {"move": "reveal", "chosen": [2, 3], "amount": None}
        told(place, page, you=seat_of("alice", asked | {"moves": moves}))
        expect(reveal).to_contain_text("Reveal all")
        page.get_by_label("carl").check()
        expect(reveal).to_contain_text("Reveal: carl")
        assert decided(moves, page.get_by_label("bob").check, reveal.click)["chosen"] == [2]
        moves = [
            {"move": "sell", "low": 1, "high": high, "among": [seat], "fewest": 1, "most": 1}
            for seat, high in ((2, 50), (3, 70))
        ]
        price = page.get_by_role("spinbutton", name="Amount: 1 to 70")
        presses = page.get_by_label("carl").check, lambda: price.fill("60"), sell.click
        assert decided(moves, *presses, about="bank") == {"move": "sell", "chosen": [3], "amount": 60}
        expect(sell).to_have_count(1)
        told(place, page, you=seat_of("alice", asked | {"moves": [{"move": "continue"}, {"move": "stop"}]}))
        expect(page.locator(".advice")).to_have_text("You have 15.")


def test_who_has_no_seed_in_a_shoe_is_asked_for_no_bet_and_a_refused_bank_is_told(tmp_path, sitting):
    shoe = {"shoe": "t1/1", "commitment": "", "cards": 52, "position": 0, "sealed": False, "waived": []}
    shoe |= {"roster": ["alice", "bob"], "hashed": ["bob"], "opened": [], "struck": [], "burned": [], "opens": []}
    bets = {"round": 1, "in": [], "passed": []}
    moved = {"at": "2027", "to": 1, "why": "change", "shoe": "t1/1"}
    offer = {"seat": 1, "move": "sell", "chosen": [2], "amount": 5}
    with Place(tmp_path / "data") as place:
        place.operator.create_table("pontoon", table="t1")
        page = sitting(place.address, "alice").page
        place.operator.table("t1").sit("bob", 1000)
        waiting, dock, news = (page.locator(each) for each in (".waiting", ".dock", ".news"))
        for hashes, words in (({"bob": ""}, "Waiting for bets: bob"), ({}, "Nobody with a seed in this shoe")):
            told(place, page, phase="bet", bets=bets, shoe=shoe | {"hashes": hashes}, you=seat_of("alice"))
            expect(waiting).to_contain_text(words)
            expect(dock).to_contain_text("No seed of yours is in this shoe")
        told(place, page, moved=moved | {"decisions": [offer, {"seat": 2, "move": "refuse"}]})
        expect(news).to_contain_text("bob did not take the bank.")


def test_a_chair_is_taken_once_the_round_is_over_and_a_refusal_stands_above_the_dock(tmp_path, browser, sitting):
    with Place(tmp_path / "data") as place:
        place.operator.create_table("casino", table="t1")
        bob = sitting(place.address, "bob")
        page = browser.new_context(locale="de-DE").new_page()
        play([bob], 99, bob.page.locator("[data-move=hit]").count, decides=False)
        page.goto(f"{place.address}/tables/t1")
        expect(page.locator(".dock")).to_contain_text("Sie nehmen Platz, sobald sie vorbei ist")
        page.get_by_label("Ihr Name").fill("zoe")
        page.get_by_role("button", name="Platz nehmen").click()
        expect(page.locator(".bar .trouble")).to_contain_text("Sie nehmen Platz, sobald sie vorbei ist")
        play([bob], 99, bob.page.locator("[data-do=again], [data-do=shoe]").count)
        expect(page.locator(".seat.you")).to_be_visible()
        page.context.close()
