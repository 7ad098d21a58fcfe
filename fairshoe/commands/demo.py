"""`fairshoe demo`: bots play on a real service, then everything is audited. Exit code 0 only if the audit passes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click

from ..terminal.commands import FOLDER, command
from ..terminal.screen import printable, progress
from . import COMMANDS

OUT = "fairshoe-demo"


@command("demo", help=COMMANDS["demo"])
@click.option("--rules", default="casino", metavar="NAME", help="A rule set, or all, for minutes (default casino).")
@click.option("--rounds", default="200", metavar="N", help="Rounds of each rule set (default 200).")
@click.option("--seats", default="3", metavar="N", help="Players at a table (default 3).")
@click.option(
    "--out",
    type=FOLDER,
    default=OUT,
    metavar="DIR",
    help=f"Where the log goes: a new directory, or that of an earlier demo (default {OUT}).",
)
@click.option("--placer", is_flag=True, help="With a placer beside the house, so that neither knows the next card.")
def cli(rules: str, rounds: str, seats: str, out: Path, placer: bool) -> int:
    from ..protocol.text import parse_decimal
    from ._demo import FIRST, PAGE, PLACED, PROOF, RECEIPTS, as_argument, audit_hint, make_folder, rule_sets

    names = rule_sets(rules)
    count = parse_decimal(rounds, "--rounds", low=1, high=1_000_000)
    players = parse_decimal(seats, "--seats", low=1, high=64)
    log = as_argument(out)
    make_folder(out)
    key = _play(names, count, players, out, placer)
    print("One hand, as the auditor tells it from the log alone:\n", flush=True)
    _audit("hand", log, "--round", f"{names[0]}#1", "--key", key)
    print("\nNow the whole log:\n", flush=True)
    verdict = _audit("verify", log, "--key", key)
    print(f"\nThe log lies in {printable(str(out))}. Check it again, or look at any hand of it:\n")
    print(f"  {audit_hint('verify', log, '--key', key)}")
    print(f"  {audit_hint('hand', log, '--round', f'{names[0]}#{min(count, 7)}')}")
    print(f"\n{FIRST} has kept what the house signed, and the proof of one hand, which needs no log:\n")
    print(f"  {audit_hint('receipt', os.path.join(log, RECEIPTS), log, '--key', key)}")
    print(f"  {audit_hint('hand', os.path.join(log, PROOF), '--key', key)}")
    if placer:
        print("\nThe house has kept what it asked its placer, and what that answered:\n")
        print(f"  {audit_hint('placed', os.path.join(log, PLACED), log, '--key', key)}")
    print("\nOr open that hand in a browser. The page checks it by itself, and asks nobody:\n")
    print(f"  {(out / PAGE).resolve().as_uri()}")
    return verdict


def _audit(*arguments: str) -> int:
    """Run the auditor as somebody else would: another process, with the log and nothing else."""
    return subprocess.run([sys.executable, "-m", "audit_cli.main", *arguments], check=False).returncode


def _play(names: list[str], rounds: int, seats: int, directory: Path, placer: bool) -> str:
    """Play on a service of its own, and write its log, the first player's receipts, and proofs of the last hand as a
    file and a page; return the log's verifier key."""
    from ..client import Client
    from ..log.directory import write_log
    from ..page import fill_page
    from ..service.server import HouseServer
    from ._demo import PAGE, PLACED, PROOF, RECEIPTS, house_in, play, settle

    with (
        tempfile.TemporaryDirectory(prefix="fairshoe-demo-") as data,
        house_in(Path(data), placer) as (house, vkey),
        HouseServer(house) as server,
        progress("playing", rounds * len(names)) as done,
    ):
        operator = Client(server.address, house.token)
        for number, name in enumerate(names):
            told = _after(number * rounds, done)
            play(operator, name, rounds, seats, told, receipts=Path(data) / RECEIPTS, placer=vkey)
        (directory / PLACED).unlink(missing_ok=True)
        if placer:
            settle(house, names)
            (directory / PLACED).write_bytes((Path(data) / PLACED).read_bytes())
        write_log(directory, operator.log(), house.sequencer.signer)
        (directory / RECEIPTS).write_bytes((Path(data) / RECEIPTS).read_bytes())
        proof, key = operator.proof(f"{names[0]}#{rounds}"), str(house.sequencer.signer.verifier)
        (directory / PROOF).write_text(proof)
        (directory / PAGE).write_text(fill_page(proof.encode(), key), encoding="utf-8")
        operator.close()
        return key


def _after(before: int, done: Callable[[int], None]) -> Callable[[int], None]:
    """Tells how much is done in all, where so much was before."""
    return lambda played: done(before + played)
