"""`fairshoe-audit verify LOG`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from fairshoe.errors import LogError

from ..text import report_text
from ..verify import verify

HELP = "Replay a whole log and report what does not hold."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log", type=Path, help="a log's directory, or its log.jsonl")
    parser.add_argument(
        "--key", metavar="VKEY", help="the house's verifier key (or a file with it), known from elsewhere"
    )
    parser.add_argument(
        "--checkpoint",
        metavar="OLD",
        type=Path,
        action="append",
        default=[],
        help="a remembered checkpoint, or an earlier copy of the log; may be given several times",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the report there instead of to stdout")


def run(args: argparse.Namespace) -> int:
    shown = sys.stderr.isatty()

    def progress(entries: int) -> None:
        print(f"\r{entries:,} entries", end="", file=sys.stderr, flush=True)

    report = verify(args.log, key=args.key, remembered=args.checkpoint, progress=progress if shown else None)
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
    text = json.dumps(report.as_json(), indent=1, ensure_ascii=False) if args.format == "json" else report_text(report)
    if args.output is None:
        print(text)
    else:
        try:
            args.output.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise LogError(f"cannot write: {error.strerror}", where=str(args.output)) from None
    return 1 if report.failed else 0
