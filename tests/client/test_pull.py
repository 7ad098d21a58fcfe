"""`fairshoe pull`: what a directory holds before and after, whatever the house does and whenever it ends."""

from __future__ import annotations

import json
import os
import shutil
import threading

import pytest

from audit_cli.verify.run import verify
from fairshoe.cli import main
from fairshoe.commands._demo import play
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.note import Signer, verifier_of
from fairshoe.log.tree import Tree
from fairshoe.terminal.durable import lock_directory

from .servers import NAME, Authority, FakeHouse, entries, place_of

pytestmark = pytest.mark.wire

OTHER = Signer(NAME, b"o" * 32)


@pytest.fixture
def house():
    with FakeHouse() as house:
        yield house


@pytest.fixture
def pull(house, tmp_path, capsys):
    """Pull from the house; gives the exit code, and what was printed."""

    def run(*more):
        code = main(["pull", house.address, str(tmp_path / "log"), *more])
        told = capsys.readouterr()
        return code, told.out + told.err

    run.directory = tmp_path / "log"
    return run


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()} if directory.exists() else None


def assert_holds(directory, house, *more):
    """The directory has the house's log, the checkpoint that covers it, its key, and nothing else but `more`."""
    held = contents(directory)
    assert held["log.jsonl"] == b"".join(line + b"\n" for line in house.lines)
    assert held["checkpoint"].decode() == house.checkpoint()
    assert held["log.vkey"].decode() == f"{house.signer.verifier}\n"
    assert set(held) == {"log.jsonl", "checkpoint", "log.vkey", *more}


def assert_consistent(directory):
    """The log begins with all that the checkpoint covers."""
    held = contents(directory)
    if "checkpoint" in held:
        checkpoint = open_checkpoint(held["checkpoint"].decode(), verifier_of(held["log.vkey"].decode()))
        tree = Tree()
        for line in held["log.jsonl"].split(b"\n")[: checkpoint.size]:
            tree.append(line)
        assert (tree.size, tree.root) == checkpoint[1:]


# An honest house.


def test_a_whole_log_then_what_is_new(house, pull):
    code, text = pull()
    assert code == 0
    assert f"holds 10 entries of {NAME}, 10 new" in text
    assert str(house.signer.verifier) in text
    assert_holds(pull.directory, house)
    assert pull() == (0, f"{pull.directory} holds 10 entries of {NAME}, 0 new.\n")
    house.lines = entries(25)
    house.asked.clear()
    assert pull() == (0, f"{pull.directory} holds 25 entries of {NAME}, 15 new.\n")
    assert house.asked == ["/v1/log/checkpoint", "/v1/log?from=10&to=25"]
    assert_holds(pull.directory, house)


def test_the_entries_that_the_checkpoint_covers_and_no_more(house, pull):
    house.lines, house.signed = entries(30), []
    assert pull()[0] == 0
    assert contents(pull.directory)["log.jsonl"] == b""
    house.signed = entries(12)
    assert pull()[0] == 0
    assert contents(pull.directory)["log.jsonl"].count(b"\n") == 12
    house.signed = entries(13)
    assert "13 entries" in pull()[1]


def test_every_pull_of_a_live_house_verifies(place, tmp_path, capsys):
    """Bots play meanwhile."""
    key, sizes = str(place.house.sequencer.signer.verifier), []
    bots = threading.Thread(target=play, args=(place.operator, "casino", 20, 2, lambda _: None))
    bots.start()
    while not place.house.sequencer.log.size():
        assert bots.is_alive()
    live = True
    while live:
        live = bots.is_alive()
        for directory in (tmp_path / "kept", tmp_path / f"fresh-{len(sizes)}"):
            assert main(["pull", place.address, str(directory), "--key", key]) == 0
            assert "believed" not in capsys.readouterr().out
            report = verify(directory, key=key)
            assert not report.failed, report.findings
            assert report.checks["signature"] == report.checks["tree"] == "pass"
        sizes.append((tmp_path / "kept" / "log.jsonl").read_bytes().count(b"\n"))
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 2, "the log grew between the pulls"
    assert sizes[-1] == place.house.sequencer.log.size()


def test_over_https_with_a_ca(house, tmp_path, capsys):
    authority = Authority(tmp_path, "127.0.0.1")
    with authority.before(place_of(house.address)) as front:
        assert main(["pull", f"https://{front}", str(tmp_path / "log")]) == 2
        assert "wrong certificate" in capsys.readouterr().err
        assert not (tmp_path / "log").exists()
        assert main(["pull", f"https://{front}", str(tmp_path / "log"), "--ca", str(authority.ca_file)]) == 0


# Interrupted.


def test_a_dropped_connection_is_taken_up_again(house, pull):
    house.drops = [3, 1, 4]
    assert pull()[0] == 0
    assert_holds(pull.directory, house)
    assert house.asked[2:] == [f"/v1/log?from={start}&to=10" for start in (0, 3, 4, 8)]


def test_an_interrupted_pull_changes_nothing(house, pull):
    assert pull()[0] == 0
    before = contents(pull.directory)
    house.lines = entries(20)
    house.drops = [4, 0]
    code, text = pull()
    assert code == 2
    assert "the connection was dropped" in text
    assert contents(pull.directory) == before
    assert pull()[0] == 0
    assert_holds(pull.directory, house)


@pytest.mark.parametrize("first", [True, False])
def test_a_crash_at_any_moment_leaves_what_the_next_pull_goes_on_from(house, pull, monkeypatch, first):
    """Every call that writes, flushes or renames is the last one once; a write may be half done."""
    if not first:
        assert pull()[0] == 0
    house.lines = entries(18)
    state = contents(pull.directory)
    moment = 0
    while True:
        crashed = crash_at(monkeypatch, pull, moment)
        assert_consistent(pull.directory)
        assert pull()[0] == 0, moment
        assert_holds(pull.directory, house)
        if not crashed:
            break
        moment += 1
        for path in pull.directory.iterdir():
            path.unlink()
        for name, data in (state or {}).items():
            (pull.directory / name).write_bytes(data)
    assert moment > 5


def crash_at(monkeypatch, pull, moment):
    """Pull in a child that ends without a word at its `moment`th step; gives whether it did."""
    child = os.fork()
    if child == 0:
        steps = iter(range(moment + 1))

        def step(real):
            def stepping(*args, **kwargs):
                if next(steps, None) is None:
                    os._exit(77)
                return real(*args, **kwargs)

            return stepping

        for name in ("replace", "fsync"):
            monkeypatch.setattr(os, name, step(getattr(os, name)))

        def torn(new, log):
            data = new.read()
            for part in (data[:7], data[7:40], data[40:]):
                log.write(part)
                step(log.flush)()

        monkeypatch.setattr(shutil, "copyfileobj", torn)
        os._exit(pull()[0])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 77


# A house whose log does not hold.


def assert_refused(house, pull, *words, evidence="checkpoint.refused", fault="house"):
    """Exit 1 with these words; the directory has one thing more, the house's checkpoint."""
    before = contents(pull.directory)
    code, text = pull()
    assert code == 1, text
    for word in (*words, f"fault:    {fault}", "keep ", evidence):
        assert word in text, text
    after = contents(pull.directory)
    assert after.pop(evidence).decode() == house.checkpoint()
    before.pop(evidence, None)
    assert after == before


def test_a_rewritten_history_is_refused_and_the_first_entry_named(house, pull):
    assert pull()[0] == 0
    for count in (7, 10, 15):
        house.lines = entries(count)
        house.lines[4] = b'{"entry":"another"}'
        evidence = {7: "checkpoint.refused", 10: "checkpoint.refused.2", 15: "checkpoint.refused.3"}[count]
        assert_refused(house, pull, "does not extend what is here: entry 4 differs first", evidence=evidence)
        assert_refused(house, pull, "entry 4", evidence=evidence)
    house.lines = entries(15)
    assert pull()[0] == 0
    assert_holds(pull.directory, house, "checkpoint.refused", "checkpoint.refused.2", "checkpoint.refused.3")


def test_a_log_that_shrank_is_refused(house, pull):
    assert pull()[0] == 0
    house.lines = entries(6)
    assert_refused(house, pull, "the house's log has 6 entries, and had 10", "repeats an old answer")
    house.lines = []
    assert_refused(house, pull, "the house's log has 0 entries, and had 10", evidence="checkpoint.refused.2")


def test_entries_that_are_not_the_signed_ones_are_refused(house, pull):
    house.signed = entries(10, "other")
    code, text = pull()
    assert (code, "the house signed" in text) == (1, True)
    assert set(contents(pull.directory)) == {"log.vkey"}
    house.signed = None
    assert pull()[0] == 0
    house.lines, house.signed = entries(20), entries(10) + entries(10, "other")
    assert_refused(house, pull, "not those that the house signed")


def test_another_key_or_origin_is_refused(house, pull):
    code, text = pull("--key", str(OTHER.verifier))
    assert (code, f"signs with another key, {house.signer.verifier}" in text) == (1, True)
    assert not pull.directory.exists()
    assert pull()[0] == 0
    signer, house.signer = house.signer, OTHER
    assert_refused(house, pull, "not signed", "check the address", fault="unknown")
    house.shown, more = OTHER, {"evidence": "checkpoint.refused", "fault": "unknown"}
    assert_refused(house, pull, f"signs with another key, {OTHER.verifier}", "check the address", **more)
    house.signer = house.shown = signer
    house.origin = "house.example/another"
    assert_refused(house, pull, "another log, house.example/another", evidence="checkpoint.refused.2")


@pytest.mark.parametrize("asked", ["to=12", "to=10"])
def test_a_service_that_does_not_give_all_entries_yet(house, pull, asked):
    house.signed, real = entries(12), house.answer
    house.answer = lambda path: real(path.replace("to=12", asked))
    code, text = pull()
    assert code == 2
    assert f"gives {0 if asked == 'to=12' else 10} so far" in text
    del house.answer
    house.lines = entries(12)
    assert pull()[0] == 0
    assert_holds(pull.directory, house)


# A directory that is not as it was left.


def assert_left_alone(pull, *words, more=()):
    before = contents(pull.directory)
    code, text = pull(*more)
    assert code == 2, text
    for word in (*words, "remedy:"):
        assert word in text, text
    assert contents(pull.directory) == before


def test_a_directory_with_something_else_is_left_alone(house, pull):
    pull.directory.mkdir()
    (pull.directory / "novel.txt").write_text("Call me Ishmael.")
    assert_left_alone(pull, "holds something else, and no log.vkey", "name a new directory")
    assert_left_alone(pull, "holds something else", more=["--key", str(house.signer.verifier)])
    (pull.directory / "novel.txt").rename(pull.directory / "log.jsonl")
    assert_left_alone(pull, "holds something else", more=["--key", str(house.signer.verifier)])
    (pull.directory / "log.jsonl").unlink()
    (pull.directory / "checkpoint").write_text("of a training run")
    assert_left_alone(pull, "holds something else")
    (pull.directory / "log.vkey").write_text("somebody's")
    assert_left_alone(pull, "not a verifier key")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda log: log.replace(b'"entry":3', b'"entry":33'), ["changed after it was pulled: entry 3 differs first"]),
        (lambda log: log[:-20], ["entry 8 differs first"]),
        (lambda log: log[:-1], ["entry 9 differs first"]),
        (lambda log: log.replace(b"\n", b"\r\n"), ["entry 0 differs first"]),
        (lambda log: b"", ["entry 0 differs first"]),
    ],
)
def test_a_log_that_somebody_changed_is_left_alone(house, pull, change, words):
    assert pull()[0] == 0
    log = pull.directory / "log.jsonl"
    log.write_bytes(change(log.read_bytes()))
    house.lines = entries(15)
    assert_left_alone(pull, *words, str(log))
    log.write_bytes(b"".join(line + b"\n" for line in entries(10)))
    assert pull()[0] == 0
    (pull.directory / "report.json").write_text("{}")
    assert pull()[0] == 0
    assert_holds(pull.directory, house, "report.json")


def test_what_was_pulled_and_is_deleted_changed_or_another_houses_is_left_alone(house, pull):
    assert pull()[0] == 0
    assert_left_alone(pull, "holds the log of another key", more=["--key", str(OTHER.verifier)])
    checkpoint, log = pull.directory / "checkpoint", pull.directory / "log.jsonl"
    signed = checkpoint.read_text()
    checkpoint.write_text(signed.replace("\n10\n", "\n9\n"))
    assert_left_alone(pull, "not as it was pulled", str(checkpoint))
    checkpoint.write_text(signed)
    log.unlink()
    assert_left_alone(pull, "changed after it was pulled", "entry 0")


def test_nobody_answers_another_pull_is_at_work_or_a_file_is_there(house, pull, capsys):
    pull.directory.mkdir()
    with lock_directory(pull.directory, "pull"):
        assert_left_alone(pull, "another pull is at work here")
    pull.directory.rmdir()
    assert main(["pull", "http://127.0.0.1:1", str(pull.directory)]) == 2
    assert "cannot connect: Connection refused" in capsys.readouterr().err
    assert not pull.directory.exists()
    pull.directory.write_text("a file")
    assert pull()[0] == 2
    assert pull.directory.read_text() == "a file"


@pytest.mark.parametrize("pulled", [True, False])
def test_an_address_of_something_else_accuses_no_house(house, pull, pulled):
    """Where the key is known, too: of a page nobody can say whose fault it is."""
    house.answer, real = lambda path: (200, b"<html>Welcome to nginx"), house.answer
    assert "shows no key" in pull()[1]
    assert not pull.directory.exists()
    house.answer, more = real, ["--key", str(house.signer.verifier)]
    assert not pulled or pull()[0] == 0
    before = contents(pull.directory)
    pages = {
        (200, b"<html>Welcome to nginx"): "what comes is no checkpoint of a log",
        (404, b"<html>\r\n<head>" + b"nothing here " * 999): "404: <html> <head>nothing here",
        (404, json.dumps({"detail": "\x1b[31mnothing"}).encode()): "404: \\x1b[31mnothing",
        (404, b'{"message":"Not Found","errors":["a","b"]}'): '404: {"message":"Not Found"',
        (502, b""): "502: the answer is empty",
    }
    for page, told in pages.items():
        house.answer = lambda path, page=page: page
        code, text = pull(*more)
        assert code == 2, text
        assert told in text
        assert "fault:" not in text
        assert len(text) < 500
        assert page[0] == 502 or b"detail" in page[1] or "of a fairshoe service" in text
        assert contents(pull.directory) == before
    del house.answer
    house.signer = house.shown = OTHER
    code, text = pull(*more)
    assert (code, "fault:    unknown" in text, "check the address" in text) == (1, True, True)


def test_no_name_of_a_house_steers_a_terminal(house, pull):
    house.origin = "house\x9b31m"  # what the names of notes do not exclude
    house.signer = house.shown = Signer(house.origin, b"s" * 32)
    code, text = pull()
    assert code == 0
    assert "\x9b" not in text
    assert "house\\x9b31m" in text
