"""Ask the placers of tables (docs/placer-protocol.md), in the background: no transaction and no request waits for one.

What is asked follows from what is on the disk, so that after a restart the same is asked again.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from time import monotonic
from typing import Any, NamedTuple

from ..ceremony.acting.commands import Answer, GiveCommitment
from ..ceremony.acting.lone_shoe import ROW, LoneShoe
from ..ceremony.acting.placers import answer_of, is_asking, may_ask
from ..ceremony.acting.state import State
from ..ceremony.book import PLAYER
from ..ceremony.contributing import may_place
from ..ceremony.placer_steps import PlacerQuestion
from ..connection import Connection, Unreachable, address_of
from ..engine.rules import Rules
from ..errors import FairshoeError, InputError
from ..log.note import verifier_of
from ..protocol.placer_chain import SHOE, origin_of
from ..protocol.text import check_id
from .sequencer import Sequencer

ANSWER_SECONDS = 10.0
MAX_ANSWER = 1 << 16
FIRST_PAUSE, MAX_PAUSE = 0.5, 60.0
logger = logging.getLogger("fairshoe.service")
ChangeListener = Callable[[Mapping[str, int]], None]


class PlacerAddress(NamedTuple):
    """A placer as the operator names it: where it answers, and its verifier key."""

    address: str
    key: str


def placer_of(text: str) -> PlacerAddress:
    """Read `URL=VKEY`. Raises InputError."""
    address, equals, key = text.partition("=")
    if not equals:
        raise InputError("not a placer", where="--placer", expected="URL=VKEY")
    verifier = verifier_of(key)
    check_id(verifier.name, "--placer")
    return PlacerAddress(str(address_of(address)), str(verifier))


@lru_cache
def addresses(named: Sequence[str]) -> Mapping[str, str]:
    """Return the address of each placer that the operator named, by its verifier key."""
    return {placer.key: placer.address for placer in map(placer_of, named)}


def check_placer(key: str, named: Sequence[str], rules: Rules | None = None) -> None:
    """Raise InputError unless the service has an address for a verifier key, or one player can play by `rules`."""
    if key == PLAYER and rules is not None:
        if not may_place(rules):
            what = f"{rules.name} is not played by one player alone"
            raise InputError(what, where="placer", expected="a placer that the service knows")
    elif key and key not in (known := addresses(tuple(named))):
        remedy = "start the service with --placer URL=VKEY"
        raise InputError("no placer of this service", where="placer", expected="; ".join(known), remedy=remedy)


def asks_placer(state: State | LoneShoe) -> bool:
    """Whether an outside placer is asked for a table, or a shoe without one."""
    if isinstance(state, LoneShoe):
        return state.shoe.placer is not None
    return bool(state.book.placer) and not state.book.player_places


def _is_waiting(state: State | LoneShoe) -> bool:
    """Whether nothing goes on before a placer has answered."""
    return state.waits_for_placer if isinstance(state, LoneShoe) else is_asking(state)


class PlacerError(FairshoeError):
    """A placer answered otherwise than it may."""

    fault = "machine"


class PlacerThread(threading.Thread):
    """Has every table that waits for placers served, each by a thread of its own, so that none waits for another."""

    def __init__(self, sequencer: Sequencer, named: Sequence[str]) -> None:
        super().__init__(name="fairshoe-placers", daemon=True)
        self.addresses = addresses(tuple(named))
        self.sequencer = sequencer
        self.stopping = threading.Event()
        self._turn = threading.Lock()
        self._tables: dict[str, _Table | None] = {}

    def listen_with(self, told: Callable[[Mapping[str, int], Collection[str]], None]) -> ChangeListener:
        """Return a listener that tells this thread and `told` of changed tables, and of those that await a placer."""

        def both(versions: Mapping[str, int]) -> None:
            waiting = []
            for name, version in versions.items() if self.ident is not None else ():
                stored = self.sequencer.tables.find_version(name, version)
                table = self._find_requests(name, None if stored is None else stored.state)
                if table is not None and (
                    stored is None or not isinstance(stored.state, State) or may_ask(stored.state)
                ):
                    table.wake(version)
                if table is not None and stored is not None and _is_waiting(stored.state):
                    waiting.append(name)
            told(versions, waiting)

        return both

    def troubles(self) -> dict[str, str]:
        """Return why a placer does not answer, by table."""
        with self._turn:
            serving = [(name, table.trouble) for name, table in self._tables.items() if table is not None]
        return {name: trouble for name, trouble in serving if trouble}

    def start(self) -> None:
        if self.addresses:
            super().start()

    def run(self) -> None:
        """Begin with the tables and shoes that are there."""
        states: list[State | LoneShoe] = [*self.sequencer.all_tables(), *self.sequencer.shoes.live()]
        for state in states:
            self._find_requests(state.id, state)

    def stop(self) -> None:
        """Ask nothing more; who waits for an answer is left alone, and nothing is done with that."""
        self.stopping.set()
        if self.addresses:
            self.join()
            for table in filter(None, self._tables.values()):
                table.leave()

    def drop(self, name: str) -> None:
        """Forget a shoe without a table that asks its placer for nothing more."""
        with self._turn:
            self._tables.pop(name, None)

    def _find_requests(self, name: str, state: State | LoneShoe | None) -> _Table | None:
        """Return the requests of a table's placer; None if its state shows that no placer is asked."""
        with self._turn:
            if name not in self._tables:
                asks = state is None or asks_placer(state)
                self._tables[name] = _Table(self, name) if asks else None
            return self._tables[name]


class _Trouble(NamedTuple):
    """A failed request: its message, the pause in seconds, and the end of the pause by the steady clock."""

    message: str = ""
    pause: float = 0.0
    until: float = 0.0


class _Table:
    """One of them; `woken` where something changed there."""

    def __init__(self, placers: PlacerThread, name: str) -> None:
        self.woken = threading.Event()
        self.woken.set()
        self._is_over = False
        self._placers, self._name, self._version = placers, name, -1
        self._handing = threading.Lock()
        self._connection: Connection | None = None
        self._troubles: dict[object, _Trouble] = {}
        threading.Thread(target=self._serve, name=f"fairshoe-placers {name}", daemon=True).start()

    @property
    def trouble(self) -> str:
        """Return the last reported trouble; "" if every answer came."""
        return next((trouble.message for trouble in [*self._troubles.values()] if trouble.message), "")

    def wake(self, version: int) -> None:
        """Something changed: the table has this version now."""
        self._version = version
        self.woken.set()

    def leave(self) -> None:
        """Wait until no answer is being handed over."""
        self.woken.set()
        with self._handing:
            pass

    def _serve(self) -> None:
        """Ask for what is awaited, the live shoe's first, when something changed and when what failed is due again."""
        while not (self._is_over or self._placers.stopping.is_set()):
            due = min((trouble.until for trouble in self._troubles.values()), default=None)
            self.woken.wait(None if due is None else max(0.0, due - monotonic()))
            self.woken.clear()
            wanted = dict(self._try_once("", self._awaited) or ())
            self._troubles = {each: self._troubles[each] for each in ("", *wanted) if each in self._troubles}
            any(self._try_once(each, ask) for each, ask in wanted.items())  # an answer wakes it if more is awaited

    def _try_once(self, what: object, do: Callable[[], Any]) -> Any:
        """Return the result; None during a pause. A failure is logged once for each trouble, and stops nothing else."""
        before, stopping = self._troubles.get(what, _Trouble()), self._placers.stopping
        if stopping.is_set() or before.until > monotonic():
            return None
        try:
            done = do()
        except Exception as error:
            if str(error) != before.message and not stopping.is_set():
                known = isinstance(error, FairshoeError)
                logger.warning("placer of %s: %s", self._name, error, exc_info=None if known else error)
            pause = min(max(FIRST_PAUSE, 2 * before.pause), MAX_PAUSE)
            self._troubles[what] = _Trouble(str(error), pause, monotonic() + pause)
            return None
        self._troubles.pop(what, None)
        return done

    def _awaited(self) -> list[tuple[object, Callable[[], bool]]]:
        """Return the awaited answers, each with the function that asks for it and passes it on."""
        sequencer = self._placers.sequencer
        awaited = sequencer.awaited(self._name, self._version)
        if self._name.startswith(ROW) and not awaited.placer:
            self._is_over = True
            self._placers.drop(self._name)
        if awaited.by_player or not sequencer.lead.is_leader:
            return []
        if awaited.text:
            return [(awaited.text, lambda: self._commitment(awaited.placer, awaited.text))]
        return [(each, partial(self._answer, awaited.placer, *each)) for each in awaited.questions]

    def _commitment(self, placer: str, text: str) -> bool:
        told = self._ask(placer, "/shoes", {"shoe": self._placers.sequencer.sign(text)})
        return self._hand_over(GiveCommitment(origin_of(text, SHOE)[1], str(told.get("commitment"))))

    def _answer(self, placer: str, shoe: str, question: PlacerQuestion) -> bool:
        signed = self._placers.sequencer.sign(question.text)
        told = self._ask(placer, f"/shoes/{question.chain.placer}", {"question": signed})
        given, note = told.get("given"), str(told.get("note"))
        if type(given) is not list:
            raise PlacerError("an answer without places", where=placer.partition("+")[0])
        return self._hand_over(answer_of(shoe, question, tuple(given), note))

    def _hand_over(self, answer: Answer) -> bool:
        with self._handing:
            if not self._placers.stopping.is_set():
                self._placers.sequencer.take_answer(self._name, answer)
        return True

    def _ask(self, placer: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        address = self._placers.addresses.get(placer)
        if address is None:
            raise PlacerError("nobody says where it answers", where=placer, remedy="start with --placer URL=VKEY")
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
            raise PlacerError(f"it answers {status}: {text[:200].strip()!r}", where=placer.partition("+")[0])
        form = json.loads(text)
        if type(form) is not dict:
            raise PlacerError("it answers no object", where=placer.partition("+")[0])
        return form
