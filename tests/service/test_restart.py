"""Nothing that matters is kept in memory: a restart in any phase, and `kill -9` in the middle of a round."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from fairshoe.client import Client, Seat, Table
from fairshoe.log.directory import write_log
from fairshoe.service.house import open_house
from fairshoe.service.server import Server

from .place import at, refusal, step

LATER = {"at": 0, "deadlines": 0, "log": 0}
"""What a restart may change: time, deadlines, and the log, which says that the service started."""


def seat_again(seat, address):
    """The same token at the address of a restarted service."""
    table = Table(Client(address, seat.token), seat.table.name)
    return Seat(table, seat.book, table.state())


def restarted(place, seats):
    before = [at(seat).state for seat in seats]
    place.restart()
    again = [place.again(seat) for seat in seats]
    assert place.kinds()[-1] == "start"
    for seat, state in zip(again, before, strict=True):
        assert seat.state | LATER == state | LATER
    return again


def test_a_restart_in_every_phase(place):
    seats = restarted(place, place.casino(3))
    seats[0].send("shoe")
    for _ in range(6):
        for index in range(3):
            seats = restarted(place, seats)
            seats[index].contribute()
    assert seats[0].refresh()["phase"] == "bet"
    for _ in range(3):
        for index in range(3):
            if at(seats[index]).next():
                seats[index].bet(10)
                seats = restarted(place, seats)
        while (turn := place.turn(seats)) is not None:
            decline = any(move["move"] == "decline" for move in turn.next()["moves"])
            turn.decide("decline" if decline else "hit")
            seats = restarted(place, seats)
    assert "round" in place.kinds()
    place.operator.table("t1").send("close")
    seats = restarted(place, seats)
    for seat in seats:
        seat.leave()
    assert place.last() == ("reveal", "left")
    place.restart()
    assert place.assert_clean().open == 0


@pytest.mark.direct
@pytest.mark.parametrize("rules", ["pontoon", "chinese", "boxes", "lounge", "banker"])
def test_a_restart_before_every_step_of_the_other_games(place, rules):
    table = place.operator.create_table(rules, table="t1")
    seats = [table.sit(f"p{i}", 10_000) for i in range(min(2, table.state()["chairs"]))]
    for _ in range(30):
        seats = restarted(place, seats)
        for seat in seats:
            step(seat)
    assert "round" in place.kinds()
    place.assert_clean()


def test_a_restart_gives_everybody_their_time_again(place):
    _, turn = place.playing()
    place.stop()
    place.clock.forward(3600)
    place.start()
    turn = place.again(turn)
    wanted = turn.next()
    assert wanted["do"] == "decisions"
    place.clock.forward(29)
    assert at(turn).next() == wanted
    place.clock.forward(2)
    fields = {"round": wanted["round"], "step": wanted["step"], "move": "hit"}
    assert refusal(turn.send, "decisions", **fields)["status"] == 409
    place.assert_clean()


def test_a_restart_begins_the_waits_for_hashes_bets_and_seeds_anew(place):
    seats = place.sit("boxes", 2)
    seats[0].send("shoe")
    for phase, seconds in (("hash", 25), ("bet", 55), ("seed", 25)):
        seats = place.outage(seats, seconds)
        assert at(seats[0]).state["phase"] == phase
        place.clock.forward(seconds)
        assert at(seats[0]).state["phase"] == phase
        if phase == "bet":
            for seat in seats:
                at(seat).bet(10)
        else:
            place.contribute(seats)
    place.finish(seats)
    assert place.last() == ("reveal", "worn")
    place.assert_clean()


def test_a_commit_is_on_the_disk(place):
    with place.house.database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_two_services_share_one_directory(place):
    """No truth in a process: every other request goes to the other one."""
    with Server(open_house(place.directory, place.clock.clock())) as other:
        table = place.operator.create_table("casino", table="t1")
        seats = [table.sit(f"p{i}", 1000) for i in range(2)]
        twins = [seat_again(seat, other.address) for seat in seats]
        seats[0].send("shoe")
        for _ in range(30):
            for seat, twin in zip(seats, twins, strict=True):
                step(seat)
                step(twin)
                assert at(seat).state | {"at": 0} == at(twin).state | {"at": 0}
    assert "round" in place.kinds()
    place.assert_clean()


class Process:
    """`fairshoe serve` as a process of its own."""

    def __init__(self, data, *more):
        command = [sys.executable, "-m", "fairshoe", "serve", "--port", "0", "--data", str(data), *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.token = None
        while True:
            line = self.process.stdout.readline()
            assert line, "the server did not start"
            if found := re.search(r"token.*(fs_\S+)", line):
                self.token = found[1]
            if found := re.search(r"http://\S+?:\d+", line):
                self.address = found[0]
                return

    def end(self, how):
        self.process.send_signal(how)
        code = self.process.wait()
        self.process.stdout.close()
        return code


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_in_the_middle_of_a_round_goes_on_at_the_same_card(tmp_path):
    from audit_cli.verify import verify

    data = tmp_path / "data"
    server = Process(data)
    table = Client(server.address, server.token).create_table("casino", table="t1")
    seats = [table.sit(f"p{i}", 1000) for i in range(2)]
    seats[0].send("shoe")
    killed = 0
    while killed < 3:
        for index in range(2):
            seat = seats[index]
            while at(seat).next() is not None:
                if seat.next()["do"] == "decisions" and killed < 3:
                    seat.decide(seat.next()["moves"][0]["move"], **insured(seat))
                    before = at(seat).state
                    server.end(signal.SIGKILL)
                    killed += 1
                    server = Process(data)
                    assert server.token is None
                    seats = [seat_again(each, server.address) for each in seats]
                    seat = seats[index]
                    assert seat.state | LATER == before | LATER
                else:
                    step(seat)
    for _ in range(4):
        for seat in seats:
            step(seat)
    assert server.end(signal.SIGTERM) == 0
    sequencer = open_house(data).sequencer
    write_log(tmp_path / "log", sequencer.log_lines(0, sequencer.log_size()), sequencer.signer)
    report = verify(tmp_path / "log")
    assert not report.failed, report.findings
    assert report.rounds >= 1


def insured(seat):
    move = seat.next()["moves"][0]
    return {"amount": move["low"]} if "low" in move else {}
