"""`python -m fairshoe.placer`."""

from __future__ import annotations

from ..terminal.commands import run
from .command import cli

if __name__ == "__main__":
    raise SystemExit(run(cli))
