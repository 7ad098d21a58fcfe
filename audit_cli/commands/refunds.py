"""`fairshoe-audit refunds LOG`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..refunds import refunds_owed
from ..verify import verify

HELP = "List the buy-ins that the house owes back for rounds that it got wrong."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", type=Path, help="a log's directory, or its log.jsonl")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    report = verify(args.log)
    owed = refunds_owed(args.log, report)
    if args.format == "json":
        print(json.dumps([refund._asdict() for refund in owed], indent=1))
    elif not owed:
        print("No refund is owed: no round of a game with refunds failed by the house's fault.")
    else:
        for refund in owed:
            rounds = ", ".join(refund.rounds)
            print(
                f"{refund.table} seat {refund.seat} {refund.player}: {refund.amount:,} (entry {refund.entry}; {rounds})"
            )
        print(f"total {sum(refund.amount for refund in owed):,}")
    return 1 if owed else 0
