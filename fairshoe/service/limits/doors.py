"""Who may take a chair: so many of one address, and at some tables only who was invited."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import Connection

from ...ceremony.acting.refusals import Refused
from ...ceremony.acting.state import State
from ...log.times import SECOND
from ...serving.addresses import Address
from ..errors import Forbidden
from ..settings import Settings
from ..store.limits import (
    add_invitation,
    has_invitation,
    is_guarded,
    note_sitter,
    seats_from,
    use_invitation,
)
from ..tokens import check_fresh, digest_of
from .limits import Limits

PREFIX = "fi_"


class Guest(NamedTuple):
    """Who asks for a chair: by the token of which they sent the SHA-256, from where, if that is known, and with which
    invitation."""

    token: str
    address: Address | None = None
    invitation: str | None = None


class Doors:
    """All in the transaction in which the chair is taken."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self._settings = settings
        self._limits = limits

    def invite(self, connection: Connection, table: str, now: int, seconds: int | None) -> str:
        """A code that is good for one chair, for so many seconds, or for ever. Raises Refused at a table that needs
        none."""
        if not is_guarded(connection, table):
            raise Refused(
                "anybody may sit here", where="table", remedy='open a table with "invitation": true for invited players'
            )
        code = PREFIX + secrets.token_urlsafe(32)
        ends = None if seconds is None else now + seconds * SECOND
        add_invitation(connection, digest_of(code), table, ends, now)
        return code

    def check(self, connection: Connection, state: State, guest: Guest, now: int) -> None:
        """Raises Forbidden (not invited), Refused (as many chairs as one address may hold, somebody's token)."""
        code = guest.invitation
        if code is None and is_guarded(connection, state.id):
            raise Forbidden("this table is for invited players", where="invitation", remedy="ask its operator for one")
        if code is not None and not has_invitation(connection, digest_of(code), state.id, now):
            raise Forbidden(
                "no such invitation to this table, or it was used or ended",
                where="invitation",
                remedy="ask the operator for another one",
            )
        most = self._settings.chairs_by_address if self._settings.limits and code is None else 0
        if most and guest.address is not None and not guest.address.is_loopback:
            held = seats_from(connection, state.id, self._limits.hidden(guest.address)) & state.table.players.keys()
            if len(held) >= most:
                raise Refused(
                    f"this address holds {len(held)} chairs here, and may hold {most}",
                    where="seat",
                    remedy="leave one of them, or choose another table",
                )
        check_fresh(connection, guest.token)

    def seated(self, connection: Connection, table: str, seat: int, guest: Guest) -> None:
        """The chair was taken: its address is noted, and the invitation is worth nothing any more."""
        if guest.address is not None:
            note_sitter(connection, table, seat, self._limits.hidden(guest.address))
        if guest.invitation is not None:
            use_invitation(connection, digest_of(guest.invitation))
