"""The steps of a shoe's placer (docs/placer-protocol.md): one walk for the house and for the auditor.

Both play a round and add each event, shuffle and card. The house learns what to ask next; the auditor, which knows all
places, learns the heads that must be signed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..engine.moves import Decision
from ..errors import VerificationError
from ..log.canonical import Entry, text_of
from ..log.note import open_note, verifier_of
from ..protocol.placer_chain import (
    MAX_LINES,
    NO_PLACE,
    Chain,
    lines_with,
    new_chain,
    shuffle_line,
    since_of,
    take_places,
)
from ..record.forms import decision_form
from .book import Book, LoggedPlacer, Shoe, ShoeTrees
from .fold import ENDS

OF_TREES = frozenset(("shoe", "seeds", "opened", "lapse", "open", "seal", "round", "bank", "drawn", "shown", *ENDS))
"""Entries of a shoe whose trees its placer's chain may name."""


class PlacerQuestion(NamedTuple):
    """The next question to a placer: the steps before it, what happened since, its lines, the deck's size."""

    chain: Chain
    parts: tuple[str, ...]
    lines: tuple[str, ...]
    size: int = 0

    @property
    def since(self) -> str:
        return since_of(self.parts)

    @property
    def text(self) -> str:
        """The text that the log's key signs."""
        return self.chain.question(self.lines, self.since)

    def answered(self, given: Iterable[int]) -> Chain:
        """Return the chain after these places. NO_PLACE stands where there are too few."""
        return self.chain.extend_all(lines_with(self.lines, given), self.since)


class PendingCard(Exception):
    """A card is needed whose place is not known yet."""

    def __init__(self, question: PlacerQuestion) -> None:
        super().__init__(question)
        self.question = question


class PlacerStep(NamedTuple):
    """A step of a shoe's placer: what happened before it, `shuffle …` or `card <place>`, and the place given."""

    since: tuple[str, ...]
    line: str
    place: int | None = None


class PlacerSteps:
    """The steps of a shoe's placer from the log's newest entry on."""

    def __init__(self, chain: Chain, given: Sequence[int], answered: int | None = None) -> None:
        self.chain = chain  # grows from the logged one
        self.sure = 0  # cards that will certainly be needed, asked for at once
        self.size = 0  # of the deck that is present
        self.digest = b""  # of the transcript that it is shuffled under
        self.steps: list[PlacerStep] = []  # taken
        self.parts: list[str] = []  # happened since
        self._begun = bool(chain.steps)
        self._places = deque(given)  # places since the logged chain
        self._answered = answered  # steps answered, None for all; then NO_PLACE stands for a missing place
        self._question: PlacerQuestion | None = None

    def begin_entry(self, shoe: Shoe, *, dealing: bool) -> None:
        """Add the log's trees: before its seal, for the first step of all, and then before the first card of a round
        or of the first banker's draw (`dealing`)."""
        if dealing:
            self.add_event(*shoe.trees.newest)
        elif self._begun:
            return
        else:
            self.add_event(*shoe.trees.unsealed)

    def add_event(self, *parts: str) -> None:
        """Add events: they stand at the next step."""
        self.parts += parts

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        """A deck begins; where the log shows that it had begun that is no step."""
        self.size, self.digest = size, digest
        if self._begun:
            self._begun = False
            return
        parts, line = self._take_parts(), shuffle_line(size, digest, root())
        self.steps.append(PlacerStep(parts, line))
        if self._knows:
            self.add_step(line, since_of(parts))
        else:
            self._question = PlacerQuestion(self.chain, parts, (line,), size)

    def card(self, place: int) -> int:
        """Return where in the house's own order the card at this place lies. Raises PendingCard."""
        parts, asked = self._take_parts(), self._question
        if asked is not None and parts:
            raise PendingCard(asked)
        if asked is not None or not self._knows:
            question = asked or PlacerQuestion(self.chain, parts, (), self.size)
            ahead = range(place, min(place + max(self.sure, 1), self.size))
            lines = (*question.lines, *(f"card {each}" for each in ahead))
            raise PendingCard(question._replace(lines=lines[:MAX_LINES]))
        given = self._places.popleft() if self._places else NO_PLACE
        self.add_step(f"card {place} {given}", since_of(parts))
        self.sure -= 1
        self.steps.append(PlacerStep(parts, f"card {place}", given))
        return given

    def add_step(self, line: str, since: str) -> None:
        """The placer's chain grows."""
        self.chain = self.chain.extend(line, since)

    @property
    def _knows(self) -> bool:
        return self._answered is None or self.chain.steps < self._answered

    def _take_parts(self) -> tuple[str, ...]:
        parts, self.parts = tuple(self.parts), []
        return parts


def chain_of(origin: str, shoe: Shoe, placer: LoggedPlacer, commitment: str = "") -> Chain:
    """Return the chain of a shoe's placer as the log has it. `commitment` is the house's."""
    if not placer.head:
        return new_chain(origin, shoe.id, commitment, placer.name, placer.commitment)
    return Chain(origin, shoe.id, placer.commitment, placer.steps, bytes.fromhex(placer.head))


def record_steps(shoe: Shoe, chain: Chain) -> None:
    """An entry shows these steps."""
    if shoe.placer is not None:
        shoe.placer = shoe.placer._replace(steps=chain.steps, head=chain.head.hex())


def record_tree(book: Book, entry: Entry, size: int, root: bytes) -> None:
    """An entry, which the book follows, is the last one of a tree of that size and root."""
    shoe = book.shoe
    if shoe is None or shoe.id != entry.get("shoe"):
        over = book.unrevealed_placers.get(entry.get("shoe", ""))
        shoe = None if over is None else over.shoe
    if shoe is not None:
        record_shoe_tree(shoe, entry, size, root)


def record_shoe_tree(shoe: Shoe, entry: Entry, size: int, root: bytes) -> None:
    """An entry of a shoe, which its book follows, is the last one of a tree of that size and root."""
    if entry["kind"] not in OF_TREES or shoe.placer is None:
        return
    newest = str(size), root.hex()
    sealed = shoe.sealed and entry["at"] >= shoe.sealed
    shoe.trees = ShoeTrees(shoe.trees.unsealed if sealed else newest, newest)


def draw_text(entry: Entry) -> str:
    """A draw from a shoe without a table as a part of what happened: how many cards, from where on, and for whom."""
    size = {"hidden": entry["hidden"]} if "hidden" in entry else {"cards": len(entry["cards"])}
    return text_of({"pos": entry["pos"], **size, **({"to": entry["to"]} if "to" in entry else {})})


def decision_text(decision: Decision, at: str = "") -> str:
    """A decision as a part of what happened; `at`: the moment of one that the table made."""
    return text_of(decision_form(decision, at))


def final_question(shoe: Shoe, chain: Chain) -> PlacerQuestion:
    """Return the last question to a placer, of a shoe that is over."""
    return PlacerQuestion(chain, shoe.trees.newest, ("end",))


def check_note(chain: Chain, placer: LoggedPlacer, signature: str, key: bytes = b"") -> str:
    """Return the placer's note after these steps. Raises VerificationError unless `signature` (base64) is under it."""
    note = f"{chain.note(key)}\n— {placer.key.partition('+')[0]} {signature}\n"
    open_note(note, verifier_of(placer.key))
    return note


def accept_note(note: str, chain: Chain, placer: LoggedPlacer, key: bytes = b"") -> str:
    """Return the signature (base64) of the placer's note, which must have its one form. Raises VerificationError."""
    signature = note.rstrip("\n").rpartition(" ")[2]
    if (expected := check_note(chain, placer, signature, key)) != note:
        raise VerificationError("another text than was signed", where=placer.name, expected=expected)
    return signature


def accept_places(
    question: PlacerQuestion, placer: LoggedPlacer, taken: int, given: Sequence[int], note: str
) -> tuple[str, int]:
    """Check a placer's answer: return its signature (base64) and `taken`, a bit for each place, with its places. Raises
    VerificationError; RepeatedPlace if the placer has signed a place that it gave before."""
    wanted, size = sum(line.startswith("card") for line in question.lines), question.size
    if len(given) != wanted or not all(type(place) is int and 0 <= place < size for place in given):
        raise VerificationError(f"places {list(given)}", where=placer.name, expected=f"{wanted}, below {size}")
    signature = accept_note(note, question.answered(given), placer)
    return signature, take_places(taken, lines_with(question.lines, given))
