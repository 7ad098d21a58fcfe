"""What a seat is given of each step: signed, the same at each look, and nothing that the seat may not see."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest

from audit_cli.receipts.run import decide
from fairshoe.client import Client, WrongReceipt
from fairshoe.client.receipts import WITH_RECEIPT, Keeper
from fairshoe.client.table import Seat, Table
from fairshoe.engine.rules import RULES
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import Signer, verifier_of
from fairshoe.protocol.commitment import commitment_of, new_key
from fairshoe.receipts.notes import read_receipt, receipt_name, vouched_key, vouching_note, write_receipt
from fairshoe.service.receipt_key import Receipts

from .place import at, step
from .test_games import something, try_to, wander

GAMES = sorted(RULES)


def key_of(place):
    """The receipts' key, by the house's own."""
    return vouched_key(place.public.receipt_key(), verifier_of(place.public.verifier()))


def said(place, note):
    return read_receipt(note, key_of(place))


def keeping(place, rules, players, folder):
    """Seats that keep their receipts, in files of their names."""
    table = place.operator.create_table(rules, table="t1", policy={"bet": 20})
    most = min(players, table.state()["chairs"])
    return table, [table.sit(f"p{i}", 10_000, receipts=folder / f"p{i}") for i in range(most)]


def agree(place, *files):
    """Hold every file against the log as it is now."""
    place.assert_clean()
    for file in files:
        decided = decide(file, place.directory / "audited", key=place.public.verifier())
        assert decided.outcome.good, decided.text
    return decided


# Every step, every game.


@pytest.mark.direct
@pytest.mark.parametrize("rules", GAMES)
def test_players_who_do_as_they_like_keep_receipts_that_the_log_agrees_with(place, rules, tmp_path):
    """With limits that pass, comings and goings, requests for a reshuffle."""
    rng = random.Random(f"receipts {rules}")
    table, seats = keeping(place, rules, 4, tmp_path)
    known = list(seats)
    for turn in range(250):
        seat = rng.choice(seats)
        if rng.random() < 0.06:
            place.clock.forward(31)
        elif rng.random() < 0.05:
            wander(place, table, seats, seat, turn)
            for new in [new for new in seats if new not in known]:
                new._watching.keeper = Keeper(tmp_path / new.player, place.public)
                known.append(new)
        else:
            something(at(seat), rng)
    agree(place, *(tmp_path / seat.player for seat in known))


class Watched:
    """What is looked at with each receipt: what its own seat sees then, what the others see, what is secret."""

    def __init__(self, place, seats, keys):
        self.place, self.seats, self.keys = place, seats, keys
        self.rounds = 0

    def hold(self, seat, note):
        form = said(self.place, note)
        assert form["seat"] == seat.seat
        self.hold_secrets(seat, note)
        if "round" in form["view"]:
            self.hold_cards(seat, form)
            self.rounds += 1

    def hold_secrets(self, seat, note):
        """No key of a live shoe, no seed that is not open, no hash that is not in the log."""
        logged = "\n".join(map(json.dumps, self.place.entries()))
        secret = [key.hex() for key in self.keys]
        for other in self.seats:
            if other is not seat:
                secret += [seed.hex() for seed in other._seeds.values()]
                secret += [sha256(seed).hexdigest() for seed in other._seeds.values()]
        for each in secret:
            assert each in logged or each not in note

    def hold_cards(self, seat, form):
        """What it shows is what its seat sees; of what another seat does not see, only its own hands."""
        shown, own = form["view"]["round"], at(seat).state["round"]
        if own is None or "view" not in own:
            last = seat.state["last"]
            assert last["round"] == form["round"]
            for cards in all_cards(shown):
                assert all(card is None or card in last["cards"] for card in cards)
            return
        assert shown == own["view"]
        for other in self.seats:
            if other is seat:
                continue
            seen = at(other).state["round"]["view"]
            hands = zip(shown["hands"], seen["hands"], strict=True)
            for hand, theirs in [(shown["dealer"], seen["dealer"]), *hands]:
                if hand.get("seat", self.banker(seat)) != seat.seat:
                    assert all(card in (None, same) for card, same in zip(hand["cards"], theirs["cards"], strict=True))
                    assert hand["total"] in (None, theirs["total"])

    def banker(self, seat):
        bank = seat.state["bank"]
        return int(bank) if bank.isdigit() else 0


def all_cards(view) -> Iterator[list]:
    yield view["dealer"]["cards"]
    yield from (hand["cards"] for hand in view["hands"])


@pytest.mark.direct
@pytest.mark.parametrize("rules", GAMES)
def test_a_receipt_shown_to_another_seat_tells_it_nothing_hidden(place, rules, tmp_path):
    """At every step: but for the hands of whoever shows it, it tells no more than that seat sees itself."""
    rng = random.Random(f"hidden {rules}")
    keys = []

    def made():
        keys.append(new_key())
        return keys[-1]

    with patch("fairshoe.service.table_store.new_key", made):
        _, seats = keeping(place, rules, 3, tmp_path)
        watched = Watched(place, seats, keys)
        for _ in range(120):
            seat = rng.choice(seats)
            before = len((tmp_path / seat.player).read_text().splitlines())
            something(at(seat), rng)
            notes = (tmp_path / seat.player).read_text().splitlines()[before:]
            for note in map(json.loads, notes):
                watched.hold(seat, note)
    assert watched.rounds >= 5
    commitments = {entry["commitment"] for entry in place.of_kind("shoe")}
    assert commitments <= set(map(commitment_of, keys))


# One step after the other.


def test_every_route_that_says_something_is_answered_with_a_receipt(place):
    alice, bob = place.casino()
    assert said(place, alice.state["receipt"])["op"] == "buy-in"
    alice.send("shoe")
    assert "receipt" not in alice.state
    alice.contribute(cut=100)
    hashed = said(place, alice.state["receipt"])
    assert (hashed["do"], hashed["cut"], hashed["shoe"]) == ("hash", 100, "t1/1")
    assert hashed["view"]["shoe"]["commitment"] == place.of_kind("shoe")[0]["commitment"]
    assert hashed["view"]["shoe"]["hashes"] == {}, "not in the log yet"
    at(bob).contribute()
    assert list(said(place, bob.state["receipt"])["view"]["shoe"]["hashes"]) == ["p1", "p2"]
    at(bob).contribute()
    at(alice).contribute()
    opened = said(place, alice.state["receipt"])
    assert (opened["do"], opened["seed"]) == ("seed", place.of_kind("opened")[1]["seed"])
    assert opened["view"]["shoe"]["sealed"] is True
    carol = place.public.table("t1").sit("carol", 500)
    carol.send("waiver")
    sent_before = carol.state["receipt"]
    assert said(place, sent_before)["do"] == "waiver"
    alice.send("chips", op="transfer", amount=30, to=2)
    sent = said(place, alice.state["receipt"])
    assert (sent["op"], sent["to"], sent["amount"], sent["view"]["chips"]) == ("transfer", 2, 30, 970)
    carol.leave()
    left = said(place, carol.state["receipt"])
    assert (left["leaves"], left["amount"], left["view"]["chips"]) == (True, 500, None)
    assert next(entry for entry in place.entries() if entry["at"] == left["at"])["player"] == "carol"
    signed = sent_before.partition("\n\n")[0] + "\n"
    assert (left["number"], left["before"]) == (3, sha256(signed.encode()).hexdigest())


def test_a_bet_is_offered_until_the_round_opens_and_stands_then(place):
    seats = place.sealed()
    alice, bob = seats
    at(alice).bet(10)
    offered = said(place, alice.state["receipt"])
    assert (offered["state"], offered["bets"]) == ("offered", [{"amount": 10, "seat": 1}])
    assert "receipt" not in alice.state["you"]
    at(alice).bet(20)
    at(bob).bet(30)
    (opened,) = place.of_kind("open")
    stands = said(place, at(alice).state["you"]["receipt"])
    assert (stands["state"], stands["bets"]) == ("stands", [{"amount": 20, "seat": 1}])
    assert (stands["at"], stands["view"]["bets"]) == (opened["at"], opened["bets"])
    assert said(place, at(bob).state["you"]["receipt"])["bets"] == [{"amount": 30, "seat": 2}]
    place.finish(seats)
    kept = alice.state["you"]["receipt"]
    assert at(alice).state["you"]["receipt"] == kept, "to be had until the next round opens"
    place.restart()
    assert at(place.again(alice)).state["you"]["receipt"] == kept
    assert "you" not in place.public.table("t1").state()


def test_who_passed_or_was_late_is_told_so(place):
    seats = place.sealed(3)
    at(seats[0]).bet(10)
    at(seats[1]).bet()
    place.clock.forward(61)
    forms = [said(place, at(seat).state["you"]["receipt"]) for seat in seats]
    assert [form["bets"] for form in forms] == [[{"amount": 10, "seat": 1}], [], []]
    assert [(form["view"]["passed"], form["view"]["late"]) for form in forms] == [([2], [3])] * 3


def test_whoever_takes_the_chair_of_somebody_who_left_has_no_receipt_of_theirs(place):
    seats = place.sealed(2)
    for seat in seats:
        at(seat).bet(10)
    place.finish(seats)
    at(seats[0]).leave()
    other = place.public.table("t1").sit("somebody", 500, seat=1)
    assert "receipt" not in at(other).state["you"]


def test_the_key_is_the_houses_own_and_stays_the_same(place):
    first = place.public.receipt_key()
    assert key_of(place).name == receipt_name(place.public.verifier().split("+")[0])
    place.restart()
    assert place.public.receipt_key() == first
    assert str(key_of(place)) not in place.public.verifier()


# The client's file.


def test_the_file_goes_on_where_it_was(place, tmp_path):
    _, (alice, _) = keeping(place, "casino", 2, tmp_path)
    file = tmp_path / "p0"
    whole = file.read_bytes()
    file.write_bytes(whole + b'"fairshoe rec')
    again = Seat(alice.table, {"seat": 1, "token": alice.token, "state": alice.table.state()}, receipts=file)
    again.send("chips", op="cash-out", amount=5)
    assert file.read_bytes().startswith(whole)
    agree(place, file)
    (tmp_path / "other").write_text(json.dumps("another note") + "\n")
    (tmp_path / "letter").write_text("Dear house,")
    for name in ("other", "letter"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(InputError, match="another house"):
            Keeper(tmp_path / name, place.public)
        assert (tmp_path / name).read_bytes() == before
    (tmp_path / "begun").write_text(json.dumps(place.public.receipt_key())[:50])
    Keeper(tmp_path / "begun", place.public)
    assert json.loads((tmp_path / "begun").read_text()) == place.public.receipt_key()
    with pytest.raises(VerificationError):
        Keeper(tmp_path / "new", place.public, str(Signer("house", b"k" * 32).verifier))
    assert not (tmp_path / "new").exists()


class Lying(Client):
    """A connection on which the house's answers are others."""

    other = staticmethod(lambda answer: None)

    def post(self, path, body=None, key=None):
        answer = super().post(path, body, key)
        Lying.other(answer)
        return answer


def altered(place, **fields):
    """A house that signs, with its own key, something else than was sent."""
    signer = place.house.sequencer.receipts._signer

    def other(answer):
        form = said(place, answer["receipt"]) | fields
        answer["receipt"] = write_receipt(form, signer)

    return other


def no_receipt(answer):
    del answer["receipt"]


def anothers(answer):
    form = json.loads(answer["receipt"].split("\n")[1])
    answer["receipt"] = write_receipt(form, Signer("somebody/receipt", b"s" * 32))


def test_a_wrong_receipt_is_kept_and_raised(place, tmp_path):
    _, (alice, _) = keeping(place, "casino", 2, tmp_path)
    table = Table(Lying(place.address, alice.token), "t1")
    liars = [
        (no_receipt, "gave no receipt"),
        (anothers, "no signature"),
        (altered(place, amount=6), "another amount"),
        (altered(place, seat=2), "another seat"),
        (altered(place, op="buy-in"), "another op"),
    ]
    for other, words in liars:
        Lying.other = staticmethod(other)
        liar = Seat(
            table, {"seat": 1, "token": alice.token, "state": alice.table.state()}, receipts=tmp_path / f"{words}"
        )
        with pytest.raises(WrongReceipt, match=words) as caught:
            liar.send("chips", op="cash-out", amount=5)
        assert caught.value.fault == "house"
        notes = list(map(json.loads, (tmp_path / words).read_text().splitlines()))
        assert notes[1:] == ([caught.value.note] if caught.value.note else [])


def test_bets_that_stand_otherwise_than_offered_are_raised(place, tmp_path):
    _, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    place.make_shoe([alice, bob])
    liar = Seat(
        Table(Lying(place.address, alice.token), "t1"),
        {"seat": 1, "token": alice.token, "state": alice.table.state()},
        receipts=tmp_path / "liar",
    )
    at(bob).bet(10)
    signer = place.house.sequencer.receipts._signer

    def other(answer):
        form = said(place, answer["you"]["receipt"]) | {"bets": [{"amount": 12, "seat": 1}]}
        form["view"]["bets"][0]["amount"] = 12
        answer["you"]["receipt"] = write_receipt(form, signer)

    Lying.other = staticmethod(other)
    with pytest.raises(WrongReceipt, match="other bets stand"):
        liar.bet(10)
    Lying.other = staticmethod(lambda answer: None)


# A house that signs what it likes, while the client looks on.


@contextmanager
def signing(change):
    """The house signs each receipt as `change` makes it of what it says."""
    honest = Receipts.sign
    with patch.object(Receipts, "sign", lambda self, form: honest(self, change(copy.deepcopy(form)))):
        yield


def changed(do, **fields):
    """Other fields in the receipts of one kind; None leaves a field out."""

    def change(form):
        if form["do"] != do:
            return form
        return {name: value for name, value in (form | fields).items() if value is not None}

    return change


SAYS_OTHERWISE = {
    "another number": (changed("hash", number=5), "number 5, and does not follow number 1"),
    "another receipt before": (changed("hash", before="0" * 64), "does not follow number 1"),
    "no receipt before": (changed("hash", before=7), "no receipt: before"),
    "no last entry": (changed("hash", last=None), "no receipt: last"),
    "a time to come": (changed("hash", at="2999-01-01T00:00:00.000000Z"), "dated"),
    "a time gone by": (changed("hash", at="2000-01-01T00:00:00.000000Z"), "dated"),
    "a cut that was not sent": (changed("hash", cut=17), "another cut: 17"),
    "a table of its own": (changed("hash", shoe="zz/1"), "another shoe"),
    "another shoe": (changed("hash", shoe="t1/9"), "another shoe"),
    "no view": (changed("hash", view=None), "no receipt: view"),
    "no version": (changed("hash", v=None), "no receipt: v"),
    "another view": (changed("hash", view={"bank": "house", "chips": 1, "shoe": None}), "chips"),
    "a view that is none": (changed("hash", view={"bank": "house", "chips": 10_000, "shoe": [1]}), "not whole"),
    "half a view": (changed("hash", view={"bank": "house"}), "other chips"),
}


@pytest.mark.parametrize("name", sorted(SAYS_OTHERWISE))
def test_a_receipt_that_says_more_or_otherwise_than_was_sent_is_raised(place, tmp_path, name):
    change, words = SAYS_OTHERWISE[name]
    _, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    alice.send("shoe")
    with signing(change), pytest.raises(WrongReceipt, match=words):
        at(bob).contribute()


@pytest.mark.parametrize(
    ("fields", "words"), [({"leaves": True}, "another leaves"), ({"to": 2}, "another to"), ({"op": []}, "op")]
)
def test_a_move_of_chips_is_no_other(place, tmp_path, fields, words):
    _, (alice, _) = keeping(place, "casino", 2, tmp_path)
    with signing(changed("chips", **fields)), pytest.raises(WrongReceipt, match=words):
        alice.send("chips", op="cash-out", amount=10_000)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"saw": {}}, "saw something else"),
        ({"about": "table"}, "no receipt: do"),
        ({"amount": 500}, "another amount"),
        ({"chosen": [2]}, "another chosen"),
    ],
)
def test_a_decision_is_about_what_was_asked(place, tmp_path, fields, words):
    _, seats = keeping(place, "casino", 2, tmp_path)
    place.make_shoe(seats)
    turn = place.deal_until_asked(seats)

    with signing(changed("decision", **fields)), pytest.raises(WrongReceipt, match=words):
        turn.decide(turn.next()["default"]["move"])


def forging(amount):
    """The house has bet so much in the name of seat 1."""

    def change(form):
        if form["do"] == "bet" and form["state"] == "stands" and form["seat"] == 1:
            form["bets"] = [{"amount": amount, "seat": 1}]
            others = [bet for bet in form["view"]["bets"] if bet["seat"] != 1]
            form["view"] |= {"bets": [*form["bets"], *others], "late": [], "passed": []}
        return form

    return change


def resumed(place, seat, file):
    """Another program goes on with the seat and its file."""
    table = Client(place.address, seat.token).table("t1")
    return Seat(table, {"seat": seat.seat, "token": seat.token, "state": seat.state}, receipts=file)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("offered", [None, 2, 0])
def test_a_bet_that_the_house_made_is_raised(place, tmp_path, offered, again):
    """Where the seat offered another, none, or nothing; after a restart of the client too."""
    _, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    place.make_shoe([alice, bob])
    if offered is not None:
        at(alice).bet(*([offered] if offered else []))
    if again:
        alice = at(resumed(place, alice, tmp_path / "p0"))
    at(bob).refresh()
    bob._watching.keeper = None
    bob.bet(10)
    place.clock.forward(61)
    with signing(forging(500)), pytest.raises(WrongReceipt, match="other bets stand"):
        alice.refresh()


@pytest.mark.parametrize("again", [False, True])
def test_a_receipt_of_the_bets_that_stand_that_is_held_back_is_raised(place, tmp_path, again):
    _, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    if again:
        alice = at(resumed(place, alice, tmp_path / "p0"))
    with patch.object(Receipts, "standing", lambda *_: None):
        bob.refresh()
        bob._watching.keeper = None
        bob.bet(10)
        with pytest.raises(WrongReceipt, match="no receipt of the bets that stand in round 1"):
            alice.refresh()


def test_who_left_before_the_open_and_came_back_is_owed_no_receipt(place, tmp_path):
    table, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    alice.leave()
    at(bob).bet(10)
    place.finish([bob])
    carol = table.sit("carol", 500, receipts=tmp_path / "p0")
    assert at(carol).state["rounds"] == 1


@pytest.mark.parametrize(
    "fields", [{"at": 5}, {"last": "a"}, {"before": None}, {"do": []}, {"view": 3}, {"bets": 4}, {"round": []}]
)
def test_whatever_the_house_signed_before_a_file_is_gone_on_with(place, tmp_path, fields):
    _, (alice, bob) = keeping(place, "casino", 2, tmp_path)
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    form = said(place, alice.state["receipt"])
    with open(tmp_path / "p0", "a") as file:
        for each in (form | fields, [], 7):
            note = f"fairshoe receipt v1\n{json.dumps(each)}\n"
            file.write(json.dumps(note) + "\n")
    alice = resumed(place, alice, tmp_path / "p0")
    at(alice).bet(20)
    assert said(place, alice.state["receipt"])["bets"] == [{"amount": 20, "seat": 1}]


def test_a_file_that_is_begun_late_does_not_ask_for_what_was_before(place, tmp_path):
    alice, bob = place.sealed()
    at(alice).bet(10)
    late = resumed(place, alice, tmp_path / "late")
    at(late)
    at(bob).bet(10)
    assert said(place, at(late).state["you"]["receipt"])["bets"] == [{"amount": 10, "seat": 1}]


def test_without_a_file_nothing_is_asked_for(place):
    alice = place.casino(1)[0]
    with patch.object(Client, "receipt_key", side_effect=AssertionError):
        assert try_to(alice.send, "shoe") == 200
        step(alice)


def test_the_routes_with_receipts_are_those_that_give_them(place):
    assert set(WITH_RECEIPT) == {"seats", "chips", "hash", "seed", "waiver", "bets", "decisions"}
    note = vouching_note(place.house.sequencer.signer, key_of(place))
    assert note == place.public.receipt_key()


# docs/receipts.md.

PAGE = (Path(__file__).parents[2] / "docs" / "receipts.md").read_text(encoding="utf-8")


def test_the_example_works_as_printed(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place.operator.create_table("casino", table="t4")
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    exec(compile(example.replace("http://127.0.0.1:8000", place.address), "docs/receipts.md", "exec"), {})
    decided = agree(place, tmp_path / "alice.receipts")
    assert {case.word for case in decided.cases} == {"agrees"}
    assert {case.form["do"] for case in decided.cases} >= {"chips", "hash", "seed", "bet"}


def test_every_field_and_every_word_is_described(place):
    alice, bob = place.sealed()
    for seat in (alice, bob):
        at(seat).bet(10)
    described = set(re.findall(r"`([a-z_.]+)`", PAGE))
    form = said(place, bob.state["receipt"])
    assert set(form) | set(form["view"]) | set(form["view"]["shoe"]) - {"shoe"} <= described
    assert set(WITH_RECEIPT.values()) <= described
    assert {"agrees", "differs", "missing", "refused"} <= described
    assert set(said(place, at(alice).state["you"]["receipt"])["view"]) <= described
