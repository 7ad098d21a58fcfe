"""Both command lines: in this process, as processes with pipes, and on a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = {"fairshoe": "fairshoe.cli", "fairshoe-audit": "audit_cli.main"}
PROGRAMS = tuple(MODULES)
SEARCHED = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
"""So that the tests can be run with another version of click."""
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": SEARCHED, "TERM": "xterm"}
LIMIT = 60


def command_of(program: str, *words: object, prelude: str = "") -> list[str | bytes]:
    """The program as a command; `prelude` is Python that runs before it."""
    code = f"{prelude}\nimport sys\nfrom {MODULES[program]} import main\nsys.exit(main())"
    return [sys.executable, "-c", code, *(word if isinstance(word, bytes) else str(word) for word in words)]


def run(program: str, *words: object, prelude: str = "", **options: object) -> subprocess.CompletedProcess[str]:
    """Run it with pipes. What it writes must be UTF-8."""
    done = subprocess.run(
        command_of(program, *words, prelude=prelude),
        **{"env": ENVIRONMENT, "capture_output": True, "timeout": LIMIT, "check": False, "cwd": ROOT, **options},
    )
    return subprocess.CompletedProcess(done.args, done.returncode, _text(done.stdout), _text(done.stderr))


def call(program: str, *words: object, stdin: int = -1) -> subprocess.CompletedProcess[str]:
    """Run it in this process, which is quicker; `stdin`: what is open as the standard input meanwhile."""
    out, told, kept = StringIO(), StringIO(), os.dup(0)
    if stdin >= 0:
        os.dup2(stdin, 0)
    try:
        with redirect_stdout(out), redirect_stderr(told):
            code = import_module(MODULES[program]).main([str(word) for word in words])
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    return subprocess.CompletedProcess(words, code, out.getvalue(), told.getvalue())


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8")


def on_terminal(program: str, *words: object, prelude: str = "", **environment: str) -> tuple[int, str]:
    """Run it with a terminal of 24 lines of 80 for all three streams; its exit code, and all that it wrote."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = command_of(program, *words, prelude=prelude)
    with subprocess.Popen(
        command, stdin=side, stdout=side, stderr=side, env={**ENVIRONMENT, **environment}, cwd=ROOT
    ) as process:
        os.close(side)
        written = b"".join(iter(lambda: _read(main), b""))
        code = process.wait(LIMIT)
    os.close(main)
    return code, written.decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that nobody has the other end any more
        return b""


def check_told(program: str, done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Exit code 2, nothing on stdout, one error: what, then a line for each thing more. Returns those lines."""
    assert (done.returncode, done.stdout) == (2, "")
    head, *rest = done.stderr.splitlines()
    assert head.startswith(f"{program}: ")
    told = {name.strip(): text.strip() for name, _, text in (line.partition(":") for line in rest)}
    assert set(told) <= {"where", "usage", "expected", "remedy", "fault"}
    assert len(told) == len(rest)
    assert ("fault" in told) == (program == "fairshoe-audit")
    return {"what": head.removeprefix(f"{program}: "), **told}
