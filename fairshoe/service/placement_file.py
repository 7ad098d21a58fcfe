"""The file of signed questions to a placer and the notes that answer them, for `fairshoe-audit placed`."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path

FILE = "placed.jsonl"


class PlacedFile:
    """In a house's data directory."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE
        self._turn = threading.Lock()

    def keep(self, question: str, given: Sequence[int], note: str, *, synced: bool) -> None:
        """Append a question, its places and its note; `synced`: with all before it, durably. Raises OSError."""
        line = json.dumps({"questions": [question], "given": list(given), "notes": [note]}) + "\n"
        with self._turn, open(self.path, "a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            if synced:
                os.fsync(file.fileno())
