"""Shoes without a table over HTTP: what each caller may do, what is durable, and what is done once."""

from __future__ import annotations

import hashlib
import json
from functools import partial

import pytest

from fairshoe.client import Client, Problem
from fairshoe.log.hand_proof import proof_of
from fairshoe.log.times import DAY, SECOND
from fairshoe.protocol.deck import deck_of
from fairshoe.protocol.openings import opening_of
from fairshoe.service.backup import check_database
from fairshoe.service.house import DATABASE_FILE
from tests.audit.telling import said

from .copies import backup, change, codes, lose_database, mirror, restored, vault_of
from .place import refusal

SEEDS = {who: hashlib.sha256(who.encode()).digest() for who in ("ann", "bob")}
RULES = hashlib.sha256(b"war").hexdigest()


class Game:
    """A shoe, with a client for each player."""

    def __init__(self, place, name="war", players=("ann", "bob"), **fields):
        body = {"shoe": name, "roster": [{"player": who} for who in players], **fields}
        if "labels" not in fields:
            body["deck"] = fields.get("deck", "french:1")
        self.place, self.path = place, f"/v1/shoes/{name}"
        self.state = place.operator.post("/v1/shoes", body)
        self.players = self.state["tokens"]

    def client(self, who):
        return self.place.operator if who is None else Client(self.place.address, self.players[who])

    def ask(self, do, who=None, **fields):
        return self.client(who).post(f"{self.path}/{do}", fields)

    def hash(self, who, **more):
        return self.ask("hash", who, hash=hashlib.sha256(SEEDS[who]).hexdigest(), **more)

    def seal(self):
        """Everybody's hash and seed."""
        for who in self.players:
            self.hash(who)
        for who in reversed(self.players):
            self.state = self.ask("seed", who, seed=SEEDS[who].hex())
        return self

    def look(self, who=None):
        return (self.place.public if who is None else self.client(who)).get(self.path)

    def hand(self, who):
        return self.client(who).get(f"{self.path}/hand")


def told(place):
    return [entry["kind"] for entry in place.entries()]


@pytest.mark.both
def test_a_game_from_the_commitment_to_the_audit(place):
    game = Game(place, draws={"die": 6}, rules_hash=RULES).seal()
    assert (game.state["stage"], game.state["rules_hash"]) == ("draw", RULES)
    for number, who in enumerate(game.players):
        drawn = game.ask("draw", pos=5 * number, count=5, to=who)
        assert (drawn["hidden"], drawn["to"], drawn["left"]) == (5, who, 47 - 5 * number)
    public = game.ask("draw", pos=10, count=2, draws=["die"])
    assert len(public["cards"]) == 2
    assert 0 <= public["draws"]["die"] < 6
    game.ask("draw", pos=12, count=1, hidden=True)

    hand = game.hand("ann")
    openings = [opening_of(form) for form in hand["cards"]]
    assert [each.pos for each in openings] == [0, 1, 2, 3, 4]
    for each in openings:
        each.verify(hand["cards_root"])
    shown = game.ask("show", "ann", pos=[1, 3])["shown"]
    assert shown == {str(each.pos): each.label for each in openings if each.pos in (1, 3)}
    assert list(game.ask("show", pos=[12])["shown"]) == ["1", "3", "12"]
    over = game.ask("reveal")
    assert (over["stage"], over["ended"]["why"]) == ("over", "worn")
    assert hashlib.sha256(bytes.fromhex(over["ended"]["key"])).hexdigest() == over["commitment"]
    assert told(place)[:6] == ["shoe", "seeds", "opened", "opened", "seal", "drawn"]
    report = place.assert_clean()
    assert report.checks["cards"] == report.checks["shuffle"] == "pass"
    assert [each.check for each in report.unchecked] == ["signature"]
    assert report.choices.as_json()["players"]["war"]["bob"] == {"hidden card": 5, "hidden card never shown": 5}
    assert game.hand("bob")["cards"], "after the reveal as before"


def test_a_draw_is_done_once_by_its_position(place):
    game = Game(place, draws={"die": 6}).seal()
    first = game.ask("draw", pos=0, count=3)
    size = len(place.entries())
    assert game.ask("draw", pos=0, count=3) | {"log": 0} == first | {"log": 0}
    assert len(place.entries()) == size
    for wrong in ({"pos": 0, "count": 2}, {"pos": 4, "count": 1}, {"pos": 0, "count": 3, "to": "ann"}):
        assert refusal(game.ask, "draw", **wrong)["expected"] == "3"
    die = game.ask("draw", pos=3, draws=["die"])
    assert game.ask("draw", pos=3, draws=["die"])["draws"] == die["draws"]
    assert refusal(game.ask, "draw", pos=3, count=50)["status"] == 409
    assert refusal(game.ask, "draw", pos=3)["field"] == "count"
    assert refusal(game.ask, "draw", pos=3, draws=["coin"])["status"] == 422
    game.ask("draw", pos=3, count=1, to="bob")
    game.ask("reveal")
    assert game.ask("draw", pos=0, count=3)["cards"] == first["cards"]
    assert refusal(game.ask, "draw", pos=4, count=1)["status"] == 409
    place.assert_clean()


def test_nobody_sees_what_is_not_theirs(place):
    game = Game(place).seal()
    game.ask("draw", pos=0, count=5, to="ann")
    cards = {each["label"] for each in game.hand("ann")["cards"]}
    assert len(cards) == 5
    assert game.hand("bob")["cards"] == []
    for client, status in ((place.operator, 403), (place.public, 401)):
        with pytest.raises(Problem) as refused:
            client.get(f"{game.path}/hand")
        assert refused.value.status == status
    for look in (game.look(), game.look("bob"), game.look("ann"), place.operator.get(game.path)):
        assert not any(f'"{label}"' in json.dumps(look) for label in cards)
    assert refusal(game.ask, "show", "bob", pos=[0])["status"] == 409
    assert refusal(game.ask, "show", pos=[0])["status"] == 409
    for do, who in (("draw", "ann"), ("reveal", "ann"), ("void", "ann"), ("seed", None)):
        fields = {"pos": 5, "count": 1} if do == "draw" else {"seed": "ab" * 16} if do == "seed" else {}
        assert refusal(game.ask, do, who, **fields)["status"] == 403
    other = Game(place, "other", ("eve",))
    assert refusal(other.client("eve").post, f"{game.path}/show", {"pos": [0]})["status"] == 403


@pytest.mark.both
def test_it_goes_on_after_a_restart_at_the_next_card(place):
    game = Game(place, labels=[f"ticket {i}" for i in range(300)]).seal()
    first = game.ask("draw", pos=0, count=2)["cards"]
    place.restart()
    assert game.hand("ann")["cards"] == []
    again = game.ask("draw", pos=0, count=2)["cards"]
    more = game.ask("draw", pos=2, count=298)["cards"]
    assert again == first
    assert sorted([*first, *more]) == sorted(f"ticket {i}" for i in range(300))
    game.ask("reveal")
    place.assert_clean()


def test_a_deck_of_its_own_stands_in_the_log_once(place):
    labels = ["red", "green"] * 400
    for name in ("one", "two"):
        Game(place, name, (), labels=labels)
    assert told(place) == ["deck", "shoe", "seal", "shoe", "seal"]
    assert place.operator.get("/v1/shoes/two")["deck"] == place.entries()[0]["deck"]
    place.assert_clean()


def test_a_hash_that_is_a_decks_does_not_keep_its_labels_out_of_the_log(place):
    """A player knows a deck that is to come, and claims its hash."""
    labels = ["heads", "tails"]
    game = Game(place)
    game.ask("hash", "ann", hash=deck_of(labels).hash)
    for name in ("one", "two"):
        Game(place, name, (), labels=labels).ask("reveal")
    assert told(place) == ["shoe", "deck", *("shoe", "seal", "reveal") * 2]
    place.assert_clean()


def test_more_cards_than_an_auditor_puts_in_order_are_refused(place, monkeypatch):
    """Two large shoes pass; a third one only once the log is longer, also where the count was lost by a restore."""
    for where in ("fairshoe.service.table_store", "audit_cli.verify.walk.audit"):
        monkeypatch.setattr(f"{where}.FREE_CARDS", 1000)
    labels = ["red", "green"] * 400

    def whole(name):
        game = Game(place, name, (), labels=labels)
        game.ask("draw", pos=0, count=1)
        game.ask("reveal")

    whole("one")
    whole("two")
    assert refusal(Game, place, "three", (), labels=labels)["field"] == "deck"
    kept = backup(place)
    lose_database(place)
    restored(place, kept)
    refused = refusal(Game, place, "three", (), labels=labels)
    assert (refused["status"], refused["field"]) == (409, "deck")
    for number in range(2):
        Game(place, f"small-{number}", (), deck="french:1").ask("reveal")
    whole("three")
    place.assert_clean()


# Reshuffles.


@pytest.mark.both
def test_the_cards_are_shuffled_anew_while_hands_stay_out(place):
    game = Game(place, draws={"cut": 52, "die": 6}).seal()
    game.ask("draw", pos=0, count=3, to="ann")
    first = game.ask("draw", pos=3, count=49)["cards"]
    own = [each["label"] for each in game.hand("ann")["cards"]]
    state = game.ask("reshuffle", pos=52, out=[2, 0, 1])
    assert game.ask("reshuffle", pos=52, out=[0, 1, 2])["log"] == state["log"], "done once"
    assert [(each["pos"], each["out"]) for each in state["gathered"]] == [(52, [0, 1, 2])]
    again = game.ask("draw", pos=52, count=47)
    assert again["left"] == 2
    assert set(again["cards"]) < set(first)
    game.ask("draw", pos=99, count=2, to="ann")
    place.restart()
    hand = game.hand("ann")
    assert hand["positions"] == [0, 1, 2, 99, 100]
    openings = [opening_of(form) for form in hand["cards"]]
    assert ([each.label for each in openings[:3]], [each.pos for each in openings]) == (own, [0, 1, 2, 47, 48])
    for each, root in zip(openings, [hand["cards_root"]] * 3 + [state["gathered"][0]["root"]] * 2, strict=True):
        each.verify(root)
    assert game.ask("show", "ann", pos=[99])["shown"] == {"99": openings[3].label}
    assert game.ask("draw", pos=101, draws=["die"])["draws"]["die"] < 6
    game.ask("reshuffle", pos=101)
    assert game.hand("ann")["positions"] == [], "they were gathered, and are nobody's any more"
    assert refusal(game.ask, "show", "ann", pos=[0])["field"] == "pos"
    assert game.ask("show", "ann", pos=[99])["shown"] == {"99": openings[3].label}, "sent again, it is answered again"
    assert sorted(game.ask("draw", pos=101, count=52)["cards"]) == sorted([*first, *own])
    game.ask("reveal")
    report = place.assert_clean()
    assert report.choices.as_json()["tables"]["war"]["cards gathered and shuffled anew"] == 2


def test_a_reshuffle_leaks_no_hidden_card(place):
    """What everybody sees has no hash of the deck, by which guesses of the cards that stay out could be tested."""
    game = Game(place).seal()
    game.ask("draw", pos=0, count=3, to="ann")
    game.ask("reshuffle", pos=3, out=[0, 1, 2])
    entry = place.of_kind("gathered")[0]
    assert set(entry) == {"v", "kind", "at", "shoe", "pos", "out", "cards_root"}


def test_what_cannot_be_gathered(place):
    game = Game(place).seal()
    assert refusal(game.ask, "reshuffle", "ann", pos=0)["status"] == 403
    game.ask("draw", pos=0, count=3)
    for wrong, field in (({"pos": 2}, "pos"), ({"pos": 3, "out": [3]}, "out"), ({"pos": 3, "out": [51]}, "out")):
        assert refusal(game.ask, "reshuffle", **wrong)["field"] == field
    game.ask("reshuffle", pos=3, out=[0])
    assert refusal(game.ask, "reshuffle", pos=3, out=[1])["field"] == "out", "it was gathered"
    assert refusal(game.ask, "draw", pos=3, count=52)["expected"] == "at most 51"
    game.ask("draw", pos=3, count=51)
    assert refusal(game.ask, "reshuffle", pos=54, out=[0, *range(3, 54)])["field"] == "out", "no card is left"
    game.ask("reveal")
    assert refusal(game.ask, "reshuffle", pos=54)["status"] == 409
    place.assert_clean()


# Limits.


def test_who_is_silent_is_named_struck_or_makes_the_shoe_void(place):
    game = Game(place, players=("ann", "bob"), policy={"hash": 30, "seed": 10})
    game.hash("ann")
    assert game.look("bob")["you"] == {"player": "bob", "expects": "hash"}
    place.clock.forward(31)
    assert game.look("ann")["you"]["expects"] == "seed"
    assert place.of_kind("seeds")[0]["unheard"] == ["bob"]
    place.clock.forward(11)
    assert game.look()["ended"] | {"key": ""} == {"kind": "void", "why": "seed", "by": "ann", "key": ""}
    other = Game(place, "other", policy={"hash": 30, "seed": 10})
    for who in other.players:
        seed = hashlib.sha256(f"{who} 2".encode()).digest()
        other.ask("hash", who, hash=hashlib.sha256(seed).hexdigest())
    place.clock.forward(11)
    assert other.look()["struck"] == ["bob"]
    assert refusal(other.ask, "seed", "bob", seed=hashlib.sha256(b"bob 2").hexdigest())["status"] == 409
    other.ask("seed", "ann", seed=hashlib.sha256(b"ann 2").hexdigest())
    assert other.look()["stage"] == "draw"
    place.assert_clean()


def test_a_shoe_without_a_hash_is_void_by_the_operators_word(place):
    game = Game(place, policy={"hash": 30})
    assert refusal(game.ask, "void")["status"] == 409
    place.clock.forward(31)
    assert game.ask("void")["ended"]["why"] == "idle"
    place.assert_clean()


def test_a_shoe_ends_at_its_age(place):
    sealed, waiting = Game(place).seal(), Game(place, "waiting")
    sealed.ask("draw", pos=0, count=1)
    place.clock.forward(DAY // SECOND)
    assert (sealed.look()["ended"]["kind"], sealed.look()["ended"]["why"]) == ("reveal", "age")
    assert (waiting.look()["ended"]["kind"], waiting.look()["ended"]["why"]) == ("void", "age")
    place.assert_clean()


def test_limits_begin_anew_with_a_start(place):
    game = Game(place, policy={"hash": 30})
    game.hash("ann")
    place.clock.forward(20)
    place.restart()
    place.clock.forward(20)
    assert place.public.get(game.path)["stage"] == "hash"
    place.clock.forward(11)
    assert place.public.get(game.path)["stage"] == "seed"
    place.assert_clean()


# The cut, and what is refused.


def test_the_cutter_cuts_with_the_hash(place):
    game = Game(place, draws={"cut": 52}, cutter="bob")
    assert refusal(game.hash, "bob")["field"] == "cut"
    assert refusal(game.hash, "ann", cut=3)["field"] == "cut"
    game.hash("bob", cut=7)
    game.hash("ann")
    assert game.look()["cut"] == {"at": 7, "by": "bob"}
    for who in ("bob", "ann"):
        game.ask("seed", who, seed=SEEDS[who].hex())
    game.ask("draw", pos=0, count=52)
    game.ask("reveal")
    place.assert_clean()


WRONG = {
    "no deck": {"roster": []},
    "two decks": {"deck": "french:1", "labels": ["a"], "roster": []},
    "a player twice": {"deck": "french:1", "roster": [{"player": "ann"}, {"player": "ann"}]},
    "a cutter without a cut": {"deck": "french:1", "roster": [{"player": "ann"}], "cutter": "ann"},
    "a cut of another deck": {"deck": "french:1", "roster": [], "draws": {"cut": 51}},
    "a series with a gap": {"deck": "french:1", "roster": [], "draws": {"die/1": 6}},
    "an empty label": {"labels": [""], "roster": []},
    "a limit of a second": {"deck": "french:1", "roster": [], "policy": {"hash": 1}},
    "an id with a slash": {"shoe": "a/1", "deck": "french:1", "roster": []},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_shoe_that_cannot_be_is_refused_whole(place, name):
    body = refusal(place.operator.post, "/v1/shoes", WRONG[name])
    assert body["status"] in (400, 422), body
    assert place.entries() == []


def test_a_command_whose_entry_is_too_long_changes_nothing(place):
    def make(name, **fields):
        body = json.dumps({"shoe": name, "roster": [], **fields}, separators=(",", ":")).encode()
        place.operator.raw("POST", "/v1/shoes", body, {"Content-Type": "application/json"})

    draws = {f"{number:04}{'x' * 60}": 1 << 32 for number in range(838)}
    refused = [refusal(make, "many", deck="french:1", draws=draws) for _ in range(2)]
    assert [(each["status"], each["field"]) for each in refused] == [(409, "draws")] * 2
    assert place.entries() == []
    make("long", labels=[f"{number:04}{'x' * 60}" for number in range(977)])
    ask, before = partial(place.operator.post, "/v1/shoes/long/draw"), place.entries()
    refused = [refusal(ask, {"pos": 0, "count": 977}) for _ in range(2)]
    assert [(each["status"], each["field"]) for each in refused] == [(409, "cards")] * 2
    assert place.entries() == before
    assert [len(ask({"pos": pos, "count": count})["cards"]) for pos, count in ((0, 900), (900, 77))] == [900, 77]
    assert place.operator.post("/v1/shoes/long/reveal", {})["stage"] == "over"
    place.assert_clean()


def test_no_card_cannot_be_shown(place):
    game = Game(place).seal()
    for who in (None, "ann"):
        refused = refusal(game.ask, "show", who, pos=[])
        assert (refused["status"], [each["field"] for each in refused["errors"]]) == (422, ["pos"])


def test_a_token_is_of_one_player(place):
    game, digest = Game(place), hashlib.sha256(b"fs_mine").hexdigest()
    taken = hashlib.sha256(game.players["ann"].encode()).hexdigest()
    for digests in ((digest, digest), (taken, digest)):
        roster = [{"player": who, "token_sha256": each} for who, each in zip(("ann", "bob"), digests, strict=True)]
        refused = refusal(place.operator.post, "/v1/shoes", {"shoe": "two", "deck": "french:1", "roster": roster})
        assert (refused["status"], refused["field"]) == (409, "token_sha256")
    assert refusal(place.public.get, "/v1/shoes/two")["status"] == 404
    roster = [{"player": "ann", "token_sha256": digest}]
    assert place.operator.post("/v1/shoes", {"shoe": "two", "deck": "french:1", "roster": roster})["tokens"] == {}
    assert Client(place.address, "fs_mine").get("/v1/shoes/two")["you"]["player"] == "ann"


def test_ids_and_hashes_come_once(place):
    game = Game(place)
    assert refusal(Game, place)["field"] == "shoe"
    game.hash("ann")
    assert refusal(game.ask, "hash", "bob", hash=hashlib.sha256(SEEDS["ann"]).hexdigest())["status"] == 409
    assert refusal(game.ask, "hash", "bob", hash=game.state["commitment"])["status"] == 409
    assert refusal(place.public.get, "/v1/shoes/none")["status"] == 404
    assert refusal(place.public.get, "/v1/tables/shoes%2Fwar")["status"] == 404
    assert place.public.get("/v1/tables") == {"tables": []}


@pytest.mark.wire
def test_a_shoe_is_followed_as_it_changes(place):
    game = Game(place)
    state, tag = place.public.newer(game.path, "")
    assert state["hashed"] == []
    game.hash("ann")
    state, _ = place.public.newer(game.path, tag)
    assert state["hashed"] == ["ann"]


# Backups.


def test_a_lost_database_goes_on_at_the_next_card(place):
    """From a backup and a mirror of the log; a shoe that the backup does not know is lost, and its key with it."""
    game, waiting = Game(place, deck="french:2").seal(), Game(place, "waiting", policy={"hash": 3600})
    waiting.ask("hash", "ann", hash="ab" * 32)
    game.ask("draw", pos=0, count=2, to="ann")
    kept = backup(place)
    first = game.ask("draw", pos=2, count=3)["cards"]
    newer = Game(place, "newer", (), labels=["a", "b", "c"])
    log, hand = mirror(place), game.hand("ann")
    lose_database(place)
    done = restored(place, kept, log=log)
    assert (sorted(done.live), done.lost_shoes) == (["newer", "waiting", "war"], ["newer"])
    assert newer.look()["ended"]["kind"] == "lost"
    assert game.ask("draw", pos=2, count=3)["cards"] == first
    assert game.hand("ann") == hand
    assert waiting.look("ann")["you"]["expects"] == "hash"
    waiting.ask("hash", "ann", hash="ab" * 32)
    Game(place, "again", (), labels=["a", "b", "c"])
    game.ask("draw", pos=5, count=99)
    game.ask("reveal")
    assert codes(place) == ["shoe-lost"]
    checked = check_database(place.house.database, vault_of(place), None)
    assert (checked.wrong, checked.live) == ([], 2)


def test_a_backup_names_a_shoe_that_was_changed(place):
    Game(place).seal().ask("draw", pos=0, count=1)
    kept = backup(place)
    change(kept / DATABASE_FILE, "UPDATE tables SET state = replace(state, '\"position\":1', '\"position\":2')")
    checked = check_database(kept / DATABASE_FILE, vault_of(place), None)
    assert checked.wrong == ["shoe war: its state is not what the log makes of it"]


# Proofs.


def test_the_proof_of_one_card(place, tmp_path):
    place.sit("casino", 1, name="war")  # a table of the same name
    game = Game(place, labels=[f"ticket {i}" for i in range(40)]).seal()
    game.ask("draw", pos=0, count=3, to="ann")
    card = game.ask("draw", pos=3, count=1)["cards"][0]
    key = place.public.verifier()

    def told(pos):
        file = tmp_path / f"{pos}.json"
        file.write_bytes(place.public.raw("GET", f"{game.path}/proof?pos={pos}"))
        return said("hand", file, "--key", key)

    assert told(3).first.startswith("PASS so far")
    assert [
        json.loads(each.line)["kind"] for each in proof_of(place.public.raw("GET", f"{game.path}/proof")).entries
    ] == [*("deck", "shoe", "seeds", "opened", "opened", "seal")]
    game.ask("reveal")
    assert told(3).first.startswith("PASS: card 3 of shoe war")
    assert f"gives {card}." in told(3).out
    assert "hidden to ann" in told(0).out
    assert refusal(place.public.get, f"{game.path}/proof?pos=4")["status"] == 404


def test_a_tables_name_has_no_proof_of_a_shoe_and_its_entries_are_not_read(place, monkeypatch):
    place.sit("casino", 1, name="war")
    monkeypatch.setattr("fairshoe.service.log_reader.lines_named", None)
    assert refusal(place.public.get, "/v1/shoes/war/proof")["status"] == 404
