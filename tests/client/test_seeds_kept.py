"""A seed leaves only where the house's signed log shows that it may be known, whatever the house says."""

from __future__ import annotations

import copy
from contextlib import contextmanager
from hashlib import sha256

import pytest

from fairshoe.client import Client, Problem, RemoteTable, SeedKept, SeedRefused
from fairshoe.errors import VerificationError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.hand_proof import HandProof, proof_of, proof_text
from fairshoe.log.note import Signer
from fairshoe.log.tiles import TiledTree
from fairshoe.log.tree import inclusion_proof

from ..service.place import at


class Lied(Client):
    """A connection to a house that says what it likes. `state` changes what a table is said to be, `text` what a path
    is answered with, `refuses` a seed that was heard; `heard` are the seeds."""

    def __init__(self, *words, **fields):
        super().__init__(*words, **fields)
        self.state = self.text_of = self.refuses = None
        self.heard = []

    def with_token(self, token):
        if token is not None:
            self._connection._headers = {"Authorization": f"Bearer {token}"}
        return self

    def _json(self, method, path, body, key=""):
        if method == "POST" and path.endswith("/seed"):
            self.heard.append(body["seed"])
            if self.refuses is not None:
                raise Problem(self.refuses, {"status": self.refuses, "detail": "too early"})
        answer = super()._json(method, path, body, key)
        if self.state is not None and isinstance(answer.get("you"), dict):
            answer = copy.deepcopy(answer)
            self.state(answer)
        return answer

    def raw(self, method, path, *more, **fields):
        data = super().raw(method, path, *more, **fields)
        return data if self.text_of is None or method != "GET" else self.text_of(path, data)


@pytest.fixture
def lied(place):
    """Sits a player down on a connection that can lie."""

    def sit(player, chips=1000, **fields):
        client = Lied(place.address)
        return RemoteTable(client, "t1").sit(player, chips, **fields)

    return sit


def house_of(seat):
    return seat.table.client


@contextmanager
def nothing_leaves(place, seat, *, match, error=SeedKept):
    kinds = place.kinds()
    with pytest.raises(error, match=match):
        yield
    assert house_of(seat).heard == []
    assert place.kinds() == kinds


def says(seat, *, owed=False, rules=None, **shoe):
    """The house expects a seed of the seat, and says this of the game and of the shoe."""

    def change(answer):
        answer["phase"] = "seed"
        answer["rules"] = rules or answer["rules"]
        answer["shoe"] |= shoe
        answer["you"]["expects"] = [{"do": "seed", "shoe": answer["shoe"]["shoe"], "owed": owed}]

    house_of(seat).state = change


def proofs(change):
    """What changes the entries of a shoe's proof."""

    def text_of(path, data):
        if not path.endswith("/proof"):
            return data
        return proof_text(change(proof_of(data))).encode()

    return text_of


def without(kind):
    return proofs(lambda proof: proof._replace(entries=tuple(e for e in proof.entries if kind not in e.line)))


@pytest.fixture
def two(place, lied):
    """alice on a connection that can lie and bob, who came after her; alice has sent her hash."""

    def sit(rules="casino"):
        place.operator.create_table(rules, table="t1")
        alice, bob = lied("alice"), place.public.table("t1").sit("bob", 1000)
        alice.send("shoe")
        at(alice).contribute()
        return alice, bob

    return sit


# Out of turn.


def test_seeds_are_opened_in_turn_once_all_hashes_are_in_the_log(place, two):
    alice, bob = two()
    says(alice, owed=True)
    at(alice)
    with nothing_leaves(place, alice, match="the `seeds` of shoe t1/1 do not have this seat's hash"):
        alice.step()
    own = {"alice": sha256(next(iter(alice.book.seeds.values()))).hexdigest()}
    for hashes in (None, own, own | {"bob": "ab" * 32}):
        says(alice, hashes=hashes)
        at(alice)
        with nothing_leaves(place, alice, match="has no `seeds` yet"):
            alice.play(1)
    at(bob).contribute()
    says(alice, owed=True)
    at(alice)
    with nothing_leaves(place, alice, match="neither void nor over"):
        alice.step()
    says(alice)
    at(alice)
    with nothing_leaves(place, alice, match="bob opens first"):
        alice.play(1)
    house_of(alice).state = None
    at(bob).contribute()
    assert at(alice).contribute()
    assert place.last() == "seal"


def test_a_newer_sitting_of_an_older_player_is_not_hidden(place, lied):
    place.operator.create_table("casino", table="t1")
    bob = place.public.table("t1").sit("bob", 1000)
    alice = lied("alice")
    bob.leave()
    again = place.public.table("t1").sit("bob", 1000)
    alice.send("shoe")
    at(alice).contribute()
    at(again).contribute()
    lines = list(place.public.log())

    def first_sitting(proof):
        node = TiledTree(proof.head.size, lambda tile: place.public.raw("GET", f"/{tile.path}")).node
        places = sorted(
            {e.place for e in proof.entries if b'"player":"bob"' not in e.line or b"chips" not in e.line} | {1}
        )
        entries = [(n, lines[n], tuple(inclusion_proof(node, n, proof.head.size))) for n in places]
        return HandProof(proof.round, proof.checkpoint, tuple(type(proof.entries[0])(*e) for e in entries))

    house_of(alice).text_of = proofs(first_sitting)
    says(alice)
    at(alice)
    with nothing_leaves(place, alice, match="bob opens first"):
        alice.step()


def test_an_older_player_who_came_back_to_chips_is_still_older(place, lied):
    place.operator.create_table("casino", table="t1")
    bob = place.public.table("t1").sit("bob", 1000)
    alice = lied("alice")
    bob.send("chips", op="cash-out", amount=1000)
    bob.send("chips", op="buy-in", amount=1000)
    bob.send("chips", op="buy-in", amount=10)
    alice.send("shoe")
    at(alice).contribute()
    at(bob).contribute()
    assert at(alice).contribute(), "she is newer, and opens first"
    at(bob).contribute()
    assert place.last() == "seal"
    place.assert_clean()


def test_entries_that_are_left_out_of_the_log_are_missed(place, lied):
    place.operator.create_table("casino", table="t1")
    alice, bob = lied("alice"), place.public.table("t1").sit("bob", 1000)
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    says(alice)
    at(alice)
    taken = next(line for line in place.public.log() if b'"player":"bob"' in line)
    other = taken.replace(b"bob", b"rob")
    house_of(alice).text_of = lambda path, data: data.replace(taken, other) if "/log?" in path else data
    with nothing_leaves(place, alice, match="not those of the signed log", error=VerificationError):
        alice.step()


def test_a_shoe_of_one_round_is_not_opened_before_its_bets_stand(place, two):
    """Not where the table is said to play another game, or the seat to be the sole contributor."""
    alice, bob = two("boxes")
    at(bob).contribute()
    for lie in ({}, {"rules": "casino"}, {"roster": ["alice"], "hashed": [], "hashes": None}):
        says(alice, **lie)
        at(alice)
        with nothing_leaves(place, alice, match="no bets stand"):
            alice.play(1)


def test_a_sole_contributor_waits_for_its_bet_and_opens_for_no_other(place, lied):
    place.operator.create_table("boxes", table="t1")
    alice = lied("alice")
    alice.send("shoe")
    says(alice)
    at(alice)
    with nothing_leaves(place, alice, match="no bets stand"):
        alice.step()
    house_of(alice).state = None
    at(alice).bet(10)

    def change(answer):
        answer["round"]["bets"][0]["amount"] = 20

    house_of(alice).state = change
    at(alice)
    with nothing_leaves(place, alice, match="other bets stand in round 1 than were shown"):
        alice.step()
    house_of(alice).state = None
    assert alice.play(2) == 2
    place.assert_clean()


# Evidence that is none.


def to_open(place, lied, **fields):
    place.operator.create_table("casino", table="t1")
    alice = lied("alice", **fields)
    alice.send("shoe")
    alice.contribute()
    return alice


def another(place, size=None, signer=None):
    """Puts a checkpoint of another log over the proof."""
    signer = signer or place.house.sequencer.signer

    def change(proof):
        head = Checkpoint(signer.verifier.name, proof.head.size if size is None else size, b"r" * 32)
        return proof._replace(checkpoint=head.signed(signer))

    return proofs(change)


def test_evidence_that_is_none_opens_nothing(place, lied):
    alice, origin = to_open(place, lied), place.house.sequencer.signer.verifier.name
    strangers = another(place, signer=Signer(origin, b"s" * 32))
    for text_of, match in ((strangers, "signature"), (another(place), "does not lead to the tree head")):
        house_of(alice).text_of = text_of
        with nothing_leaves(place, alice, match=match, error=VerificationError):
            alice.contribute()
        assert alice.checkpoint == ""
    for kind in (b'"kind":"table"', b'"kind":"shoe"', b'"op":"buy-in"'):
        house_of(alice).text_of = without(kind)
        with nothing_leaves(place, alice, match="the seed stays closed"):
            alice.contribute()
    house_of(alice).text_of = None
    alice.state["log"] += 5
    with nothing_leaves(place, alice, match="no checkpoint holds", error=Problem):
        alice.contribute()
    alice.state["log"] -= 5
    for size, match in ((2, "goes on after the one of 2"), (1_000, "one of 1000")):
        other = Checkpoint(origin, size, b"r" * 32)
        alice.book.keep_checkpoint(other.signed(place.house.sequencer.signer))
        with nothing_leaves(place, alice, match=match, error=VerificationError):
            alice.contribute()
        assert checkpoint_of(alice.checkpoint) == other


def test_the_checkpoint_by_which_a_seed_was_opened_is_in_the_book(place, lied, tmp_path):
    """Who sits down anew goes on from it."""
    alice = to_open(place, lied, book=tmp_path / "alice")
    alice.contribute()
    kept = alice.checkpoint
    assert checkpoint_of(kept).size == place.kinds().index("opened")
    alice.close()
    again = place.public.table("t1").resume(tmp_path / "alice")
    assert again.checkpoint == kept
    assert again.play(1) == 1
    again.finish()
    shown = Checkpoint(place.house.sequencer.signer.verifier.name, 1_000, b"r" * 32)
    again.book.keep_checkpoint(shown.signed(place.house.sequencer.signer))
    again.close()
    place.assert_clean()
    bob = place.public.table("t1").sit("bob", 1000, book=tmp_path / "alice")
    bob.send("shoe")
    bob.contribute()
    with pytest.raises(VerificationError, match="one of 1000"):
        bob.contribute()
    assert place.last() == "seeds"


# What is refused, and what goes on.


def test_a_seed_that_is_refused_after_it_left_is_told(place, lied):
    alice = to_open(place, lied)
    house_of(alice).refuses = 409
    with pytest.raises(SeedRefused, match="too early"):
        alice.play(1)
    assert len(house_of(alice).heard) == 1


def test_a_table_that_has_gone_on_is_looked_at_again(place, lied):
    place.operator.create_table("casino", table="t1")
    bob, alice = place.public.table("t1").sit("bob", 1000), lied("alice")
    alice.send("shoe")
    for seat in (alice, bob):
        at(seat).contribute()
    assert at(alice).next()["do"] == "seed"
    place.clock.forward(31)
    at(bob)
    with nothing_leaves(place, alice, match=r"409: the table has gone on: .* alice has no part", error=Problem):
        alice.step()
    at(bob).contribute()
    assert place.last() == "seal"
    assert not at(alice).contribute()
    place.assert_clean()


def test_a_hash_is_for_the_shoe_that_its_seed_was_made_for(place):
    """Somebody has the shoe thrown away first: the next one would have a hash whose seed the book does not know."""
    place.operator.create_table("casino", table="t2")
    alice, bob = (place.public.table("t2").sit(player, 1000) for player in ("alice", "bob"))
    at(bob).send("shoe")
    at(alice)
    at(bob).send("reshuffle")
    with pytest.raises(Problem, match="shoe t2/1; expected t2/2"):
        alice.contribute()
    for seat in (alice, bob, bob, alice):
        at(seat).contribute()
    assert at(alice).state["shoe"]["sealed"]
