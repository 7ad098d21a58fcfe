"""A game of one's own with placers: `fairshoe.commit(…, placers=[…])`, with placers over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

import fairshoe
from fairshoe.client import Dealer, Unreachable
from fairshoe.errors import InputError, RuleError, VerificationError
from fairshoe.log.note import Signer, open_note
from fairshoe.placer.app import server
from fairshoe.placer.store import Store
from fairshoe.protocol.commitment import commitment_of
from fairshoe.serving.server import Server, listen
from tests.second import placing as second

HOUSE = Signer("house.example", b"h" * 32)
SECRET = bytes(32)
PAGE = Path(__file__).parents[2] / "docs" / "embedding.md"


class Running:
    """A placer that may come and go."""

    def __init__(self, folder: Path, name: str = "placer.example") -> None:
        self.signer, self.folder, self.port = Signer(name, name.encode().ljust(32, b"p")), folder, 0
        self.come()

    def come(self) -> None:
        listening = listen("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        store = Store(self.folder / self.signer.verifier.name, self.signer)
        self.server: Server = server(store, self.signer.verifier, [HOUSE.verifier], listening)
        self.server.__enter__()

    def go(self) -> None:
        self.server.__exit__(None, None, None)

    def dealer(self) -> Dealer:
        file = self.folder / f"{self.signer.verifier.name}.jsonl"
        return Dealer(f"http://127.0.0.1:{self.port}", str(self.signer.verifier), HOUSE, file)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Running]]:
    running = [Running(tmp_path), Running(tmp_path, "other.example")]
    yield running
    for each in running:
        each.go()


def test_the_example_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    placer = Running(tmp_path)
    about = {"HOUSE_KEY": (b"h" * 32).hex(), "PLACER": f"http://127.0.0.1:{placer.port}"}
    about["PLACER_KEY"] = str(placer.signer.verifier)
    for name, value in about.items():
        monkeypatch.setenv(name, value)
    section = PAGE.read_text().partition("## With a second dealer")[2]
    (block,) = re.findall(r"^```python\n(.*?)^```$", section.partition("\n## ")[0], re.M | re.S)
    space: dict[str, object] = {}
    exec(compile(block, str(PAGE), "exec"), space)
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "True"
    # the chain again, from what was told and what the file has
    forms = [json.loads(line) for line in (tmp_path / "questions.jsonl").read_text().splitlines()]
    given = iter([place for form in forms for place in form.get("given", ())])
    proof = space["proof"]
    assert isinstance(proof, fairshoe.Proof)
    digest = sha256(fairshoe.verify(proof).transcript.encode())
    lines = [("", f"shuffle 52 {digest.hexdigest()}")]
    for place, part in enumerate(("alice bets 10", "alice doubles")):
        lines.append((second.since([part]), f"card {place} {next(given)}"))
    ((name, commitment, key),) = proof.placers
    heads = second.chain("house.example", "war-2", proof.commitment, name, commitment, [*lines, ("", "end")])
    assert said[-2].endswith(heads[-2].hex())
    last = open_note(forms[-1]["notes"][0], placer.signer.verifier)
    assert last.splitlines()[3:] == ["4", heads[-1].hex(), f"key {key}"]
    placer.go()


def test_two_placers_a_reshuffle_and_a_crash_at_every_step(two: list[Running], tmp_path: Path) -> None:
    """After each draw the house fails, and goes on from what it kept."""

    def again(kept: bytes) -> tuple[fairshoe.Sealed, list[Dealer]]:
        dealers = [each.dealer() for each in two]
        shoe = fairshoe.resume(kept, SECRET, placers=dealers)
        assert isinstance(shoe, fairshoe.Sealed)
        return shoe, dealers

    dealers = [each.dealer() for each in two]
    committed = fairshoe.commit("g/1", fairshoe.french(1), placers=dealers, draws={"die": 6})
    kept = fairshoe.keep(committed, SECRET)
    for dealer in dealers:
        dealer.close()
    dealers = [each.dealer() for each in two]
    committed = fairshoe.resume(kept, SECRET, placers=dealers)
    assert isinstance(committed, fairshoe.Committed)
    committed.contribute("alice", b"seed")
    sealed, cards = committed.seal(), []
    for turn in range(6):
        for dealer in dealers:
            dealer.tell(f"turn {turn}")
        if turn == 3:
            sealed.reshuffle(range(20), cut=True)
        cards.append(sealed.draw())
        kept = fairshoe.keep(sealed, SECRET)
        for dealer in dealers:
            dealer.close()
        sealed, dealers = again(kept)
    proof = sealed.reveal()
    assert fairshoe.Proof.from_json(proof.to_json()) == proof
    found = fairshoe.verify(proof, commitment=proof.commitment)
    assert found.dealt == [cards[:3], cards[3:]]
    assert [commitment_of(bytes.fromhex(key)) for _, _, key in proof.placers] == [c for _, c, _ in proof.placers]
    alone = fairshoe.seal(key=bytes.fromhex(proof.key), shoe="g/1", deck=proof.deck, seeds=proof.seeds)
    assert alone.first(3) != cards[:3]
    missing = replace(proof, placers=(proof.placers[0], proof.placers[1]._replace(key="")))
    with pytest.raises(VerificationError, match=r"other\.example"):
        fairshoe.verify(missing)
    try:
        swapped = fairshoe.verify(replace(proof, placers=proof.placers[::-1])).dealt
    except VerificationError:
        swapped = []  # most often a draw or the cut is another one already
    assert swapped != found.dealt
    with pytest.raises(InputError, match="other placers"):
        fairshoe.resume(kept, SECRET)
    for dealer in dealers:
        dealer.close()


def test_a_silent_placer_is_asked_again(two: list[Running]) -> None:
    """No card is drawn meanwhile, and none is another one afterwards."""
    dealers = [each.dealer() for each in two]
    sealed = fairshoe.commit("g/2", fairshoe.french(1), placers=dealers).seal()
    first = sealed.draw()
    two[1].go()
    for _ in range(2):
        with pytest.raises(Unreachable):
            sealed.draw()
    assert sealed.position == 1
    two[1].come()
    second_card = sealed.draw()
    with pytest.raises(RuleError, match="nobody knows"):
        sealed.order()
    with pytest.raises(RuleError, match="nobody knows"):
        sealed.first(5)
    assert fairshoe.verify(sealed.reveal()).dealt == [[first, second_card]]
    for dealer in dealers:
        dealer.close()


def test_one_placer_is_none_twice(two: list[Running], tmp_path: Path) -> None:
    dealer = two[0].dealer()
    with pytest.raises(InputError, match="twice"):
        fairshoe.commit("g/3", fairshoe.french(1), placers=[dealer, dealer])
    dealer.close()
    (tmp_path / "no.jsonl").write_text('{"questions": [1]}\n')
    with pytest.raises(InputError, match="not questions"):
        Dealer("http://127.0.0.1:1", str(two[0].signer.verifier), HOUSE, tmp_path / "no.jsonl")
