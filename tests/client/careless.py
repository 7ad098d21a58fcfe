"""Players who do everything that is allowed, carelessly, at an honest house: they look seldom, lose answers, see old
ones, let limits pass, trade the bank, pass chips on, leave and come back, are put out, and go on from their files."""

from __future__ import annotations

import random

from audit_cli.receipts.run import decide
from fairshoe.client import Client, Problem, Seat, Table, Unreachable, WrongReceipt
from fairshoe.client.receipts import Keeper
from fairshoe.errors import VerificationError
from fairshoe.service.settings import Settings

from ..service.place import Place

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
        if method == "GET" and path.startswith("/v1/tables/") and not path.endswith("/proof"):
            self._before = [*self._before[-3:], data]
            if fate < OLD:
                return self.chance.choice(self._before)
        return data


class Careless:
    """The players of one table. `alarms`: what was raised, with what was done before."""

    def __init__(self, place, rules, folder, seed):
        self.place, self.folder = place, folder
        self.chance = Unlucky.chance = random.Random(f"{seed} {rules}")
        self.operator = place.operator.create_table(rules, table=rules, policy={"bet": 20})
        self.table = Table(Unlucky(place.address), rules)
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
        kinds = [(self._act, 300), (self._blind, 2), (self._chips, 6), (self._transfer, 5), (self._time, 4)]
        kinds += [(self._leave, 2), (self._evict, 1), (self._reopen, 2), (self._ask, 1), (self._refund, 1)]
        kind = self.chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
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
            self.seats.append(self.table.sit(player, CHIPS, receipts=self.folder / player))
        except WrongReceipt as alarm:
            self.alarms.append(f"{self.table.name} {player}: {alarm.what} after {self.recent}")
            self.seats.append(alarm.seat)

    def _act(self, seat):
        """One of the things that were expected when the seat looked last."""
        forms = [form for form in seat.expects() if form["do"] in ("waiver", "bets", "here") or not form.get("may")]
        if not forms:
            return
        wanted = self.chance.choice(forms)
        if wanted["do"] == "decisions":
            self._decide(seat, wanted)
        elif wanted["do"] == "bets":
            self._bet(seat, wanted)
        elif wanted["do"] in ("shoe", "here"):
            seat.send(wanted["do"])
        else:
            seat.contribute(waive=True)

    def _decide(self, seat, wanted):
        move = self.chance.choice(wanted["moves"])
        fields = {}
        if "high" in move:
            fields["amount"] = self.chance.randint(move["low"], min(move["high"], 3_000))
        if "among" in move:
            many = self.chance.randint(move["fewest"], move["most"])
            fields["chosen"] = sorted(self.chance.sample(move["among"], many))
        seat.send("decisions", round=wanted["round"], step=wanted["step"], move=move["move"], **fields)

    def _bet(self, seat, wanted):
        unit = wanted["unit"]
        amount = unit * self.chance.randint(wanted["low"] // unit or 1, max(1, min(wanted["high"], 400) // unit))
        bets = [{"amount": amount}] if self.chance.random() < 0.85 else []
        if seat.state["rules"] == "boxes" and self.chance.random() < 0.4:
            bets.append({"amount": amount, "box": self.chance.choice([n for n in range(1, 8) if n != seat.seat])})
        seat.send("bets", round=wanted["round"], bets=bets)

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
        again = Seat(Table(client, self.table.name), seat.book, keeper=Keeper(self.folder / seat.player, client))
        self.seats[self.seats.index(seat)] = again
        again.refresh()

    def _ask(self, seat):
        seat.send("reshuffle")

    def _refund(self, seat):
        if self.table.name == "lounge":
            self.operator.send("refund", player=seat.player, game=self.chance.randint(1, 3), why="unfinished")


def run(rules, folder, turns, seed):
    """Play, and audit: the players' alarms, the auditor's report, the outcome of each file of receipts."""
    with Place(folder / "data", settings=Settings(limits=False), direct=True) as place:
        files = folder / "receipts"
        files.mkdir()
        players = Careless(place, rules, files, seed)
        players.play(turns)
        report = place.audit()
        key = place.public.verifier()
        decided = {each.name: decide(each, place.directory / "audited", key=key) for each in sorted(files.iterdir())}
    return players.alarms, report, decided
