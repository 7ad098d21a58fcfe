"""Planted frauds with a placer, by a house that holds its signing key, and by a placer: each is found, and whose fault
it is."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from audit_cli.verify.registry import CATALOGUE
from audit_cli.verify.run import verify
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Ask, Decision
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.protocol.shoe import Sealed
from tests.audit.planting import Fraud, Planted, Swapped, check_found
from tests.house import SIGNER, House, Prepared, Seating
from tests.verifier.readings import reading, second_readings

from .house import OTHER, PLACER, PlacedHouse, PlacedSeating, Steps, entries_in, placed

SHOE, ROUND = "boxes/2", 2
Entry = dict[str, Any]


class Crook(PlacedHouse):
    """A house of which one shoe's steps, or one entry, are not what they should be."""

    of: type[Steps] = Steps
    shoe = SHOE

    def asked(self, shoe: str, *about: Any) -> Steps:
        return (self.of if shoe == self.shoe else Steps)(shoe, *about)

    def change(self, entry: Entry) -> None:
        """Before it is logged."""

    def log(self, entry: Entry) -> None:
        self.change(entry)
        super().log(entry)


def crooked(steps: type[Steps] = Steps, **changes: Any) -> Crook:
    """A crook with these steps, and with these changes of what is logged."""
    return type("Crooked", (Crook,), {"of": steps, **changes})()


def found(house: House, kind: str = "round", shoe: str = SHOE, **wanted: Any) -> Planted:
    """At the first entry of that kind about the shoe."""
    entries = entries_in(house)
    index = next(i for i, each in enumerate(entries) if each["kind"] == kind and each.get("shoe") == shoe)
    about = {"table": shoe.partition("/")[0], "shoe": shoe, "round": entries[index].get("round") or None}
    return Planted(house.lines, index, **{**about, **wanted})


# What the house does.


def asks_for_a_card_before_the_decision() -> Planted:
    class Ahead(Steps):
        def card(self, place: int) -> int:
            if any(isinstance(part, int) for part in self.parts):
                later, self.parts = self.parts, []
                given = super().card(place)
                self.parts = later
                return given
            return super().card(place)

    return found(placed("boxes", 8, house=crooked(Ahead), careless=0), field="placed.signature")


def asks_for_the_first_card_before_the_bets() -> Planted:
    class Ahead(Steps):
        def card(self, place: int) -> int:
            self.parts = self.parts if place else self.before
            return super().card(place)

        def shuffle(self, *about: Any) -> None:
            self.before = self.parts
            super().shuffle(*about)

    return found(placed("boxes", 4, house=crooked(Ahead)), field="placed.signature")


def names_no_tree_at_all() -> Planted:
    class Blind(Steps):
        def shuffle(self, *about: Any) -> None:
            self.parts = []
            super().shuffle(*about)

    return found(placed("boxes", 4, house=crooked(Blind)), field="placed.signature")


def changes_an_entry_that_stood_before_a_card() -> Planted:
    """Long after the card: and signs the whole log again."""
    house = placed("boxes", 4)
    entries = entries_in(house)
    entries[1]["name"] = "somebody else"
    house.lines = [encode(entry) for entry in entries]
    return found(house, shoe="boxes/1", field="placed.signature")


def changes_when_the_table_decided() -> Planted:
    house = placed("boxes", 8, careless=0.6)
    entries = entries_in(house)
    for index, entry in enumerate(entries):
        made = [each for each in entry.get("decisions", []) if "at" in each]
        if entry["kind"] == "round" and entry["cards"][-1:] and made and entry["decisions"][0] is made[0]:
            made[0]["at"] = made[0]["at"][:-2] + ("1Z" if made[0]["at"][-2] != "1" else "2Z")
            house.lines[index] = encode(entry)
            return found(house, shoe=entry["shoe"], field="placed.signature")
    raise AssertionError("no such round")


def asks_for_a_card_that_no_entry_has() -> Planted:
    class Peeks(PlacedHouse):
        def placed(self, steps: Steps, decisions: list[Entry]) -> Entry:
            if steps.shoe == SHOE:
                steps.card(51)
                steps.given.pop()
            return super().placed(steps, decisions)

    return found(placed("boxes", 4, house=Peeks()), field="placed.signature")


def asks_for_a_card_after_the_last_round(play: Any = placed, base: type[PlacedHouse] = PlacedHouse) -> Planted:
    class Peeks(base):  # type: ignore[misc, valid-type]
        def over(self, steps: Steps) -> None:
            if steps.shoe == SHOE:
                steps.card(51)
            super().over(steps)

    return found(play("boxes", 4, house=Peeks()), "placed", field="steps", round=None)


def has_the_key_before_the_shoe_is_over() -> Planted:
    class Early(PlacedHouse):
        def log(self, entry: Entry) -> None:
            steps = self.steps.get(entry.get("shoe", ""))
            if steps is not None and entry["kind"] == "reveal":
                self.before = list(steps.stand)
            super().log(entry)

        def over(self, steps: Steps) -> None:
            if steps.shoe == SHOE:
                steps.stand = self.before
            super().over(steps)

    return found(placed("boxes", 4, house=Early()), "placed", field="signature", round=None)


def deals_another_card_than_lies_there(play: Any = placed, base: type[PlacedSeating] = PlacedSeating) -> Planted:
    class Swaps(base):  # type: ignore[misc, valid-type]
        def cards(self, sealed: Sealed) -> ShoeCards:
            cards = super().cards(sealed)
            return Swapped(sealed, 2, "9c") if sealed.shoe == SHOE else cards

    return found(play("boxes", 4, kind=Swaps), field="cards[2]", found="9c")


def burns_another_card_than_lies_there() -> Planted:
    return found(placed("pontoon", 6, house=crooked(change=_other_burn)), "seal", "pontoon/2", field="burn")


def _other_burn(house: Crook, entry: Entry) -> None:
    if entry["kind"] == "seal" and entry["shoe"] == "pontoon/2":
        entry["burn"] = "9c" if entry["burn"] != "9c" else "9d"


def shows_a_place_less() -> Planted:
    class Hides(PlacedHouse):
        def placed(self, *about: Any) -> Entry:
            form = super().placed(*about)
            if about[0].shoe == SHOE:
                form["places"].pop()
            return form

    return found(placed("boxes", 4, house=Hides()), field="placed")


def signs_in_the_placers_place() -> Planted:
    class Forges(PlacedHouse):
        def placed(self, steps: Steps, decisions: list[Entry]) -> Entry:
            steps.signer = OTHER if steps.shoe == SHOE else PLACER
            form = super().placed(steps, decisions)
            steps.signer = PLACER
            return form

    return found(placed("boxes", 4, house=Forges()), field="placed.signature")


def shows_none_where_a_card_was_burned() -> Planted:
    class Hides(PlacedHouse):
        def log(self, entry: Entry) -> None:
            super().log(entry)
            if entry["kind"] == "seal" and entry["shoe"] == "pontoon/2":
                del entry["placed"]
                self.lines[-1] = encode(entry | {"v": 1})

    return found(placed("pontoon", 6, house=Hides()), "seal", "pontoon/2", field="placed")


def makes_a_shoe_void_that_it_has_looked_into(
    base: type[PlacedHouse] = PlacedHouse, kind: type[PlacedSeating] = PlacedSeating
) -> Planted:
    class Looks(base):  # type: ignore[misc, valid-type]
        def over(self, steps: Steps) -> None:
            steps.shuffle(416, sha256(b"the transcript that it knows").digest(), bytes)
            steps.card(0)
            super().over(steps)

    house = Looks()
    kind(house, "boxes", "boxes", careless=0).asked_reshuffle("boxes-p1")
    return found(house, "placed", "boxes/1", field="steps", expected=1, found=3)


def commits_to_a_placers_key_twice() -> Planted:
    class Twice(PlacedHouse):
        def committed(self, entry: Entry, signer: Signer) -> Entry:
            form = super().committed(entry, signer)
            if entry["shoe"] == SHOE:
                self.steps[SHOE].key = self.steps["boxes/1"].key
                return {**form, "commitment": sha256(self.steps[SHOE].key).hexdigest()}
            return form

    return found(placed("boxes", 4, house=Twice()), "shoe", field="placer")


def has_its_own_key_for_the_placers() -> Planted:
    class Own(PlacedHouse):
        def committed(self, entry: Entry, signer: Signer) -> Entry:
            form = super().committed(entry, signer)
            if entry["shoe"] == SHOE:
                return {**form, "commitment": entry["commitment"]}
            return form

        def over(self, steps: Steps) -> None:
            if steps.shoe != SHOE:
                super().over(steps)

    class Unopened(PlacedSeating):
        def order(self, shoe: Prepared) -> Sealed:
            if shoe.id == SHOE:
                self.house.steps[shoe.id].key = shoe.key
            return super().order(shoe)

    return found(placed("boxes", 4, house=Own(), kind=Unopened), "shoe", field="placer")


def takes_a_seeds_hash_for_a_placers_commitment() -> Planted:
    class Takes(PlacedHouse):
        def committed(self, entry: Entry, signer: Signer) -> Entry:
            form = super().committed(entry, signer)
            if entry["shoe"] == SHOE:
                seed = next(each["seed"] for each in entries_in(self) if each["kind"] == "opened")
                self.steps[SHOE].key = bytes.fromhex(seed)
                return {**form, "commitment": sha256(bytes.fromhex(seed)).hexdigest()}
            return form

    class Long(PlacedSeating):
        def new_seed(self) -> bytes:
            return self.random.randbytes(32)

    return found(placed("boxes", 4, house=Takes(), kind=Long), "shoe", field="placer")


def takes_another_placer() -> Planted:
    class Other(PlacedHouse):
        def log(self, entry: Entry) -> None:
            self.signer = OTHER if entry.get("shoe") == SHOE else PLACER
            super().log(entry)

    return found(placed("boxes", 4, house=Other()), "shoe", field="placer")


def leaves_the_placer_out() -> Planted:
    class None_(PlacedHouse):
        def log(self, entry: Entry) -> None:
            self.signer = None if entry["kind"] == "shoe" else PLACER
            super().log(entry)

    house = None_()
    table = PlacedSeating(house, "boxes", "boxes", (1, 2), careless=0)
    table.commit()
    return found(house, "shoe", "boxes/1", field="placer", found=None)


def logs_another_key_than_the_placers() -> Planted:
    house = placed("boxes", 4, house=crooked(change=_other_key))
    return found(house, "placed", field="key", round=None)


def _other_key(house: Crook, entry: Entry) -> None:
    if entry["kind"] == "placed" and entry["shoe"] == SHOE:
        entry["key"] = "00" * 32


def logs_a_key_twice() -> Planted:
    house = placed("boxes", 2)
    house.log(next(entry for entry in entries_in(house) if entry["kind"] == "placed") | {"at": house.at()})
    return Planted(house.lines, len(house.lines) - 1)


def has_places_at_a_table_without_a_placer() -> Planted:
    class Invents(PlacedHouse):
        def log(self, entry: Entry) -> None:
            if entry["kind"] == "round" and entry["shoe"] == SHOE:
                entry |= {"placed": {"places": [1], "signature": "AA=="}, "v": 2}
            super().log(entry)

    house = Invents(signer=None)
    Seating(house, "boxes", "boxes", (1, 2)).play(4)
    return found(house, field="placed")


def binds_other_cards_than_it_deals() -> Planted:
    """Before the first place; and the placer signed the root."""

    class Other(Steps):
        def bind(self, root: Callable[[], bytes]) -> str:
            self.root = "ab" * 32
            return self.root

    return found(placed("boxes", 4, house=crooked(Other)), "reveal", field="cards_root", found="ab" * 32)


def binds_other_cards_after_a_reshuffle() -> Planted:
    class Other(Steps):
        def bind(self, root: Callable[[], bytes]) -> str:
            again = any(line.startswith("shuffle") for _, line in self.steps)
            self.root = "ab" * 32 if again else root().hex()
            return self.root

    house = placed("pontoon", 60, house=crooked(Other, shoe="pontoon/2"), careless=0)
    return found(house, "reshuffle", "pontoon/2", field="cards_root", found="ab" * 32)


def shows_another_root_than_the_placer_signed() -> Planted:
    house = placed("boxes", 4, house=_rooted(lambda entry: entry | {"cards_root": "ab" * 32}))
    return found(house, field="placed.signature")


def binds_no_card() -> Planted:
    house = placed("boxes", 4, house=_rooted(lambda entry: {k: v for k, v in entry.items() if k != "cards_root"}))
    return found(house, "seal", field="cards_root")


def _rooted(change: Callable[[Entry], Entry]) -> PlacedHouse:
    class Changes(PlacedHouse):
        def log(self, entry: Entry) -> None:
            super().log(entry)
            if entry["kind"] == "seal" and entry["shoe"] == SHOE:
                self.lines[-1] = encode(change(entry))

    return Changes()


def changes_a_decision_that_was_made_before_a_card() -> Planted:
    """The placer was told of another one."""

    class Changes(PlacedHouse):
        def placed(self, steps: Steps, decisions: list[Entry]) -> Entry:
            if steps.shoe == SHOE:
                decisions = [each | {"seat": 7} for each in decisions]
            return super().placed(steps, decisions)

    class Hits(PlacedSeating):
        def choose(self, ask: Ask) -> Decision:
            super().choose(ask)
            hit = [move for move in ask.moves if move.name == "hit"]
            return Decision(ask.actor, "hit") if hit else ask.default_decision()._replace(by="seat")

    return found(placed("boxes", 4, house=Changes(), kind=Hits, careless=0), field="placed.signature")


# What a placer does.


class Lies(Steps):
    def place(self, place: int) -> int:
        """Of the third card."""
        return self.order[-1 if place == 2 else place]


class Repeats(Steps):
    def place(self, place: int) -> int:
        """Of the fourth card: the first one's place."""
        return self.order[0 if place == 3 else place]


def deals_a_card_that_was_dealt() -> Planted:
    """The placer gives a place again, and the house takes it."""
    return found(placed("boxes", 4, house=crooked(Repeats)), field="placed.places[3]")


class Invents(Steps):
    def card(self, place: int) -> int:
        """The placer signs another place than the house deals from, where the deck has none."""
        real = super().card(place)
        if place == 2:
            self.given[-1] = 70_000
            self.steps[-1] = self.steps[-1][0], f"card {place} 70000"
        return real


def deals_a_card_from_a_place_that_no_deck_has() -> Planted:
    """No opening could show that card."""
    return found(placed("boxes", 4, house=crooked(Invents)), field="placed.places[2]", found=70_000)


def gives_another_place() -> Planted:
    return found(placed("boxes", 4, house=crooked(Lies)), field="placed.places[2]")


CASES: dict[str, tuple[Callable[[], Planted], ...]] = {
    "placing-differs": (
        asks_for_a_card_before_the_decision,
        asks_for_the_first_card_before_the_bets,
        names_no_tree_at_all,
        changes_an_entry_that_stood_before_a_card,
        changes_when_the_table_decided,
        changes_a_decision_that_was_made_before_a_card,
        asks_for_a_card_that_no_entry_has,
        asks_for_a_card_after_the_last_round,
        has_the_key_before_the_shoe_is_over,
        signs_in_the_placers_place,
        shows_none_where_a_card_was_burned,
        shows_a_place_less,
        shows_another_root_than_the_placer_signed,
        has_places_at_a_table_without_a_placer,
    ),
    "card-differs": (deals_another_card_than_lies_there,),
    "burn-differs": (burns_another_card_than_lies_there,),
    "placed-and-void": (makes_a_shoe_void_that_it_has_looked_into,),
    "commitment-reused": (
        commits_to_a_placers_key_twice,
        has_its_own_key_for_the_placers,
        takes_a_seeds_hash_for_a_placers_commitment,
    ),
    "placer-differs": (takes_another_placer, leaves_the_placer_out),
    "key-mismatch": (logs_another_key_than_the_placers,),
    "step-out-of-order": (logs_a_key_twice,),
    "cards-root-differs": (binds_other_cards_than_it_deals, binds_no_card),
    "reshuffle-differs": (binds_other_cards_after_a_reshuffle,),
    "place-differs": (gives_another_place,),
    "place-repeated": (deals_a_card_that_was_dealt, deals_a_card_from_a_place_that_no_deck_has),
}
ALSO = {
    deals_a_card_that_was_dealt: {"place-differs"},
    deals_a_card_from_a_place_that_no_deck_has: {"place-differs", "card-differs", "order-differs"},
    binds_no_card: {"placing-differs"},
    shows_another_root_than_the_placer_signed: {"cards-root-differs"},
}
FRAUDS = [
    Fraud(plant.__name__.replace("_", " "), plant, code, frozenset(ALSO.get(plant, ())))
    for code, plants in CASES.items()
    for plant in plants
]


@pytest.mark.parametrize("case", FRAUDS, ids=[case.name for case in FRAUDS])
def test_it_is_found(case: Fraud, tmp_path: Path) -> None:
    check_found(case, tmp_path)


@pytest.mark.parametrize(("kind", "field"), [("table", "placer"), ("shoe", "placer"), ("round", "placed")])
def test_a_table_has_one_placer(kind: str, field: str, tmp_path: Path) -> None:
    """A list is no form of the field."""
    house = placed("boxes", 1)
    index, entry = next((i, each) for i, each in enumerate(entries_in(house)) if each["kind"] == kind)
    house.lines[index] = encode(entry | {field: [entry[field]]})
    write_log(tmp_path, house.lines, SIGNER)
    found = [f for f in verify(tmp_path, key=str(SIGNER.verifier)).findings if f.code == "field-invalid"]
    assert [(f.entry, f.field) for f in found] == [(index, field)]
    assert list(second_readings([tmp_path / "log.jsonl"])) == [reading("fail", index)]


def test_whose_fault_it_is() -> None:
    """A place that its key does not give is the placer's; whatever else a log shows the house could have seen."""
    assert {code for code in CASES if CATALOGUE[code].fault == "placer"} == {"place-differs"}
    assert CATALOGUE["placer-key-overdue"].fault == "placer"
    assert {CATALOGUE[code].fault for code in CASES} == {"house", "placer"}
