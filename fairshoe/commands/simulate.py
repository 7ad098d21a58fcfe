"""`fairshoe simulate`: many rounds of a game by a reference strategy, and what they came to; or a house's log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.text import parse_decimal
from ..terminal import EXIT_OK
from ..terminal.commands import FILE, command
from ..terminal.screen import complain, json_text, printable, progress
from . import COMMANDS

MAX_ROUNDS = 10**10
KEY = "Master key, 64 lower-case hex digits (default: a fresh one, which is printed): the same gives the same result."
COUNTED = (
    "Counted are the hands in chair 1, in the rounds in which it does not hold the bank, at fresh tables of 5,000 "
    "rounds with full purses; one unit is the lowest legal bet. naturals: ace and ten-value dealt to it, whatever the "
    "dealer has. player_busts: hands that end over 21. dealer_busts: the dealer draws only if a hand waits for it. "
    "insurance_offered: rounds with an offer, taken or not; insurance_won: those in which it wins, or would have. "
    "bonuses: hands paid above 1:1, by outcome, and no naturals. In the lounge a hand that wins a gift is +1 and any "
    "other -1."
)
LOG = (
    "With --log an honest house plays whole tables instead, on a simulated clock, and DIR gets its log: log.jsonl, "
    "checkpoint and log.vkey. Its origin says that it is simulated; everything follows from the master key."
)


@command(
    "simulate",
    help=COMMANDS["simulate"],
    epilog=f"{COUNTED}\n\n{LOG}",
)
@click.option("--rounds", required=True, metavar="N", help="How many rounds to play, in all.")
@click.option(
    "--rules", multiple=True, metavar="NAME", help="The rule set, e.g. casino; with --log several, none for all."
)
@click.option("--strategy", metavar="NAME", help="mimic, stand, never-bust, bicycle or random (the default).")
@click.option("--seats", metavar="N", help="Chairs taken, a dealer's included (default: the fewest; with --log 3).")
@click.option("--option", multiple=True, metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
@click.option("--key", metavar="HEX", help=KEY)
@click.option("--jobs", metavar="N", default="1", help="Processes that count (default 1); one writes a log.")
@click.option("--log", type=FILE, metavar="DIR", help="Write a log into this new or empty directory.")
@click.option("--tables", metavar="N", help="With --log: tables, which have the rule sets in turn (default: one each).")
@click.option("--careless", metavar="SHARE", help="With --log: how often somebody lets a limit pass (default 0.01).")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def cli(rounds: str, rules: tuple[str, ...], key: str | None, log: Path | None, as_json: bool, **more: Any) -> int:
    names = [name for word in rules for name in word.split(",")]
    master = new_key() if key is None else key_of_hex(key)
    count = parse_decimal(rounds, "--rounds", low=1, high=MAX_ROUNDS)
    seats = None if more["seats"] is None else parse_decimal(more["seats"], "--seats")
    if log is None:
        if len(names) != 1 or more["tables"] is not None or more["careless"] is not None:
            raise click.UsageError("give one --rules and neither --tables nor --careless; or give --log")
        body = _counted(names[0], count, master, seats, more["strategy"], more["option"], more["jobs"])
    else:
        body = _logged(log, names, count, master, seats, more)
    if as_json:
        print(json_text(body))
    else:
        print("\n".join(f"{name:<18} {_text(value)}" for name, value in body.items()))
    return EXIT_OK


def _counted(
    rules: str, rounds: int, key: bytes, seats: int | None, strategy: str | None, option: Sequence[str], jobs: str
) -> dict[str, Any]:
    from ..simulate.count import plan, simulate
    from ..simulate.simulated_table import RANDOM

    planned = plan(rules, strategy or RANDOM, rounds, key, seats=seats, options=_options([rules], option))
    with progress("rounds", rounds) as played:
        tally = simulate(planned, jobs=parse_decimal(jobs, "--jobs", low=1, high=256), progress=played)
    told = {"rules": rules, "options": planned.rules.options, "strategy": planned.strategy, "seats": planned.seats}
    return told | {"key": key.hex()} | tally.report(planned.bet)


def _logged(
    log: Path, rules: Sequence[str], rounds: int, key: bytes, seats: int | None, more: dict[str, Any]
) -> dict[str, Any]:
    from ..engine.rules import RULES
    from ..simulate.house import CARELESS_SHARE, plan_house, write_house_log
    from ..simulate.simulated_table import RANDOM

    names = list(rules) or sorted(RULES)
    planned = plan_house(
        names,
        rounds,
        key,
        tables=None if more["tables"] is None else parse_decimal(more["tables"], "--tables"),
        seats=seats,
        options=_options(names, more["option"]),
        strategy=more["strategy"] or RANDOM,
        careless=CARELESS_SHARE if more["careless"] is None else _share(more["careless"]),
    )
    try:
        with progress("rounds", planned.rounds) as played:
            written = write_house_log(log, planned, progress=played)
    except KeyboardInterrupt:
        complain(f"fairshoe: interrupted; {printable(str(log))} holds no log")
        raise
    return {
        "log": str(log),
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
        return ", ".join(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(count)}" for name, count in value.items()) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1 else f"{value:,.6g}" if value != int(value) else f"{int(value):,}"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else str(value)
