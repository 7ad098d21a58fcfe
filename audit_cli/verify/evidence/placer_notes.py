"""Whether a table waits for its placer, or the house keeps a round back: by their notes (`verify --notes`)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fairshoe.ceremony.choices import HANDED_IN, UNPUBLISHED
from fairshoe.ceremony.ending import waits_for_places
from fairshoe.ceremony.placer_steps import chain_of
from fairshoe.ceremony.policy import MAX_DELAY
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.note import Verifier, open_note, verifier_of
from fairshoe.log.times import SECOND, is_moment, microseconds
from fairshoe.protocol.placer_chain import CHAIN, MAX_STEPS, QUESTION, RECEIPT
from fairshoe.protocol.text import parse_decimal
from fairshoe.terminal.files import read_utf8

from ..findings.wording import WAITS
from ..walk.audit import Audit
from ..walk.state import AuditedShoe

MAX_FILE_BYTES = 1 << 26
"""Bytes of a file of answers."""
MAX_DECISIONS = 8
"""Time limits of one chair, between two cards or after the last of a round, for which a round may go on."""
_SIGNED = re.compile(r'"fairshoe (?:placing|question|answer receipt) v1\\n(?:[^"\\\x00-\x1f]|\\[ -~]){0,16384}"')
"""A signed text of house or placer, as JSON writes it."""


def read_signed_notes(file: Path) -> list[str]:
    """Return the signed notes that stand in the JSON of a file, wherever they stand in it. Raises InputError."""
    found = []
    for text in _SIGNED.findall(read_utf8(file, MAX_FILE_BYTES)):
        with suppress(ValueError):
            found.append(json.loads(text))
    if not found:
        expected = "a line of JSON for each answer of GET /shoes/C2, or of the house to whoever handed one in"
        raise InputError("no signed answer in it", where=str(file), expected=expected)
    return found


def check_waits(audit: Audit, notes: Sequence[str] | None, house: Verifier | None) -> None:
    """Report houses that kept a round back for a day, and note tables of which nobody can tell, at the log's end."""
    for shoe in audit.shoes.values():
        if shoe.book is None or not waits_for_places(shoe.book, shoe.book_shoe):
            continue
        unknown = notes is None or house is None or shoe.astray is not None
        if unknown or not _is_kept_back(audit, shoe, notes or (), house):
            audit.report.leave("completeness", f"whether {shoe.book.id} {WAITS}")


class ChainPosition(NamedTuple):
    """The position of a placer's chain: its steps, its head in hex."""

    steps: int
    head: str


def _is_kept_back(audit: Audit, shoe: AuditedShoe, notes: Sequence[str], house: Verifier | None) -> bool:
    """Whether the house signed an answer as the open round's newest twice, over a day and all limits apart: it asked
    for nothing meanwhile. Reports and counts it."""
    placer, book = shoe.book_shoe.placer, shoe.book
    if placer is None or book is None or house is None:
        return False
    logged = chain_of(audit.origin, shoe.book_shoe, placer, shoe.commitment)
    about = f"{audit.origin} {shoe.id}\n{placer.commitment}\n"
    receipts: dict[ChainPosition, list[str]] = defaultdict(list)
    asked: set[ChainPosition] = set()
    for kind, position, below in _signed_by(house, notes, about):
        if kind == QUESTION:
            asked.add(position)
        elif kind == RECEIPT and len(below) == 2 and below[0][:3] == "at " and is_moment(at := below[0][3:]):
            receipts[position].append(at)
    answered = [position for kind, position, _ in _signed_by(verifier_of(placer.key), notes, about) if kind == CHAIN]
    newest = max((each for each in [*answered, *receipts] if each.steps > logged.steps), default=None)
    if newest is not None and newest in receipts:
        audit.report.choices.add_one(book.id, HANDED_IN)
    elif newest is not None and newest not in asked:
        audit.report.choices.add_one(book.id, UNPUBLISHED)
    for position, moments in sorted(receipts.items()):
        due = microseconds(min(moments)) + MAX_DECISIONS * len(book.chairs) * shoe.book_shoe.policy.decision * SECOND
        at = min(max(moments), audit.last_at)
        if position.steps > logged.steps and audit.delay(due, at) > MAX_DELAY:
            return audit.report_delay(shoe.place, due, at, shoe.index)
    return False


def _signed_by(key: Verifier, notes: Sequence[str], about: str) -> Iterator[tuple[str, ChainPosition, list[str]]]:
    """Yield what a key signed about a shoe and its placer: the kind of text, the position, the lines below it."""
    for note in notes:
        kind, _, rest = note.partition("\n")
        if not rest.startswith(about):
            continue
        with suppress(FairshoeError, ValueError):
            steps, head, *below = open_note(note, key)[len(kind) + 1 + len(about) :].split("\n")
            yield kind, ChainPosition(parse_decimal(steps, "steps", high=MAX_STEPS), head), below
