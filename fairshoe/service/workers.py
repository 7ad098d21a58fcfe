"""Who answers what: commands in their order, reading apart from them, operations whatever else is going on."""

from __future__ import annotations

from ..serving.lanes import Lane
from .bounds import Bounds

OPERATIONS = frozenset({"/readyz", "/metrics"})
TABLE = "/v1/tables/"
MOST_OPERATIONS = 16


class Workers:
    """The lanes. Whoever looks at tables, or reads the log or a page, takes no thread and no turn of a command's."""

    def __init__(self, bounds: Bounds) -> None:
        self.commands = Lane("commands", bounds.command_threads, bounds.commands_waiting)
        self.looks = Lane("looks", bounds.look_threads, bounds.looks_waiting, holding=True)
        self.reading = Lane("reading", bounds.reading_threads, bounds.readings_waiting, in_parts=True, holding=True)
        self.operations = Lane("operations", 1, MOST_OPERATIONS)
        self.lanes = (self.commands, self.looks, self.reading, self.operations)

    def of(self, method: str, path: str) -> Lane:
        if path in OPERATIONS:
            return self.operations
        if method not in ("GET", "HEAD"):
            return self.commands
        return self.looks if path.startswith(TABLE) else self.reading

    def close(self) -> None:
        for lane in self.lanes:
            lane.close()
