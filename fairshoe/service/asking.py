"""What comes to the sequencer, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..ceremony.acting.commands import Command
from ..ceremony.acting.state import State
from ..ceremony.acting.work import Dealt
from .limits import Visit
from .repeated import Asked, Reply
from .tokens import Caller

Make = Callable[[Caller], Command]
"""Makes a command of a caller's; raises Forbidden where the caller may not give it."""


class Seen(NamedTuple):
    """A table after a request, for whoever asked: their seat, or None for everybody else; `size` is the log's then.

    `receipt` is what the seat keeps of what it sent; `code` an invitation that was made; `invitation`: nobody sits down
    without one."""

    state: State
    seat: int | None
    now: int
    size: int
    dealt: Dealt | None = None
    code: str | None = None
    receipt: str | None = None
    invitation: bool = False


class Sent(NamedTuple):
    """A changing request: the token that came with it, how what it did is answered, what a repetition is known by,
    and what limits go by."""

    token: str | None
    reply: Callable[[Seen], Reply]
    asked: Asked | None = None
    visit: Visit | None = None
