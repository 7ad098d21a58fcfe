"""Servers that a client meets: TLS before a service, proxies, and ones that misbehave."""

from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from .serving import Quiet, Serving

HOUSE = "house.example"
"""A host that no name server knows: only a proxy leads there."""


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

    Yields the address and the list of what was heard.
    """
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
    """A CA that signs for one name, and its files."""

    def __init__(self, directory, *names):
        self.ca_file = directory / "ca.pem"
        self._chain = directory / "chain.pem"
        ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        ca = _certificate("a test's CA", ca_key.public_key(), "a test's CA", ca_key, ca=True)
        leaf = _certificate(names[0], key.public_key(), "a test's CA", ca_key, names=names)
        self.ca_file.write_bytes(ca.public_bytes(Encoding.PEM))
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self._chain.write_bytes(secret + leaf.public_bytes(Encoding.PEM))

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


def _certificate(name, public, issuer, issuer_key, *, ca=False, names=()):
    now = datetime.now(UTC)
    subject, signer = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in (name, issuer))
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(signer).public_key(public)
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    builder = builder.add_extension(x509.BasicConstraints(ca, None), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    issued = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    builder = builder.add_extension(issued, critical=False)
    usage = x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False)
    builder = builder.add_extension(usage, critical=True)
    if names:
        alternatives = x509.SubjectAlternativeName([_general(name) for name in names])
        builder = builder.add_extension(alternatives, critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _general(name):
    import ipaddress

    with suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(name))
    return x509.DNSName(name)


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


def passed_on(handler, upstream, path):
    """What the server at host:port answers to a handler's request, sent on to this path: status and body."""
    inside = http.client.HTTPConnection(upstream)
    body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    inside.request(handler.command, path, body or None, dict(handler.headers))
    answer = inside.getresponse()
    status, data = answer.status, answer.read()
    inside.close()
    return status, data


def give(handler, status, data):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


class Below(Serving):
    """A reverse proxy that serves host:port under a path."""

    def __init__(self, upstream, prefix):
        self.upstream, self.prefix = upstream, prefix

    def handler(self):
        below = self

        class Handler(Quiet):
            def do_GET(self):
                if self.path.startswith(below.prefix + "/"):
                    give(self, *passed_on(self, below.upstream, self.path.removeprefix(below.prefix)))
                else:
                    give(self, 404, b"<html>nothing here")

            do_POST = do_GET

        return Handler


class Losing(Serving):
    """A way to a service at host:port on which the first answer to every changing request is lost.

    `lost`: the paths whose answers were; `keys`: the keys that were heard, each with how often.
    """

    def __init__(self, upstream):
        self.upstream = upstream
        self.lost = []
        self.keys = {}

    def handler(self):
        losing = self

        class Handler(Quiet):
            def do_GET(self):
                status, data = passed_on(self, losing.upstream, self.path)
                key = self.headers.get("Idempotency-Key")
                losing.keys[key] = losing.keys.get(key, 0) + 1
                if self.command == "POST" and losing.keys[key] == 1:
                    losing.lost.append(self.path)
                    self.close_connection = True
                else:
                    give(self, status, data)

            do_POST = do_GET

        return Handler
