"""The placer as a process, over HTTP: what it answers, what it refuses, kills and backups."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import urllib3

from fairshoe.errors import InputError
from fairshoe.log.note import Signer, Verifier, open_note, verifier_of
from fairshoe.placer.command import signer_of
from fairshoe.placer.store import FILE, Store
from fairshoe.protocol.placer_chain import Chain, new_chain, shoe_text, shuffle_line
from fairshoe.protocol.word_stream import places
from tests.second import placing as second

LOG = Signer("example.org", bytes(32))
C, DIGEST, ROOT = "cd" * 32, sha256(b"T").digest(), sha256(b"root").digest()


class Running:
    """`python -m fairshoe.placer` in a folder."""

    def __init__(self, folder: Path, *more: str) -> None:
        arguments = ["--key", str(folder / "key"), "--data", str(folder / "data"), "--name", "placer.example"]
        run = [sys.executable, "-m", "fairshoe.placer", *arguments, "--log", str(LOG.verifier), "--port", "0", *more]
        self.process = subprocess.Popen(run, stdout=subprocess.PIPE, text=True)
        said = str(self.process.stdout and self.process.stdout.readline())
        self.key, self.address = verifier_of(said.split()[1]), said.split()[-1]

    def call(self, method: str, path: str, **body: object) -> tuple[int, Any]:
        answer = urllib3.request(method, self.address + path, json=body or None, retries=False)
        return answer.status, answer.json()

    def shoe(self, name: str = "t/1") -> Chain:
        status, answer = self.call("POST", "/shoes", shoe=LOG.sign(shoe_text("example.org", name, C)))
        assert (status, answer["key"]) == (200, str(self.key))
        return new_chain("example.org", name, C, "placer.example", answer["commitment"])

    def ask(self, chain: Chain, *lines: str, since: str = "", signer: Signer = LOG) -> tuple[int, Any]:
        return self.call("POST", f"/shoes/{chain.placer}", question=signer.sign(chain.question(lines, since)))

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.communicate()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    placer = Running(tmp_path)
    yield placer
    placer.end()


def stepped(chain: Chain, lines: list[str], given: list[int], since: str = "") -> Chain:
    left = iter(given)
    for line in lines:
        chain = chain.extend(f"{line} {next(left)}" if line.startswith("card") else line, since)
        since = ""
    return chain


def dealt(placer: Running, chain: Chain, *lines: str, since: str = "") -> tuple[Chain, list[int]]:
    """Ask, and check that the note is the chain's next."""
    status, answer = placer.ask(chain, *lines, since=since)
    assert status == 200, answer
    after = stepped(chain, list(lines), answer["given"], since)
    assert open_note(answer["note"], placer.key).startswith(after.note())
    return after, answer["given"]


def test_a_shoe_from_its_commitment_to_its_key(running: Running) -> None:
    chain = running.shoe()
    assert running.shoe() == chain
    assert running.shoe("t/2").placer != chain.placer
    chain, _ = dealt(running, chain, shuffle_line(52, DIGEST, ROOT), since="ab" * 32)
    chain, first = dealt(running, chain, *(f"card {place}" for place in range(4)), since="ba" * 32)
    chain, second_deck = dealt(running, chain, shuffle_line(20, sha256(b"T2").digest(), ROOT), "card 0", "card 19")
    chain, _ = dealt(running, chain, "end", since="ef" * 32)
    status, newest = running.call("GET", f"/shoes/{chain.placer}")
    text = open_note(newest["note"], running.key)
    key = bytes.fromhex(text.splitlines()[-1].removeprefix("key "))
    assert status == 200
    assert len(newest["questions"]) == 4
    later = running.call("GET", f"/shoes/{chain.placer}?from=5")[1]
    assert later == newest | {"questions": newest["questions"][2:], "given": newest["given"][4:]}
    assert newest["given"] == [*first, *second_deck]
    assert running.call("GET", f"/shoes/{chain.placer}?from=x")[0] == 400
    assert text == chain.note(key)
    assert sha256(key).hexdigest() == chain.placer
    assert places(key, DIGEST, 52)[:4] == first == second.places(key, "T", 52)[:4]
    assert [second.places(key, "T2", 20)[place] for place in (0, 19)] == second_deck


def test_no_key_before_the_end(running: Running) -> None:
    chain, _ = dealt(running, running.shoe(), shuffle_line(52, DIGEST, ROOT), "card 0")
    _, newest = running.call("GET", f"/shoes/{chain.placer}")
    assert open_note(newest["note"], running.key) == chain.note()


def test_what_it_refuses(running: Running) -> None:
    start = running.shoe()
    assert running.ask(start, "card 0")[0] == 409
    chain, given = dealt(running, start, shuffle_line(52, DIGEST, ROOT), "card 3")
    again, answer = running.ask(start, shuffle_line(52, DIGEST, ROOT), "card 3")
    assert (again, answer["given"]) == (200, given)
    for lines in (
        ["card 3"],
        ["card 52"],
        ["card 1", "card 1"],
        [shuffle_line(52, DIGEST, sha256(b"another").digest())],
        ["end", "card 1"],
    ):
        status, answer = running.ask(chain, *lines)
        assert status == 409
        assert open_note(answer["note"], running.key) == chain.note()
    assert running.ask(start, shuffle_line(52, DIGEST, ROOT), "card 4")[0] == 409, "a branch"
    assert running.ask(chain._replace(steps=9), "card 4")[0] == 409, "ahead"
    assert running.ask(chain._replace(shoe="t/2"), "card 4")[0] == 409, "in the name of another shoe"
    assert running.ask(chain, "card 4", signer=Signer("example.org", bytes(31) + b"x"))[0] == 403, "a stranger"
    assert running.ask(chain._replace(origin="other.org"), "card 4", signer=Signer("other.org", bytes(32)))[0] == 403
    assert running.ask(chain._replace(placer="00" * 32), "card 4")[0] == 404
    assert running.call("GET", f"/shoes/{'00' * 32}")[0] == 404
    assert running.call("POST", "/shoes", shoe="no note")[0] == 400
    assert running.call("POST", "/shoes", shoe=1)[0] == 400
    assert running.call("POST", "/shoes", shoe="x" * 40_000)[0] == 413
    assert running.call("DELETE", "/shoes")[0] == 405
    chain, _ = dealt(running, chain, "end")
    assert running.ask(chain, "card 4")[0] == 409
    assert running.ask(chain, "end")[0] == 409


def test_killed_after_any_answer_it_goes_on(tmp_path: Path) -> None:
    placer = Running(tmp_path)
    chain, given = dealt(placer, placer.shoe(), shuffle_line(52, DIGEST, ROOT))
    for place in range(3):
        before = chain
        chain, given = dealt(placer, chain, f"card {place}")
        placer.end(signal.SIGKILL)
        placer = Running(tmp_path)
        assert placer.ask(before, f"card {place}")[1]["given"] == given
        assert placer.ask(before, f"card {place + 1}")[0] == 409
    placer.end()


@pytest.mark.parametrize("how", ["copied", "database alone", "told"])
def test_restored_from_a_backup_it_gives_nothing_more(tmp_path: Path, how: str) -> None:
    placer = Running(tmp_path)
    chain, _ = dealt(placer, placer.shoe(), shuffle_line(52, DIGEST, ROOT), "card 0")
    placer.end()
    shutil.copytree(tmp_path / "data", tmp_path / "backup")
    placer = Running(tmp_path)
    dealt(placer, chain, "card 1")
    placer.end()
    if how == "copied":
        shutil.rmtree(tmp_path / "data")
        shutil.copytree(tmp_path / "backup", tmp_path / "data")
    elif how == "database alone":
        shutil.copyfile(tmp_path / "backup" / FILE, tmp_path / "data" / FILE)
    placer = Running(tmp_path, *(["--restored"] if how == "told" else []))
    status, answer = placer.ask(chain, "card 2")
    assert status == 410, answer
    assert placer.call("GET", f"/shoes/{chain.placer}")[0] == 200
    assert placer.call("POST", "/shoes", shoe=LOG.sign(shoe_text("example.org", "t/1", C)))[0] == 410
    dealt(placer, placer.shoe("t/2"), shuffle_line(52, DIGEST, ROOT), "card 0")
    placer.end()


def test_one_at_a_time_and_with_its_own_key(tmp_path: Path) -> None:
    signer = signer_of(tmp_path / "key", "placer.example")
    assert isinstance(signer.verifier, Verifier)
    assert signer_of(tmp_path / "key", "placer.example").verifier == signer.verifier
    store = Store(tmp_path / "data", signer)
    with pytest.raises(InputError, match="one placer"):
        Store(tmp_path / "data", signer)
    store.close()
    with pytest.raises(InputError, match=r"placer placer\.example"):
        Store(tmp_path / "data", signer_of(tmp_path / "key", "other"))
    (tmp_path / "bad").write_text("no key")
    with pytest.raises(InputError, match="not a placer's key"):
        signer_of(tmp_path / "bad", "placer.example")
