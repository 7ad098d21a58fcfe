"""An honest house is not accused, whatever careless players do: they look seldom, lose answers, see old ones, let
limits pass, trade the bank, pass chips on, leave and come back, are put out, and go on from their files."""

from __future__ import annotations

import random

import pytest

from audit_cli.cases.receipts.run import decide
from fairshoe.client import Client, Problem, RemoteTable, Seat, Unreachable, WrongReceipt
from fairshoe.client.receipts import ReceiptFile
from fairshoe.engine.rules import RULES
from fairshoe.errors import VerificationError
from fairshoe.log.times import SECOND
from fairshoe.service.settings import Settings

from ..service.place import Place, at
from ..service.random_play import something

TURNS = 80
LOOKS, LOST, OLD = 0.7, 0.03, 0.03
PLAYERS = 4
CHIPS = 10_000
REFUSED = (0, 401, 403, 404, 409, 422, 500)


class Unlucky(Client):
    """A connection that loses a request or its answer now and then, and may show a table as it was before."""

    chance = random.Random()

    def __init__(self, *words, **fields):
        super().__init__(*words, **fields | {"patience": 0})
        self._before = []

    def with_token(self, token):
        return type(self)(self.address, token)

    def _once(self, method, path, *more):
        fate = self.chance.random()
        if method == "POST" and fate < LOST / 2:
            raise Unreachable("nobody heard it", dropped=True)
        data = super()._once(method, path, *more)
        if method == "POST" and fate < LOST:
            raise Unreachable("the answer was lost", dropped=True)
        if (
            method == "GET"
            and path.startswith("/v1/tables/")
            and "/openings" not in path
            and not path.endswith("/proof")
        ):
            self._before = [*self._before[-3:], data]
            if fate < OLD:
                return self.chance.choice(self._before)
        return data


class Careless:
    """The players of one table, or the one who places its cards. `alarms`: what was raised, with what was done
    before."""

    def __init__(self, place, rules, folder, seed, **table):
        self.place, self.folder = place, folder
        self.chance = Unlucky.chance = random.Random(f"{seed} {rules}")
        self.operator = place.operator.create_table(rules, table=rules, policy={"bet": 20}, **table)
        self.table = RemoteTable(Unlucky(place.address), rules)
        self.most = min(PLAYERS, self.operator.state()["chairs"])
        self.seats = []
        self.alarms = []
        self.recent = []

    def play(self, turns):
        for turn in range(turns):
            if len(self.seats) < self.most and (not self.seats or self.chance.random() < 0.3):
                self._try(self._sit, None)
            if self.seats:
                seat = self.chance.choice(self.seats)
                self._turn(seat, turn)

    def _turn(self, seat, turn):
        if self.chance.random() < LOOKS:
            self._try(Seat.refresh, seat)
            seat = next((each for each in self.seats if each.next()), seat)
            if seat not in self.seats:  # it was put out
                return
        kinds = {self._act: 300, self._blind: 2, self._chips: 6, self._transfer: 5, self._time: 4}
        kinds |= {self._leave: 2, self._evict: 1, self._reopen: 2, self._ask: 1, self._refund: 1}
        kind = self.chance.choices(list(kinds), list(kinds.values()))[0]
        self._try(kind, seat)

    def _try(self, kind, seat):
        self.recent = [*self.recent[-11:], f"{kind.__name__} {seat.player if seat else ''}"]
        try:
            kind(seat)
        except VerificationError as alarm:
            self.alarms.append(f"{self.table.name} {seat and seat.player}: {alarm.what} after {self.recent}")
        except Unreachable:
            pass
        except Problem as problem:
            if problem.status not in REFUSED:
                raise
            if problem.status == 401 and seat in self.seats:
                self.seats.remove(seat)

    def _sit(self, _):
        names = [f"p{number}" for number in range(PLAYERS + 2)]
        player = self.chance.choice([name for name in names if name not in [seat.player for seat in self.seats]])
        try:
            self.seats.append(self._timed(self.table.sit(player, CHIPS, receipts=self.folder / player)))
        except WrongReceipt as alarm:
            self.alarms.append(f"{self.table.name} {player}: {alarm.what} after {self.recent}")
            self.seats.append(self._timed(alarm.seat))

    def _timed(self, seat):
        """The seat, which goes by the service's clock."""
        seat._placer._clock = lambda: self.place.clock.wall / SECOND
        return seat

    def _act(self, seat):
        """One of the things that were expected when the seat looked last."""
        if seat.expects("here") and self.chance.random() < 0.3:
            seat.send("here")
        elif seat.state["rules"] == "boxes" and seat.expects("bets") and self.chance.random() < 0.4:
            box = self.chance.choice([number for number in range(1, 8) if number != seat.seat])
            seat.bet(20, boxes={box: 20})
        else:
            something(seat, self.chance)

    def _blind(self, seat):
        """A bet on a round that the seat has not looked at."""
        seat.send("bets", round=seat.state["rounds"] + self.chance.randint(1, 2), bets=[{"amount": 20}])

    def _chips(self, seat):
        op = self.chance.choice(["buy-in", "cash-out"])
        seat.send("chips", op=op, amount=CHIPS if self.table.name == "lounge" else self.chance.randint(1, 300))

    def _transfer(self, seat):
        to = self.chance.choice(self.seats).seat
        seat.send("chips", op="transfer", amount=self.chance.randint(1, 300), to=to)

    def _time(self, _):
        self.place.clock.forward(self.chance.choice([1, 21, 31, 31, 61]))

    def _leave(self, seat):
        if self.chance.random() < 0.5:
            seat.refresh()
        seat.leave()
        self.seats.remove(seat)

    def _evict(self, seat):
        self.operator.send("evict", seat=seat.seat)

    def _reopen(self, seat):
        """Another program goes on with the seat's file; what was not answered is forgotten."""
        client = Unlucky(self.place.address, seat.token)
        again = Seat(
            RemoteTable(client, self.table.name), seat.book, keeper=ReceiptFile(self.folder / seat.player, client)
        )
        self.seats[self.seats.index(seat)] = self._timed(again)
        again.refresh()

    def _ask(self, seat):
        seat.send("reshuffle")

    def _refund(self, seat):
        if self.table.name == "lounge":
            self.operator.send("refund", player=seat.player, game=self.chance.randint(1, 3), why="unfinished")


TABLES = [(rules, {}) for rules in sorted(RULES)]
TABLES += [(rules, {"placer": "player"}) for rules in ("banker", "boxes", "casino", "lounge")]


@pytest.mark.parametrize(("rules", "table"), TABLES)
def test_careless_players_see_no_alarm(tmp_path, rules, table):
    """Nor does the auditor of the log, nor of their receipts."""
    with Place(tmp_path / "data", settings=Settings(limits=False), direct=True) as place:
        files = tmp_path / "receipts"
        files.mkdir()
        players = Careless(place, rules, files, 7, **table)
        players.play(TURNS * (3 if table else 1))
        report = place.audit()
        key = place.public.verifier()
        for each in sorted(files.iterdir()):
            decided = decide(each, place.directory / "audited", key=key)
            assert decided.outcome.good, decided.text
    assert players.alarms == []
    assert not report.failed, report.findings


def test_a_file_that_lacks_the_newest_receipts_is_gone_on_with(place, tmp_path):
    table = place.operator.create_table("boxes", table="t1")
    alice = table.sit("alice", 1000, book=tmp_path / "alice")
    bob = table.sit("bob", 1000)
    place.make_shoe([alice, bob])
    at(alice).bet(10)
    older = (tmp_path / "alice.receipts").read_bytes()
    at(alice).bet(20)
    alice.close()
    (tmp_path / "alice.receipts").write_bytes(older)
    again = place.public.table("t1").resume(tmp_path / "alice")
    at(bob).bet(10)
    assert '"amount":20' in again.refresh()["you"]["receipt"]
