"""Ask the placers of tables (docs/placer-protocol.md), in the background: no transaction and no request waits for one.

What is asked follows from what is on the disk, so that after a restart the same is asked again. Each question and the
note that answers it are kept in a file beside the database, for `fairshoe-audit placed`.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..ceremony.acting.commands import Answer, GiveCommitment
from ..ceremony.acting.placers import answer_of
from ..ceremony.book import PLAYER
from ..ceremony.contributing import may_place
from ..ceremony.placer_steps import Question
from ..connection import Connection, Unreachable, address_of
from ..engine.rules import Rules
from ..errors import FairshoeError, InputError
from ..log.note import verifier_of
from ..protocol.placer_chain import SHOE, origin_of
from ..protocol.text import check_id
from .sequencer import Sequencer

ANSWER_SECONDS = 10.0
MAX_ANSWER = 1 << 16
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
logger = logging.getLogger("fairshoe.service")
Told = Callable[[Mapping[str, int]], None]


class Named(NamedTuple):
    """A placer as the operator names it: where it answers, and its verifier key."""

    address: str
    key: str


def placer_of(text: str) -> Named:
    """Read `URL=VKEY`. Raises InputError."""
    address, equals, key = text.partition("=")
    if not equals:
        raise InputError("not a placer", where="--placer", expected="URL=VKEY")
    verifier = verifier_of(key)
    check_id(verifier.name, "--placer")
    return Named(str(address_of(address)), str(verifier))


@lru_cache
def addresses(named: Sequence[str]) -> Mapping[str, str]:
    """Where each placer that the operator named answers, by its verifier key."""
    return {placer.key: placer.address for placer in map(placer_of, named)}


def check_placer(key: str, named: Sequence[str], rules: Rules) -> None:
    """Check the placer of a new table: a verifier key, PLAYER, or "". Raises InputError if the service knows no address
    of it, or if one player alone cannot play by these rules."""
    if key == PLAYER:
        if not may_place(rules):
            what = f"{rules.name} is not played by one player alone"
            raise InputError(what, where="placer", expected="a placer that the service knows")
    elif key and key not in (known := addresses(tuple(named))):
        remedy = "start the service with --placer URL=VKEY"
        raise InputError("no placer of this service", where="placer", expected="; ".join(known), remedy=remedy)


class NotPlaced(FairshoeError):
    """A placer answered otherwise than it may."""

    fault = "machine"


class PlacerThread(threading.Thread):
    """Has every table that waits for placers served, each by a thread of its own, so that none waits for another."""

    def __init__(self, sequencer: Sequencer, named: Sequence[str]) -> None:
        super().__init__(name="fairshoe-placers", daemon=True)
        self.addresses = addresses(tuple(named))
        self.sequencer = sequencer
        self.stopping = threading.Event()
        self._woken = threading.Event()
        self._turn = threading.Lock()
        self._new: set[str] = set()
        self._tables: dict[str, _Table | None] = {}

    def beside(self, told: Told) -> Told:
        """Who is told of changed tables, and this beside."""
        if not self.addresses:
            return told

        def both(versions: Mapping[str, int]) -> None:
            told(versions)
            new = {name for name in versions if name not in self._tables}
            for name in versions.keys() - new:
                table = self._tables[name]
                if table is not None and self.sequencer.tables.may_await(name, versions[name]):
                    table.woken.set()
            if new:
                self._look(new)

        return both

    def start(self) -> None:
        if self.addresses:
            super().start()

    def stop(self) -> None:
        """Ask nothing more; who waits for an answer is left alone, and nothing is done with that."""
        self.stopping.set()
        self._woken.set()
        if self.addresses:
            self.join()
            for table in filter(None, self._tables.values()):
                table.leave()

    def run(self) -> None:
        """Find the tables that have a placer."""
        self._look({state.id for state in self.sequencer.all_tables()})
        while not self.stopping.is_set():
            self._woken.wait()
            self._woken.clear()
            with self._turn:
                new, self._new = self._new, set()
            for name in new.difference(self._tables):
                try:
                    awaited = self.sequencer.awaited(name)
                except Exception:
                    logger.exception("table %s cannot be read", name)
                else:
                    self._tables[name] = _Table(self, name) if awaited.placer and not awaited.by_player else None

    def _look(self, new: set[str]) -> None:
        with self._turn:
            self._new |= new
        self._woken.set()


class _Table:
    """One of them; `woken` where something changed there."""

    def __init__(self, placers: PlacerThread, name: str) -> None:
        self.woken = threading.Event()
        self.woken.set()
        self._placers, self._name = placers, name
        self._handing = threading.Lock()
        self._connection: Connection | None = None
        self._kept: tuple[str, list[int], str] | None = None
        self._pause, self._said = 0.0, ""
        threading.Thread(target=self._serve, name=f"fairshoe-placers {name}", daemon=True).start()

    def leave(self) -> None:
        """Wait until no answer is being handed over."""
        self.woken.set()
        with self._handing:
            pass

    def _serve(self) -> None:
        """Whatever is awaited, whenever something changed. What fails is said once for each trouble, and tried
        again."""
        stopping = self._placers.stopping
        while not stopping.is_set():
            self.woken.wait()
            self.woken.clear()
            try:
                while not stopping.is_set() and self._next():
                    self._pause, self._said = 0.0, ""
                    if not self.woken.is_set():  # what was handed over woke it where more is awaited
                        break
                    self.woken.clear()
            except Exception as error:
                self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
                if str(error) != self._said and not stopping.is_set():
                    self._said = str(error)
                    known = isinstance(error, FairshoeError)
                    logger.warning("placer of %s: %s", self._name, error, exc_info=None if known else error)
                stopping.wait(self._pause)
                self.woken.set()

    def _next(self) -> bool:
        """Ask for the next thing that is awaited, and hand the answer over; gives whether anything was."""
        sequencer = self._placers.sequencer
        if not sequencer.lead.leads:
            return False
        awaited = sequencer.awaited(self._name)
        if awaited.text:
            told = self._ask(awaited.placer, "/shoes", {"shoe": sequencer.signer.sign(awaited.text)})
            self._hand_over(GiveCommitment(origin_of(awaited.text, SHOE)[1], str(told.get("commitment"))))
        elif awaited.questions:
            self._answer(awaited.placer, *awaited.questions[0])
        return bool(awaited.text or awaited.questions)

    def _answer(self, placer: str, shoe: str, question: Question) -> None:
        signed = self._placers.sequencer.signer.sign(question.text)
        told = self._ask(placer, f"/shoes/{question.chain.placer}", {"question": signed})
        given, note = told.get("given"), str(told.get("note"))
        if type(given) is not list:
            raise NotPlaced("an answer without places", where=placer.partition("+")[0])
        if self._kept != (signed, given, note):  # a placer that is asked again gives the same answer
            self._placers.sequencer.placed.keep(signed, given, note)
        self._kept = signed, given, note
        self._hand_over(answer_of(shoe, question, tuple(given), note))

    def _hand_over(self, answer: Answer) -> None:
        with self._handing:
            if not self._placers.stopping.is_set():
                self._placers.sequencer.take_answer(self._name, answer)

    def _ask(self, placer: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        address = self._placers.addresses.get(placer)
        if address is None:
            raise NotPlaced("nobody says where it answers", where=placer, remedy="start with --placer URL=VKEY")
        if self._connection is None:
            self._connection = Connection(address, None, None, False, ANSWER_SECONDS)
        headers = {"Content-Type": "application/json"}
        with self._connection.answer("POST", path, json.dumps(body).encode(), headers) as response:
            data = response.read(MAX_ANSWER + 1)
            status = response.status
        if len(data) > MAX_ANSWER:
            raise Unreachable("the answer has no end", expected=f"{MAX_ANSWER} bytes")
        text = data.decode("utf-8", errors="replace")
        if status != 200:
            raise NotPlaced(f"it answers {status}: {text[:200].strip()!r}", where=placer.partition("+")[0])
        form = json.loads(text)
        if type(form) is not dict:
            raise NotPlaced("it answers no object", where=placer.partition("+")[0])
        return form
