"""What is wrong with a database, in words for its operator."""

from __future__ import annotations

from typing import NamedTuple

from ...log.checkpoint import Checkpoint


class Wrong(NamedTuple):
    """One thing that is wrong, and where."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Checked(NamedTuple):
    """The head over the stored entries, how many tables and live shoes there are, all that is wrong."""

    head: Checkpoint | None
    tables: int
    live: int
    wrong: list[Wrong]
