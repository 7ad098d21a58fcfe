"""`fairshoe demo`: bots play on a real service, then everything is audited. Exit code 0 only if the audit passes."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "demo"
HELP = "play rounds on a real service with bots, reveal every key, and audit the log"
OUT = "fairshoe-demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", default="casino", metavar="NAME", help="a rule set, or all (default casino)")
    parser.add_argument("--rounds", default="200", metavar="N", help="rounds of each rule set (default 200)")
    parser.add_argument("--seats", default="3", metavar="N", help="players at a table (default 3)")
    parser.add_argument("--out", default=OUT, metavar="DIR", help=f"where the log goes (default {OUT})")


def run(args: argparse.Namespace) -> int:
    from ..protocol.text import parse_decimal
    from ._demo.game import rule_sets

    names = rule_sets(args.rules)
    rounds = parse_decimal(args.rounds, "--rounds", low=1, high=1_000_000)
    seats = parse_decimal(args.seats, "--seats", low=1, high=64)
    directory = Path(args.out)
    key = _play(names, rounds, seats, directory)
    print("One hand, as the auditor tells it from the log alone:\n", flush=True)
    _audit("hand", str(directory), "--round", f"{names[0]}#1")
    print("\nNow the whole log:\n", flush=True)
    verdict = _audit("verify", str(directory), "--key", key)
    print(f"\nThe log lies in {directory}. Check it again, or look at any hand of it:\n")
    print(f"  fairshoe-audit verify {directory} --key {key}")
    print(f"  fairshoe-audit hand {directory} --round '{names[0]}#{min(rounds, 7)}'")
    return verdict


def _audit(*arguments: str) -> int:
    """Run the auditor as somebody else would: another process, with the log and nothing else."""
    return subprocess.run([sys.executable, "-m", "audit_cli.main", *arguments], check=False).returncode


def _play(names: list[str], rounds: int, seats: int, directory: Path) -> str:
    """Play on a service of its own, and write the log that it serves; returns the log's verifier key."""
    from ..client import Client
    from ..log.directory import write_log
    from ..service.house import open_house
    from ..service.server import Server
    from ._demo.game import play

    with tempfile.TemporaryDirectory(prefix="fairshoe-demo-") as data:
        house = open_house(Path(data))
        with Server(house) as server:
            operator = Client(server.address, house.token)
            for name in names:
                with _progress(name, rounds) as progress:
                    play(operator, name, rounds, seats, progress)
            write_log(directory, operator.log(), house.sequencer.signer)
            operator.close()
            return str(house.sequencer.signer.verifier)


@contextmanager
def _progress(name: str, rounds: int) -> Iterator[Callable[[int], None]]:
    """How far a table is, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    yield lambda done: print(f"\r{name}: round {done} of {rounds}", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr, flush=True)
