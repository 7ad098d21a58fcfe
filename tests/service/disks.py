"""Storage that fails: a full database, one that is held, damaged pages, disks that refuse to sync."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import contextmanager

from sqlalchemy import event

from fairshoe.service.store import database as storage

PAGE = 4096


@contextmanager
def on_each_begin(database, statement):
    def begin(connection):
        connection.exec_driver_sql(statement)

    event.listen(database.engine, "begin", begin)
    try:
        yield
    finally:
        event.remove(database.engine, "begin", begin)
        database.engine.dispose()


@contextmanager
def full(database, monkeypatch):
    """The database finds no room for one page more, and the disk has none."""
    with monkeypatch.context() as patch, on_each_begin(database, "PRAGMA max_page_count = 1"):
        patch.setattr(storage, "free_bytes", lambda _: 0)
        yield


@contextmanager
def held(path):
    """Another process writes, and does not end."""
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        yield
    finally:
        other.close()


def damage(path, first=1):
    """Overwrite every page from number `first` on, counted from 0."""
    with open(path, "r+b") as file:
        pages = os.fstat(file.fileno()).st_size // PAGE
        file.seek(first * PAGE)
        file.write(b"\xa5" * PAGE * (pages - first))


class Refusing:
    """os.fsync of a disk that has no room at call `number`, from 0."""

    def __init__(self, number):
        self.left = number
        self._fsync = os.fsync

    def __call__(self, handle):
        self.left -= 1
        if self.left == -1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._fsync(handle)
