"""Messages between a house and a placer, as bytes: chain, note, question (docs/placer-protocol.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from ..errors import InputError, VerificationError
from .commitment import commitment_of_hex
from .text import bytes_of_hex, check_id, parse_decimal

CHAIN = "fairshoe placing v1"
QUESTION = "fairshoe question v1"
SHOE = "fairshoe placed shoe v1"
RECEIPT = "fairshoe answer receipt v1"
END = "end"
MAX_LINES = 64
"""Of a question."""
MAX_CARDS = 65_536
MAX_STEPS = 2**31


class Chain(NamedTuple):
    """A placer's chain at a shoe: `placer` is its commitment C2, `head` the hash of everything up to the last step."""

    origin: str
    shoe: str
    placer: str
    steps: int
    head: bytes

    def extend(self, line: str, since: str = "") -> Chain:
        """One step on: `line` is `shuffle …`, `card <place> <given>` or `end`; `since` as `since_of` gives it."""
        told = f"since {since}\n" if since else ""
        head = hashlib.sha256(self.head + f"{told}{line}\n".encode()).digest()
        return self._replace(steps=self.steps + 1, head=head)

    def extend_all(self, lines: Iterable[str], since: str = "") -> Chain:
        """Some steps on; `since` belongs to the first of them."""
        chain = self
        for line in lines:
            chain, since = chain.extend(line, since), ""
        return chain

    @property
    def _lines(self) -> str:
        return f"{self.origin} {self.shoe}\n{self.placer}\n{self.steps}\n{self.head.hex()}\n"

    def note(self, key: bytes = b"") -> str:
        """Return the text that the placer signs; with its key once the chain has ended."""
        return f"{CHAIN}\n{self._lines}" + (f"key {key.hex()}\n" if key else "")

    def question(self, lines: Sequence[str], since: str = "") -> str:
        """Return the text that the log's key signs: what is asked for after these steps."""
        told = f"since {since}\n" if since else ""
        return f"{QUESTION}\n{self._lines}{told}" + "".join(f"{line}\n" for line in lines)


def new_chain(origin: str, shoe: str, commitment: str, name: str, placer: str) -> Chain:
    """The chain before its first step; `commitment` is the house's C, `name` and `placer` the placer's and its C2."""
    text = f"{CHAIN}\nlog {origin}\nshoe {shoe}\ncommitment {commitment}\nplacer {name} {placer}\n"
    return Chain(origin, shoe, placer, 0, hashlib.sha256(text.encode()).digest())


NO_PLACE = -1
"""In the place of one that was not given."""


def lines_with(lines: Iterable[str], given: Iterable[int]) -> list[str]:
    """Return a question's lines as the chain has them, with the places given. NO_PLACE stands for a missing one."""
    places = iter(given)
    return [f"{line} {next(places, NO_PLACE)}" if line.startswith("card") else line for line in lines]


class RepeatedPlace(VerificationError):
    """A placer gave a place that it had given before under the same digest."""


def take_places(taken: int, lines: Iterable[str]) -> int:
    """Return the places given under the present digest, a bit for each, after more lines of a chain (`shuffle …`,
    `card <place> <given>`, `end`). Raises RepeatedPlace. A place that no deck has is not looked at."""
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "shuffle":
            taken = 0
        elif word == "card" and 0 <= (given := int(rest.partition(" ")[2])) < MAX_CARDS:
            if taken >> given & 1:
                raise RepeatedPlace(f"place {given} was given before", where="places", expected="each place once")
            taken |= 1 << given
    return taken


def shuffle_line(size: int, digest: bytes, root: bytes) -> str:
    """Return the step that begins a deck of so many cards; `digest` is the transcript's, `root` binds the cards."""
    return f"shuffle {size} {digest.hex()} {root.hex()}"


def since_of(parts: Sequence[str]) -> str:
    """Return what happened since the last step, in hex; "" if nothing did."""
    return hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).hexdigest() if parts else ""


def shoe_text(origin: str, shoe: str, commitment: str) -> str:
    """Return the text that the log's key signs to have a placer commit to a key for this shoe."""
    return f"{SHOE}\n{origin} {shoe}\n{commitment}\n"


def receipt_text(note: str, at: str) -> str:
    """Return the text that the log's key signs for a placer's answer; `note`: the text of the placer's note."""
    return "\n".join([RECEIPT, *note.split("\n")[1:5], f"at {at}\n"])


def split_places(questions: Sequence[str], given: Sequence[int]) -> list[list[int]]:
    """Return the places of each question, of those that were given to all of them in turn."""
    left = iter(given)
    return [list(islice(left, question.count("\ncard "))) for question in questions]


class ParsedQuestion(NamedTuple):
    """A question, taken apart: the chain as the house has it, what happened since, the lines asked for."""

    chain: Chain
    since: str
    lines: tuple[str, ...]


def origin_of(text: str, kind: str) -> tuple[str, str]:
    """Return the signer of a question (QUESTION) or an order (SHOE), and its shoe. Raises InputError."""
    lines = text.split("\n")
    if lines[0] != kind or len(lines) < 3 or lines[-1]:
        raise InputError("not what is asked for here", where="note", expected=f"a text that begins with {kind!r}")
    origin, space, shoe = lines[1].partition(" ")
    if not space or not origin:
        raise InputError("no origin and shoe in the second line", where="note", expected="<origin> <shoe>")
    return origin, check_id(shoe, "shoe")


def shoe_of(text: str) -> tuple[str, str, str]:
    """Origin, shoe and the house's commitment of `shoe_text`. InputError."""
    origin, shoe = origin_of(text, SHOE)
    commitment = commitment_of_hex(text.split("\n")[2])
    _same(shoe_text(origin, shoe, commitment), text)
    return origin, shoe, commitment


def parse_question(text: str) -> ParsedQuestion:
    """Take a question apart, whose lines are each of a form that there is. InputError."""
    origin, shoe = origin_of(text, QUESTION)
    lines = text[:-1].split("\n")
    if len(lines) < 6:
        raise InputError("a question that asks nothing", where="question", expected="the four lines of a note, and one")
    placer, steps = commitment_of_hex(lines[2]), parse_decimal(lines[3], "steps", high=MAX_STEPS)
    chain = Chain(origin, shoe, placer, steps, bytes_of_hex(lines[4], "head", low=32, high=32))
    word, _, since = lines[5].partition(" ")
    told = since if word == "since" else ""
    if word == "since":
        bytes_of_hex(told, "since", low=32, high=32)
    found = ParsedQuestion(chain, told, tuple(lines[6:] if told else lines[5:]))
    if not 1 <= len(found.lines) <= MAX_LINES:
        raise InputError(f"{len(found.lines)} lines are asked for", where="question", expected=f"1 to {MAX_LINES}")
    for line in found.lines:
        step_of(line)
    _same(chain.question(found.lines, told), text)
    return found


class QuestionLine(NamedTuple):
    """A line of a question: `kind` is shuffle, card or end; `number` the deck's size or the card's place."""

    kind: str
    number: int = 0
    digest: bytes = b""


def step_of(line: str) -> QuestionLine:
    """Read `shuffle <n> <digest> <root>`, `card <place>` or `end`. InputError."""
    match line.split(" "):
        case ["shuffle", size, digest, root]:
            number = parse_decimal(size, "shuffle", low=1, high=MAX_CARDS)
            bytes_of_hex(root, "shuffle", low=32, high=32)
            return QuestionLine("shuffle", number, bytes_of_hex(digest, "shuffle", low=32, high=32))
        case ["card", place]:
            return QuestionLine("card", parse_decimal(place, "card", high=MAX_CARDS - 1))
        case ["end"]:
            return QuestionLine(END)
    expected = "shuffle <n> <digest> <root>, card <place> or end"
    raise InputError(f"{line[:80]!r} is no step", where="question", expected=expected)


def _same(canonical: str, text: str) -> None:
    if canonical != text:
        raise InputError("not written in its one form", where="note", expected=canonical)
