"""`fairshoe simulate`: the log of an honest house at which many rounds were played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import InputError
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.text import parse_decimal
from ..terminal import FINE
from ..terminal.commands import FILE, command
from ..terminal.screen import complain, json_text, printable, progress

MAX_ROUNDS = 10**10
KEY = "Master key, 64 lower-case hex digits (default: a fresh one, which is printed)."
ABOUT = (
    "An honest house plays whole tables on a simulated clock, and DIR gets its log: log.jsonl, checkpoint and "
    "log.vkey. Its origin says that it is simulated; everything follows from the master key, and the same key and "
    "options give the same bytes. What came of the rounds is counted by fairshoe-audit report."
)


@command("simulate", help="Write the log of an honest house at which many rounds were played.", epilog=ABOUT)
@click.option("--log", required=True, type=FILE, metavar="DIR", help="Write the log into this new or empty directory.")
@click.option("--rounds", required=True, metavar="N", help="How many rounds to play, in all.")
@click.option("--rules", multiple=True, metavar="NAME", help="A rule set, e.g. casino; several, or all (the default).")
@click.option("--tables", metavar="N", help="Tables, which have the rule sets in turn (default: one each).")
@click.option("--seats", metavar="N", help="Chairs taken, a dealer's included (default 3).")
@click.option("--strategy", metavar="NAME", help="mimic, stand, never-bust, bicycle or random (the default).")
@click.option("--careless", metavar="SHARE", help="How often somebody lets a limit pass (default 0.01).")
@click.option("--option", multiple=True, metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
@click.option("--key", metavar="HEX", help=KEY)
@click.option("--json", "as_json", is_flag=True, help="One object.")
def cli(
    log: Path,
    rounds: str,
    rules: tuple[str, ...],
    tables: str | None,
    seats: str | None,
    strategy: str | None,
    careless: str | None,
    option: tuple[str, ...],
    key: str | None,
    as_json: bool,
) -> int:
    from ..engine.rules import RULES
    from ..simulate.house import CARELESS, plan_house, write_house_log
    from ..simulate.seating import RANDOM

    names = [name for word in rules for name in word.split(",")] or sorted(RULES)
    master = new_key() if key is None else key_of_hex(key)
    planned = plan_house(
        names,
        parse_decimal(rounds, "--rounds", low=1, high=MAX_ROUNDS),
        master,
        tables=None if tables is None else parse_decimal(tables, "--tables"),
        seats=None if seats is None else parse_decimal(seats, "--seats"),
        options=_options(names, option),
        strategy=RANDOM if strategy is None else strategy,
        careless=CARELESS if careless is None else _share(careless),
    )
    try:
        with progress("rounds", planned.rounds) as played:
            written = write_house_log(log, planned, progress=played)
    except KeyboardInterrupt:
        complain(f"fairshoe: interrupted; {printable(str(log))} holds no log")
        raise
    body = {
        "log": str(log),
        "rules": names,
        "tables": len(planned.tables),
        "rounds": planned.rounds,
        "entries": written.size,
        "root": written.root.hex(),
        "verifier": str(planned.signer().verifier),
        "key": master.hex(),
    }
    if as_json:
        print(json_text(body))
    else:
        print("\n".join(f"{name:<18} {_text(value)}" for name, value in body.items()))
    return FINE


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
    return ", ".join(value) if isinstance(value, list) else f"{value:,}" if isinstance(value, int) else str(value)
