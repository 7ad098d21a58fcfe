"""What looks on while whole tables are audited, and adds up afterwards."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ..walk.audit import Audit


@runtime_checkable
class Looking(Protocol):
    """Made without arguments, once for each share of a log's tables. Has the audit take each line, as the `watch` of
    `verify` does; can be pickled; `merge` adds what another saw of other tables."""

    def __call__(self, audit: Audit, line: bytes) -> None: ...

    def merge(self, other: Any) -> None: ...
