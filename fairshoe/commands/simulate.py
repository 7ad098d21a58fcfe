"""`fairshoe simulate`: many rounds of a game by a reference strategy, and what they came to; or a house's log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.text import parse_decimal
from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.errors import complain
from ..terminal.options import FILE
from ..terminal.progress import progress
from ..terminal.style import json_text, printable

MAX_ROUNDS = 10**10
MAX_JOBS = 256
KEYS = (
    "Master key, 64 lower-case hex digits (default: a fresh one, which is printed); the same key gives the same "
    "counts, with any --jobs. Without --log rounds are played in blocks of 5000 at a fresh table: shoe S (1, 2, …) of "
    'block B (0, 1, …) has the key HMAC-SHA256(master key, "block B shoe S") and the id simulate/B/S, a pack that '
    'finds the first banker "block B bank S"; --strategy random chooses by the key "block B choices".'
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
LOG = (
    "With --log an honest house plays whole tables instead, on a simulated clock, and DIR gets its log: log.jsonl, "
    "checkpoint and log.vkey. Its origin says that it is simulated; everything follows from the master key, and the "
    "same key and options give the same bytes."
)


@command(
    "simulate",
    help="Play many rounds of a game by a reference strategy and count what happens, or write an honest house's log.",
    epilog=f"{COUNTED}\n\n{LOG}",
)
@click.option("--rules", multiple=True, metavar="NAME", help="The rule set, e.g. casino; with --log several, or all.")
@click.option(
    "--strategy", metavar="NAME", help="mimic, stand, never-bust, bicycle or random (the default with --log)."
)
@click.option("--rounds", required=True, metavar="N", help="How many rounds to play, in all.")
@click.option("--seats", metavar="N", help="Chairs taken, a dealer's included (default: the fewest; with --log 3).")
@click.option("--key", metavar="HEX", help=KEYS)
@click.option("--option", multiple=True, metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
@click.option("--jobs", metavar="N", help="Without --log: processes (default 1).")
@click.option("--json", "as_json", is_flag=True, help="One object.")
@click.option("--log", type=FILE, metavar="DIR", help="Write a log into this new or empty directory.")
@click.option("--tables", metavar="N", help="With --log: tables, which have the rule sets in turn (default: one each).")
@click.option("--careless", metavar="SHARE", help="With --log: how often somebody lets a limit pass (default 0.01).")
def cli(
    rules: tuple[str, ...],
    strategy: str | None,
    rounds: str,
    seats: str | None,
    key: str | None,
    option: tuple[str, ...],
    jobs: str | None,
    as_json: bool,
    log: Path | None,
    tables: str | None,
    careless: str | None,
) -> int:
    names = [name for word in rules for name in word.split(",")]
    master = new_key() if key is None else key_of_hex(key)
    count = parse_decimal(rounds, "--rounds", low=1, high=MAX_ROUNDS)
    chairs = None if seats is None else parse_decimal(seats, "--seats")
    processes = 1 if jobs is None else parse_decimal(jobs, "--jobs", low=1, high=MAX_JOBS)
    if log is None:
        if strategy is None or len(names) != 1:
            raise click.UsageError("give one --rules and a --strategy, or --log")
        if tables is not None or careless is not None:
            raise click.UsageError("--tables and --careless are for --log")
        body = _counted(names[0], strategy, count, master, chairs, option, processes)
    else:
        if jobs is not None:
            raise click.UsageError("--jobs is not for --log: one process writes a log")
        body = _logged(log, names, strategy, count, master, chairs, option, tables, careless)
    if as_json:
        print(json_text(body))
    else:
        print("\n".join(f"{name:<18} {_text(value)}" for name, value in body.items()))
    return FINE


def _counted(
    rules: str, strategy: str, rounds: int, key: bytes, seats: int | None, option: Sequence[str], jobs: int
) -> dict[str, Any]:
    from ..simulate.count import plan, simulate

    planned = plan(rules, strategy, rounds, key, seats=seats, options=_options([rules], option))
    with progress("rounds", rounds) as played:
        tally = simulate(planned, jobs=jobs, progress=played)
    head = {
        "rules": rules,
        "options": planned.rules.options,
        "strategy": strategy,
        "seats": planned.seats,
        "key": key.hex(),
    }
    return head | tally.report(planned.bet)


def _logged(
    directory: Path,
    rules: Sequence[str],
    strategy: str | None,
    rounds: int,
    key: bytes,
    seats: int | None,
    option: Sequence[str],
    tables: str | None,
    careless: str | None,
) -> dict[str, Any]:
    from ..engine.rules import RULES
    from ..simulate.house import CARELESS, plan_house, write_house_log
    from ..simulate.seating import RANDOM

    names = list(rules) or sorted(RULES)
    planned = plan_house(
        names,
        rounds,
        key,
        tables=None if tables is None else parse_decimal(tables, "--tables"),
        seats=seats,
        options=_options(names, option),
        strategy=RANDOM if strategy is None else strategy,
        careless=CARELESS if careless is None else _share(careless),
    )
    try:
        with progress("rounds", rounds) as played:
            written = write_house_log(directory, planned, progress=played)
    except KeyboardInterrupt:
        complain(f"fairshoe: interrupted; {printable(str(directory))} holds no log")
        raise
    return {
        "log": str(directory),
        "rules": names,
        "tables": len(planned.tables),
        "rounds": planned.rounds,
        "entries": written.size,
        "root": written.root.hex(),
        "verifier": str(planned.signer().verifier),
        "key": key.hex(),
    }


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r}", where="--careless", expected="a share, such as 0.01") from None


def _options(rules: Sequence[str], words: Sequence[str]) -> dict[str, int | bool | str]:
    """`NAME=VALUE`, read as the type of the option's default; each rule set must have it."""
    from ..engine.rules import rules_of

    all_defaults = [rules_of(name).options for name in rules]
    defaults = {name: value for name, value in all_defaults[0].items() if all(name in each for each in all_defaults)}
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
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(count)}" for name, count in value.items()) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1 else f"{value:,.6g}" if value != int(value) else f"{int(value):,}"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else str(value)
