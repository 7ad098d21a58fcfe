"""Names that a player may take at a table, and amounts that the API takes."""

from __future__ import annotations

import pytest

from fairshoe.client import Problem
from fairshoe.engine.rules import RULES
from fairshoe.engine.table import MAX_BET, MAX_CHIPS

from .place import Place, refusal, sitting

INVISIBLE = (0x115F, 0x1160, 0x3164, 0xFFA0, 0x34F, 0x17B4, 0x180B, 0x2800, 0xFE0F, 0xE0100, 0x1D159, 0x16FE4)
UNREADABLE = [
    *("x" + "\u0301" * 5, "x" + "\u3164" * 60, "\u0301x", *map(chr, INVISIBLE)),
    *("", "a\nb", "a\u202eb\x00", "x" * 65, "\ud800", 5, "\u200d", "a\u200d", "a\u202eb", "a\u200bb"),
]
RESERVED = ["Dealer", "house", "p\u034fool", "Ｔａｂｌｅ", "1", "٣"]
TAKEN = ["ann lee", "ＡＮＮ  ＬＥＥ", "Ann\ufe0fLee"]
READABLE = [
    *("Алиса Л.", "नाम‌वाला", "བསྒྲུབས", "❤️‍🔥 Zoë", "葛\U000e0100城", "Nguye\u0302\u0303n", "علی\u200cرضا"),
    *("Zoë Ångström", "陈小明", "محمد", "O'Neil-Ümlaut 🎲", "👩\u200d🚀"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with Place(tmp_path_factory.mktemp("house") / "data", direct=True) as place:
        place.operator.create_table("casino", table="t1").sit("ann", 100, name="Ann Lee")
        yield place


def seat(place, player, **more):
    return place.public.post("/v1/tables/t1/seats", sitting(player, 100, **more))


@pytest.mark.parametrize("name", [*UNREADABLE, *RESERVED])
def test_a_name_that_cannot_be_read_or_is_an_accounts_is_refused(place, name):
    told = refusal(seat, place, "bob", name=name)
    assert (told["status"], (told.get("errors") or [told])[0]["field"]) == (422, "name")


@pytest.mark.parametrize("player", ["house", "pool", "Table", "dealer", "1", "64"])
def test_so_is_such_an_id(place, player):
    told = refusal(seat, place, player)
    assert (told["status"], told["field"]) == (422, "player")


@pytest.mark.parametrize("name", TAKEN)
def test_a_name_that_somebody_at_the_table_has_is_refused(place, name):
    told = refusal(seat, place, "bob", name=name)
    assert (told["status"], told["field"]) == (409, "name")


def test_names_of_every_script_are_taken(place):
    for table, names in (("t2", READABLE[:7]), ("t3", READABLE[7:])):
        place.operator.create_table("casino", table=table)
        for number, name in enumerate(names):
            place.public.post(f"/v1/tables/{table}/seats", sitting(f"p{number}", 100, name=name))
        lines = {line["table"]: line["seats"] for line in place.public.get("/v1/tables")["tables"]}
        assert [each["name"] for each in lines[table]] == names
        place.restart()
        assert place.public.get(f"/v1/tables/{table}")["seats"] == lines[table]
    place.assert_clean()


@pytest.mark.parametrize("rules", sorted({"banker", "boxes", "casino"}))
def test_a_table_without_a_legal_bet_is_refused(place, rules):
    """GE-04."""
    told = refusal(place.operator.create_table, rules, options={"minimum": 11, "maximum": 11})
    assert (told["status"], told["field"], told["expected"][:11]) == (422, "options.maximum", "at least 12")


@pytest.mark.parametrize("rules", sorted(set(RULES) - {"lounge"}))
def test_the_highest_bet_that_is_offered_is_taken(place, rules):
    table = place.operator.create_table(rules, table=f"high-{rules}", options={"maximum": MAX_BET})
    seats = [table.sit(f"p{number}", MAX_CHIPS) for number in range(2 if rules in ("chinese", "pontoon") else 1)]
    seats[0].send("shoe")
    for _ in range(60):
        for each in seats:
            each.refresh()
            wanted = each.next()
            if wanted is not None and wanted["do"] == "bets":
                assert wanted["high"] == MAX_BET
                each.bet(wanted["high"])
                return
            if wanted is not None and wanted["do"] == "decisions":
                each.decide(**wanted["default"])
            elif wanted is not None and wanted["do"] == "shoe":
                each.send("shoe")
            else:
                each.contribute()
    raise AssertionError("no bet was asked for")


def test_the_highest_price_that_is_offered_is_taken(place):
    """PO-37."""
    table = place.operator.create_table("pontoon", table="sale")
    seats = [table.sit(f"p{number}", MAX_CHIPS // 2) for number in range(2)]
    seats[0].send("shoe")
    place.contribute(seats)
    seats[0].send("shoe")
    seller = place.turn(seats)
    (sell,) = [move for move in seller.next()["moves"] if move["move"] == "sell"]
    assert sell["high"] > 10**12
    seller.decide(move="sell", amount=sell["high"], chosen=sell["among"])
    buyer = place.turn(seats)
    assert buyer is not seller
    assert buyer.next()["seller"] == seller.state["you"]["seat"]
    buyer.decide(move="agree", amount=sell["high"])
    assert place.of_kind("bank")[-1]["price"] == sell["high"]


def test_what_is_above_is_refused(place):
    with pytest.raises(Problem) as caught:
        place.public.post("/v1/tables/t1/seats", sitting("bob", 2 * MAX_CHIPS + 1))
    assert caught.value.status == 422
