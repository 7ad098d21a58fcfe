"""`verify --subset n/t`: a share of the shoes, which nobody could foresee who does not know the seed."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, NamedTuple

from fairshoe.errors import InputError

MOST = 1_000_000
LONGEST_SEED = 1_024
_FORM = re.compile(r"([1-9][0-9]{0,6})/([1-9][0-9]{0,6})", re.ASCII)


class Subset(NamedTuple):
    """Share `number` of so many `shares`. `seed`: the reader's own, or None for the root of the signed log."""

    number: int
    shares: int
    seed: str | None = None

    def of(self, root: str | None) -> Share:
        """The share of a log with that root, in hex. Raises InputError where nothing says which it is."""
        seed = self.seed if self.seed is not None else root
        if seed is None:
            remedy = "give --subset-seed TEXT"
            raise InputError("there is no checkpoint whose root says which shoes", where="--subset", remedy=remedy)
        return Share(self.number, self.shares, seed)


class Share:
    """Which shoes are looked at: in which share, 1 to `shares`, a shoe is follows from the seed and its commitment.

    `undealt`, `unpaid` and `unread` say in words what of the other shoes is not checked.
    """

    def __init__(self, number: int, shares: int, seed: str) -> None:
        self.number = number
        self.shares = shares
        self.seed = seed
        rest = f"outside share {number:,} of {shares:,}"
        self.undealt = f"shoes {rest}: their cards"
        self.unpaid = f"rounds {rest}: what was paid"
        self.unread = f"rounds {rest}: how they are written"

    def has(self, commitment: str) -> bool:
        """Whether a shoe with that commitment, in hex, is in the share."""
        digest = sha256(f"{self.seed}\n{commitment}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.shares == self.number - 1

    def parameters(self) -> dict[str, Any]:
        return {"subset": {"share": f"{self.number}/{self.shares}", "seed": self.seed}}


def subset_of(text: str, seed: str | None) -> Subset:
    """What `n/t` says. Raises InputError."""
    found = _FORM.fullmatch(text)
    number, shares = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= shares <= MOST:
        expected = f"n/t with 1 ≤ n ≤ t ≤ {MOST:,}, such as 1/10"
        raise InputError(f"{text[:40]!r} is no share", where="--subset", expected=expected)
    if seed is not None and not 1 <= len(seed.encode("utf-8", "surrogatepass")) <= LONGEST_SEED:
        raise InputError("the seed", where="--subset-seed", expected=f"1 to {LONGEST_SEED:,} bytes")
    return Subset(number, shares, seed)
