"""Pulls from a web server that serves files and knows nothing of fairshoe: the tiles of an exported log."""

from __future__ import annotations

import functools
import http.server
import shutil

import pytest

from audit_cli.verify import verify
from fairshoe.cli import main
from fairshoe.client import Client
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import export
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree
from fairshoe.pull.source import ServedTiles

from .house import NAME, entries
from .serving import Serving
from .test_pull import contents

SIGNER = Signer(NAME, b"k" * 32)


def signed(lines):
    tree = Tree()
    for line in lines:
        tree.append(line)
    return Checkpoint(NAME, tree.size, tree.root).signed(SIGNER)


class Web(Serving):
    """A directory that is served; `put` exports a log into it. `asked`: the paths."""

    def __init__(self, directory):
        self.directory = directory
        self.asked = []

    def put(self, lines, note=None):
        export(self.directory, note or signed(lines), SIGNER.verifier, lambda start, stop: iter(lines[start:stop]))

    def handler(self):
        self.directory.mkdir()
        asked = self.asked

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_request(self, *_):
                asked.append(self.path)

            def log_message(self, *_):
                pass

        return functools.partial(Handler, directory=self.directory)


@pytest.fixture
def web(tmp_path):
    with Web(tmp_path / "web") as web:
        yield web


@pytest.fixture
def pull(web, tmp_path, capsys):
    """Pull from the web server; gives the exit code, and what was printed."""

    def run(*more):
        code = main(["pull", web.address, str(tmp_path / "log"), *more])
        told = capsys.readouterr()
        return code, told.out + told.err

    run.directory = tmp_path / "log"
    return run


def assert_holds(directory, lines, *more):
    held = contents(directory)
    assert held["log.jsonl"] == b"".join(line + b"\n" for line in lines)
    assert held["checkpoint"].decode() == signed(lines)
    assert held["log.vkey"].decode() == f"{SIGNER.verifier}\n"
    assert set(held) == {"log.jsonl", "checkpoint", "log.vkey", *more}


def test_every_size_and_later_what_is_new(web, pull, tmp_path):
    for size in (0, 1, 255, 256, 257, 700):
        lines = entries(size)
        web.put(lines)
        assert pull()[0] == 0
        assert_holds(pull.directory, lines)
    assert main(["pull", web.address, str(tmp_path / "fresh")]) == 0
    assert_holds(tmp_path / "fresh", lines)


def test_what_is_asked_for(web, pull):
    web.put(entries(700))
    code, text = pull()
    assert code == 0
    assert "700 entries of house.example/log, 700 new" in text
    assert f"believed as the service showed it: {SIGNER.verifier}" in text
    bundles = ["/tile/entries/000", "/tile/entries/001", "/tile/entries/002.p/188"]
    assert web.asked == ["/v1/log/vkey", "/log.vkey", "/checkpoint", *bundles]
    web.put(entries(800))
    web.asked.clear()
    assert "100 new" in pull()[1]
    assert web.asked == ["/v1/log/checkpoint", "/checkpoint", "/tile/entries/002", "/tile/entries/003.p/32"]


def test_the_result_is_that_of_the_service(place, tmp_path):
    place.playing()
    assert main(["pull", place.address, str(tmp_path / "one")]) == 0
    with Web(tmp_path / "web") as web:
        assert main(["backup", "--tiles", str(web.directory), "--data", str(place.directory)]) == 0
        assert main(["pull", web.address, str(tmp_path / "other")]) == 0
    one, other = contents(tmp_path / "one"), contents(tmp_path / "other")
    assert one == other
    assert not verify(tmp_path / "other").failed


def test_the_services_own_tiles(place):
    """Compressed on their way."""
    place.playing()
    client = Client(place.address)
    assert list(ServedTiles(client, place.house.sequencer.log_size()).entries()) == list(client.log())


def test_a_full_bundle_where_the_partial_one_was_removed(web, pull):
    web.put(entries(1000))
    (web.directory / "checkpoint").write_text(signed(entries(300)))
    assert pull()[0] == 0
    assert_holds(pull.directory, entries(300))
    assert web.asked[-2:] == ["/tile/entries/001.p/44", "/tile/entries/001"]


def test_a_missing_bundle_is_named(web, pull):
    web.put(entries(700))
    bundle = web.directory / "tile" / "entries" / "001"
    moved = bundle.rename(web.directory / "moved")
    code, text = pull()
    assert code == 2
    assert "no such tile" in text
    assert f"{web.address}/tile/entries/001" in text
    assert set(contents(pull.directory)) == {"log.vkey"}
    moved.rename(bundle)
    assert pull()[0] == 0
    assert_holds(pull.directory, entries(700))


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda data: data[:-1], 2, "not a bundle of entries"),
        (lambda data: b"<html>", 2, "not a bundle of entries"),
        (lambda data: data + bytes(20_000_000), 2, "too long"),
        (lambda data: data.replace(b'"entry":300', b'"entry":"x"'), 1, "not those that the house signed"),
        (lambda data: data.replace(b'"entry":300', b'"entr\n":300'), 2, "an entry with a line feed"),
    ],
)
def test_a_bundle_that_is_none_is_refused(web, pull, change, code, words):
    web.put(entries(256))
    assert pull()[0] == 0
    before = contents(pull.directory)
    web.put(entries(512))
    bundle = web.directory / "tile" / "entries" / "001"
    whole = bundle.read_bytes()
    bundle.write_bytes(change(whole))
    found, text = pull()
    assert (found, words in text) == (code, True), text
    assert before.items() <= contents(pull.directory).items()
    bundle.write_bytes(whole)
    assert pull()[0] == 0
    assert_holds(pull.directory, entries(512), *(["checkpoint.refused"] if code == 1 else []))


def test_a_rewritten_history_is_refused_and_the_first_entry_named(web, pull):
    web.put(entries(300))
    assert pull()[0] == 0
    before, lines = contents(pull.directory), entries(400)
    lines[150] = b'{"entry":"another"}'
    shutil.rmtree(web.directory)
    web.put(lines)
    code, text = pull()
    assert code == 1
    assert "does not extend what is here: entry 150 differs first" in text
    assert contents(pull.directory) == before | {"checkpoint.refused": signed(lines).encode()}


def test_a_log_of_somebody_who_shows_no_key(web, pull):
    (web.directory / "index.html").write_text("<html>")
    code, text = pull()
    assert (code, "404" in text) == (2, True)
    (web.directory / "index.html").unlink()
    web.put(entries(300))
    (web.directory / "log.vkey").unlink()
    code, text = pull()
    assert code == 2
    assert "a log without its key" in text
    assert "give the house's key with --key" in text
    assert not pull.directory.exists()
    assert pull("--key", str(SIGNER.verifier))[0] == 0
    assert_holds(pull.directory, entries(300))
