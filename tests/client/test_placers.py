"""A seat at a table with a placer rebuilds the chain at each card: houses that tell the placer something else, show
somebody else another round, or ask ahead, and a placer that signs two heads, are found at the next card."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from audit_cli.cases.placement import audit_placement
from fairshoe.ceremony import placer_steps
from fairshoe.ceremony.acting import playing
from fairshoe.ceremony.book import LoggedPlacer, ShoeTrees
from fairshoe.ceremony.placer_steps import PlacerSteps, decision_text
from fairshoe.client import Client, Unreachable, WrongPlaces
from fairshoe.client import book as books
from fairshoe.client.book import SeatBook, new_request
from fairshoe.client.checkpoint import Checkpoints
from fairshoe.client.placement_check import FollowedRound, PlacementCheck, PlacementMismatch
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.placer.store import Store
from fairshoe.protocol import placer_state
from fairshoe.protocol.placer_chain import Chain, since_of
from fairshoe.service.api import context

from ..service.place import at
from ..service.test_placers import KEY, BesidePlacer
from ..service.test_placers import place as place

DAY = 25 * 3600


def sat(place: BesidePlacer, rules: str = "casino", players: int = 2) -> list:
    table = place.operator.create_table(rules, table="t1", placer=KEY)
    chips = 10_000 if rules == "lounge" else 1000
    return [table.sit(f"p{n}", chips, book=place.directory / f"p{n}.seat") for n in range(1, players + 1)]


@pytest.mark.parametrize("rules", sorted(RULES))
def test_an_honest_house_and_its_placer_are_not_accused(
    rules: str, place: BesidePlacer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every card of every round is compared."""
    compared, ask = [], PlacementCheck._ask

    def count(self: PlacementCheck, *about: Any) -> Any:
        answer = ask(self, *about)
        compared.append(answer is not None)
        return answer

    monkeypatch.setattr(PlacementCheck, "_ask", count)
    seats = sat(place, rules, min({"lounge": 3, "pontoon": 3}.get(rules, 2), rules_of(rules).chairs[1]))
    place.play(seats, 4, hits=True)
    assert all(compared)
    decisions = [each for entry in place.of_kind("round") for each in entry["decisions"]]
    assert len(compared) > 4 or all(each["move"] == "stand" for each in decisions), "no card follows a stand"
    assert [seat.unknown_signature for seat in seats] == [[] for _ in seats]


def says(change: Callable[[str], str]) -> Callable[[list[str]], str]:
    return lambda parts: since_of([change(part) for part in parts])


def shows(monkeypatch: pytest.MonkeyPatch, change: Callable[[dict[str, Any], int | None], object]) -> None:
    """The house changes what it shows of a table, to whoever sits in a chair."""
    shown = context.table_view

    def other(state: Any, seat: int | None, *more: Any) -> dict[str, Any]:
        form = shown(state, seat, *more)
        change(form, seat)
        return form

    monkeypatch.setattr(context, "table_view", other)


class Lies:
    """What a house does instead."""

    @staticmethod
    def tells_the_placer_another_decision(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(placer_steps, "since_of", says(lambda part: part.replace('"hit"', '"stand"')))

    @staticmethod
    def names_an_older_tree(monkeypatch: pytest.MonkeyPatch) -> None:
        follow = PlacerSteps.begin_entry

        def before(self: PlacerSteps, shoe: Any, *, dealing: bool) -> None:
            stands = shoe.trees
            follow(self, replace(shoe, trees=stands._replace(newest=stands.unsealed)), dealing=dealing)

        monkeypatch.setattr(PlacerSteps, "begin_entry", before)

    @staticmethod
    def calls_a_decision_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
        def tables(decision: Decision, at: str = "") -> str:
            return decision_text(decision._replace(by=TABLE), "2027-01-15T08:00:00.000000Z")

        monkeypatch.setattr(playing, "decision_text", tables)

    @staticmethod
    def asks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
        card = PlacerSteps.card

        def more(self: PlacerSteps, place: int) -> int:
            self.sure = 12
            return card(self, place)

        monkeypatch.setattr(PlacerSteps, "card", more)

    @staticmethod
    def shows_somebody_another_round(monkeypatch: pytest.MonkeyPatch) -> None:
        def other(form: dict[str, Any], seat: int | None) -> None:
            if seat == 2 and "placed" in (form["round"] or {}):
                form["round"]["placed"] = json.loads(
                    json.dumps(form["round"]["placed"]).replace('\\"hit\\",\\"seat\\":1', '\\"stand\\",\\"seat\\":1')
                )

        shows(monkeypatch, other)

    @staticmethod
    def takes_a_place_twice(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(placer_state, "_places", lambda key, digest, size: [7] * size)
        monkeypatch.setattr(placer_steps, "take_places", lambda taken, _: taken)

    @staticmethod
    def deals_another_card_than_it_bound(monkeypatch: pytest.MonkeyPatch) -> None:
        draw = ShoeCards.draw

        def other(self: ShoeCards) -> str:
            label = draw(self)
            return "9s" if label[0] in "TJQK" else label

        monkeypatch.setattr(ShoeCards, "draw", other)

    @staticmethod
    def says_that_its_log_is_longer(monkeypatch: pytest.MonkeyPatch) -> None:
        """No checkpoint shows so many entries: nothing would be compared before one does."""
        Lies.deals_another_card_than_it_bound(monkeypatch)
        shown = context.state_of

        def other(*about: Any) -> dict[str, Any]:
            form = shown(*about)
            longer = 1_000 if "view" in (form["round"] or {}) else 0
            return form | {"log": form["log"] + longer}

        monkeypatch.setattr(context, "state_of", other)

    @staticmethod
    def hides_who_placed(monkeypatch: pytest.MonkeyPatch) -> None:
        shows(monkeypatch, lambda form, _: (form["round"] or {}).pop("placed", None))

    @staticmethod
    def has_no_placer_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
        def other(form: dict[str, Any], _: int | None) -> None:
            if "view" in (form["round"] or {}):
                del form["placer"], form["round"]["placed"]

        shows(monkeypatch, other)

    @staticmethod
    def has_other_places_in_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
        def other(form: dict[str, Any], _: int | None) -> None:
            if form["last"]:
                signed = form["last"]["placed"]
                form["last"] = form["last"] | {"placed": signed | {"places": [*signed["places"][:-1], 51]}}

        shows(monkeypatch, other)


AT_THE_END = "something else than happened|the signature of placer"
"""Where the card was the last one of its round: its entry shows it."""
LIES = {
    "tells_the_placer_another_decision": f"told something else|{AT_THE_END}",
    "names_an_older_tree": "the first card did not come after",
    "calls_a_decision_the_tables": f"(hit|decline) was sent|{AT_THE_END}",
    "asks_ahead": f"asked ahead|{AT_THE_END}|before decision",
    "shows_somebody_another_round": "told something else|other decisions than were shown",
    "takes_a_place_twice": "place 7 was given before",
    "deals_another_card_than_it_bound": "the round shows 9s.* and the house bound|, and 9s was shown",
    "says_that_its_log_is_longer": "no checkpoint has them",
    "hides_who_placed": "does not show who placed them",
    "has_no_placer_any_more": "another placer of the table than before",
    "has_other_places_in_its_entry": "signature|other places|the opening of place|place 51 was given before",
}


@pytest.mark.parametrize("lie", sorted(LIES))
def test_a_house_that_lies_is_found_at_the_next_card(
    lie: str, place: BesidePlacer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairshoe.client.placement_check.PAUSE", 0.005)
    monkeypatch.setattr("fairshoe.service.placers.FIRST_PAUSE", 0.01)
    seats = sat(place)
    getattr(Lies, lie)(monkeypatch)
    with pytest.raises(WrongPlaces, match=LIES[lie]) as found:
        place.play(seats, 8, hits=True)
    assert "placed" in str(found.value)
    rounds = len(place.of_kind("round"))
    assert rounds <= 6


def test_what_is_kept_convicts_the_house(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The evidence is a file that `fairshoe-audit placed` judges."""
    seats = sat(place)
    Lies.tells_the_placer_another_decision(monkeypatch)
    with pytest.raises(WrongPlaces):
        place.play(seats, 8, hits=True)
    file = next(path for seat in seats if (path := seat.book.path.with_name(f"{seat.player}.seat.placed")).exists())
    for seat in seats:
        seat._placers = PlacementCheck(seat.table.client, seat.book, seat._openings._checkpoints)
        seat._placers.check_state = lambda state, again: state
    place.play(seats, len(place.of_kind("round")) + 1, hits=True)
    place.audit()
    monkeypatch.undo()
    found = audit_placement(file, place.directory / "audited", place.house.sequencer.signer.verifier)
    assert {fault.by for fault in found.faults} == {"house"}


def test_a_placer_that_signs_another_head(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """To whoever asks it says that nothing came before the last card."""
    newest = Store.newest

    def lies(self: Store, placer: str, start: int = 0) -> tuple[str, list[str], list[int]]:
        with self._transaction() as database:
            now, key, _ = self._shoe(database, placer)
        chain = now.chain._replace(head=bytes(32)) if now.chain.steps > 5 else now.chain
        return self._note(now._replace(chain=chain), key), *newest(self, placer, start)[1:]

    monkeypatch.setattr(Store, "newest", lies)
    with pytest.raises(WrongPlaces, match="told something else"):
        place.play(sat(place), 8, hits=True)


def test_a_placer_that_nobody_can_ask(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on, and the seat says so."""
    monkeypatch.setattr(context, "addresses", lambda _: {})
    seats = sat(place, "boxes")
    place.play(seats, 2, hits=True)
    unknown = next(said for seat in seats for said in seat.unknown_signature)
    assert unknown.startswith("what placer.example signed")


def test_from_its_book_a_seat_knows_what_it_sent(place: BesidePlacer) -> None:
    seats = sat(place)
    place.play(seats, 8, decided=True, hits=True)
    turn = next(seat for seat in seats if seat.book.decisions)
    wanted = dict(turn.book.decisions)
    turn.close()
    again = Client(place.address).table("t1").resume(place.directory / f"{turn.player}.seat")
    assert again.book.decisions == wanted
    assert again.book.bets == turn.book.bets
    place.settle()
    again.refresh()


def test_who_comes_back_after_a_day_accuses_nobody(place: BesidePlacer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says any more whether its last decision was done."""
    (seat,) = sat(place, players=1)
    while (at(seat).next() or {}).get("do") != "decisions":
        place.play([seat], len(place.of_kind("round")) + 1, decided=True, hits=True)
        place.settle()
    place.go()
    send, wanted = seat.table.ask, seat.next()

    def dies(request: Any) -> None:
        send(request)
        raise Unreachable("the client died", dropped=True)

    seat.table.ask = dies
    with pytest.raises(Unreachable):
        seat.decide("hit" if {"move": "hit"} in wanted["moves"] else wanted["default"]["move"])
    seat.close()
    place.clock.forward(DAY)
    later = books.time.time() + DAY
    monkeypatch.setattr(books.time, "time", lambda: later)
    seat = place.public.table("t1").resume(seat.book.path)
    assert len(seat.notes) == 1
    place.come()
    place.play([seat], len(place.of_kind("round")) + 2, hits=True)
    place.assert_clean()


def test_what_may_have_been_done_is_no_word_against_the_house() -> None:
    """Of a decision of which nobody says whether it was done the table may have decided, and nothing else; of such bets
    others may stand."""
    book = SeatBook()
    book.sit("t1", "p1", "token")
    book.mark_seated(1)
    for what, fields in (("bets", {"bets": [{"amount": 10}]}), ("decisions", {"step": 0, "move": "hit"})):
        request = new_request(what, {"round": 1, **fields})
        book.ask(request)
        book.forgotten(request)
    client = Client("http://127.0.0.1:1")
    placers = PlacementCheck(client, book, Checkpoints(client, book))
    known = FollowedRound("t1/1", 1, LoggedPlacer("", "", ""), Chain("", "t1/1", "", 0, b""), ShoeTrees())
    placers._check_own(known, [{"move": "hit", "seat": 1}])
    placers._check_own(known, [{"by": "table", "move": "stand", "seat": 1}])
    with pytest.raises(PlacementMismatch, match="hit was sent"):
        placers._check_own(known, [{"move": "stand", "seat": 1}])
    placers._check_bets({"round": 1, "bets": [{"amount": 20, "seat": 1}]})
