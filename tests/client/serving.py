"""An HTTP server of the tests' own."""

from __future__ import annotations

import http.server
import threading


class Quiet(http.server.BaseHTTPRequestHandler):
    """A handler that writes no lines."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


class Serving:
    """A server on a free port of this machine while it is entered, at `address`; `handler` gives the class that answers
    its requests."""

    def handler(self):
        raise NotImplementedError

    def __enter__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
