from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

def order(items: Sequence[Item], words: bytes, start: int, count: int, /) -> list[Item] | None: ...
