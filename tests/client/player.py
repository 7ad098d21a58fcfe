"""A player who goes on from a book until a hand is played, chips were moved, and the chair is left; it may crash.

python -m tests.client.player ADDRESS TABLE FOLDER STEP   dies, without a last word, at its step number STEP
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import fairshoe.client.book as books
import fairshoe.client.receipts as receipts
from fairshoe.client import Client
from fairshoe.errors import InputError

BOOK = "alice.seat"


def kept(folder):
    """What the receipts in the player's file say."""
    lines = (folder / f"{BOOK}.receipts").read_text().splitlines()[1:]
    return [json.loads(json.loads(line).split("\n")[1]) for line in lines]


def has(folder, op, amount):
    return any(form.get("op") == op and form.get("amount") == amount for form in kept(folder))


def go_on(address, name, folder):
    """Whatever is left to do."""
    table = Client(address).table(name)
    book = folder / BOOK
    try:
        alice = table.resume(book)
    except InputError as error:
        if error.what == "its chair was left":
            return
        alice = table.sit("alice", 1000, book=book)
    if "you" not in alice.state:
        return
    if not (alice.state["last"] or has(folder, "cash-out", 5)):
        alice.play(1)
    for op, amount in (("buy-in", 100), ("cash-out", 5)):
        if not has(folder, op, amount):
            alice.send("chips", op=op, amount=amount)
    alice.finish()
    alice.close()


@contextmanager
def dying(step: int, die) -> Iterator[list[str]]:
    """`die` at the step of this number: just before a line is kept, which may be after an answer, or a request sent."""
    steps: list[str] = []

    def point(name):
        steps.append(name)
        if len(steps) == step:
            die()

    append, raw = books.append, Client.raw

    def appended(file, *values):
        point("a line")
        append(file, *values)

    def asked(self, method, path, *more, **fields):
        if method == "POST":
            point(path.rpartition("/")[2])
        return raw(self, method, path, *more, **fields)

    with (
        patch.object(books, "append", appended),
        patch.object(receipts, "append", appended),
        patch.object(Client, "raw", asked),
    ):
        yield steps


if __name__ == "__main__":
    address, name, folder, step = sys.argv[1:]
    with dying(int(step), lambda: os._exit(9)):
        go_on(address, name, Path(folder))
