"""The root of a shoe of many rounds, and the openings of its cards while it is in play."""

from __future__ import annotations

import pytest

from fairshoe.protocol.openings import opening_of

from .place import at, default


def openings(client, start=0):
    return client.get(f"/v1/tables/t1/openings?from={start}")["openings"]


@pytest.mark.parametrize(("rules", "bound"), [("casino", [True]), ("pontoon", [False, True]), ("boxes", [False])])
def test_shoes_of_many_rounds_have_a_root(place, rules, bound):
    """The shoe that finds pontoon's first banker is revealed at once, as a shoe of one round is."""
    seats = place.sit(rules, 2)
    while len(place.of_kind("seal")) < len(bound):
        for seat in seats:
            wanted = at(seat).next() or {}
            if wanted.get("do") == "shoe":
                seat.send("shoe")
            elif wanted.get("do") == "bets":
                seat.bet(wanted["low"])
            elif wanted.get("do") == "decisions":
                default(seat)
            else:
                seat.contribute()
    assert [("cards_root" in entry, entry["v"]) for entry in place.of_kind("seal")] == [(each, 1) for each in bound]
    place.assert_clean()


def test_openings_show_the_cards_that_one_may_see(place):
    seats = place.sealed()
    place.deal_until_asked(seats)
    (seal,) = place.of_kind("seal")
    state = at(seats[0]).state
    start, hands = state["shoe"]["position"], state["round"]["view"]["hands"]
    found = openings(place.public)
    live = [None if form is None else opening_of(form) for form in found[start:]]
    assert live.count(None) == 1, "the hole card"
    assert {each.label for each in live if each} >= {card for hand in hands for card in hand["cards"]}
    assert openings(seats[0].table.client) == found
    for pos, form in enumerate(found):
        if form is not None:
            assert opening_of(form).pos == pos
            opening_of(form).verify(seal["cards_root"])
    place.finish(seats)
    logged = [card for entry in place.of_kind("round") for card in entry["cards"]]
    assert [form["label"] for form in openings(place.public)] == logged
    assert openings(place.public, 2) == openings(place.public)[2:]
