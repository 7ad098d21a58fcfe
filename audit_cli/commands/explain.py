"""`fairshoe-audit explain CODE`."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_OK
from fairshoe.terminal.commands import command

from . import COMMANDS
from ._reading import check_output, format_option, output_option, write_form

DECIDES = ("a note: it does not decide the verdict", "a fail: it decides the verdict")
ONE_CODE = """{code}: {explain}

check     {check}
severity  {decides}
fault     {fault}
cause     most likely {cause}
next      {next}
"""


def _codes(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    from ..verify.registry import CATALOGUE

    return [CompletionItem(code.code, help=code.cause) for code in CATALOGUE.values() if code.code.startswith(begun)]


@command("explain", help=COMMANDS["explain"])
@click.argument("code", required=False, shell_complete=_codes)
@format_option()
@output_option
def cli(code: str | None, format: str, output: Path) -> int:
    from ..report.verdict import LIMITS
    from ..verify.findings.finding import LOG, next_step
    from ..verify.findings.formats import wrap_text
    from ..verify.registry import CATALOGUE

    check_output(output, [])
    if code == "limits":
        lines = ["No audit of a log can show:"]
        lines += [line for limit in LIMITS for line in wrap_text(limit, first="- ", then="  ")]
        write_form(output, format, "\n".join([*lines, ""]), LIMITS, LIMITS)
        return EXIT_OK
    if code is not None and code not in CATALOGUE:
        raise InputError(f"no code {code!r}", expected="one of those that `fairshoe-audit explain` lists")
    codes = [
        {**about._asdict(), "next": next_step(about, LOG)} for name, about in CATALOGUE.items() if code in (None, name)
    ]
    text = "".join("{code:24} {check:14} {severity:5} {cause}\n".format_map(each) for each in codes)
    if code is not None:
        text = ONE_CODE.format_map({**codes[0], "decides": DECIDES[codes[0]["severity"] == "fail"]})
    write_form(output, format, text, codes if code is None else codes[0], codes)
    return EXIT_OK
