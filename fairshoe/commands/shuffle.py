"""`fairshoe shuffle`: the whole shuffle from its inputs, for a check by hand or from another language."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..cards import named_deck
from ..errors import InputError
from ..protocol.commitment import key_of_hex
from ..protocol.deck import MAX_CARDS, MAX_LABEL, Deck, deck_of
from ..protocol.shoe import seal
from ..protocol.text import bytes_of_hex, check_id, parse_decimal
from ..protocol.transcript import MAX_SEED, Beacon, Seed
from ..protocol.words import SPAN
from ._line import Once

NAME = "shuffle"
HELP = "print the shuffle that a key, a deck and the contributions give"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--key", required=True, action=Once, metavar="HEX", help="the private key, 64 lower-case hex digits")
    add("--shoe", required=True, action=Once, metavar="ID", help="the shoe's id")
    add("--deck", required=True, action=Once, metavar="DECK", help="french:N, or @FILE with one label a line")
    add("--seed", action="append", default=[], metavar="WHO=HEX", help="a client seed; repeat it in roster order")
    add("--beacon", action=Once, metavar="CHAIN:ROUND:HEX", help="a public beacon's chain hash, round and randomness")
    add("--cut", action=Once, metavar="N", help="rotate the order to begin at position N (default 0)")
    add("--draw", action="append", default=[], metavar="NAME:M", help="a named draw below M (after the last colon)")
    add("--first", action=Once, metavar="K", help="print only the first K cards (all, where K is more)")
    add("--json", action="store_true", help="one object: commitment, transcript, order, draws")


def run(args: argparse.Namespace) -> int:
    first = None if args.first is None else parse_decimal(args.first, "--first")
    deck = _deck(args.deck)
    sealed = seal(
        key=key_of_hex(args.key),
        shoe=args.shoe,
        deck=deck,
        seeds=[_seed(text) for text in args.seed],
        beacon=None if args.beacon is None else _beacon(args.beacon),
        cut=0 if args.cut is None else parse_decimal(args.cut, "--cut", high=len(deck) - 1),
        draws=_draws(args.draw),
    )
    order = sealed.order()[:first]
    draws = {name: sealed.number(name) for name in sealed.draws}
    if args.json:
        body = {
            "commitment": sealed.transcript.commitment,
            "transcript": sealed.transcript.text,
            "order": order,
            "draws": draws,
        }
        print(json.dumps(body, ensure_ascii=False))
    else:
        print("".join(f"{label}\n" for label in order), end="")
        print("".join(f"draw {name} {value}\n" for name, value in draws.items()), end="")
    return 0


def _deck(text: str) -> Deck:
    if text.startswith("@"):
        return _deck_file(text[1:])
    if not text.startswith("french:"):
        raise InputError(f"no deck {text[:24]!r}", where="--deck", expected="french:N, or @FILE with one label a line")
    return named_deck(text)


def _deck_file(name: str) -> Deck:
    """Labels of a file: split on LF only, the last LF is optional, nothing is stripped."""
    most = MAX_CARDS * (MAX_LABEL + 1)
    with Path(name).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise InputError("the file is too long", where="--deck", expected=f"at most {most} bytes")
    try:
        lines = data.decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where="--deck", expected="a file in UTF-8") from None
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


def _draws(texts: list[str]) -> dict[str, int]:
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
