"""Runs the auditor's commands in this process, over logs that are written without waiting for the disk."""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from audit_cli.main import main
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.tree import Tree
from tests.house import SIGNER


class Said(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def first(self) -> str:
        return self.out.splitlines()[0]

    @property
    def last(self) -> str:
        return self.out.splitlines()[-1]


def said(*arguments: object) -> Said:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    assert "Traceback" not in err.getvalue()
    steering = {c for c in out.getvalue() + err.getvalue() if not c.isprintable() and c != "\n"}
    assert steering == set()
    return Said(code, out.getvalue(), err.getvalue())


def written(directory: Path, lines: Iterable[bytes]) -> Path:
    """The log in a directory, signed."""
    lines, tree = list(lines), Tree()
    directory.mkdir(exist_ok=True)
    for line in lines:
        tree.append(line)
    (directory / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    (directory / "checkpoint").write_text(Checkpoint(SIGNER.verifier.name, tree.size, tree.root).signed(SIGNER))
    (directory / "log.vkey").write_text(f"{SIGNER.verifier}\n")
    return directory
