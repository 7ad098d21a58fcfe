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

from ..connection import Connection, Unreachable, address_of
from ..errors import FairshoeError, InputError
from ..log.checkpoint import Checkpoint, CosignerKey, cosignature_line, cosigner_key_of
from ..log.tree import Node, consistency_proof
from .signing import TreeHeadSigner

LOG_CHECK_INTERVAL = 0.5
"""Seconds between two looks whether the log has grown."""
MAX_SUBMIT_TIME = 10.0
"""Seconds for which one head is submitted before a newer one is, unless all witnesses cosigned it: so that witnesses
which answer by then cosign the same heads, however fast the log grows."""
ANSWER_SECONDS = 10.0
MAX_ANSWER_BYTES = 30.0
MAX_ANSWER = 1 << 16
FIRST_PAUSE = 1.0
MAX_PAUSE = 300.0
TRIES = 3
OK, CONFLICT = 200, 409
_SIZE = re.compile(r"(0|[1-9][0-9]{0,18})\n", re.ASCII)
logger = logging.getLogger("fairshoe.service")


class WitnessAddress(NamedTuple):
    """A witness as the operator names it: where it answers, and its key."""

    address: str
    key: CosignerKey


def witness_of(text: str) -> WitnessAddress:
    """Read `URL=VKEY`. Raises InputError."""
    address, equals, key = text.partition("=")
    if not equals:
        raise InputError("not a witness", where="--witness", expected="URL=VKEY")
    return WitnessAddress(str(address_of(address)), cosigner_key_of(key))


class WitnessStanding(NamedTuple):
    """A witness: its name, how many entries it has cosigned, and why it cosigned no more ("" if it did)."""

    name: str
    entries: int
    trouble: str


class NotCosigned(FairshoeError):
    """A witness answered without a cosignature, or with one that does not hold."""

    fault = "machine"


class Witnesses(threading.Thread):
    """Has one head after the other cosigned by all; each request has a thread, so that none waits for another."""

    def __init__(self, heads: TreeHeadSigner, nodes: Callable[[int], Node], named: Sequence[WitnessAddress]) -> None:
        super().__init__(name="fairshoe-witnesses", daemon=True)
        if len({witness.key.public for witness in named}) < len(named):
            raise InputError("one witness stands twice", where="--witness", expected="a key of its own for each")
        self._heads = heads
        self._stopping = threading.Event()
        self._witnesses = [_Witness(heads, nodes, each, self._stopping) for each in named]

    def start(self) -> None:
        if self._witnesses:
            super().start()

    def stop(self) -> None:
        """Submit nothing more; who waits for a witness's answer is left alone, and keeps nothing of it."""
        self._stopping.set()
        if self._witnesses:
            self.join()
            for witness in self._witnesses:
                witness.leave()

    def standing(self) -> list[WitnessStanding]:
        """Return how far each witness is."""
        return [
            WitnessStanding(each.name, self._heads.cosigned_size(each.key), each.message) for each in self._witnesses
        ]

    def run(self) -> None:
        head, since = None, 0.0
        while not self._stopping.wait(LOG_CHECK_INTERVAL):
            now = time.monotonic()
            waiting = head is not None and any(each.size < head.size for each in self._witnesses)
            if not waiting or now >= since + MAX_SUBMIT_TIME:
                try:
                    present = self._heads.present()
                except Exception:
                    logger.exception("the log's head cannot be read")
                    continue
                if present.size > (0 if head is None else head.size):
                    head, since = present, now
            if head is not None:
                for each in self._witnesses:
                    each.ask(head, now)


class _Witness:
    """One of them; `size` is that of the last head that it cosigned since the service started."""

    def __init__(
        self, heads: TreeHeadSigner, nodes: Callable[[int], Node], witness: WitnessAddress, stopping: threading.Event
    ) -> None:
        self.size = 0
        self._heads = heads
        self._nodes = nodes
        self._key = witness.key
        self._stopping = stopping
        self._storing = threading.Lock()
        self._connection = Connection(witness.address, None, None, False, ANSWER_SECONDS)
        self._thread: threading.Thread | None = None
        self._again, self._pause, self.message = 0.0, 0.0, ""

    @property
    def name(self) -> str:
        return self._key.name

    @property
    def key(self) -> str:
        return str(self._key)

    def ask(self, head: Checkpoint, now: float) -> None:
        """Begin to submit a head, if it needs that, is not being asked, and may be asked again."""
        busy = self._thread is not None and self._thread.is_alive()
        if self.size < head.size and not busy and now >= self._again:
            name = f"fairshoe-witness {self._key.name}"
            self._thread = threading.Thread(target=self._try, args=(head,), name=name, daemon=True)
            self._thread.start()

    def leave(self) -> None:
        """Wait until nothing of this witness is being stored."""
        with self._storing:
            pass

    def _try(self, head: Checkpoint) -> None:
        """Submit a head; log each trouble once, not for each try."""
        try:
            self._submit(head)
        except Exception as error:
            self._pause = min(max(FIRST_PAUSE, 2 * self._pause), MAX_PAUSE)
            self._again = time.monotonic() + self._pause
            if str(error) != self.message and not self._stopping.is_set():
                self.message = str(error)
                known = isinstance(error, FairshoeError)
                logger.warning("witness %s: %s", self._key.name, error, exc_info=None if known else error)
        else:
            self.size, self._pause, self.message = head.size, 0.0, ""

    def _submit(self, head: Checkpoint) -> None:
        """Ask from the size that it cosigned last; where it says another, once more from that one."""
        old = self._heads.cosigned_size(self.key)
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
            if not self._stopping.is_set():
                self._heads.keep(self.key, head, line)

    def _ask(self, body: bytes) -> tuple[int, str]:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        with self._connection.answer("POST", "/add-checkpoint", body, headers) as response:
            return response.status, _read_answer(response).decode("utf-8", errors="replace")


def _read_answer(response: BaseHTTPResponse) -> bytes:
    """An answer's body, if it is short and comes within a time. Raises Unreachable."""
    end, data = time.monotonic() + MAX_ANSWER_BYTES, b""
    while chunk := response.read1(MAX_ANSWER):
        data += chunk
        if len(data) > MAX_ANSWER or time.monotonic() > end:
            raise Unreachable("the answer has no end", expected=f"{MAX_ANSWER} bytes in {MAX_ANSWER_BYTES:g} s")
    return data
