"""All six games through the same code, by bots over HTTP, with trouble; the auditor has the last word."""

from __future__ import annotations

import pytest

from fairshoe.commands._demo import play
from fairshoe.engine.rules import RULES

from .place import at, refusal, step


@pytest.mark.wire
@pytest.mark.parametrize("rules", sorted(RULES))
def test_bots_play_it_to_the_end(place, rules):
    seen = []
    play(place.operator, rules, 5, 3, seen.append)
    assert max(seen) == 5
    report = place.assert_clean()
    assert report.rounds == 5
    assert report.open == 0
    assert place.public.get(f"/v1/tables/{rules}")["seats"] == []


def test_a_reshuffle_in_the_middle_of_a_deal_is_shown_when_it_happens(place):
    """PO-08: the burned card and where the reshuffle came are public; the log has them before the round's end."""
    seats = place.sit("pontoon", 7, 100_000)
    shown = None
    while shown is None:
        for seat in seats:
            wanted = at(seat).next()
            if wanted is None:
                continue
            names = [move["move"] for move in wanted.get("moves", ())]
            if wanted["do"] == "decisions" and "hit" in names:
                seat.decide("hit")
            else:
                step(seat)
            state = place.public.get("/v1/tables/t1")
            if state["round"] and state["round"].get("reshuffled"):
                shown = state
                break  # whoever acts next may end the round
    number = shown["round"]["round"]
    assert number not in [entry["round"] for entry in place.of_kind("reshuffle")]
    before = shown["shoe"]["burned"]
    view = shown["round"]["view"]
    lying = sum(len(hand["cards"]) for hand in [view["dealer"], *view["hands"]])
    (after,) = shown["round"]["reshuffled"]
    assert 0 < after < lying
    place.finish(seats)
    (entry,) = (entry for entry in place.of_kind("reshuffle") if entry["round"] == number)
    assert entry["after"] == after
    assert shown["round"]["burned"] == [entry["burn"]]
    assert before == [place.of_kind("seal")[-1]["burn"]]
    assert place.of_kind("round")[-1]["reshuffled"] == [after]
    assert place.last() == ("reveal", "worn")
    place.assert_clean()


# chinese


def test_where_no_dealer_can_cover_a_shoe_is_refused_with_what_to_do(place):
    """CH-05: the lowest bet may cost three times itself."""
    seats = place.sit("chinese", 2, 29, options={"minimum": 10})
    told = refusal(seats[0].send, "shoe")
    assert (told["status"], told["remedy"]) == (409, "buy in, or leave")
    assert "covers the lowest bet" in told["detail"]
    assert refusal(place.operator.table("t1").send, "shoe")["status"] == 409
    for seat in seats:
        assert at(seat).expects("shoe") == []
        assert {"buy-in", "leave"} <= set(seat.expects("chips")[0]["ops"])
    seats[0].send("chips", op="buy-in", amount=1)
    told = refusal(seats[0].send, "shoe")
    assert "nobody could bet on it" in told["detail"]
    assert told["remedy"] == "buy in, or leave"
    seats[1].send("chips", op="buy-in", amount=1)
    assert seats[1].next() == {"do": "shoe"}
    place.make_shoe(seats)
    assert at(seats[0]).state["bank"] == "1"
    place.bet_and_finish(seats[1:])
    place.assert_clean()
