"""`fairshoe-audit explain CODE`."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_OK
from fairshoe.terminal.commands import command

from . import COMMANDS


def _codes(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    from ..verify.registry import CATALOGUE

    return [CompletionItem(code.code, help=code.cause) for code in CATALOGUE.values() if code.code.startswith(begun)]


@command("explain", help=COMMANDS["explain"])
@click.argument("code", required=False, shell_complete=_codes)
def cli(code: str | None) -> int:
    from ..report.verdict import LIMITS
    from ..verify.findings.finding import LOG, next_step
    from ..verify.findings.formats import wrap_text
    from ..verify.registry import CATALOGUE

    if code is None:
        for about in CATALOGUE.values():
            print(f"{about.code:24} {about.check:14} {about.severity:5} {about.cause}")
        return EXIT_OK
    if code == "limits":
        print("No audit of a log can show:")
        for limit in LIMITS:
            print(*wrap_text(limit, first="- ", then="  "), sep="\n")
        return EXIT_OK
    if code not in CATALOGUE:
        raise InputError(f"no code {code!r}", expected="one of those that `fairshoe-audit explain` lists")
    about = CATALOGUE[code]
    print(f"{about.code}: {about.explain}\n")
    print(f"check     {about.check}")
    decides = "a fail: it decides the verdict" if about.severity == "fail" else "a note: it does not decide the verdict"
    print(f"severity  {decides}")
    print(f"fault     {about.fault}")
    print(f"cause     most likely {about.cause}")
    print(f"next      {next_step(about, LOG)}")
    return EXIT_OK
