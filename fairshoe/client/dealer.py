"""A placer, as a second dealer of a game of one's own (docs/placer-protocol.md), for `fairshoe.commit(…, placer=…)`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..connection import Connection, Unreachable
from ..errors import FairshoeError, InputError, VerificationError
from ..log.note import Signer, open_note, signatures_of, verifier_of
from ..protocol import placer_chain
from ..protocol.commitment import commitment_of, commitment_of_hex, key_of_hex
from .book import PRIVATE, append, open_lines, whole_lines

ANSWER_SECONDS = 10.0
MAX_ANSWER = 1 << 16


class Dealer:
    """A placer at an address, known by its verifier `key`; `signer` is the house's, which signs what is asked: the
    placer is started with its verifier key as `--log`.

    `file`: each question stands in it before it leaves, and each answer as it comes; after a crash what was asked is
    answered from it, or sent once more. `fairshoe-audit placed` reads its form. One shoe at a time. Not for several
    threads. Raises InputError, OSError; each question Unreachable where the placer does not answer, VerificationError
    where it answers otherwise than it may: draw again then. RepeatedPlace, where it has signed a place that it gave
    before: the shoe does not go on, and the file has the evidence.
    """

    def __init__(self, address: str, key: str, signer: Signer, file: Path, *, ca: Path | None = None) -> None:
        self._key, self._signer = verifier_of(key), signer
        self._connection = Connection(address, None, ca, False, ANSWER_SECONDS)
        self._file = open_lines(file, PRIVATE)
        self._chain: placer_chain.Chain | None = None
        self._parts: list[str] = []
        self._digest, self._size, self._place_mask = b"", 0, 0
        self._cards: dict[tuple[bytes, int], int] = {}
        self._forms: dict[tuple[str, int], dict[str, Any]] = {}
        try:
            for form in map(json.loads, whole_lines(self._file)[0]):
                question = placer_chain.parse_question(signatures_of(form["questions"][0])[0])
                self._forms[question.chain.placer, question.chain.steps] = form
        except (ValueError, LookupError, TypeError, AttributeError, FairshoeError):
            self._file.close()
            raise InputError("not questions and answers", where=str(file), remedy="name another file") from None

    @property
    def name(self) -> str:
        return self._key.name

    def close(self) -> None:
        self._connection.close()
        self._file.close()

    def tell(self, *parts: str) -> None:
        """Tell an event, such as a bet or a decision, before the next card, one a line; after a crash before one,
        again."""
        if any(not part or "\n" in part for part in parts):
            raise InputError("a part is a line of text", where="told", expected="text without LF")
        self._parts += parts

    @property
    def head(self) -> str:
        """The chain's head so far, in hex: whoever knows what was told and given can make it again."""
        return "" if self._chain is None else self._chain.head.hex()

    # What a shoe asks.

    def commit(self, shoe: str, commitment: str) -> str:
        origin = self._signer.verifier.name
        form = self._post("/shoes", {"shoe": self._signer.sign(placer_chain.shoe_text(origin, shoe, commitment))})
        placer = commitment_of_hex(form.get("commitment", ""))
        self._chain = placer_chain.new_chain(origin, shoe, commitment, self.name, placer)
        self._parts, self._cards = [], {}
        return placer

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        self._digest, self._size = digest, size
        self._ask([placer_chain.shuffle_line(size, digest, root())])

    def ask_ahead(self, place: int, count: int) -> None:
        wanted = range(place, place + count)
        while missing := [each for each in wanted if (self._digest, each) not in self._cards]:
            self._ask([f"card {each}" for each in missing[: placer_chain.MAX_LINES]])

    def card(self, place: int) -> int:
        self.ask_ahead(place, 1)
        return self._cards[self._digest, place]

    def end(self) -> bytes:
        note = self._ask([placer_chain.END])
        key = key_of_hex(signatures_of(note)[0].rstrip("\n").rpartition("key ")[2])
        if self._chain is None or commitment_of(key) != self._chain.placer:
            raise VerificationError("another key", where=self.name, expected="the one that was committed to")
        return key

    def _ask(self, lines: Sequence[str]) -> str:
        """Take the next steps, and return the placer's note; a question with the same first line from before a crash is
        reused."""
        chain = self._chain
        if chain is None:
            raise InputError("no shoe was committed to", where="placer", remedy="call fairshoe.commit first")
        form = self._forms.get((chain.placer, chain.steps))
        if form is None:
            form = {"questions": [self._signer.sign(chain.question(lines, placer_chain.since_of(self._parts)))]}
            self._keep(chain, form)
        question = placer_chain.parse_question(open_note(form["questions"][0], self._signer.verifier))
        if (question.chain, question.lines[0]) != (chain, lines[0]):
            what = f"step {chain.steps + 1} was asked as {question.lines[0]!r} before"
            raise InputError(what, where=self.name, expected=lines[0], remedy="go on from what was kept last")
        if "notes" not in form:
            answer = self._post(f"/shoes/{chain.placer}", {"question": form["questions"][0]})
            form = form | {"given": answer.get("given"), "notes": [answer.get("note")]}
        given, note = form["given"], str(form["notes"][0])
        places = [int(line.removeprefix("card ")) for line in question.lines if line.startswith("card ")]
        fits = type(given) is list and all(type(place) is int and 0 <= place < self._size for place in given)
        if not fits or len(given) != len(places):
            raise VerificationError(f"places {given!r}"[:80], where=self.name, expected=f"{len(places)}")
        steps = placer_chain.lines_with(question.lines, given)
        after = chain.extend_all(steps, question.since)
        if not open_note(note, self._key).startswith(after.note()):
            raise VerificationError("another note than the question's", where=self.name, expected=after.note())
        if self._forms[chain.placer, chain.steps] is not form:
            self._keep(chain, form)
        self._place_mask = placer_chain.take_places(self._place_mask, steps)
        self._cards |= {(self._digest, place): each for place, each in zip(places, given, strict=True)}
        self._chain, self._parts = after, []
        return note

    def _keep(self, chain: placer_chain.Chain, form: dict[str, Any]) -> None:
        append(self._file, form)
        self._forms[chain.placer, chain.steps] = form

    def _post(self, path: str, body: dict[str, str]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        with self._connection.answer("POST", path, json.dumps(body).encode(), headers) as response:
            data, status = response.read(MAX_ANSWER + 1), response.status
        if status != 200 or len(data) > MAX_ANSWER:
            raise Unreachable(f"{self.name} answers {status}: {data[:200]!r}", where=str(self._connection.address))
        try:
            form: dict[str, Any] = json.loads(data)
            form.keys()
        except (ValueError, AttributeError):
            raise Unreachable(f"{self.name} answers no object", where=str(self._connection.address)) from None
        return form
