"""What is called in the wrong half of a shoe's life is refused with what to call, rather than not known at all."""

from __future__ import annotations

from typing import NoReturn

from ..errors import RuleError
from .pledges import OTHER_SHOE

SEAL_FIRST = "call seal() first: what it returns deals, draws and reveals"


class NotSealed:
    """Of a shoe that is not sealed there is no card, no number and no proof yet. Each method raises RuleError."""

    def draw(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("draw")

    def draw_index(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("draw_index")

    def order(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("order")

    def first(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("first")

    def order_indexes(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("order_indexes")

    def number(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("number")

    def reshuffle(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("reshuffle")

    def reveal(self, *_: object, **__: object) -> NoReturn:
        """Of the sealed shoe."""
        raise _too_early("reveal")


class NoLongerOpen:
    """To a sealed shoe nothing is contributed. Each method raises RuleError."""

    def pledge(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("pledge")

    def strike(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("strike")

    def contribute(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("contribute")

    def fix_cut(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("fix_cut")

    def add_beacon(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("add_beacon")

    def seal(self, *_: object, **__: object) -> NoReturn:
        """Before the seal."""
        raise _too_late("seal")


def _too_early(where: str) -> RuleError:
    return RuleError("the shoe is not sealed yet", where=where, remedy=SEAL_FIRST)


def _too_late(where: str) -> RuleError:
    return RuleError("the shoe is sealed", where=where, remedy=OTHER_SHOE)
