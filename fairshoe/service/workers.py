"""Who answers what: commands in their order, reading apart from them, operations whatever else is going on."""

from __future__ import annotations

from ..serving.lanes import Lane

ALIVE = "/healthz"
OPERATIONS = frozenset({"/readyz", "/metrics"})
TABLE = "/v1/tables/"
COMMAND_THREADS = 8
MOST_LOOKS, MOST_READINGS, MOST_OPERATIONS = 256, 128, 16
"""So many requests that read may wait."""


class Workers:
    """The lanes. Whoever looks at tables, or reads the log or a page, takes no thread and no turn of a command's, of
    which `queue` may wait."""

    def __init__(self, queue: int) -> None:
        self.commands = Lane("commands", COMMAND_THREADS, queue)
        self.looks = Lane("looks", 2, MOST_LOOKS)
        self.reading = Lane("reading", 1, MOST_READINGS)
        self.operations = Lane("operations", 1, MOST_OPERATIONS)
        self.lanes = (self.commands, self.looks, self.reading, self.operations)

    def of(self, method: str, path: str) -> Lane | None:
        """None: answered at once, whatever waits."""
        if path == ALIVE:
            return None
        if path in OPERATIONS:
            return self.operations
        if method not in ("GET", "HEAD"):
            return self.commands
        return self.looks if path.startswith(TABLE) else self.reading

    def close(self) -> None:
        for lane in self.lanes:
            lane.close()
