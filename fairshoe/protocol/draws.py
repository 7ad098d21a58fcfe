"""Named draws: committed random numbers beside the shuffle."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InputError
from .text import check_decimal, check_id
from .words import DRAW_SALT, SPAN, Words


def drawn(key: bytes, digest: bytes, name: str, m: int) -> int:
    """The draw `name`: uniform below `m`, on a stream of its own."""
    return Words(key, DRAW_SALT, digest, b"draw %b\n" % name.encode("ascii"), expect=8).uniform(m)


def check_draws(draws: Mapping[str, int], cards: int) -> dict[str, int]:
    """Check names and bounds; a series `name/0`, `name/1`, … has no gaps, `cut` is below `cards`."""
    for name, m in draws.items():
        check_id(name, "draw")
        check_decimal(m, f"draw {name}", low=1, high=SPAN)
        if name == "cut" and m != cards:
            raise InputError(f"cut below {m}", where="draw cut", expected=f"{cards}, the number of cards")
        _check_series(name, draws)
    return dict(draws)


def _check_series(name: str, draws: Mapping[str, int]) -> None:
    stem, slash, number = name.rpartition("/")
    if not slash or not number.isdecimal() or number == "0":
        return
    if number.startswith("0"):
        raise InputError(f"{name} has a leading zero", where=f"draw {name}", expected=f"{stem}/{int(number)}")
    before = f"{stem}/{int(number) - 1}"
    if before not in draws:
        raise InputError(f"{name} leaves a gap", where=f"draw {name}", expected=f"{before} as well")
