"""What the service says no to before a table is asked."""

from __future__ import annotations

from ..errors import FairshoeError


class NotFound(FairshoeError):
    """No such table, or no such page."""


class Unauthorized(FairshoeError):
    """No token, or one that nobody has."""


class Forbidden(FairshoeError):
    """A token that does not open this."""


class Malformed(FairshoeError):
    """A body that is not JSON as it should be."""


class UnsupportedType(FairshoeError):
    """A body of another type than JSON."""


class InvalidFields(FairshoeError):
    """Fields that are missing, unknown or wrong; `fields` maps each one's path to what is wrong with it."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("fields are missing, unknown or wrong", where=next(iter(fields), ""))
        self.fields = fields


class Unusable(FairshoeError):
    """Stored data that this service cannot work with."""

    fault = "machine"
