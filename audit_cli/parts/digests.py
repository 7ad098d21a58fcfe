"""What may not come twice in a log, as a part found it: on the disk until all parts are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ..state.disk import told_of_the_disk
from ..state.runs import RECORD


class Digests:
    """Records of 32 bytes. Sent from process to process before they are put away."""

    def __init__(self, records: Iterable[bytes]) -> None:
        self._data = b"".join(records)
        self._away: tuple[BinaryIO, int, int] | None = None

    def put_away(self, file: BinaryIO) -> None:
        """To the end of a file, which is to stay open. Raises LogError where the disk is full."""
        with told_of_the_disk():
            self._away = file, file.seek(0, 2), len(self._data)
            file.write(self._data)
        self._data = b""

    def __iter__(self) -> Iterator[bytes]:
        data = self._data
        if self._away is not None:
            file, place, length = self._away
            with told_of_the_disk():
                file.seek(place)
                data = file.read(length)
        return (data[at : at + RECORD] for at in range(0, len(data), RECORD))
