"""What a flood needs: nginx before a service, who attacks it by slow connections, and players who go on meanwhile."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from fairshoe.client import Client
from fairshoe.commands._demo import BUY_IN, Bot
from fairshoe.engine.rules import RULES

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


PACE = 0.05
"""Seconds between two commands at a table."""
SEATS = 2
ENDLESS = 1_000_000


class Table(threading.Thread):
    """One table; `took` are seconds of a command, `failed` what went wrong."""

    def __init__(self, operator: Client, rules: str, stop: threading.Event) -> None:
        super().__init__(name=rules, daemon=True)
        self.took: list[float] = []
        self.failed: list[str] = []
        self._ended = stop
        table = operator.create_table(rules, table=rules)
        self._bots = [Bot(table.sit(f"{rules}-{index}", BUY_IN)) for index in range(1 if rules == "banker" else SEATS)]

    def run(self) -> None:
        while not self._ended.is_set():
            for bot in self._bots:
                try:
                    self._turn(bot)
                except Exception as error:
                    self.failed.append(f"{type(error).__name__}: {error}")
                    self._ended.wait(1)

    def _turn(self, bot: Bot) -> None:
        bot.seat.refresh()
        while not self._ended.is_set():
            began = time.perf_counter()
            acted = bot.act(ENDLESS)
            if not acted:
                break
            self.took.append(time.perf_counter() - began)
            self._ended.wait(PACE)
        if bot.seat.state["phase"] == "idle":
            bot.buy_in()
        self._ended.wait(PACE)


class Play:
    """All tables, for a while at a time."""

    def __init__(self, address: str, token: str) -> None:
        operator = Client(address, token)
        self._ended = threading.Event()
        self.tables = [Table(operator, rules, self._ended) for rules in sorted(RULES)]
        for table in self.tables:
            table.start()

    def during(self, seconds: float) -> list[float]:
        """What commands took, sorted, in the time that is beginning."""
        before = {table.name: len(table.took) for table in self.tables}
        time.sleep(seconds)
        return sorted(took for table in self.tables for took in table.took[before[table.name] :])

    def stop(self) -> list[str]:
        """Gives what went wrong."""
        self._ended.set()
        for table in self.tables:
            table.join()
        return [f"{table.name}: {what}" for table in self.tables for what in table.failed]


PAGE = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
TRIES = 100


def nginx(folder: Path, address: str, port: int) -> list[str]:
    """The command that runs it in the foreground, before the service at `address`; it answers plain HTTP at `port` of
    127.0.0.1, 0 for a path that nobody listens on."""
    listen = f"127.0.0.1:{port}" if port else f"unix:{folder}/socket"
    text = PAGE.read_text()
    text = re.sub(r"^server \{\n    listen 80;.*?^\}\n", "", text, flags=re.M | re.S)
    text = text.replace("listen 443 ssl http2;", f"listen {listen};").replace("    listen [::]:443 ssl http2;\n", "")
    text = re.sub(r"^    ssl_.*\n", "", text, flags=re.M)
    text = text.replace("127.0.0.1:8000", urlsplit(address).netloc)
    temporary = "".join(
        f"{each}_temp_path {folder}/{each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_rlimit_nofile 8192;\n"
    whole = f"{head}events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole)
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


@contextmanager
def before(address: str, folder: Path) -> Iterator[str]:
    """nginx before the service at `address`, until the end; gives its own address."""
    folder.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(nginx(folder, address, port))
    try:
        proxy = f"http://127.0.0.1:{port}"
        for _ in range(TRIES):
            with suppress(OSError), urlopen(f"{proxy}/healthz"):
                break
            time.sleep(0.1)
        yield proxy
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
