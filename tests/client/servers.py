"""Servers that a client meets: TLS before a service, proxies, ones that misbehave, a house with a log as it likes."""

from __future__ import annotations

import http.client
import http.server
import select
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.note import Signer
from fairshoe.log.tree import Tree

HOUSE = "house.example"
"""A host that no name server knows: only a proxy leads there."""


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


@contextmanager
def listening(serve):
    """Give every connection to `serve`, in a thread of its own; yields host:port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept():
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection):
            with suppress(OSError), connection:
                serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def head_of(connection):
    """The head of a request, as bytes."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65_536)):
        data += more
    return data


def join(one, other):
    """Carry bytes both ways until a side ends."""
    ends = {one: other, other: one}
    while True:
        waiting = [end for end in ends if isinstance(end, ssl.SSLSocket) and end.pending()]
        for end in waiting or select.select(list(ends), [], [])[0]:
            data = end.recv(65_536)
            if not data:
                return
            ends[end].sendall(data)


def connect(place):
    host, _, port = place.rpartition(":")
    return socket.create_connection((host, int(port)))


def place_of(address):
    return urlsplit(address).netloc


@contextmanager
def scripted(*answers):
    """Answers the connections one after the other with these bytes, the last one again and again; each is closed then.
    Yields the address and the list of what was heard."""
    heard = []

    def serve(connection):
        number = len(heard)
        heard.append(b"")
        heard[number] = head_of(connection)
        connection.sendall(answers[min(number, len(answers) - 1)])

    with listening(serve) as place:
        yield f"http://{place}", heard


def reply(body=b"{}", status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Authority:
    """A certificate for these names that is its own CA, and its files."""

    def __init__(self, directory, *names):
        self.ca_file = directory / "ca.pem"
        self._chain = directory / "chain.pem"
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
        builder = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        usage = x509.KeyUsage(True, False, False, False, False, True, False, False, False)
        builder = builder.add_extension(usage, critical=True)
        known = [x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names]
        builder = builder.add_extension(x509.SubjectAlternativeName(known), critical=False)
        self.ca_file.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self._chain.write_bytes(secret + self.ca_file.read_bytes())

    @contextmanager
    def before(self, upstream):
        """TLS in front of a plain server at host:port; yields host:port."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._chain)

        def serve(connection):
            with context.wrap_socket(connection, server_side=True) as inside, connect(upstream) as outside:
                join(inside, outside)

        with listening(serve) as place:
            yield place


@contextmanager
def proxy(upstream):
    """An HTTP proxy that leads to host:port whatever it is asked for; yields host:port and the heads that it heard."""
    heard = []

    def serve(connection):
        head = head_of(connection)
        heard.append(head)
        with connect(upstream) as outside:
            if head.startswith(b"CONNECT "):
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                method, target, rest = head.split(b" ", 2)
                path = b"/" + target.split(b"/", 3)[3]
                outside.sendall(b" ".join([method, path, rest]))
            join(connection, outside)

    with listening(serve) as place:
        yield place, heard


@contextmanager
def muting(upstream, mute):
    """A way to host:port on which a stream of events begins and, while the threading.Event `mute` is set, goes on
    without a word; yields host:port."""

    def serve(connection):
        streams = began = False
        with connect(upstream) as outside:
            while data := (end := select.select([connection, outside], [], [])[0][0]).recv(65_536):
                if end is connection:
                    streams |= b"/events " in data.split(b"\r\n")[0]
                    outside.sendall(data)
                elif not (began and mute.is_set()):
                    began |= streams and b"data: " in data
                    connection.sendall(data)

    with listening(serve) as place:
        yield place


class Below(Serving):
    """A reverse proxy that serves host:port, under a path."""

    def __init__(self, upstream, prefix=""):
        self.upstream, self.prefix = upstream, prefix

    def passed_on(self, handler):
        """What the server answers to a handler's request: status and body."""
        inside = http.client.HTTPConnection(self.upstream)
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        path = handler.path.removeprefix(self.prefix)
        inside.request(handler.command, path, body or None, dict(handler.headers))
        answer = inside.getresponse()
        status, data = answer.status, answer.read()
        inside.close()
        return status, data

    def handler(self):
        below = self

        class Handler(Quiet):
            def do_GET(self):
                known = self.path.startswith(below.prefix + "/")
                status, data = below.passed_on(self) if known else (404, b"<html>nothing here")
                if data is not None:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                else:
                    self.close_connection = True

            do_POST = do_GET

        return Handler


class Losing(Below):
    """A way to a service at host:port on which the first answer to every changing request is lost. `keys`: the keys
    that were heard, each with how often."""

    def __init__(self, upstream):
        super().__init__(upstream)
        self.keys = {}

    def passed_on(self, handler):
        status, data = super().passed_on(handler)
        key = handler.headers.get("Idempotency-Key")
        self.keys[key] = self.keys.get(key, 0) + 1
        if handler.command == "POST" and self.keys[key] == 1:
            data = None
        return status, data


NAME = "house.example/log"


def entries(count, word="entry"):
    return [f'{{"{word}":{number}}}'.encode() for number in range(count)]


class FakeHouse(Serving):
    """`lines` is what it gives, `signed` what it signs, `shown` the key that it shows. `drops`: how many entries an
    answer has before the connection ends, one number an answer; `asked`: the paths."""

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
