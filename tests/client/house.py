"""A house that serves a log over HTTP, and can do everything with it that a house must not."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree

from .serving import Quiet, Serving

NAME = "house.example/log"


def entries(count, word="entry"):
    return [f'{{"{word}":{number}}}'.encode() for number in range(count)]


class FakeHouse(Serving):
    """`lines` is what it gives, `signed` what it signs, `shown` the key that it shows.

    `drops`: how many entries an answer has before the connection ends, one number an answer; `asked`: the paths.
    """

    def __init__(self, count=10):
        self.signer = self.shown = Signer(NAME, b"k" * 32)
        self.lines = entries(count)
        self.signed = None
        self.origin = NAME
        self.drops = []
        self.asked = []

    def checkpoint(self):
        tree = Tree()
        for line in self.lines if self.signed is None else self.signed:
            tree.append(line)
        return Checkpoint(self.origin, tree.size, tree.root).signed(self.signer)

    def answer(self, path):
        """Status and body; None where the connection is to end without either."""
        url = urlsplit(path)
        if url.path == "/v1/log/vkey":
            return 200, f"{self.shown.verifier}\n".encode()
        if url.path == "/v1/log/checkpoint":
            return 200, self.checkpoint().encode()
        query = parse_qs(url.query)
        start, stop = int(query["from"][0]), int(query["to"][0])
        if stop > len(self.lines):
            return 422, b'{"detail":"so many there are not"}'
        return 200, b"".join(line + b"\n" for line in self.lines[start:stop])

    def handler(self):
        house = self

        class Handler(Quiet):
            def do_GET(self):
                house.asked.append(self.path)
                status, body = house.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if house.drops and "?" in self.path:
                    kept = body.split(b"\n")[: house.drops.pop(0)]
                    self.wfile.write(b"".join(line + b"\n" for line in kept) + b'{"hal')
                    self.close_connection = True
                else:
                    self.wfile.write(body)

        return Handler
