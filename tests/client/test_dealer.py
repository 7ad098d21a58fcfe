"""A game of one's own with a placer: `fairshoe.commit(…, placer=…)`, with a placer over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import fairshoe
from fairshoe.client import Dealer, Unreachable
from fairshoe.errors import InputError, RuleError, VerificationError
from fairshoe.log.note import Signer, open_note, verifier_of
from fairshoe.placer.app import server
from fairshoe.placer.store import Store
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.placer_chain import RepeatedPlace
from fairshoe.serving.server import Server, listen
from tests.long.serving import free_port
from tests.second import placing as second

HOUSE = Signer("house.example", b"h" * 32)
SECRET = bytes(32)
PAGE = Path(__file__).parents[2] / "docs" / "embedding.md"


class Running:
    """A placer that may come and go."""

    def __init__(self, folder: Path) -> None:
        self.signer, self.folder, self.port = Signer("placer.example", b"p" * 32), folder, free_port()
        self.come()

    def come(self) -> None:
        listening = listen("127.0.0.1", self.port)
        store = Store(self.folder / self.signer.verifier.name, self.signer)
        self.server: Server = server(store, self.signer.verifier, [HOUSE.verifier], listening)
        self.server.__enter__()

    def go(self) -> None:
        self.server.__exit__(None, None, None)

    def dealer(self) -> Dealer:
        file = self.folder / f"{self.signer.verifier.name}.jsonl"
        return Dealer(f"http://127.0.0.1:{self.port}", str(self.signer.verifier), HOUSE, file)


@pytest.fixture
def placer(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path)
    yield running
    running.go()


def test_the_example_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its commands start a placer and say where it is, to the program beside them; only the port is another one."""
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text().partition("## With a second dealer")[2].partition("\n## ")[0]
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)
    program = (PAGE.parent / "examples" / "two_dealers.py").read_text(encoding="utf-8")
    names = ("HOUSE_KEY", "PLACER", "PLACER_KEY")
    script = commands.replace("fairshoe placer ", "fairshoe placer --port 0 ")
    script += f"printf '%s\\n' {' '.join(f'${name}' for name in names)} $!\n"
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shell = ("bash", "-euc", script)
    told = subprocess.run(
        shell, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    *values, running = told.stdout.split()
    try:
        for name, value in zip(names, values, strict=True):
            monkeypatch.setenv(name, value)
        space: dict[str, object] = {}
        exec(compile(program, str(PAGE), "exec"), space)
    finally:
        os.kill(int(running), signal.SIGTERM)
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "True"
    # the chain again, from what was told and what the file has
    forms = [json.loads(line) for line in (tmp_path / "questions.jsonl").read_text().splitlines()]
    given = iter([place for form in forms for place in form.get("given", ())])
    proof = space["proof"]
    assert isinstance(proof, fairshoe.Proof)
    text = fairshoe.verify(proof).transcript
    root = second.root(proof.key, text, list(proof.deck), 0)
    lines = [("", f"shuffle 52 {sha256(text.encode()).hexdigest()} {root}")]
    for place, part in enumerate(("alice bets 10", "alice doubles")):
        lines.append((second.since([part]), f"card {place} {next(given)}"))
    assert proof.placer is not None
    name, commitment, key = proof.placer
    heads = second.chain("house.example", "war-2", proof.commitment, name, commitment, [*lines, ("", "end")])
    assert said[-2].endswith(heads[-2].hex())
    last = open_note(forms[-1]["notes"][0], verifier_of(values[2]))
    assert last.splitlines()[3:] == ["4", heads[-1].hex(), f"key {key.hex()}"]


def test_a_reshuffle_and_a_crash_at_every_step(placer: Running) -> None:
    """After each draw the house fails, and goes on from what it kept."""
    dealer = placer.dealer()
    committed = fairshoe.commit("g/1", fairshoe.french(1), placer=dealer, draws={"die": 6})
    kept = fairshoe.keep(committed, SECRET)
    dealer.close()
    dealer = placer.dealer()
    again = fairshoe.resume(kept, SECRET, placer=dealer)
    assert isinstance(again, fairshoe.Committed)
    again.contribute("alice", b"seed")
    sealed, cards = again.seal(), []
    for turn in range(6):
        dealer.tell(f"turn {turn}")
        if turn == 3:
            sealed.reshuffle(range(20), cut=True)
        cards.append(sealed.draw())
        kept = fairshoe.keep(sealed, SECRET)
        dealer.close()
        dealer = placer.dealer()
        resumed = fairshoe.resume(kept, SECRET, placer=dealer)
        assert isinstance(resumed, fairshoe.Sealed)
        sealed = resumed
    proof = sealed.reveal()
    assert fairshoe.Proof.from_json(proof.to_json()) == proof
    found = fairshoe.verify(proof, commitment=proof.commitment)
    assert found.dealt == [cards[:3], cards[3:]]
    assert proof.placer is not None
    assert commitment_of(proof.placer.key) == proof.placer.commitment
    alone = fairshoe.seal(key=proof.key, shoe="g/1", deck=proof.deck, seeds=proof.seeds)
    assert alone.first(3) != cards[:3]
    with pytest.raises(VerificationError, match=r"placer\.example is not out"):
        fairshoe.verify(replace(proof, placer=proof.placer._replace(key=b"")))
    with pytest.raises(InputError, match="another placer"):
        fairshoe.resume(kept, SECRET)
    dealer.close()


def test_a_silent_placer_is_asked_again(placer: Running) -> None:
    """No card is drawn meanwhile, and none is another one afterwards."""
    dealer = placer.dealer()
    sealed = fairshoe.commit("g/2", fairshoe.french(1), placer=dealer).seal()
    first = sealed.draw()
    placer.go()
    for _ in range(2):
        with pytest.raises(Unreachable):
            sealed.draw()
    assert sealed.position == 1
    placer.come()
    second_card = sealed.draw()
    with pytest.raises(RuleError, match="nobody knows"):
        sealed.order()
    with pytest.raises(RuleError, match="nobody knows"):
        sealed.first(5)
    assert fairshoe.verify(sealed.reveal()).dealt == [[first, second_card]]
    dealer.close()


def test_cards_drawn_at_once_take_one_question_for_64(placer: Running) -> None:
    """The house fails before it keeps them: it draws the same cards again, as many at a time as it likes."""
    dealer = placer.dealer()
    sealed = fairshoe.commit("g/4", fairshoe.french(2), placer=dealer).seal()
    kept = fairshoe.keep(sealed, SECRET)
    placer.go()
    with pytest.raises(Unreachable):
        sealed.draw(70)
    placer.come()
    with pytest.raises(RuleError, match="104 cards are left"):
        sealed.draw(105)
    assert sealed.position == 0
    cards = sealed.draw(70)
    dealer.close()
    dealer = placer.dealer()
    again = fairshoe.resume(kept, SECRET, placer=dealer)
    assert isinstance(again, fairshoe.Sealed)
    assert [again.draw(), *again.draw(2), *again.draw(67)] == cards
    dealer.tell("bob bets")
    cards += again.draw(34)
    assert len(fairshoe.verify(again.reveal()).dealt[0]) == 104
    assert fairshoe.verify(again.reveal()).dealt == [cards]
    dealer.close()
    forms = [json.loads(line) for line in (placer.folder / "placer.example.jsonl").read_text().splitlines()]
    assert [len(form["given"]) for form in forms if "notes" in form] == [0, 64, 6, 34, 0]


def test_a_record_of_a_shoe_with_a_placer(placer: Running) -> None:
    dealer, kept = placer.dealer(), list[dict[str, Any]]()
    file = placer.folder / "shoe"
    record = fairshoe.Record.commit(file, SECRET, "g/5", fairshoe.french(1), publish=kept.append, placer=dealer)
    record.seal()
    cards = record.draw(3)
    record.draw(2, to="ann")
    record.close()
    dealer.close()
    dealer = placer.dealer()
    record = fairshoe.Record.resume(file, SECRET, publish=kept.append, placer=dealer)
    cards += [record.open(3).label, record.show(4)]
    record.reveal()
    dealer.close()
    found = fairshoe.check_record(kept)
    assert found.verified is not None
    assert found.verified.dealt == [cards]
    kept[2]["cards"] = kept[2]["cards"][::-1]
    with pytest.raises(VerificationError):
        fairshoe.check_record(kept)


def test_a_place_is_given_once(placer: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer that gives one again is asked no more: its signed note is in the file, and no card is drawn."""
    monkeypatch.setattr("fairshoe.protocol.placer_state._places", lambda key, digest, size: [5] * size)
    dealer = placer.dealer()
    sealed = fairshoe.commit("g/3", fairshoe.french(1), placer=dealer).seal()
    sealed.draw()
    for _ in range(2):
        with pytest.raises(RepeatedPlace, match="place 5"):
            sealed.draw()
    with pytest.raises(RepeatedPlace, match="place 5"):
        sealed.draw(2)
    assert sealed.position == 1
    dealer.close()
    forms = [json.loads(line) for line in (placer.folder / "placer.example.jsonl").read_text().splitlines()]
    assert [form["given"] for form in forms if "notes" in form] == [[], [5], [5]]


def test_a_proof_has_one_placer(placer: Running, tmp_path: Path) -> None:
    """Its time is bounded by its size: a list of placers is no form."""
    proof = fairshoe.seal(key=SECRET, shoe="g/3", deck=["a"]).reveal()
    form = json.loads(proof.to_json()) | {"protocol": "fairshoe/2"}
    for wrong in ({"placers": [["p", "0" * 64, ""]]}, {"placer": [["p", "0" * 64, ""]]}, {"placer": None}):
        with pytest.raises(InputError):
            fairshoe.Proof.from_json(json.dumps(form | wrong))
    (tmp_path / "no.jsonl").write_text('{"questions": [1]}\n')
    with pytest.raises(InputError, match="not questions"):
        Dealer("http://127.0.0.1:1", str(placer.signer.verifier), HOUSE, tmp_path / "no.jsonl")
