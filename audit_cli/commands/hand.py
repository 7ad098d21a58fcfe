"""`fairshoe-audit hand LOG --round ID`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..found import find_round
from ..hand import hand_json, hand_text

HELP = "Show one hand, card by card, with the arithmetic."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", type=Path, help="a log's directory, or its log.jsonl")
    parser.add_argument("--round", required=True, metavar="ID", help="TABLE#NUMBER, or NUMBER where there is one table")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    found, report = find_round(args.log, args.round)
    if args.format == "json":
        body = hand_json(found, report)
        print(json.dumps(body, indent=1, ensure_ascii=False))
        return 1 if any(f["severity"] == "fail" for f in body["findings"]) else 0
    text = hand_text(found, report)
    print(text)
    return 1 if "✗" in text else 0
