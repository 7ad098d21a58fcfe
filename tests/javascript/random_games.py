"""Random games with shoes of the library, played by Python and by the npm package, which take each other's JSON."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import fairshoe
from fairshoe import Committed, FairshoeError, Sealed
from tests.verifier.node import node

SECRET = bytes(range(32))
NAMES = ("ann", "10", "9", "__proto__", "bob:2", "constructor")
LABELS = ("Ah", "♠", "two words", "1", '"\\')
QUIET = "52db9ba7"


class Game:
    """A game: what was done at each step, and what came of it in Python."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        size = self.chance.choice([1, 2, 5, 33, 52])
        self.deck = [self.chance.choice(LABELS) + str(i % 7) for i in range(size)]
        draws = {name: self.chance.choice([1, 6, 2**31 + 1, 2**32]) for name in self.chance.sample(NAMES, 2)}
        self.key = self.chance.randbytes(32)
        self.begin = {"key": self.key.hex(), "shoe": f"g/{seed}", "deck": self.deck, "draws": draws}
        self.seeds = {name: self.chance.randbytes(self.chance.choice([1, 16, 128])) for name in NAMES}
        self.steps: list[list[Any]] = []
        self.found: list[Any] = []
        self.shoe: Committed | Sealed = fairshoe.commit(f"g/{seed}", self.deck, draws=draws, key=self.key)
        for _ in range(self.chance.randrange(12)):
            self._prepare(self.shoe)
        self._seal(self.shoe)
        for _ in range(self.chance.randrange(25) if isinstance(self.shoe, Sealed) else 0):
            self._deal(self.shoe)
        self.proof = self.shoe.reveal().to_json() if isinstance(self.shoe, Sealed) else ""

    def _do(self, step: list[Any], act: Callable[[], Any]) -> None:
        self.steps.append(step)
        try:
            self.found.append(act())
        except FairshoeError as error:
            self.found.append({"error": type(error).__name__})

    def _keep(self) -> None:
        """Python's own state is taken up by both."""
        data = fairshoe.keep(self.shoe, SECRET)
        self.shoe = fairshoe.resume(data, SECRET)
        self._do(["resume", data.hex()], lambda: type(self.shoe).__name__)

    def _prepare(self, shoe: Any) -> None:
        who, at = self.chance.choice(NAMES), self.chance.randrange(60)
        seed = self.seeds[who] if self.chance.random() < 0.9 else b"another"
        match self.chance.choice(["pledge", "pledge", "pledge", "strike", "cut", "beacon", "seed", "resume"]):
            case "pledge":
                digest = sha256(seed).hexdigest()
                self._do(["pledge", who, digest], lambda: shoe.pledge(who, digest))
            case "strike":
                self._do(["strike", who], lambda: shoe.strike(who))
            case "cut":
                self._do(["fixCut", at], lambda: shoe.fix_cut(at))
            case "beacon":
                self._do(["addBeacon", QUIET, at, "ab"], lambda: shoe.add_beacon(QUIET, at, "ab"))
            case "seed" if self.chance.random() < 0.3:
                self._do(["contribute", who, seed.hex()], lambda: shoe.contribute(who, seed))
            case "resume":
                self._keep()

    def _seal(self, shoe: Any) -> None:
        for who in shoe.opens if self.chance.random() < 0.95 else shoe.opens[::-1]:
            seed = self.seeds[who]
            self._do(["contribute", who, seed.hex()], lambda who=who, seed=seed: shoe.contribute(who, seed))
        self._do(
            ["known"], lambda: [shoe.commitment, shoe.cut, list(map(list, shoe.pledges.items())), list(shoe.opens)]
        )
        cut = self.chance.choice([None, None, 0, len(self.deck) - 1])

        def seal() -> Any:
            self.shoe = shoe.seal(cut=cut)
            return [self.shoe.transcript.text, self.shoe.cards_root]

        self._do(["seal", cut], seal)

    def _deal(self, shoe: Any) -> None:
        count = self.chance.randrange(len(self.deck) + 1)
        match self.chance.choice(
            ["draw", "draw", "index", "open", "open", "number", "again", "resume", "order", "first"]
        ):
            case "draw" if count % 2:
                self._do(["draw"], shoe.draw)
            case "draw":
                self._do(["draw", count], lambda: shoe.draw(count))
            case "index":
                self._do(["drawIndex"], shoe.draw_index)
            case "open":
                self._do(["open", count], lambda: shoe.open(count).form)
            case "number":
                name = self.chance.choice(NAMES)
                self._do(["number", name], lambda: shoe.number(name))
            case "again":
                gathered = self.chance.sample(range(len(self.deck)), count)
                cut = self.chance.random() < 0.7
                self._do(["reshuffle", gathered, cut], lambda: shoe.reshuffle(gathered, cut=cut))
            case "resume":
                self._keep()
            case "order":
                self._do(["order"], lambda: [shoe.order(), shoe.order_indexes(), shoe.left, shoe.position, shoe.cut])
            case "first":
                self._do(["first", count], lambda: shoe.first(count))

    @property
    def form(self) -> dict[str, Any]:
        return {"begin": self.begin, "steps": self.steps, "proof": self.proof}


def run_script(name: str, asked: Any) -> Any:
    """Return what a script of this folder answers."""
    command = [node(), str(Path(__file__).with_name(name))]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_games(games: list[Game]) -> int:
    """Hold the npm package's games against Python's. Returns how many steps were compared."""
    asked = {"secret": SECRET.hex(), "games": [game.form for game in games]}
    for game, told in zip(games, run_script("games.mjs", asked), strict=True):
        for step, expected, found in zip(game.steps, game.found, told["found"], strict=True):
            assert found == expected, (game.begin["shoe"], step, expected, found)
        for step, data in told["kept"]:
            resumed = fairshoe.resume(bytes.fromhex(data), SECRET)
            assert type(resumed).__name__ == game.found[step], game.begin["shoe"]
        for form, root in told["openings"]:
            fairshoe.Opening.from_json(json.dumps(form)).verify(root)
        if game.proof:
            assert json.loads(told["proof"]) == json.loads(game.proof)
            assert told["dealt"] == fairshoe.verify(fairshoe.Proof.from_json(told["proof"])).dealt
            assert resumes_to(told["last"]) == json.loads(game.proof)
    return sum(len(game.steps) for game in games)


def resumes_to(data: str) -> Any:
    """Return the proof of the shoe that the npm package kept last."""
    resumed = fairshoe.resume(bytes.fromhex(data), SECRET)
    assert isinstance(resumed, Sealed)
    return json.loads(resumed.reveal().to_json())
