"""Named draws: committed random numbers beside the shuffle."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import InputError
from .given import given
from .text import check_decimal, check_id
from .words import DRAW_SALT, SPAN, Words

BOUND = "pass how many values it has: a draw below 6 gives 0 to 5"


def drawn(key: bytes, digest: bytes, name: str, m: int) -> int:
    """The draw `name`: uniform below `m`, on a stream of its own."""
    return Words(key, DRAW_SALT, digest, b"draw %b\n" % name.encode("ascii"), expect=8).uniform(m)


def check_draws(draws: Mapping[str, int], cards: int) -> dict[str, int]:
    """Check names and bounds; a series `name/0`, `name/1`, … has no gaps, `cut` is below `cards`."""
    if not isinstance(draws, Mapping):
        raise InputError(
            f"{given(draws)} is not a list of draws",
            where="draws",
            expected="names with their bounds",
            remedy='pass a dict, such as {"dice/0": 6}',
        )
    checked = {}
    for name, m in draws.items():
        checked[check_id(name, "draw")] = m
        check_decimal(m, f"draw {name}", low=1, high=SPAN, remedy=BOUND)
        if name == "cut" and m != cards:
            raise InputError(f"cut below {m}", where="draw cut", expected=f"{cards}, the number of cards")
        _check_series(name, draws)
    return checked


def _check_series(name: str, draws: Mapping[str, int]) -> None:
    stem, slash, number = name.rpartition("/")
    if not slash or not number.isdecimal() or number == "0":
        return
    if number.startswith("0"):
        raise InputError(f"{name} has a leading zero", where=f"draw {name}", expected=f"{stem}/{int(number)}")
    before = f"{stem}/{int(number) - 1}"
    if before not in draws:
        raise InputError(f"{name} leaves a gap", where=f"draw {name}", expected=f"{before} as well")
