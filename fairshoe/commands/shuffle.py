"""`fairshoe shuffle`: the whole shuffle from its inputs, for a check by hand or from another language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..cards import PACKS, named_deck
from ..errors import InputError
from ..protocol.commitment import key_of_hex
from ..protocol.deck import MAX_CARDS, MAX_LABEL, Deck, deck_of
from ..protocol.shoe import seal
from ..protocol.text import bytes_of_hex, check_id, parse_decimal
from ..protocol.transcript import MAX_SEED, Beacon, Seed
from ..protocol.word_stream import SPAN
from ..terminal.commands import command
from ..terminal.files import read_utf8
from ..terminal.screen import json_text, printable
from . import COMMANDS


@command("shuffle", help=COMMANDS["shuffle"])
@click.option("--key", metavar="HEX", help="The private key, 64 lower-case hex digits.")
@click.option("--shoe", metavar="ID", help="The shoe's id.")
@click.option("--deck", metavar="DECK", help="french:N, or @FILE with one label a line (@- for stdin).")
@click.option("--seed", multiple=True, metavar="WHO=HEX", help="A client seed; repeat it in roster order.")
@click.option("--beacon", metavar="CHAIN:ROUND:HEX", help="A public beacon's chain hash, round and randomness.")
@click.option("--cut", metavar="N", help="Rotate the order to begin at position N (default 0).")
@click.option("--draw", multiple=True, metavar="NAME:M", help="A named draw below M (after the last colon).")
@click.option("--first", metavar="K", help="Print only the first K cards (all, where K is more).")
@click.option("--json", "as_json", is_flag=True, help="One object: commitment, transcript, order, draws.")
def cli(
    key: str | None,
    shoe: str | None,
    deck: str | None,
    seed: tuple[str, ...],
    beacon: str | None,
    cut: str | None,
    draw: tuple[str, ...],
    first: str | None,
    as_json: bool,
) -> int:
    if key is None or shoe is None or deck is None:
        raise click.UsageError("give --key, --shoe and --deck")
    cards = _deck(deck)
    shown = len(cards) if first is None else parse_decimal(first, "--first")
    sealed = seal(
        key=key_of_hex(key),
        shoe=shoe,
        deck=cards,
        seeds=[_seed(text) for text in seed],
        beacon=None if beacon is None else _beacon(beacon),
        cut=0 if cut is None else parse_decimal(cut, "--cut", high=len(cards) - 1),
        draws=_draws(draw),
    )
    order = sealed.first(shown)
    draws = {name: sealed.number(name) for name in sealed.draws}
    if as_json:
        body = {
            "commitment": sealed.transcript.commitment,
            "transcript": sealed.transcript.text,
            "order": order,
            "draws": draws,
        }
        print(json_text(body))
    else:
        labels = map(printable, order) if sys.stdout is not None and sys.stdout.isatty() else order
        print("".join(f"{label}\n" for label in labels), end="")
        print("".join(f"draw {name} {value}\n" for name, value in draws.items()), end="")
    return 0


def _deck(text: str) -> Deck:
    if text.startswith("@"):
        return _deck_file(text[1:])
    if text.partition(":")[0] not in PACKS:
        named = ", ".join(f"{pack}:N" for pack in PACKS)
        raise InputError(f"no deck {text[:24]!r}", where="--deck", expected=f"{named}, or @FILE with one label a line")
    return named_deck(text)


def _deck_file(name: str) -> Deck:
    """Labels of a file: split on LF only, the last LF is optional, nothing is stripped."""
    lines = read_utf8(Path(name), MAX_CARDS * (MAX_LABEL + 1)).removesuffix("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            raise InputError(f"line {number} is empty", where="--deck", expected="one label a line")
        if line.endswith("\r"):
            raise InputError(f"line {number} ends with CR", where="--deck", expected="lines that end with LF alone")
    return deck_of(lines)


def _seed(text: str) -> Seed:
    who, sign, value = text.partition("=")
    if not sign:
        raise InputError(f"{text[:24]!r} is not a seed", where="--seed", expected="WHO=HEX")
    return Seed(check_id(who, "--seed"), bytes_of_hex(value, f"--seed {who}", low=1, high=MAX_SEED))


def _beacon(text: str) -> Beacon:
    parts = text.split(":")
    if len(parts) != 3:
        raise InputError("not a beacon", where="--beacon", expected="CHAIN:ROUND:HEX")
    chain, number, randomness = parts
    return Beacon(chain, parse_decimal(number, "--beacon"), randomness)


def _draws(texts: Sequence[str]) -> dict[str, int]:
    draws: dict[str, int] = {}
    for text in texts:
        name, colon, bound = text.rpartition(":")
        if not colon:
            raise InputError(f"{text[:24]!r} is not a draw", where="--draw", expected="NAME:M")
        check_id(name, "--draw")
        if name in draws:
            raise InputError(f"{name} is given twice", where="--draw", expected="one draw a name")
        draws[name] = parse_decimal(bound, f"--draw {name}", low=1, high=SPAN)
    return draws
