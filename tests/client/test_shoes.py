"""A shoe without a table by the Python client: a game of two with hidden hands, and a house that lies."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand.run import TrustedInputs, check_hand_proof
from audit_cli.cases.receipts.run import decide
from audit_cli.main import main
from audit_cli.verify.evidence.head import read_house_key
from fairshoe.client import Client, Problem, SeedKept, ShoeSeat, WrongReceipt
from fairshoe.errors import VerificationError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.hand_proof import build_proof, proof_of, proof_text
from fairshoe.log.times import SECOND
from fairshoe.log.tree import Leaves
from tests.beacons import EARLY, out
from tests.service.place import Place
from tests.service.test_beacons import house

PLAYERS = ("ann", "bob")


@pytest.fixture
def place(tmp_path: Any) -> Any:
    with Place(tmp_path / "data", direct=True) as place:
        yield place


def seated(place: Any, **fields: Any) -> tuple[Any, dict[str, ShoeSeat]]:
    """The operator's shoe, and its players."""
    shoe = place.operator.create_shoe(PLAYERS, deck="french:1", **fields)
    seats = {who: ShoeSeat(Client(place.address, shoe.tokens[who]), shoe.name) for who in PLAYERS}
    return shoe, seats


def sealed(place: Any, **fields: Any) -> tuple[Any, dict[str, ShoeSeat]]:
    shoe, seats = seated(place, **fields)
    while any(seat.contribute() for seat in seats.values()):
        pass
    shoe.refresh()
    return shoe, seats


def test_a_game_with_hidden_hands(place: Any) -> None:
    shoe, seats = sealed(place, draws={"die": 6})
    for who in PLAYERS:
        shoe.draw(5, to=who)
    public = shoe.draw(3, draws=["die"])
    assert shoe.draw(3, draws=["die"], pos=10)["cards"] == public["cards"]
    hands = {who: seats[who].hand() for who in PLAYERS}
    assert [card.pos for card in hands["bob"]] == [5, 6, 7, 8, 9]
    assert seats["ann"].show(2) == {2: hands["ann"][2].label}
    shoe.draw(1, hidden=True)
    assert list(shoe.show(13)) == [2, 13]
    assert shoe.reveal()["stage"] == "over"
    assert seats["bob"].hand() == hands["bob"]
    assert place.assert_clean().checks["cards"] == "pass"


def test_a_player_is_told_which_cards_of_the_hand_were_gathered(place: Any) -> None:
    shoe, seats = sealed(place)
    ann = seats["ann"]
    shoe.draw(3, to="ann")
    kept = ann.hand()[1]
    shoe.reshuffle([1])
    assert (ann.hand(), ann.gathered()) == ([kept], [0, 2])
    with pytest.raises(Problem) as refused:
        ann.show(0)
    assert refused.value.status == 409
    shoe.draw(1, to="ann")
    assert [card.pos for card in ann.hand()] == [1, 3]
    shoe.reshuffle()
    assert (ann.hand(), ann.gathered()) == ([], [0, 1, 2, 3])
    ann._client = Lying(place.address, shoe.tokens["ann"])
    ann._client.changed = lambda path, answer: answer.replace(b'"out": [1]', b'"out": [2]')
    ann.shoe.client = ann._client
    with pytest.raises(VerificationError) as caught:
        ann.hand()
    assert caught.value.where == "gathered"


def test_a_player_goes_on_after_a_crash_with_the_seed(place: Any) -> None:
    shoe, seats = seated(place)
    for seat in seats.values():
        seat.contribute()
    again = ShoeSeat(Client(place.address, shoe.tokens["bob"]), shoe.name, seats["bob"].seed)
    assert again.contribute()
    assert again.shoe.state["opens"] == ["ann"]


class Lying(Client):
    """A connection on which the house changes what it answers."""

    changed: Any = None

    def raw(self, method: str, path: str, *more: Any, **options: Any) -> bytes:
        return self.changed(path, super().raw(method, path, *more, **options))


def lied_to(place: Any, changed: Any) -> tuple[Any, ShoeSeat, ShoeSeat]:
    """The operator's shoe, ann, who is lied to, and bob; both have sent a hash."""
    shoe, seats = seated(place)
    client = Lying(place.address, shoe.tokens["ann"])
    client.changed = lambda path, answer: answer
    ann = ShoeSeat(client, shoe.name)
    ann.contribute()
    seats["bob"].contribute()
    client.changed = changed
    return shoe, ann, seats["bob"]


def with_cards(place: Any) -> ShoeSeat:
    """ann, who will be lied to, with three hidden cards."""
    shoe, ann, bob = lied_to(place, lambda path, answer: answer)
    while ann.contribute() or bob.contribute():
        pass
    shoe.refresh()
    shoe.draw(3, to="ann")
    return ann


def test_a_player_whose_hash_comes_too_late_plays_without_a_seed(place: Any) -> None:
    """The limit passes between her look at the shoe and her hash."""
    shoe, seats = seated(place, policy={"hash": 30})
    bob, client = seats["bob"], Lying(place.address, shoe.tokens["ann"])
    bob.contribute()
    client.changed = lambda path, answer: answer
    with pytest.raises(Problem) as refused:
        ShoeSeat(client, shoe.name, bob.seed).contribute()
    assert refused.value.already_claimed
    ann = ShoeSeat(client, shoe.name)

    def pass_limit(path: str, answer: bytes) -> bytes:
        client.changed = lambda path, answer: answer
        place.clock.forward(31)
        return answer

    client.changed = pass_limit
    assert ann.contribute()
    assert (list(ann.shoe.state["hashes"]), ann.contribute(), bob.contribute()) == (["bob"], False, True)
    assert ann.play_until_sealed()["stage"] == "draw"


def test_no_seed_leaves_before_the_signed_log_shows_that_it_may(place: Any) -> None:
    """The proof ends before `seeds`; the house says that it is her turn, and it is bob's."""

    def shorter(path: str, answer: bytes) -> bytes:
        if not path.endswith("/proof"):
            return answer
        proof = proof_of(answer)
        return proof_text(proof._replace(entries=proof.entries[:1])).encode()

    def hurried(path: str, answer: bytes) -> bytes:
        state = json.loads(answer) if not path.endswith("/proof") else {}
        return json.dumps(state | {"you": {"player": "ann", "expects": "seed"}}).encode() if state else answer

    def ahead(path: str, answer: bytes) -> bytes:
        state = json.loads(answer)
        return (
            json.dumps(state | {"log": 99, "gathered": [{"pos": 0, "out": [], "root": ""}]}).encode()
            if "log" in state
            else answer
        )

    _, ann, bob = lied_to(place, hurried)
    with pytest.raises(SeedKept, match="turn"):
        ann.contribute()
    ann._client.changed = ahead  # type: ignore[attr-defined]
    with pytest.raises(Problem, match="no checkpoint holds yet") as behind:
        ann.hand()
    assert behind.value.status == 0
    bob.contribute()
    ann._client.changed = shorter  # type: ignore[attr-defined]
    with pytest.raises(SeedKept, match="no hash of this seed"):
        ann.contribute()
    assert place.public.get(f"/v1/shoes/{ann.shoe.name}")["opens"] == ["ann"]


def test_nothing_leaves_once_a_beacons_round_is_out_by_the_players_clock(tmp_path: Path) -> None:
    """A house whose clock is slow could know the order, and then say that it heard no seed."""
    (source := tmp_path / "rounds").touch()
    with house(tmp_path, str(source)) as place:
        shoe = place.operator.create_shoe(PLAYERS, deck="french:1", beacon={"round": EARLY})
        now = 0.0
        ann, bob = (ShoeSeat(Client(place.address, shoe.tokens[who]), shoe.name, clock=lambda: now) for who in PLAYERS)
        for limits, seats in ((2 * shoe.state["policy"]["seed"], [ann, bob]), (0, [bob])):
            for seat in seats:
                now = out(EARLY) / SECOND - limits
                with pytest.raises(SeedKept, match="round 1000"):
                    seat.contribute()
                now -= 1
                assert seat.contribute()
        assert ann.contribute()
        ann._client = ann.shoe.client = client = Lying(place.address, shoe.tokens["ann"])
        client.changed = lambda path, answer: answer.replace(b'"expects": null', b'"expects": "hash"').replace(
            b'"round": 1000', b'"round": -1'
        )
        with pytest.raises(VerificationError, match="cannot be read"):
            ann.contribute()


def test_a_hand_that_was_not_bound_is_noticed(place: Any) -> None:
    def other(path: str, answer: bytes) -> bytes:
        if not path.endswith("/hand"):
            return answer
        form = json.loads(answer)
        form["cards"][0]["label"] = "As" if form["cards"][0]["label"] != "As" else "Ks"
        return json.dumps(form).encode()

    def fewer(path: str, answer: bytes) -> bytes:
        form = json.loads(answer) if path.endswith("/hand") else {}
        return json.dumps(form | {"cards": form["cards"][1:]}).encode() if form else answer

    def shorter(path: str, answer: bytes) -> bytes:
        form = json.loads(answer) if path.endswith("/hand") else {}
        return json.dumps(form | {"cards": form["cards"][:-1]}).encode() if form else answer

    ann = with_cards(place)
    for changed in (other, fewer, shorter):
        ann._client.changed = changed  # type: ignore[attr-defined]
        with pytest.raises(VerificationError):
            ann.hand()


def test_a_hand_that_the_log_has_as_another_players_is_noticed(place: Any) -> None:
    """Two players who were told the same cards would each see openings that hold."""
    shoe, seats = sealed(place)
    for who in PLAYERS:
        shoe.draw(3, to=who)
    anns = [card.opening.form for card in seats["ann"].hand()]

    def same(path: str, answer: bytes) -> bytes:
        if path.endswith("/proof") or "?pos=" in path:
            return answer
        if path.endswith("/hand"):
            return json.dumps(json.loads(answer) | {"cards": anns}).encode()
        return answer.replace(b'"to": "bob"', b'"to": "?"').replace(b'"to": "ann"', b'"to": "bob"')

    bob = seats["bob"]
    bob._client = bob.shoe.client = client = Lying(place.address, shoe.tokens["bob"])
    client.changed = same
    with pytest.raises(VerificationError, match="other cards than were drawn"):
        bob.hand()


def test_entries_of_another_shoe_show_nothing(place: Any) -> None:
    """bob has opened his seed in another shoe, and not in this one: it is not ann's turn."""

    def mixed(path: str, answer: bytes) -> bytes:
        if not path.endswith("/proof"):
            return json.dumps(json.loads(answer) | {"you": {"player": "ann", "expects": "seed"}}).encode()
        proof = proof_of(answer)
        leaves = Leaves()
        leaves.extend(lines := list(place.house.sequencer.log.lines(0, proof.head.size)))
        chosen = [(each.place, each.line) for each in proof.entries] + [(len(lines) - 1, lines[-1])]
        return proof_text(build_proof(proof.round, proof.checkpoint, chosen, leaves.node)).encode()

    _, others = seated(place)
    for seat in others.values():
        seat.contribute()
    _, ann, _ = lied_to(place, mixed)
    assert others["bob"].contribute()
    with pytest.raises(SeedKept, match="entries of shoe"):
        ann.contribute()


MALFORMED = {
    "no list": {"hand": {"cards": 5}},
    "no cards": {"hand": {}},
    "null": {"hand": None},
    "a card of null": {"hand": {"cards": [None]}},
    "no runs": {"shoe": {"drawn": None}},
    "a run without its place": {"shoe": {"drawn": [{"to": "ann"}]}},
    "a run of null": {"shoe": {"drawn": [None]}},
    "a run of 10^12 cards": {"shoe": {"drawn": [{"pos": 0, "hidden": 10**12, "to": "ann"}], "gathered": []}},
    "a list for the shoe": {"shoe": []},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_answer_is_the_houses_fault(place: Any, name: str) -> None:
    def changed(path: str, answer: bytes) -> bytes:
        said = MALFORMED[name].get(path.rpartition("/")[2] if path.endswith("/hand") else "shoe", answer)
        return answer if said is answer or path.endswith("/proof") else json.dumps(said).encode()

    ann = with_cards(place)
    ann._client.changed = changed  # type: ignore[attr-defined]
    with pytest.raises(VerificationError) as found:
        ann.hand()
    assert found.value.fault == "house"


@pytest.mark.parametrize("said", [{"0": "another"}, {}, None])
def test_a_card_that_is_shown_is_the_own_one(place: Any, said: Any) -> None:
    def changed(path: str, answer: bytes) -> bytes:
        return json.dumps(json.loads(answer) | {"shown": said}).encode() if path.endswith("/show") else answer

    ann = with_cards(place)
    ann._client.changed = changed  # type: ignore[attr-defined]
    with pytest.raises(VerificationError) as found:
        ann.show(0)
    assert (found.value.where, found.value.fault) == ("shown", "house")


# Receipts.


def judged(place: Any, folder: Path, seat: ShoeSeat, *changes: tuple[str, dict[str, Any] | None]) -> list[Any]:
    """The words for a seat's receipts; `changes`: the first entry of a kind says something else, of which None is left
    out, or is gone; the log ends with one that becomes a `void`."""
    lines = place.entries()
    for kind, changed in changes:
        index = next(i for i, entry in enumerate(lines) if entry["kind"] == kind)
        if changed is not None and changed.get("kind") == "void":
            lines[index:] = [changed]
        else:
            fields = {} if changed is None else lines[index] | changed
            kept = {name: value for name, value in fields.items() if value is not None}
            lines[index : index + 1] = [kept] if kept else []
    write_log(folder, [encode(entry) for entry in lines], place.house.sequencer.signer)
    (folder / "receipts").write_text("".join(f"{json.dumps(note)}\n" for note in seat.receipts))
    return [(case.form["do"], case.word, case.field) for case in decide(folder / "receipts", folder).cases]


def test_the_log_is_held_against_a_players_receipts(place: Any, tmp_path: Path) -> None:
    shoe, seats = sealed(place)
    shoe.draw(3, to="ann")
    ann = seats["ann"]
    ann.show(1, 2)
    agreed = [("hash", "agrees", None), ("seed", "agrees", None), ("show", "agrees", None)]
    assert judged(place, tmp_path / "live", ann) == agreed
    shoe.reveal()
    assert judged(place, tmp_path / "over", ann) == agreed
    other = {"hashes": {"ann": "ab" * 32, "bob": "cd" * 32}}
    assert judged(place, tmp_path / "hash", ann, ("seeds", other))[0] == ("hash", "differs", "hashes.ann")
    silent = {"hashes": {"bob": "cd" * 32}, "unheard": ["ann"]}
    assert judged(place, tmp_path / "unheard", ann, ("seeds", silent))[0] == ("hash", "differs", "hashes.ann")
    assert judged(place, tmp_path / "shown", ann, ("shown", None))[2] == ("show", "missing", None)
    lapse = {"kind": "lapse", "v": 1, "at": place.entries()[2]["at"], "shoe": shoe.name, "player": "bob"}
    words = judged(place, tmp_path / "lapse", seats["bob"], ("opened", lapse | {"seed": None}))
    assert words[1][:2] != ("seed", "agrees")
    void = {
        "kind": "void",
        "v": 1,
        "at": lapse["at"],
        "shoe": shoe.name,
        "why": "age",
        "key": place.entries()[-1]["key"],
    }
    words = judged(place, tmp_path / "void", ann, ("seeds", void))
    assert words[0] == ("hash", "not decided", None), "a house that stood still has logged no hash"


def test_the_proof_of_a_card_is_held_against_a_players_receipts(place: Any, tmp_path: Path) -> None:
    shoe, seats = sealed(place)
    shoe.draw(3, to="ann")
    seats["ann"].show(1, 2)
    shoe.reveal()
    log, held = tmp_path / "log", tmp_path / "log" / "receipts"

    def told(pos: int) -> tuple[Any, ...]:
        main(["prove", str(log), "--round", f"{shoe.name}@{pos}", "--output", str(tmp_path / "card")])
        vkey = read_house_key((log / "log.vkey").read_text().strip())
        found = check_hand_proof((tmp_path / "card").read_bytes(), vkey, against=TrustedInputs(receipts=held))
        return found.outcome.word, *(each["left"] or each["same"] for each in found.form["holds"])

    judged(place, log, seats["ann"])
    assert told(1) == ("PASS", True, True, True)
    assert told(0) == ("PASS", True, True)  # hash and seed; the receipt of what was shown is of other cards
    judged(place, log, seats["ann"], ("shown", None))
    assert told(1) == ("PASS so far", True, True, "not decided")
    judged(place, log, seats["ann"], ("seeds", {"hashes": {"ann": "ab" * 32, "bob": "cd" * 32}}))
    assert told(0) == ("FAIL", False, True)
    held.write_text(held.read_text().replace("hash", "Hash"))
    assert told(0) == ("FAIL", False, True)


CUTS = {
    "as logged": ({}, "agrees"),
    "other": ({"cut": {"at": 40, "by": "ann"}}, "differs"),
    "none": ({"cut": None}, "differs"),
    "of a later player": ({"cut": {"at": 7, "by": "bob"}}, "differs"),
}
"""Cut in a log, and the word for ann's receipt of cut 7, who may cut first."""


@pytest.mark.parametrize("name", CUTS)
@pytest.mark.parametrize("named", [{"cutter": "ann"}, {}], ids=["cutter", "anybody"])
def test_the_logged_cut_is_held_against_a_players_receipts(
    place: Any, tmp_path: Path, name: str, named: dict[str, str]
) -> None:
    changed, word = CUTS[name]
    _, seats = seated(place, draws={"cut": 52}, **named)
    ann, bob = seats.values()
    ann.contribute(7)
    bob.contribute()
    late = ann if named else bob
    with pytest.raises(Problem) as refused:  # the receipt would have a cut that no log has
        late._send("hash", hash=sha256(late.seed).hexdigest(), cut=8)
    assert refused.value.status == 409
    assert place.entries()[1]["cut"] == {"at": 7, "by": "ann"}
    assert judged(place, tmp_path, ann, ("seeds", changed)) == [("hash", word, "cut" if word == "differs" else None)]


@pytest.mark.parametrize("what", ["none", "another"])
def test_a_receipt_that_does_not_say_what_was_sent_is_noticed(place: Any, what: str) -> None:
    def changed(path: str, answer: bytes) -> bytes:
        state = json.loads(answer) if path.endswith("/seed") else {}
        if not state:
            return answer
        del state["receipt"]
        return json.dumps(state | ({"receipt": ann.receipts[1]} if what == "another" else {})).encode()

    _, ann, bob = lied_to(place, changed)
    bob.contribute()
    with pytest.raises(WrongReceipt):
        ann.contribute()
