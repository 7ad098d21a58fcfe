"""Full disks, damaged databases, disks that cannot be written: one clear word each, and nothing half done."""

from __future__ import annotations

import errno
import gc
import os
import re
import resource
import shutil
import sqlite3
import time
from contextlib import contextmanager
from ctypes import CDLL, c_uint32
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event

from fairshoe.cli import main
from fairshoe.service.api.problems import ALL
from fairshoe.service.errors import StorageBusy, StorageDamaged, StorageFull, UnusableData
from fairshoe.service.house import open_house
from fairshoe.service.settings import Settings
from fairshoe.service.store import database
from fairshoe.service.store.database import check_pages, trouble
from fairshoe.terminal import durable

from ..postgresql import PostgreSQL
from .place import Place
from .wire import call

pytestmark = pytest.mark.wire

RULES = Path(__file__).parents[2] / "docs" / "deploy" / "fairshoe.rules.yml"
PAGE = 4096
FULL = "disk is full; make room: nothing was changed"


@contextmanager
def on_each_begin(database, statement):
    def begin(connection):
        connection.exec_driver_sql(statement)

    event.listen(database.engine, "begin", begin)
    try:
        yield
    finally:
        event.remove(database.engine, "begin", begin)
        database.engine.dispose()


@contextmanager
def full(database, monkeypatch):
    """The database finds no room for one page more, and the disk has none."""
    with monkeypatch.context() as patch, on_each_begin(database, "PRAGMA max_page_count = 1"):
        patch.setattr("fairshoe.service.store.database.free_bytes", lambda _: 0)
        yield


@contextmanager
def held(path):
    """Another process writes, and does not end."""
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


def damage(path, first=1):
    """Overwrite every page from number `first` on, counted from 0."""
    with open(path, "r+b") as file:
        pages = os.fstat(file.fileno()).st_size // PAGE
        file.seek(first * PAGE)
        file.write(b"\xa5" * PAGE * (pages - first))


class Refusing:
    """os.fsync of a disk that has no room at call `number`, from 0."""

    def __init__(self, number):
        self.left = number
        self._fsync = os.fsync

    def __call__(self, handle):
        self.left -= 1
        if self.left == -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._fsync(handle)


def test_a_first_start_that_found_no_room_for_a_file_is_begun_again(tmp_path, monkeypatch):
    for number in count():
        data, refusing = tmp_path / str(number), Refusing(number)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", refusing)
            try:
                house = open_house(data)
            except (OSError, StorageFull):
                house = None
        if house is not None and refusing.left >= 0:
            break
        if house is None:
            assert not (data / "master.key").exists() or len((data / "master.key").read_text()) == 65
            house = open_house(data)
        house.database.close()
        assert open_house(data).sequencer.log.size() == 0
    assert number > 5


@pytest.mark.parametrize("pages", [1, 16])
def test_a_first_start_that_found_no_room_for_the_database_is_begun_again(tmp_path, monkeypatch, pages):
    prepare = database._prepare_sqlite

    def small(engine):
        prepare(engine)
        database.event.listen(engine, "connect", lambda one, _: one.execute(f"PRAGMA max_page_count = {pages}"))

    with monkeypatch.context() as patch:
        patch.setattr(database, "_prepare_sqlite", small)
        with pytest.raises(StorageFull, match="the disk is full"):
            open_house(tmp_path)
    assert open_house(tmp_path).token


def buy_in(place, token, key):
    body = {"op": "buy-in", "amount": 7}
    return call(place, "POST", "/v1/tables/t1/chips", body, token, Idempotency_Key=f"{key:016d}")


def until_refused(ask):
    """Ask until that is refused; gives the number of the request that was."""
    for number in range(500):
        answer = ask(number)
        if answer.status not in (200, 201):
            assert (answer.status, answer.headers["Content-Type"]) == (507, "application/problem+json")
            return number
    raise AssertionError("there was room for all")


def test_on_a_full_disk_commands_are_refused_and_can_be_sent_again(place, monkeypatch):
    (alice,) = place.casino(1)
    with full(place.house.database, monkeypatch):
        number = until_refused(lambda number: buy_in(place, alice.token, number))
        entries = place.entries()
        problem = buy_in(place, alice.token, number).json
        assert (problem["type"], problem["status"]) == ("/docs#storage-full", 507)
        assert str(place.directory) not in str(problem)
        assert place.entries() == entries
        assert alice.refresh()["chips"]["1"] == 1000 + 7 * number
        assert int(place.public.checkpoint().split("\n")[1]) == len(entries)
        assert isinstance(trouble(place.house.database), StorageFull)
        ready = call(place, "GET", "/readyz", token=place.token)
        assert (ready.status, ready.json["checks"]["storage"][-9:]) == (503, "make room")
    assert buy_in(place, alice.token, number).status == 200
    assert buy_in(place, alice.token, number).headers["Idempotent-Replay"] == "true"
    assert alice.refresh()["chips"]["1"] == 1000 + 7 * (number + 1)
    assert trouble(place.house.database) is None
    place.assert_clean()


def test_no_limit_runs_on_a_full_disk(place, monkeypatch):
    """The round waits for the player as long as nothing could be sent."""
    seats, turn = place.playing()
    wanted = turn.next()
    with full(place.house.database, monkeypatch):
        tables = ({"table": f"x{number}", "rules": "casino"} for number in range(500))
        until_refused(lambda _: call(place, "POST", "/v1/tables", next(tables), place.token))
        place.clock.leave_unanswered(3600, passed=3600)
        assert turn.refresh()["you"]["expects"][0]["do"] == "decisions"
    turn.decide(wanted["default"]["move"])
    place.finish(seats)
    assert all(decision.get("by") != "table" for decision in place.of_kind("round")[-1]["decisions"])
    place.assert_clean()


@pytest.fixture(scope="module")
def filling():
    with PostgreSQL(fills=True) as server:
        yield server


def storage(place):
    return call(place, "GET", "/readyz", token=place.token).json["checks"]["storage"]


def test_no_limit_runs_while_postgresql_has_no_room(tmp_path, filling):
    """A row may still find room in a page that is there: only a command that commits ends the outage, whichever process
    it was sent to."""
    settings = Settings(database=filling.database())
    with Place(tmp_path, settings) as leader, Place(tmp_path, settings) as other:
        other.token = leader.token
        seats, turn = leader.playing()
        wanted, sequencer = turn.next(), leader.house.sequencer
        tables = ({"table": f"x{number}", "rules": "casino"} for number in range(500))
        leader.clock.leave_unanswered(4)
        with filling.full():
            until_refused(lambda _: call(other, "POST", "/v1/tables", next(tables), leader.token))
            end = time.monotonic() + 120
            while storage(leader) == "fine" and time.monotonic() < end:
                time.sleep(0.05)
            entries = leader.entries()
            for _ in range(3):
                leader.clock.leave_unanswered(31, passed=31)
                with pytest.raises(StorageFull):
                    sequencer.transactions.catch_up("t1")
                assert [storage(place) for place in (leader, other)] == [f"database: the database's {FULL}"] * 2
            assert leader.entries() == entries
        leader.clock.leave_unanswered(5)
        turn.decide(wanted["default"]["move"])
        leader.finish(seats)
        other.clock.leave_unanswered(5)
        other.house.sequencer.transactions.beat()
        assert [storage(place) for place in (leader, other)] == ["fine", "fine"]
        assert all(decision.get("by") != "table" for decision in leader.of_kind("round")[-1]["decisions"])
        assert leader.kinds().count("start") == 1
        leader.assert_clean()


def test_a_checkpoint_that_cannot_be_kept_is_told_and_its_command_answered_again(place, monkeypatch):
    """The log up to the checkpoint that is kept can be read meanwhile, and one `start` is logged for all of it."""
    (alice,) = place.casino(1)
    before = place.public.checkpoint()
    with monkeypatch.context() as patch:
        patch.setattr(durable, "_sync_data", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        for number in range(1, 4):
            refused = buy_in(place, alice.token, number)
            assert (refused.status, refused.json["type"]) == (507, "/docs#storage-full")
            assert "checkpoint" in refused.json["detail"]
            assert call(place, "GET", "/v1/log").headers["X-Log-Size"] == "2"
            assert place.public.checkpoint() == before
            assert call(place, "GET", "/tile/entries/000.p/3").status == 404
            ready = call(place, "GET", "/readyz", token=place.token)
            assert [name for name, said in ready.json["checks"].items() if "checkpoint" in said] == ["storage", "head"]
            place.clock.leave_unanswered(5)
    answer = buy_in(place, alice.token, 1)
    assert (answer.status, answer.headers["Idempotent-Replay"]) == (200, "true")
    assert alice.refresh()["chips"]["1"] == 1007
    assert place.kinds() == ["table", "chips", "chips", "start"]


def test_a_database_that_another_process_holds(place, monkeypatch):
    (alice,) = place.casino(1)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    place.house.database.engine.dispose()
    with held(place.directory / "fairshoe.db"):
        answer = buy_in(place, alice.token, 1)
        assert (answer.status, answer.json["type"], answer.headers["Retry-After"]) == (503, "/docs#storage-busy", "5")
        assert alice.refresh()["chips"]["1"] == 1000
        assert isinstance(place.house.sequencer.transactions.outages.refused, StorageBusy)
    assert buy_in(place, alice.token, 1).status == 200
    assert alice.refresh()["chips"]["1"] == 1007


def test_a_database_that_cannot_be_written(place):
    (alice,) = place.casino(1)
    with on_each_begin(place.house.database, "PRAGMA query_only = ON"):
        assert buy_in(place, alice.token, 1).status == 503
        assert place.kinds() == ["table", "chips"]
    assert buy_in(place, alice.token, 1).status == 200


def test_a_journal_that_takes_no_byte_more_is_noticed_and_limits_begin_anew(place):
    """An I/O error of each write to the journal, and later of none."""
    _, turn = place.playing()
    wanted = turn.next()
    written = (place.directory / "fairshoe.db-wal").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (written, before[1]))
    try:
        assert buy_in(place, turn.token, 1).status == 503
        for _ in range(2):
            assert call(place, "GET", "/readyz").status == 503
            place.clock.leave_unanswered(5)
            with pytest.raises(StorageBusy, match="disk I/O error"):
                place.house.sequencer.transactions.beat()
        place.clock.leave_unanswered(3600, passed=3600)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    place.house.sequencer.transactions.beat()
    assert call(place, "GET", "/readyz").status == 200
    turn.decide(wanted["default"]["move"])
    assert place.kinds().count("start") == 1
    assert all(decision.get("by") != "table" for entry in place.of_kind("round") for decision in entry["decisions"])


def failures(place):
    """What the expression of the alarm FairshoeFails selects of the metrics, by the label that it looks at."""
    expression = r'alert: FairshoeFails\n +expr: sum\(increase\((\w+){(\w+)=~"([^"]+)"}\[\w+\]\)\) > 0\n'
    name, label, words = re.search(expression, RULES.read_text()).groups()
    families = text_string_to_metric_families(place.operator.text("/metrics"))
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return {each.labels[label]: each.value for each in samples if re.fullmatch(words, each.labels[label])}


def test_the_alarm_sees_the_first_request_that_a_disk_fails(place, monkeypatch):
    """Each kind that is not the client's stands there at 0 before: Prometheus takes a new number for no increase."""
    (alice,) = place.casino(1)
    expected = {kind.name: 0 for kind in ALL if kind.status >= 500 and kind.name != "busy"}
    assert failures(place) == expected
    with on_each_begin(place.house.database, "PRAGMA query_only = ON"):
        assert buy_in(place, alice.token, 1).status == 503
    expected["storage-busy"] += 1
    assert failures(place) == expected
    with full(place.house.database, monkeypatch):
        until_refused(lambda number: buy_in(place, alice.token, number))
    expected["storage-full"] += 1
    assert failures(place) == expected
    assert buy_in(place, alice.token, 1).status == 200
    assert call(place, "GET", "/v1/tables/nowhere").status == 404
    assert failures(place) == expected


DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
"""The numbers of Linux's capabilities to write, and to read, what permissions forbid."""


@contextmanager
def only_permitted():
    """Root may read and write everything. Give that right up meanwhile: root still reads a clone in its own closed
    folder, which another user could not. A clone in another user's folder is read as that user."""
    owner = os.stat(__file__).st_uid
    if os.geteuid():
        yield
    elif owner:
        os.seteuid(owner)
        try:
            yield
        finally:
            os.seteuid(0)
    else:
        libc, header, sets = CDLL(None), (c_uint32 * 2)(0x20080522), (c_uint32 * 6)()
        assert libc.capget(header, sets) == 0
        effective = sets[0]
        sets[0] &= ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
        assert libc.capset(header, sets) == 0
        try:
            yield
        finally:
            sets[0] = effective
            assert libc.capset(header, sets) == 0


@pytest.mark.parametrize(
    ("closed", "mode", "data", "what"),
    [
        (".", 0o555, "new", "cannot use the data directory: Permission denied"),
        (".", 0o555, ".", "cannot use the data directory: Permission denied"),
        ("house", 0o500, "house", "the database cannot be written"),
        ("house/fairshoe.db", 0o400, "house", "the database cannot be written"),
        ("house/master.key", 0, "house", "cannot use the data directory: Permission denied"),
    ],
)
def test_what_may_not_be_written_is_said_in_words(closed, mode, data, what, capfd):
    with TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        with only_permitted():
            open_house(Path(name) / "house").close()
        (Path(name) / closed).chmod(mode)
        with only_permitted():
            assert main(["serve", "--data", str(Path(name) / data), "--port", "0"]) == 2
        (Path(name) / closed).chmod(0o700)
        gc.collect()
    said = capfd.readouterr()
    assert f"fairshoe: {what}" in said.err
    assert "  remedy:" in said.err
    assert "Traceback" not in said.err + said.out


def test_damaged_pages_are_told_at_the_start(tmp_path, capsys):
    with Place(tmp_path / "data", direct=True) as place:
        place.casino(2)
    damage(place.directory / "fairshoe.db", 3)
    with pytest.raises(StorageDamaged, match=r"the database is damaged.*docs/operations.md"):
        open_house(place.directory)
    assert main(["serve", "--data", str(place.directory), "--port", "0"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[0].startswith("fairshoe: ")
    assert "Traceback" not in said.err


def test_damaged_pages_are_told_while_it_runs(place, caplog):
    place.casino(2)
    store = place.house.database
    with store.engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    whole = (place.directory / "fairshoe.db").read_bytes()
    damage(place.directory / "fairshoe.db")
    store.engine.dispose()
    answer = call(place, "GET", "/v1/tables/t1")
    assert (answer.status, answer.json["type"]) == (500, "/docs#storage-damaged")
    assert isinstance(trouble(store), StorageDamaged)
    assert all(record.exc_info is None for record in caplog.records)
    (place.directory / "fairshoe.db").write_bytes(whole)
    store.engine.dispose()
    check_pages(store)


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_a_journal_that_lost_its_end_is_noticed_at_the_start(place, tmp_path, part):
    """What was signed and is gone: the newest checkpoint, which is kept beside the database, is not reached."""
    place.casino(4)
    copy = tmp_path / "copy"
    shutil.copytree(place.directory, copy)
    journal = copy / "fairshoe.db-wal"
    os.truncate(journal, int(part * journal.stat().st_size))
    with pytest.raises(UnusableData):
        open_house(copy)
