"""`python -m tests.long.flood [--seconds 180] [--each 200]`: slow connections while six tables play.

A service as `fairshoe serve` starts it, with a log of some MB, behind nginx as docs/deploy has it; to nginx come
connections of each kind: silent, one byte every 15 s in headers, the same in a body, asking for the log and not reading
it, a body without an end. Exit code 0 only where commands took at most twice as long (p99) as before the flood, none
failed, no table stood still and no decision was the table's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from fairshoe.client import Client
from fairshoe.engine.rules import RULES
from fairshoe.log.canonical import encode
from fairshoe.log.times import timestamp
from fairshoe.record.entries import start_entry
from fairshoe.service.house import open_house
from fairshoe.service.store.journal import read_head
from tests.long.patrons import Patrons
from tests.long.serving import Serving, free_port

ENTRIES = 60_000
"""Of the log before anybody plays."""
QUIET = 30.0
PACE = 0.05
"""Seconds between two commands at a table."""
TIMES = 2.0
"""How much longer commands may take."""


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.flood", description=__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--each", type=int, default=200, help="slow connections of each kind")
    parser.add_argument("--at", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if given.at:  # the process that attacks
        asyncio.run(attacks(given.at, given.each))
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory) / "data"
        token = long_log(data)
        with (
            Serving(data, "--trusted-proxy", "127.0.0.1") as serving,
            before(serving.address, Path(directory)) as proxy,
        ):
            return measured(proxy, token, given.seconds, given.each)


def long_log(data: Path) -> str:
    """A house whose log is long already; gives the operator's token."""
    house = open_house(data)
    now = house.sequencer.transactions.clock.present
    with house.database.begin_write() as connection:
        end = read_head(connection, hold=True)
        times = range(now - ENTRIES * 1_000, now, 1_000)
        end.append([encode(start_entry(timestamp(at))) for at in times], now)
        end.write(connection)
    house.database.close()
    assert house.token is not None
    return house.token


def measured(address: str, token: str, seconds: float, each: int) -> int:
    operator = Client(address, token)
    patrons = [Patrons(operator.with_token(token), name, 1, PACE) for name in sorted(RULES)]
    for table in patrons:
        table.start()
    took_in(patrons, 3)
    quiet = took_in(patrons, QUIET)
    with flood(address, each):
        flooded = took_in(patrons, seconds)
    for table in patrons:
        table.stop()
    failed = [f"{table.name}: {table.fault!r}" for table in patrons if table.fault is not None]
    entries = [json.loads(line) for line in operator.log(ENTRIES)]
    rounds = [entry for entry in entries if entry["kind"] == "round"]
    by_table = [entry for entry in rounds if any(move.get("by") == "table" for move in entry["decisions"])]
    for name, took, long in (("quiet", quiet, QUIET), ("flooded", flooded, seconds)):
        p50, p99, most = (1000 * at(took, share) for share in (0.5, 0.99, 1))
        print(f"{name:8} {len(took):6} commands, {len(took) / long:6.1f} a second, ", end="")
        print(f"p50 {p50:7.1f} ms, p99 {p99:7.1f} ms, most {most:7.1f} ms")
    print(f"{len(rounds)} rounds in {len(entries)} entries, {len(by_table)} with decisions by the table")
    print(*failed, sep="\n")
    fine = not failed and not by_table and flooded and at(flooded, 0.99) <= TIMES * at(quiet, 0.99)
    print("fine" if fine else "FAIL")
    return 0 if fine else 1


def took_in(patrons: Sequence[Patrons], seconds: float) -> list[float]:
    """What commands took, sorted, in the time that is beginning."""
    before = [len(table.took) for table in patrons]
    time.sleep(seconds)
    return sorted(took for table, begun in zip(patrons, before, strict=True) for took in table.took[begun:])


@contextmanager
def flood(address: str, each: int) -> Iterator[None]:
    words = ["--at", urlsplit(address).netloc, "--each", str(each)]
    process = subprocess.Popen([sys.executable, "-m", "tests.long.flood", *words])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def at(took: list[float], share: float) -> float:
    return took[min(len(took) - 1, int(share * len(took)))] if took else float("inf")


# nginx.

PAGE = Path(__file__).parents[2] / "docs" / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
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
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_rlimit_nofile 16384;\n"
    whole = f"{head}events {{ worker_connections 8192; }}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    (folder / "nginx.conf").write_text(whole)
    return [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


@contextmanager
def before(address: str, folder: Path) -> Iterator[str]:
    """nginx before the service at `address`, until the end; gives its own address."""
    folder.chmod(0o755)
    port = free_port()
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


# Who attacks.

AGAIN = 1.0
SLOW = 15.0
BY_ADDRESS = 50
HEAD = b"Host: x\r\nContent-Type: application/json\r\n"


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


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drop: bytes, seconds: float) -> None:
    """Send a little at a time until the service hangs up."""
    hung_up = asyncio.ensure_future(reader.read())
    while not (await asyncio.wait([hung_up], timeout=seconds))[0]:
        writer.write(drop)
    await hung_up


KINDS = (silent, slow_head, slow_body, endless_body, not_reading)


async def attacks(place: str, count: int) -> None:
    """So many connections of each kind, from many addresses, again and again."""
    host, port = place.split(":")
    many = sys.platform == "linux"
    await asyncio.gather(
        *(
            attack(number, f"127.0.{1 + number}.{1 + index // BY_ADDRESS}" if many else "127.0.0.1", host, int(port))
            for number in range(len(KINDS))
            for index in range(count)
        )
    )


async def attack(kind: int, address: str, host: str, port: int) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await connected(address, host, port)
            try:
                await KINDS[kind](reader, writer)
            finally:
                writer.transport.abort()
        await asyncio.sleep(AGAIN)


async def connected(address: str, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
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


if __name__ == "__main__":
    sys.exit(main())
