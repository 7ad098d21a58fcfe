"""Shared parts of both command lines: exit codes, options, errors, progress, files. Knows no game and no log."""

FINE = 0
FINDINGS = 1
WRONG_USAGE = 2
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE
