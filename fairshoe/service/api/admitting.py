"""Who may send a changing request: asked before its body is read, so that a stranger learns nothing about fields."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar

from werkzeug.exceptions import HTTPException

from ...errors import FairshoeError
from ..errors import StorageError, TooMany
from .context import sent, sequencer, visit
from .sent import respond

View = TypeVar("View", bound=Callable[..., Any])


def admitted(view: View, roles: tuple[str, ...]) -> View:
    """The view for callers of these roles; a request that was answered before is answered again here."""

    @wraps(view)
    def first(*args: Any, **kwargs: Any) -> Any:
        try:
            again = sequencer().admit(sent(), roles, kwargs.get("table"))
            if again is None:
                return view(*args, **kwargs)
            with suppress(StorageError):  # what was done is told although nothing can be counted now
                _count()
            return respond(again)
        except (TooMany, StorageError):
            raise
        except (FairshoeError, HTTPException):
            _count()
            raise

    return first  # type: ignore[return-value]


def _count() -> None:
    """A refused request counts too, and so does one that is only answered again."""
    if not visit().counted:
        sequencer().count(visit())
