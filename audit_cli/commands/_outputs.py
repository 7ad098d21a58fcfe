"""Where a report goes: to standard output and to files, in several formats, signed where that is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from fairshoe.terminal.files import STDIN, check_writable, same_output, write_whole
from fairshoe.terminal.style import colourful

from ..findings.report import Report
from ..formats import FORMATS

SCREEN = STDIN
"""`-`: standard output."""


class Output(NamedTuple):
    """One form of the report and where it goes."""

    format: str
    path: Path


def paired(formats: Sequence[str], paths: Sequence[Path]) -> list[Output]:
    """As many outputs as formats, in order; a single format needs none. Raises UsageError."""
    names = formats or ["text"]
    if not paths and len(names) == 1:
        return [Output(names[0], SCREEN)]
    if len(paths) != len(names):
        raise click.UsageError(f"{len(names)} --format and {len(paths)} --output: give one --output for each --format")
    if list(paths).count(SCREEN) > 1:
        raise click.UsageError("--output - stands twice")
    return [Output(*pair) for pair in zip(names, paths, strict=True)]


def check_outputs(outputs: Sequence[Output], keyfile: Path | None, sources: Iterable[Path]) -> None:
    """Refuse, before the audit, what could not be written after it. Raises UsageError, InputError."""
    files = [output.path for output in outputs if output.path != SCREEN]
    if keyfile is not None:
        if not files:
            raise click.UsageError("--sign needs an --output FILE: the signed note is written beside it")
        _note_over("\n", keyfile)
        files += [_note_of(path) for path in files]
    if same_output(files):
        raise click.UsageError("two outputs have the same name")
    read = [*sources, *([] if keyfile is None else [keyfile])]
    for path in files:
        check_writable(path, read)


def write_outputs(report: Report, outputs: Sequence[Output], keyfile: Path | None, *, everything: bool) -> None:
    """Write every output, files whole or not at all; then what goes to standard output. Raises InputError."""
    files: dict[Path, bytes] = {}
    screen = ""
    for output in outputs:
        render = FORMATS[output.format]
        if output.path == SCREEN:
            screen = render(report, everything=everything, colour=colourful(sys.stdout))
            continue
        files[output.path] = _encoded(render(report, everything=everything, colour=False))
        if keyfile is not None:
            files[_note_of(output.path)] = _note_over(files[output.path].decode("utf-8"), keyfile)
    write_whole(files)
    print(screen, end="")


def _encoded(text: str) -> bytes:
    """UTF-8, with a lone surrogate escaped as JSON does."""
    return text.encode("utf-8", "backslashreplace")


def _note_over(text: str, keyfile: Path) -> bytes:
    from ..findings.signing import sign_report

    return sign_report(text, keyfile).encode("utf-8")


def _note_of(path: Path) -> Path:
    return path.with_name(path.name + ".note")
