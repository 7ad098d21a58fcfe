"""Errors of the service before a table is asked."""

from __future__ import annotations

from ..errors import FairshoeError

DAMAGED = "restore a backup: docs/operations.md says how; nothing is written over what is there"
"""The next step for the caller."""


class NotFound(FairshoeError):
    """No such table, or no such page."""


class Unauthorized(FairshoeError):
    """No token, or one that nobody has."""


class Forbidden(FairshoeError):
    """A token that does not open this."""


class AlreadyClaimed(FairshoeError):
    """A commitment or a seed's hash that stands in the log already, or was sent before."""


class Malformed(FairshoeError):
    """A body that is not JSON as it should be."""


class UnsupportedType(FairshoeError):
    """A body of another type than JSON."""


class InvalidFields(FairshoeError):
    """Fields that are missing, unknown or wrong; `fields` maps each one's path to what is wrong with it."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("fields are missing, unknown or wrong", where=next(iter(fields), ""))
        self.fields = fields


class UnusableData(FairshoeError):
    """Stored data that this service cannot work with."""

    fault = "machine"


class StorageError(UnusableData):
    """The disk or the database fails; what was asked can be asked again."""


class StorageFull(StorageError):
    """There is no room left."""


class StorageBusy(StorageError):
    """It cannot be read or written now."""


class StorageDamaged(StorageError):
    """The stored data differ from what was written."""


class MalformedKey(FairshoeError):
    """An Idempotency-Key that is none."""


class KeyReused(FairshoeError):
    """An Idempotency-Key that was another request's."""


class Busy(FairshoeError):
    """More requests wait already than may."""


class RateLimited(FairshoeError):
    """More requests than one player or one address may send; in `seconds` one of them may come again."""

    def __init__(self, what: str, seconds: int, *, expected: str, remedy: str) -> None:
        super().__init__(what, expected=expected, remedy=remedy)
        self.seconds = seconds
