"""A house over HTTP beside the machine as its model: any command, in any order, late, repeated, and through crashes.

Each answer must be the model's to the byte, so must the log and what is stored of the table; no answer shows a key or a
seed before the log does; whatever was done is done once, however often it is sent; and neither the audit nor
`restore --check` has a finding.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unittest.mock import patch

from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from audit_cli.verify.run import verify
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.state_codec import dump
from fairshoe.log.directory import write_log
from fairshoe.log.times import DAY
from fairshoe.service.api.context import EXTENSION
from fairshoe.service.app import create_app
from fairshoe.service.backup import check_database
from fairshoe.service.clock import Outages
from fairshoe.service.house import open_house
from fairshoe.service.settings import Settings
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.store.schema import tables
from fairshoe.service.vault import Vault, master_key

from .description import Description
from .model import Model
from .place import Moments

NOTE = "note"
"""A void shoe is told, and is nobody's fault."""
SHM = Path("/dev/shm")
SMALL = st.integers(1, 3)
AMOUNT = st.sampled_from([1, 2, 5, 10, 20, 100, 1_000, 10_000])
MEANT = st.sampled_from([None, "t1/1", "t1/2"])
NAMES = st.sampled_from(["ann", "bob", "cy", "dot"])


def seed_of(name: str) -> bytes:
    return name.encode().ljust(16)


MOVES = st.sampled_from(["hit", "stand", "double", "split", "surrender", "decline", "accept", "give", "fold"])
SEAT_COMMANDS = st.one_of(
    st.builds(say.BuyIn, SMALL, AMOUNT),
    st.builds(say.CashOut, SMALL, AMOUNT, st.just(False)),
    st.builds(say.CashOut, SMALL, st.none(), st.just(True)),
    st.builds(say.Transfer, SMALL, AMOUNT, SMALL),
    st.builds(say.AskShoe, SMALL),
    st.builds(say.AskReshuffle, SMALL, MEANT),
    st.builds(say.Waive, SMALL, MEANT),
    st.builds(say.Here, SMALL),
    st.builds(say.PlaceBets, SMALL, SMALL, st.lists(st.builds(say.Stake, AMOUNT, st.none() | SMALL), max_size=2)),
    st.builds(say.Decide, SMALL, SMALL, st.integers(0, 3), MOVES, st.just(0), st.just(())),
    st.builds(
        say.GiveHash, SMALL, NAMES.map(lambda name: sha256(seed_of(name)).hexdigest()), st.none() | AMOUNT, MEANT
    ),
    st.builds(say.GiveSeed, SMALL, NAMES.map(lambda name: seed_of(name).hex()), st.none() | AMOUNT),
)
OPERATORS = st.one_of(
    st.just(say.AskShoe()),
    st.builds(say.Evict, SMALL),
    st.builds(say.Refund, NAMES, SMALL, st.sampled_from(["round", "unfinished"])),
    st.just(say.NoMoreBets()),
    st.just(say.Close()),
)


class Request(NamedTuple):
    path: str
    body: dict[str, Any]
    token: str | None
    key: str


class Done(NamedTuple):
    """A request that was granted: its answer, and when (microseconds)."""

    request: Request
    status: int
    data: bytes
    at: int


class AnyOrder(RuleBasedStateMachine):
    game: ClassVar[str]
    store: ClassVar[Callable[[], str]]
    """Gives the address of an empty database, or nothing for SQLite."""
    kinds: ClassVar[Counter[str]]
    """Of the entries of all examples."""
    statuses: ClassVar[Counter[int]]
    app: ClassVar[Flask | None] = None
    """It knows nothing of a house but what it asks of its sequencer."""
    description: ClassVar[Description]

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp(dir=SHM if SHM.is_dir() else None))
        self.moments = Moments()
        self.keys, self.made = 0, list[bytes]()
        self.agreed = True
        self.done: list[Done] = []
        self.issued: list[tuple[str, int]] = []
        """Every token there ever was, and its chair."""
        self.settings = Settings(limits=False, database=self.store())
        self.patched = patch("fairshoe.service.table_store.new_key", self._new_key)
        self.patched.start()
        self._open()
        self.sequencer.transactions.start(clock_is_right=True)
        self.operator = self.house.token
        self.vault = Vault(master_key(self.directory / "data", fresh=False))
        self.model = Model(self.moments.clock(), lambda form: self.sequencer.receipts.sign(form))

    def _new_key(self) -> bytes:
        self.keys += 1
        self.made.append(sha256(f"key {self.keys}".encode()).digest())
        return self.made[-1]

    def _open(self) -> None:
        self.house = open_house(self.directory / "data", self.moments.clock(), settings=self.settings)
        self.sequencer = self.house.sequencer
        self.sequencer.transactions.outages = Outages(self.sequencer.transactions.outages.clock, lambda: 0)
        if self.app is None:
            type(self).app = create_app(self.sequencer)
            type(self).description = Description(self.app.test_client().get("/openapi.json").json)
        self.app.extensions[EXTENSION] = self.sequencer
        self.client = self.app.test_client()

    def teardown(self) -> None:
        if self.done and self.agreed:  # else the first difference is told, and no later one
            self._crash()
            self.the_log_and_the_table_are_the_models()
        self.patched.stop()
        data = self.directory / "data"
        database = self.house.database
        checked = check_database(database.path or database, self.vault, data / KEPT_FILE)
        lines = list(self.sequencer.log.lines(0, self.sequencer.log.size()))
        write_log(self.directory / "log", lines, self.sequencer.signer)
        self.house.close()
        report = verify(self.directory / "log") if lines else None
        shutil.rmtree(self.directory)
        self.kinds.update(json.loads(line)["kind"] for line in lines)
        assert report is None or not [found for found in report.findings if found.severity != NOTE]
        assert checked.wrong == []

    # What happens.

    @initialize(two=st.booleans(), options=st.booleans())
    def begin(self, two: bool, options: bool) -> None:
        policy = {"bet": 20} if options else {}
        body = {"rules": self.game, "table": "t1", "policy": policy}
        self._send("/v1/tables", body, self.operator, lambda _: self.model.create(self.game, {}, policy), crash=False)
        for name in ("ann", "bob") if two else ("ann",):
            self._give(None, say.TakeSeat(name, 10_000))

    @rule(player=NAMES, amount=AMOUNT, seat=st.integers(0, 3))
    def sit(self, player: str, amount: int, seat: int) -> None:
        self._give(None, say.TakeSeat(player, amount, seat))

    @rule(data=st.data(), steps=st.integers(8, 20))
    def go_on(self, data: st.DataObject, steps: int) -> None:
        """Whoever is waited for does something that is expected."""
        for _ in range(steps):
            waited = []
            for seat in self.model.players:
                first = next(self.model.wanted(seat), None)
                if first is not None and not first.get("may"):
                    waited.append((seat, first))
            if not waited:
                return
            seat, form = data.draw(st.sampled_from(waited))
            self._give(seat, self._meant(data, seat, form))

    play_on = rule(data=st.data(), steps=st.integers(2, 12))(lambda self, data, steps: self.go_on(data, steps))

    @precondition(lambda self: self.model.players)
    @rule(data=st.data(), crash=st.integers(0, 3))
    def something_possible(self, data: st.DataObject, crash: int) -> None:
        """Also what nobody waits for."""
        seat = data.draw(st.sampled_from(sorted(self.model.players)))
        forms = list(self.model.wanted(seat))
        if forms:
            self._give(seat, self._meant(data, seat, data.draw(st.sampled_from(forms))), crash=crash)

    @rule(command=SEAT_COMMANDS)
    def anything(self, command: Any) -> None:
        """Possible or not, by whoever sits there or sat there once."""
        self._give(command.seat, command)

    @rule(command=OPERATORS)
    def the_operator(self, command: Any) -> None:
        self._give(None, command, operator=True)

    @rule(seconds=st.sampled_from([1, 1, 19, 31, 31, 61, 3_601, 86_401]), then=st.sampled_from(["", "look", "crash"]))
    def time_passes(self, seconds: int, then: str) -> None:
        """`look`: the house does by itself what is due, before anybody asks."""
        self.moments.forward(seconds)
        if then == "crash":
            self._crash()
        elif then == "look":
            self.made.clear()
            for table in self.sequencer.transactions.overdue_tables():
                self.sequencer.transactions.catch_up(table)
            self.model.fresh = list(self.made)
            self.model.tick()

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """Something of the last day is sent again: whoever asks has the same answer, and nothing is done."""
        young = [each for each in self.done if self.moments.wall - each.at < DAY]
        if young:
            self._again(data.draw(st.sampled_from(young)))

    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        token, seat = data.draw(st.sampled_from([(None, None), (self.operator, None), *self.issued]))
        self.made.clear()
        answer = self.client.get("/v1/tables/t1", headers=_bearer(token))
        self.model.fresh = list(self.made)
        status, body = self.model.look(token, seat)
        if status == 200:
            assert answer.json["changed"] <= body["at"]
            body |= {"changed": answer.json["changed"]}
        self._compare(answer, (status, body))

    # What must hold.

    @invariant()
    def the_log_and_the_table_are_the_models(self) -> None:
        if not self.done:
            return
        assert list(self.sequencer.log.lines(0, self.sequencer.log.size())) == self.model.log
        with self.house.database.begin_read() as connection:
            (stored,) = connection.execute(select(tables.c.state)).scalars()
        assert stored == dump(self.model.state)
        shoe = self.model.state.shoe
        assert shoe is None or set(shoe.opened.values()) <= self.model.opened

    # How.

    def _crash(self) -> None:
        """The house is gone from one moment to the next, and is opened again."""
        self.house.close()
        self._open()
        self.sequencer.transactions.start(clock_is_right=True)
        self.model.start(self.moments.clock())

    def _give(self, seat: int | None, command: Any, *, operator: bool = False, crash: bool = False) -> None:
        """A command of the operator, of a chair, or of somebody who has none."""
        tokens = [token for token, chair in self.issued if chair == seat]
        token = self.operator if operator else tokens[-1] if tokens else None if seat is None else "fs_nobody"
        path, body = request_of(command)
        made = f"fs_{secrets.token_hex()}"
        if path == "seats":
            body["token_sha256"] = sha256(made.encode()).hexdigest()

        def told(_: Any) -> tuple[int, Any]:
            said = self.model.act(token, seat, command, made=made)
            if said[0] == 201:
                self.issued.append((made, said[1]["you"]["seat"]))
            return said

        self._send(f"/v1/tables/t1/{path}", body, token, told, crash=crash)

    def _send(self, path: str, body: Any, token: str | None, told: Callable[[Any], Any], *, crash: bool) -> None:
        request = Request(path, body, token, secrets.token_hex(16))
        self.made.clear()
        answer = self._post(request)
        self.model.fresh = list(self.made)
        self._compare(answer, told(answer))
        if answer.status_code < 300:
            self.done.append(Done(request, answer.status_code, answer.data, self.moments.wall))
            if crash:
                self._crash()
                self._again(self.done[-1])

    def _post(self, request: Request) -> Any:
        headers = {"Idempotency-Key": request.key, **_bearer(request.token)}
        return self.client.post(request.path, json=request.body, headers=headers)

    def _again(self, done: Done) -> None:
        answer = self._post(done.request)
        assert (answer.status_code, answer.data) == (done.status, done.data)
        assert answer.headers["Idempotent-Replay"] == "true"

    def _compare(self, answer: Any, told: tuple[int, Any]) -> None:
        self.statuses[answer.status_code] += 1
        self.agreed = False
        assert answer.status_code == told[0], answer.json
        assert answer.json == json.loads(json.dumps(told[1]))
        for key in self.made:
            assert key.hex() not in answer.text
        schema = "Problem" if told[0] >= 400 else "TableState"
        self.description.check(schema, answer.json)
        self.agreed = True

    def _meant(self, data: st.DataObject, seat: int, form: dict[str, Any]) -> say.Command:
        """A command that a chair may give, of which the form tells what is possible."""
        player = self.model.players[seat]
        seed = sha256(f"{player} {form.get('shoe')}".encode()).hexdigest()
        cut = form["cut"][0] if "cut" in form and data.draw(st.integers(0, 3)) else None
        match form["do"]:
            case "hash":
                meant = data.draw(st.sampled_from([form["shoe"], None, "t1/999"]))
                return say.GiveHash(seat, sha256(bytes.fromhex(seed)).hexdigest(), cut, meant)
            case "seed":
                return say.GiveSeed(seat, seed, cut)
            case "bets":
                stake = say.Stake(data.draw(st.sampled_from([form["low"], form["low"] + form["unit"]])))
                return say.PlaceBets(seat, form["round"], (stake,) if data.draw(st.integers(0, 4)) else ())
            case "decisions":
                move = data.draw(st.sampled_from(form["moves"]))
                amount = data.draw(st.sampled_from([move["low"], move["high"]])) if "high" in move else 0
                many = data.draw(st.integers(move["fewest"], move["most"])) if "among" in move else 0
                chosen = tuple(sorted(move["among"])[:many]) if many else ()
                return say.Decide(seat, form["round"], form["step"], move["move"], amount, chosen)
            case "chips":
                match data.draw(st.sampled_from(form["ops"])):
                    case "buy-in":
                        return say.BuyIn(seat, data.draw(AMOUNT))
                    case "transfer":
                        return say.Transfer(seat, data.draw(AMOUNT), data.draw(SMALL))
                    case op:
                        return say.CashOut(seat, None if op == "leave" else data.draw(AMOUNT), op == "leave")
        plain: dict[str, Callable[[int], say.Command]] = {
            "shoe": say.AskShoe,
            "waiver": say.Waive,
            "reshuffle": say.AskReshuffle,
            "here": say.Here,
        }
        return plain[form["do"]](seat)


def run(rules: str, examples: int, steps: int, at: Callable[[], str] = str, **more: Any) -> type[AnyOrder]:
    """So many examples of a game, of so many steps each, `at` databases that it gives the addresses of, or SQLite's
    files; gives what was counted. Raises what does not hold."""

    class House(AnyOrder):
        game = rules
        store = staticmethod(at)
        kinds: ClassVar[Counter[str]] = Counter()
        statuses: ClassVar[Counter[int]] = Counter()

    how = {"deadline": None, "suppress_health_check": list(HealthCheck), **more}
    run_state_machine_as_test(House, settings=settings(max_examples=examples, stateful_step_count=steps, **how))
    return House


def request_of(command: say.Command) -> tuple[str, dict[str, Any]]:
    """The route of a command at its table, and its body."""
    match command:
        case say.TakeSeat(player, amount, seat):
            return "seats", {"player": player, "amount": amount} | ({"seat": seat} if seat else {})
        case say.BuyIn(_, amount):
            return "chips", {"op": "buy-in", "amount": amount}
        case say.CashOut(_, amount, leave):
            return "chips", {"op": "cash-out"} | ({"leave": True} if leave else {"amount": amount})
        case say.Transfer(_, amount, to):
            return "chips", {"op": "transfer", "amount": amount, "to": to}
        case say.Refund(player, game, why):
            return "refund", {"player": player, "game": game, "why": why}
        case say.GiveHash(_, digest, cut, shoe):
            more = {} if shoe is None else {"shoe": shoe}
            return "hash", {"hash": digest} | ({} if cut is None else {"cut": cut}) | more
        case say.AskReshuffle(_, shoe) | say.Waive(_, shoe):
            what = "waiver" if isinstance(command, say.Waive) else "reshuffle"
            return what, {} if shoe is None else {"shoe": shoe}
        case say.GiveSeed(_, seed, cut):
            return "seed", {"seed": seed} | ({} if cut is None else {"cut": cut})
        case say.PlaceBets(_, round, stakes):
            bets = [{"amount": each.amount} | ({} if each.box is None else {"box": each.box}) for each in stakes]
            return "bets", {"round": round, "bets": bets}
        case say.Decide(_, round, step, move, amount, chosen):
            more = {"amount": amount} if amount else {}
            more |= {"chosen": list(chosen)} if chosen else {}
            return "decisions", {"round": round, "step": step, "move": move, **more}
        case say.Evict(chair):
            return "evict", {"seat": chair}
    plain = {say.AskShoe: "shoe", say.Here: "here", say.NoMoreBets: "no-more-bets", say.Close: "close"}
    return plain[type(command)], {}


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}
