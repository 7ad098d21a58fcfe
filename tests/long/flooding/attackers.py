"""`python -m tests.long.flooding.attackers HOST PORT COUNT slow|greedy`: slow connections of five kinds, or greedy ones
of two that ask and read as fast as they are answered, until killed.

COUNT of each kind, from many addresses of this machine (127.0.K.N) where the system has them. Whoever is dropped
comes again after a second.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable

AGAIN = 1.0
SLOW = 15.0
BY_ADDRESS = 50
HEAD = b"Host: x\r\nContent-Type: application/json\r\n"
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Kind = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


async def slow_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET /v1/tables HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    await dripping(reader, writer, b"x", SLOW)


async def slow_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"POST /v1/tables/t1/shoe HTTP/1.1\r\n" + HEAD + b"Content-Length: 60000\r\n\r\n")
    await dripping(reader, writer, b" ", SLOW)


async def endless_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"POST /v1/tables/t1/shoe HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    await dripping(reader, writer, b"400\r\n" + b" " * 1024 + b"\r\n", 1.0)


async def not_reading(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    transport = writer.transport
    assert isinstance(transport, asyncio.ReadTransport)
    transport.pause_reading()
    writer.write(b"GET /v1/log HTTP/1.1\r\nHost: x\r\n\r\n")
    await asyncio.sleep(3 * SLOW)


def greedy(path: str) -> Kind:
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """As many answers as come; each is about as long as what is read of it at once."""
        writer.write(request * AHEAD)
        while part := await reader.read(1 << 16):
            writer.write(request * part.count(b"HTTP/1.1 "))

    return ask


AHEAD = 8
KINDS: dict[str, tuple[Kind, ...]] = {
    "slow": (silent, slow_head, slow_body, endless_body, not_reading),
    "greedy": (greedy("/v1/tables?limit=1000"), greedy("/v1/tables/casino")),
}


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drop: bytes, seconds: float) -> None:
    """Send a little at a time until the service hangs up."""
    hung_up = asyncio.ensure_future(reader.read())
    while not (await asyncio.wait([hung_up], timeout=seconds))[0]:
        writer.write(drop)
    await hung_up


async def attack(kind: Kind, address: str, host: str, port: int) -> None:
    while True:
        try:
            reader, writer = await connected(address, host, port)
            try:
                await kind(reader, writer)
            finally:
                writer.transport.abort()
        except OSError:
            pass
        await asyncio.sleep(AGAIN)


async def connected(address: str, host: str, port: int) -> Stream:
    one = socket.socket()
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.setblocking(False)
        one.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(one, (host, port))
        return await asyncio.open_connection(sock=one, limit=4096)
    except BaseException:
        one.close()
        raise


async def main(host: str, port: int, count: int, kinds: str) -> None:
    many = sys.platform == "linux"
    attacks = []
    for number, kind in enumerate(KINDS[kinds]):
        for index in range(count):
            address = f"127.0.{1 + number}.{1 + index // BY_ADDRESS}" if many else "127.0.0.1"
            attacks.append(attack(kind, address, host, port))
    await asyncio.gather(*attacks)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
