"""A PostgreSQL server of the tests' own, from Debian's package: in a directory, at a socket in it, and gone with it.

`initdb` refuses root: where the tests run as root, it is the package's user `postgres`."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import psycopg

USER = "postgres"
DISK = """
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int without_room(int file, long at) {
    char link[64], path[4096] = {0};
    struct stat now;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return !access(FULL, F_OK) && readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/base/")
        && !fstat(file, &now) && at >= now.st_size && (errno = ENOSPC);
}
ssize_t pwrite(int file, const void *data, size_t size, long at) {
    return without_room(file, at) ? -1 : syscall(SYS_pwrite64, file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, long at) { return pwrite(file, data, size, at); }
ssize_t pwritev(int file, const struct iovec *data, int count, long at) {
    return without_room(file, at) ? -1 : syscall(SYS_pwritev, file, data, count, at, 0);
}
ssize_t pwritev64(int file, const struct iovec *data, int count, long at) { return pwritev(file, data, count, at); }
int posix_fallocate(int file, long at, long size) {
    return without_room(file, at) ? ENOSPC : syscall(SYS_fallocate, file, 0, at, size) ? errno : 0;
}
int posix_fallocate64(int file, long at, long size) { return posix_fallocate(file, at, size); }
int fdatasync(int file) {
    struct timespec wait = {0, NANOSECONDS};
    nanosleep(&wait, 0);
    return syscall(SYS_fdatasync, file);
}
"""
"""A disk as the server's processes see it: it takes its time where they sync their log, and has no room for a table's
next page while a file named FULL is there."""


def program(name: str) -> str:
    """A server's program, of the newest release that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(found[-1]) if found else name


class PostgreSQL:
    """A context manager. `sync`: commits wait for the disk, as they should and tests mostly need not; so many seconds
    longer as `slow` says. `fills`: its disk can be `full`."""

    def __init__(self, *, sync: bool = False, slow: float = 0, fills: bool = False) -> None:
        self._sync = "on" if sync else "off"
        self._slow = slow
        self._preloads = bool(slow) or fills
        self.home = Path(tempfile.mkdtemp(prefix="fairshoe-pg-"))
        self._as = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"] if os.getuid() == 0 else []
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> PostgreSQL:
        if self._as:
            shutil.chown(self.home, USER, USER)
        words = ["-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run([*self._as, program("initdb"), *words], check=True, capture_output=True, cwd=self.home)
        if self._preloads:
            named = [f"-DNANOSECONDS={self._slow * 1e9:.0f}", f'-DFULL="{self._full}"']
            words = ["-shared", "-fPIC", *named, "-x", "c", "-", "-o", self._library]
            subprocess.run(["gcc", *words], input=DISK, text=True, check=True)
        self.begin()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.end(signal.SIGINT)
        shutil.rmtree(self.home)

    @property
    def data(self) -> str:
        return str(self.home / "data")

    @property
    def _library(self) -> str:
        return str(self.home / "disk.so")

    @property
    def _full(self) -> Path:
        return self.home / "full"

    @contextmanager
    def full(self) -> Iterator[None]:
        """No table of it gets another page meanwhile."""
        self._full.touch()
        try:
            yield
        finally:
            self._full.unlink()

    def begin(self) -> None:
        """Start it, and wait until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.home),
            "fsync": self._sync,
            "max_connections": "300",
            "autovacuum_naptime": "10s",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.home / "log", "ab") as log:
            command = [*self._as, program("postgres"), "-D", self.data, *words]
            more = {"LD_PRELOAD": self._library} if self._preloads else {}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.home, env=os.environ | more)
        while True:
            try:
                self.say("SELECT 1")
                return
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.home / "log").read_text()
                time.sleep(0.02)

    def end(self, how: signal.Signals) -> None:
        """SIGINT ends it in order; SIGQUIT at once, with all that serve connections, as when the machine fails."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def say(self, statement: str, name: str = USER) -> list[tuple[object, ...]]:
        """One statement to a database; gives its rows."""
        with psycopg.connect(host=str(self.home), user=USER, dbname=name, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def database(self) -> str:
        """The address of an empty database."""
        name = f"house_{secrets.token_hex(4)}"
        self.say(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY wal_log")
        return f"postgresql+psycopg://{USER}@/{name}?host={self.home}"
