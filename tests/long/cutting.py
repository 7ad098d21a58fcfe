"""Between a service and its database: connections that are cut after a COMMIT was sent, before its answer arrives."""

from __future__ import annotations

import random
import selectors
import socket
import threading
from contextlib import suppress
from pathlib import Path

NAME = ".s.PGSQL.5432"
CHUNK = 1 << 16


class Cutting:
    """Listens in a directory as PostgreSQL does, and hands everything on to the server at `server`. Of `often` that
    part of commits are done, and their answers lost with the connection; `cuts` counts them."""

    def __init__(self, directory: Path, server: Path, seed: int) -> None:
        self.directory, self._server = directory, str(server / NAME)
        self._random = random.Random(seed)
        self.often = 0.0
        self.cuts = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(directory / NAME))
        self._socket.listen(128)
        threading.Thread(target=self._accept, name="cutting", daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._hand_on, args=(client,), daemon=True).start()

    def _hand_on(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with client, server, selectors.DefaultSelector() as waiting, suppress(OSError):
            server.connect(self._server)
            for one, other in ((client, server), (server, client)):
                waiting.register(one, selectors.EVENT_READ, other)
            lost = False
            while True:
                for key, _ in waiting.select():
                    data = key.fileobj.recv(CHUNK)  # type: ignore[union-attr]
                    if not data or (lost and key.fileobj is server):
                        return
                    if key.fileobj is client and b"COMMIT" in data and self._random.random() < self.often:
                        lost = True
                        self.cuts += 1
                    key.data.sendall(data)
