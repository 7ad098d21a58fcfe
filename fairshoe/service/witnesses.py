"""Submitting the log's tree heads to witnesses (c2sp.org/tlog-witness), in the background: no request waits for one."""

from __future__ import annotations

import base64
import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from urllib3 import BaseHTTPResponse

from ..client.connection import Connection, address_of
from ..client.errors import Unreachable
from ..errors import FairshoeError, InputError
from ..log.checkpoint import Checkpoint, CosignerKey, cosignature_line, cosigner_key_of
from ..log.tree import Node, consistency_proof
from .signing import Heads

PACE = 0.5
"""Seconds between two looks whether the log has grown."""
ROUND = 10.0
"""Seconds for which one head is submitted before a newer one is, unless all witnesses cosigned it: so that witnesses
which answer by then cosign the same heads, however fast the log grows."""
ANSWER_SECONDS = 10.0
LONGEST_ANSWER = 30.0
MOST_ANSWER = 1 << 16
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
TRIES = 3
OK, CONFLICT = 200, 409
_SIZE = re.compile(r"(0|[1-9][0-9]{0,18})\n", re.ASCII)
logger = logging.getLogger("fairshoe.service")


class Named(NamedTuple):
    """A witness as the operator names it: where it answers, and its key."""

    address: str
    key: CosignerKey


def witness_of(text: str) -> Named:
    """Read `URL=VKEY`. Raises InputError."""
    address, equals, key = text.partition("=")
    if not equals:
        raise InputError("not a witness", where="--witness", expected="URL=VKEY")
    return Named(str(address_of(address)), cosigner_key_of(key))


class NotCosigned(FairshoeError):
    """A witness answered without a cosignature, or with one that does not hold."""

    fault = "machine"


class _Target:
    """The head that is being submitted, and who has cosigned it."""

    def __init__(self, witnesses: int) -> None:
        self._witnesses = witnesses
        self._changed = threading.Condition()
        self._done: set[CosignerKey] = set()
        self._since = 0.0
        self._head: Checkpoint | None = None
        self.stopping = threading.Event()

    def stop(self) -> None:
        self.stopping.set()
        with self._changed:
            self._changed.notify_all()

    def offer(self, present: Callable[[], Checkpoint]) -> None:
        """Have the present head submitted, if the last one has had its time and the log has grown since."""
        with self._changed:
            waiting = self._head is not None and len(self._done) < self._witnesses
            if waiting and time.monotonic() < self._since + ROUND:
                return
            head = present()
            if head.size > (0 if self._head is None else self._head.size):
                self._head, self._since, self._done = head, time.monotonic(), set()
                self._changed.notify_all()

    def beyond(self, size: int) -> Checkpoint | None:
        """Wait for a head of more than `size` entries; None when the service stops."""
        with self._changed:
            self._changed.wait_for(
                lambda: self.stopping.is_set() or (self._head is not None and self._head.size > size)
            )
            return None if self.stopping.is_set() else self._head

    def done(self, key: CosignerKey, head: Checkpoint) -> None:
        with self._changed:
            if head == self._head:
                self._done.add(key)


class Witnesses:
    """Submits, with a thread for each witness, so that none waits for another."""

    def __init__(self, heads: Heads, nodes: Callable[[int], Node], named: Sequence[Named]) -> None:
        keys = {witness.key.public for witness in named}
        if len(keys) < len(named):
            raise InputError("one witness stands twice", where="--witness", expected="a key of its own for each")
        self._heads = heads
        self._target = _Target(len(named))
        self._looking = threading.Thread(target=self._look, name="fairshoe-witnesses", daemon=True)
        self._submitting = [_Submitting(heads, nodes, each, self._target) for each in named]

    def start(self) -> None:
        if self._submitting:
            self._looking.start()
            for thread in self._submitting:
                thread.start()

    def stop(self) -> None:
        """Submit nothing more; who waits for a witness's answer is left alone, and keeps nothing of it."""
        self._target.stop()
        if self._submitting:
            self._looking.join()
            for thread in self._submitting:
                thread.leave()

    def _look(self) -> None:
        while not self._target.stopping.wait(PACE):
            try:
                self._target.offer(self._heads.present)
            except Exception:
                logger.exception("the log's head cannot be read")


class _Submitting(threading.Thread):
    """Has one witness cosign each head that it is given, and keeps trying."""

    def __init__(self, heads: Heads, nodes: Callable[[int], Node], witness: Named, target: _Target) -> None:
        super().__init__(name=f"fairshoe-witness {witness.key.name}", daemon=True)
        self._heads = heads
        self._nodes = nodes
        self._key = witness.key
        self._target = target
        self._storing = threading.Lock()
        self._connection = Connection(witness.address, None, None, False, ANSWER_SECONDS)
        self._said = ""

    def run(self) -> None:
        size, pause = 0, 0.0
        while (head := self._target.beyond(size)) is not None:
            try:
                self._submit(head)
            except Exception as error:
                pause = min(max(FIRST_PAUSE, 2 * pause), LONGEST_PAUSE)
                self._say(error)
                self._target.stopping.wait(pause)
            else:
                size, pause, self._said = head.size, 0.0, ""
                self._target.done(self._key, head)

    def leave(self) -> None:
        """Wait until nothing of this witness is being stored."""
        with self._storing:
            pass

    def _say(self, error: Exception) -> None:
        """Once for each trouble, not for each try."""
        if str(error) != self._said and not self._target.stopping.is_set():
            self._said = str(error)
            known = isinstance(error, FairshoeError)
            logger.warning("witness %s: %s", self._key.name, error, exc_info=None if known else error)

    def _submit(self, head: Checkpoint) -> None:
        """Ask from the size that it cosigned last; where it says another, once more from that one."""
        old = self._heads.cosigned(str(self._key))
        if old >= head.size:
            return
        for _ in range(TRIES):
            proof = consistency_proof(self._nodes(head.size), old, head.size)
            lines = [f"old {old}", *(base64.b64encode(each).decode() for each in proof), "", self._heads.signed(head)]
            status, answer = self._ask("\n".join(lines).encode())
            if status == OK:
                self._keep(head, answer)
                return
            last = _SIZE.fullmatch(answer) if status == CONFLICT else None
            if last is None:
                raise NotCosigned(f"it answers {status}: {answer[:200].strip()!r}")
            if (old := int(last[1])) > head.size:
                raise NotCosigned(f"it has cosigned {old} entries of this log, more than the {head.size} submitted")
        raise NotCosigned("it cannot say what it cosigned last")

    def _keep(self, head: Checkpoint, answer: str) -> None:
        line = cosignature_line(answer, head.text, self._key)
        with self._storing:
            if not self._target.stopping.is_set():
                self._heads.keep(str(self._key), head, line)

    def _ask(self, body: bytes) -> tuple[int, str]:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        with self._connection.answer("POST", "/add-checkpoint", body, headers) as response:
            return response.status, _bounded(response).decode("utf-8", errors="replace")


def _bounded(response: BaseHTTPResponse) -> bytes:
    """An answer's body, if it is short and comes within a time. Raises Unreachable."""
    end, data = time.monotonic() + LONGEST_ANSWER, b""
    while chunk := response.read1(MOST_ANSWER):
        data += chunk
        if len(data) > MOST_ANSWER or time.monotonic() > end:
            raise Unreachable("the answer has no end", expected=f"{MOST_ANSWER} bytes in {LONGEST_ANSWER:g} s")
    return data
