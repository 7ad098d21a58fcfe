"""A witness for the tests, by c2sp.org/tlog-witness, in memory: what it does not cosign it keeps in `refused`."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

from werkzeug.serving import make_server

from fairshoe.errors import FairshoeError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.log.tree import EMPTY_ROOT, check_consistency
from tests.cosigner import Cosigner

TIME = 1_800_000_000
CONFLICT = [("Content-Type", "text/x.tlog.size")]


class StandIn:
    """A WSGI application. `verifier`: the log's key, or a file in which it will stand once there is a house."""

    def __init__(self, cosigner: Cosigner, verifier: Verifier | Any) -> None:
        self.cosigner = cosigner
        self.seen = Checkpoint("", 0, EMPTY_ROOT)
        self.refused: list[str] = []
        self.asked: list[int] = []
        self._verifier = verifier
        self._turn = threading.Lock()

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
        with self._turn:
            status, text = self.answer(body)
        start(status, CONFLICT if status.startswith("409") else [])
        return [text.encode()]

    def answer(self, body: str) -> tuple[str, str]:
        """The status and the answer to a submission."""
        head, _, note = body.partition("\n\n")
        old, *lines = head.split("\n")
        size = int(old.removeprefix("old "))
        self.asked.append(size)
        try:
            known = self._verifier
            new = open_checkpoint(note, known if isinstance(known, Verifier) else verifier_of(known.read_text()))
            if size != self.seen.size:
                self.refused.append(note)
                return "409 Conflict", f"{self.seen.size}\n"
            if size == new.size and self.seen.root != new.root:
                raise VerificationError("another root at the same size")
            check_consistency(size, self.seen.root, new.size, new.root, [base64.b64decode(line) for line in lines])
        except (FairshoeError, OSError) as error:
            self.refused.append(note)
            return "422 Unprocessable Content", f"{error}\n"
        self.seen = new
        return "200 OK", self.cosigner.cosign(new.text, TIME)


@contextmanager
def answering(app: Any, port: int = 0):
    """Serve a WSGI application; its address."""
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
