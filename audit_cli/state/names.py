"""Which ids the shoes of a log had."""

from __future__ import annotations

from bisect import bisect_right
from hashlib import sha256

from fairshoe.errors import InputError
from fairshoe.record.forms import table_of

from .seen import Seen


class Numbers:
    """Whole numbers as ranges, each from a first one to a last one: those of an honest table are one range."""

    def __init__(self, ranges: list[list[int]] | None = None) -> None:
        self.ranges = [] if ranges is None else ranges

    def __contains__(self, number: int) -> bool:
        if not self.ranges or number > self.ranges[-1][1]:
            return False
        at = bisect_right(self.ranges, number, key=_first) - 1
        return at >= 0 and number <= self.ranges[at][1]

    def add(self, number: int) -> None:
        """One that is not among them."""
        ranges = self.ranges
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
            return
        at = bisect_right(ranges, number, key=_first)
        before = at > 0 and ranges[at - 1][1] == number - 1
        if at < len(ranges) and ranges[at][0] == number + 1:
            if before:
                ranges[at - 1][1] = ranges.pop(at)[1]
            else:
                ranges[at][0] = number
        elif before:
            ranges[at - 1][1] = number
        else:
            ranges.insert(at, [number, number])


def _first(numbers: list[int]) -> int:
    return numbers[0]


class ShoeNames:
    """The ids of the shoes that a log began: of a table its numbers, of other shoes digests of their ids."""

    def __init__(self) -> None:
        self.numbers: dict[str, Numbers] = {}
        self.others = Seen()

    def add(self, name: str, *, of_table: bool) -> None:
        """An id that is not among them."""
        if of_table:
            table, number = table_of(name)
            self.numbers.setdefault(table, Numbers()).add(number)
        else:
            self.others.add(_digest(name))

    def __contains__(self, name: object) -> bool:
        if type(name) is not str:
            return False
        if len(self.others) and _digest(name) in self.others:
            return True
        numbers = self.numbers.get(name.rpartition("/")[0])
        if numbers is None:
            return False
        try:
            return table_of(name)[1] in numbers
        except InputError:
            return False


def _digest(name: str) -> bytes:
    return sha256(name.encode("utf-8", "surrogatepass")).digest()
