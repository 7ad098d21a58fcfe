"""A background thread that gets the signatures of beacon rounds from drand's relays or the operator's files."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic

from ..ceremony.acting.beacons import wanted_beacon
from ..ceremony.acting.commands import GiveBeacon
from ..connection import Connection
from ..errors import FairshoeError, InputError
from ..log.times import SECOND
from ..protocol.beacons import QUICKNET, BeaconRound, check_extra, check_signature
from .sequencer import Sequencer

ANSWER_SECONDS = 5.0
WHOLE_SECONDS = 15.0
"""Seconds from the question to the end of an answer."""
NO_END = "the relay's answer has no end"
MAX_ANSWER = 1 << 16
LOOK_INTERVAL = 0.5
"""Seconds between two looks at the clock while a shoe waits for its beacon."""
FIRST_PAUSE, MAX_PAUSE = 0.5, 60.0
logger = logging.getLogger("fairshoe.service")
ChangeListener = Callable[[Mapping[str, int]], None]


def check_beacons(named: Sequence[str]) -> None:
    """Raise InputError if the service knows no source of signatures."""
    if not named:
        remedy = "start the service with --beacon https://api.drand.sh"
        raise InputError("this service gets no beacons", where="beacon", expected="no beacon", remedy=remedy)


def check_sources(named: Sequence[str]) -> None:
    """Check that the extra `beacon` is here and each file can be read. Raises InputError."""
    if named:
        check_extra("--beacon")
    for text in named:
        try:
            if "://" not in text:
                Path(text).open("rb").close()
        except OSError as error:
            what, remedy = f"cannot be read: {error.strerror or error}", "name a file that this user may read"
            raise InputError(what, where=f"--beacon {text}", expected="a file or an address", remedy=remedy) from None


class BeaconError(FairshoeError):
    """A source of beacons has no such round, or answers otherwise than it may."""

    fault = "machine"


class _Source:
    """One of them, and when it may be asked again, by the steady clock."""

    def __init__(self, text: str) -> None:
        self.text, self.until, self.pause, self.trouble = text, 0.0, 0.0, ""
        self._asking: threading.Thread | None = None
        is_relay = "://" in text
        self._relay = Connection(text, None, None, False, ANSWER_SECONDS) if is_relay else None

    def warn_if_silent(self) -> None:
        """Log a warning if a relay does not give the newest round."""
        try:
            if self._relay is not None:
                self._in_time(self._relay, f"/{QUICKNET}/public/latest")
        except (FairshoeError, OSError) as error:
            logger.warning("beacon %s: %s", self.text, error)

    def signature_of(self, beacon: BeaconRound) -> str:
        """Return the verified signature of a round. Raises FairshoeError, OSError."""
        path = f"/{beacon.chain}/public/{beacon.number}"
        form = self._from_file(beacon) if self._relay is None else self._in_time(self._relay, path)
        signature = form.get("signature")
        if type(signature) is not str:
            raise BeaconError("an answer without a signature", where=self.text)
        check_signature(beacon, signature)
        return signature

    def _in_time(self, relay: Connection, path: str) -> Mapping[str, object]:
        """Ask in a thread of its own: a relay that sends a byte now and then holds up no other source."""
        if self._asking is not None and self._asking.is_alive():
            raise BeaconError(NO_END, where=self.text)
        answers: list[Mapping[str, object] | Exception] = []

        def ask() -> None:
            try:
                answers.append(self._from_relay(relay, path))
            except Exception as error:
                answers.append(error)

        self._asking = threading.Thread(target=ask, name="fairshoe-beacon", daemon=True)
        self._asking.start()
        self._asking.join(WHOLE_SECONDS)
        answer = next(iter(answers), None)
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            raise BeaconError(NO_END, where=self.text)
        return answer

    def _from_relay(self, relay: Connection, path: str) -> Mapping[str, object]:
        with relay.answer("GET", path) as response:
            data, status = response.read(MAX_ANSWER + 1), response.status
        if status != 200 or len(data) > MAX_ANSWER:
            raise BeaconError(f"the relay answers {status} with {len(data)} bytes", where=self.text)
        return self._object(data)

    def _from_file(self, beacon: BeaconRound) -> Mapping[str, object]:
        with Path(self.text).open("rb") as lines:
            for line in lines:
                form = self._object(line) if line.strip() else {}
                if form.get("round") == beacon.number:
                    return form
        raise BeaconError(f"round {beacon.number} is not in the file", where=self.text)

    def _object(self, data: bytes) -> Mapping[str, object]:
        try:
            form = json.loads(data)
        except (ValueError, RecursionError):
            form = None
        if type(form) is not dict:
            raise BeaconError("no JSON object of a round", where=self.text, expected='{"round": …, "signature": …}')
        return form


class BeaconThread(threading.Thread):
    """Brings signatures to the shoes that wait for one: `_changed` rows to look at, `_pending` shoes and rounds by
    row."""

    def __init__(self, sequencer: Sequencer, named: Sequence[str]) -> None:
        super().__init__(name="fairshoe-beacons", daemon=True)
        self._sources = [_Source(each) for each in named]
        self._sequencer = sequencer
        self._stopping, self._woken = threading.Event(), threading.Event()
        self._lock, self._handing = threading.Lock(), threading.Lock()
        self._changed = set[str]()
        self._pending: dict[str, tuple[str, BeaconRound]] = {}

    def listen_with(self, told: ChangeListener) -> ChangeListener:
        """Return a listener that tells this thread and `told` of changed tables and shoes."""

        def both(versions: Mapping[str, int]) -> None:
            if self._sources:
                find = self._sequencer.tables.find_version
                stored = ((name, find(name, version)) for name, version in versions.items())
                self._look_at(name for name, at in stored if at is None or wanted_beacon(at.state) is not None)
            told(versions)

        return both

    def trouble(self) -> str:
        """Return why the sources give no signature; "" if one of them does."""
        said = [source.trouble for source in self._sources]
        return "; ".join(said) if all(said) else ""

    def start(self) -> None:
        if self._sources:
            super().start()

    def run(self) -> None:
        """Tell which sources are silent, then begin with the tables and shoes that are there."""
        for source in self._sources:
            source.warn_if_silent()
        self._look_at(self._sequencer.names_in_play())
        while not self._stopping.is_set():
            try:
                self.serve()
            except Exception:
                if not self._stopping.is_set():  # else the house may be closed
                    logger.exception("the shoes that wait for beacons cannot be read")
            self._woken.wait(LOOK_INTERVAL if self._pending or self._changed else None)
            self._woken.clear()

    def stop(self) -> None:
        """Bring nothing more; a source that is asked is left alone, and nothing is done with its answer."""
        self._stopping.set()
        self._woken.set()
        with self._handing:
            pass

    def serve(self) -> None:
        """Bring the signatures of all rounds that are out, as far as a source has them."""
        with self._lock:
            changed, self._changed = self._changed, set()
        try:
            found = self._sequencer.shoes_wanting_beacons(changed)
        except Exception:
            self._look_at(changed)
            raise
        self._pending = {name: each for name, each in self._pending.items() if name not in changed} | found
        out = {name: each for name, each in self._pending.items() if self._is_out(each[1])}
        for beacon in sorted({beacon for _, beacon in out.values()}) if self._sequencer.lead.is_leader else ():
            signature = self._ask(beacon)
            for name, (shoe, named) in out.items():
                if named == beacon:
                    self._look_at([name])  # again, in case that it waits still
                    self._give(name, shoe, signature)

    def _is_out(self, beacon: BeaconRound) -> bool:
        return self._sequencer.transactions.clock.present >= beacon.time * SECOND

    def _look_at(self, names: Iterable[str]) -> None:
        with self._lock:
            self._changed.update(names)
            if self._changed:
                self._woken.set()

    def _give(self, name: str, shoe: str, signature: str) -> None:
        """Give a shoe its signature, if there is one. One shoe's trouble is not another's."""
        with self._handing:
            if signature and not self._stopping.is_set():
                try:
                    self._sequencer.take_answer(name, GiveBeacon(shoe, signature))
                except Exception as error:
                    logger.warning("beacon of %s: %s", shoe, error)

    def _ask(self, beacon: BeaconRound) -> str:
        """Return a round's signature, "" if no source has it. A failing source is skipped for a while, and logged
        once."""
        for source in sorted(self._sources, key=lambda source: bool(source.trouble)):
            if self._stopping.is_set() or monotonic() < source.until:
                continue
            try:
                signature = source.signature_of(beacon)
            except (FairshoeError, OSError) as error:
                if str(error) != source.trouble:
                    logger.warning("beacon %s: %s", source.text, error)
                source.pause = min(max(FIRST_PAUSE, 2 * source.pause), MAX_PAUSE)
                source.trouble, source.until = str(error), monotonic() + source.pause
            else:
                source.pause, source.trouble = 0.0, ""
                return signature
        return ""
