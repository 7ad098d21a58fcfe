from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

def order(items: Sequence[Item], words: bytes, start: int, count: int, /) -> list[Item] | None: ...

# Only where the processor has instructions for SHA-256.
def sha256_each(prefix: bytes, items: list[bytes], /) -> list[bytes]: ...
def hkdf(key: bytes, salt: bytes, info: bytes, size: int, /) -> bytes: ...
