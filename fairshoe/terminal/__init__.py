"""What both command lines share: standard streams, exit codes, options, errors, progress. Knows no game and no log."""

from __future__ import annotations

import io
import os
import sys

FINE = 0
FINDINGS = 1
WRONG_USAGE = 2
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE


def speak_utf8() -> None:
    """Write UTF-8 whatever the locale says; what cannot be written is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def give_up_stdout() -> None:
    """After a failure: leave nothing to flush at exit, where it would fail once more."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
