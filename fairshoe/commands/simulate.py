"""`fairshoe simulate`: many rounds of a game by a reference strategy, and what they came to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.text import parse_decimal
from ..terminal.commands import command
from ..terminal.progress import progress
from ..terminal.style import json_text

MAX_ROUNDS = 10**10
MAX_JOBS = 256
KEYS = (
    "Master key, 64 lower-case hex digits (default: a fresh one, which is printed); the same key gives the same "
    "result, with any --jobs. Rounds are played in blocks of 5000 at a fresh table: shoe S (1, 2, …) of block B "
    '(0, 1, …) has the key HMAC-SHA256(master key, "block B shoe S") and the id simulate/B/S, a pack that finds '
    'the first banker "block B bank S"; --strategy random chooses by the key "block B choices".'
)
COUNTED = (
    "One unit is the lowest legal bet. Counted are the hands in chair 1, in the rounds in which it does not "
    "hold the bank. naturals: ace and ten-value dealt to it, whatever the dealer has; in chinese that is ban-nag, "
    "not ban-ban. player_busts: hands that end over 21, in pontoon also one that was paid for its cards before. "
    "dealer_busts: the dealer draws only if a hand of the table waits for it. insurance_offered: rounds with an "
    "offer, taken or not; insurance_won: those in which it wins, or would have. bonuses: hands paid above 1:1, "
    "by outcome, and no naturals; a ban-nag that is paid is counted in both. "
    "In the lounge a hand that wins a gift is +1 and any other -1. Chips never run out: every round begins with "
    "full purses and a full pool."
)


@command("simulate", help="Play many rounds of a game by a reference strategy and count what happens.", epilog=COUNTED)
@click.option("--rules", required=True, metavar="NAME", help="The rule set, e.g. casino.")
@click.option("--strategy", required=True, metavar="NAME", help="mimic, stand, never-bust, bicycle or random.")
@click.option("--rounds", required=True, metavar="N", help="How many rounds to play.")
@click.option("--seats", metavar="N", help="Chairs taken, a dealer's included (default: the fewest).")
@click.option("--key", metavar="HEX", help=KEYS)
@click.option("--option", multiple=True, metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
@click.option("--jobs", metavar="N", help="Processes (default 1).")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def cli(
    rules: str,
    strategy: str,
    rounds: str,
    seats: str | None,
    key: str | None,
    option: tuple[str, ...],
    jobs: str | None,
    as_json: bool,
) -> int:
    from ..engine.simulate import plan, simulate

    master = new_key() if key is None else key_of_hex(key)
    count = parse_decimal(rounds, "--rounds", low=1, high=MAX_ROUNDS)
    planned = plan(
        rules,
        strategy,
        count,
        master,
        seats=None if seats is None else parse_decimal(seats, "--seats"),
        options=_options(rules, option),
    )
    processes = 1 if jobs is None else parse_decimal(jobs, "--jobs", low=1, high=MAX_JOBS)
    with progress("rounds", count) as played:
        tally = simulate(planned, jobs=processes, progress=played)
    head: dict[str, Any] = {
        "rules": rules,
        "options": planned.rules.options,
        "strategy": strategy,
        "seats": planned.seats,
        "key": master.hex(),
    }
    body = head | tally.report(planned.bet)
    if as_json:
        print(json_text(body))
    else:
        print("\n".join(f"{name:<18} {_text(value)}" for name, value in body.items()))
    return 0


def _options(rules: str, words: Sequence[str]) -> dict[str, int | bool | str]:
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
