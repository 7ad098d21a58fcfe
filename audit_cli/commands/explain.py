"""`fairshoe-audit explain CODE`."""

from __future__ import annotations

import argparse

from fairshoe.errors import InputError

from ..codes import CATALOGUE

HELP = "Explain a finding's code, or list all codes."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", help="a code such as payout-differs; without it all are listed")


def run(args: argparse.Namespace) -> int:
    if args.code is None:
        for code in CATALOGUE.values():
            print(f"{code.code:24} {code.check:14} {code.severity:5} {code.cause}")
        return 0
    about = CATALOGUE.get(args.code)
    if about is None:
        raise InputError(f"no code {args.code!r}", expected="one of those that `fairshoe-audit explain` lists")
    print(f"{about.code}: {about.explain}\n")
    print(f"check     {about.check}")
    decides = "a fail: it decides the verdict" if about.severity == "fail" else "a note: it does not decide the verdict"
    print(f"severity  {decides}")
    print(f"fault     {about.fault}")
    print(f"cause     most likely {about.cause}")
    return 0
