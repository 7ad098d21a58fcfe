"""`fairshoe simulate`: many rounds of a game by a reference strategy, and what they came to."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.text import parse_decimal
from ._line import Once

NAME = "simulate"
HELP = "play many rounds of a game by a reference strategy and count what happens"
MAX_ROUNDS = 10**10
MAX_JOBS = 256
KEYS = (
    "master key, 64 lower-case hex digits (default: a fresh one, which is printed); the same key gives the same "
    "result, with any --jobs. Rounds are played in blocks of 5000 at a fresh table: shoe S (1, 2, …) of block B "
    '(0, 1, …) has the key HMAC-SHA256(master key, "block B shoe S") and the id simulate/B/S, a pack that finds '
    'the first banker "block B bank S"; --strategy random chooses by the key "block B choices"'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "One unit is the lowest legal bet. Counted are the hands in chair 1, in the rounds in which it does not "
        "hold the bank. naturals: ace and ten-value dealt to it, whatever the dealer has; in chinese that is ban-nag, "
        "not ban-ban. player_busts: hands that end over 21, in pontoon also one that was paid for its cards before. "
        "dealer_busts: the dealer draws only if a hand of the table waits for it. insurance_offered: rounds with an "
        "offer, taken or not; insurance_won: those in which it wins, or would have. bonuses: hands paid above 1:1, "
        "by outcome, and no naturals; a ban-nag that is paid is counted in both. "
        "In the lounge a hand that wins a gift is +1 and any other -1. Chips never run out: every round begins with "
        "full purses and a full pool."
    )
    add = parser.add_argument
    add("--rules", required=True, action=Once, metavar="NAME", help="the rule set, e.g. casino")
    add("--strategy", required=True, action=Once, metavar="NAME", help="mimic, stand, never-bust, bicycle or random")
    add("--rounds", required=True, action=Once, metavar="N", help="how many rounds to play")
    add("--seats", action=Once, metavar="N", help="chairs taken, a dealer's included (default: the fewest)")
    add("--key", action=Once, metavar="HEX", help=KEYS)
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the rule set; repeatable")
    add("--jobs", action=Once, metavar="N", help="processes (default 1)")
    add("--json", action="store_true", help="one object")


def run(args: argparse.Namespace) -> int:
    from ..engine.simulate import plan, simulate

    key = new_key() if args.key is None else key_of_hex(args.key)
    rounds = parse_decimal(args.rounds, "--rounds", low=1, high=MAX_ROUNDS)
    planned = plan(
        args.rules,
        args.strategy,
        rounds,
        key,
        seats=None if args.seats is None else parse_decimal(args.seats, "--seats"),
        options=_options(args.rules, args.option),
    )
    jobs = 1 if args.jobs is None else parse_decimal(args.jobs, "--jobs", low=1, high=MAX_JOBS)
    shown = sys.stderr.isatty()

    def progress(played: int) -> None:
        if shown:
            print(
                f"\r{played:,} of {rounds:,} rounds", end="" if played < rounds else "\n", file=sys.stderr, flush=True
            )

    tally = simulate(planned, jobs=jobs, progress=progress)
    head: dict[str, Any] = {
        "rules": args.rules,
        "options": planned.rules.options,
        "strategy": args.strategy,
        "seats": planned.seats,
        "key": key.hex(),
    }
    body = head | tally.report(planned.bet)
    if args.json:
        print(json.dumps(body, ensure_ascii=False))
    else:
        print("\n".join(f"{name:<18} {_text(value)}" for name, value in body.items()))
    return 0


def _options(rules: str, words: list[str]) -> dict[str, int | bool | str]:
    """`NAME=VALUE`, read as the type of the option's default."""
    from ..engine.rules import rules_of

    defaults = rules_of(rules).options
    options: dict[str, int | bool | str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in defaults:
            raise InputError(f"no option {word!r}", where="--option", expected=", ".join(f"{n}=…" for n in defaults))
        if name in options:
            raise InputError(f"{name} is given twice", where="--option")
        default = defaults[name]
        if isinstance(default, bool):
            if value not in ("true", "false"):
                raise InputError(f"{value!r}", where=f"--option {name}", expected="true or false")
            options[name] = value == "true"
        elif isinstance(default, int):
            options[name] = parse_decimal(value, f"--option {name}")
        else:
            options[name] = value
    return options


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(count)}" for name, count in value.items()) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1 else f"{value:,.6g}" if value != int(value) else f"{int(value):,}"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else str(value)
