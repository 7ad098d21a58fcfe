"""Hash first, seed later: everybody's hash stands before anybody's seed is known.

1. Who contributes sends the SHA-256 of a seed: `add`. A hash stands once in a shoe.
2. Who does not answer any more is struck, while nobody has opened a seed and somebody else remains: `strike`.
3. The seeds are opened, and held against their hashes: `open`. The first one ends 1 and 2.
4. When every hashed seed is open, `unopened` is empty. A seed that is not opened makes the shoe void.

The same rules with tables, times and debts are in docs/ceremony.md.
"""

from __future__ import annotations

import hashlib

from ..errors import InputError, RuleError
from .text import bytes_of_hex, check_id
from .transcript import LEAVE_OUT, MAX_CONTRIBUTORS, Seed

NEXT_SHOE = "contribute to the next shoe"
OTHER_SHOE = "commit to another shoe"


class Pledges:
    """The hashes of one shoe, in roster order, and the seeds that were opened so far.

    Attributes: `hashes` (contributor to SHA-256 in hex), `struck`, `opened` (contributor to seed).
    """

    def __init__(self) -> None:
        self.hashes: dict[str, str] = {}
        self.struck: set[str] = set()
        self.opened: dict[str, bytes] = {}

    def add(self, contributor: str, sha256: str) -> None:
        """Take a contributor's hash; the same one again changes nothing. InputError, RuleError."""
        who = check_id(contributor, "contributor")
        bytes_of_hex(sha256, "sha256", low=32, high=32)
        if self.hashes.get(who) == sha256:
            return
        if self.opened:
            raise RuleError("the seeds are being opened", where="pledge", remedy=NEXT_SHOE)
        if who in self.struck:
            raise RuleError(f"{who} is struck from this shoe", where="pledge", remedy=NEXT_SHOE)
        if who in self.hashes:
            raise RuleError(
                f"{who} has sent another hash",
                where="pledge",
                expected=self.hashes[who],
                remedy="open the seed of that one",
            )
        if sha256 in self.hashes.values():
            raise RuleError("somebody else has sent this hash", where="pledge", remedy="make a seed of your own")
        if len(self.hashes) == MAX_CONTRIBUTORS:
            raise RuleError(f"{MAX_CONTRIBUTORS} contributors are all", where="pledge", remedy=NEXT_SHOE)
        self.hashes[who] = sha256

    def strike(self, contributor: str) -> None:
        """Leave out who does not open. RuleError: a seed is open already, or nobody would remain."""
        who = check_id(contributor, "contributor")
        if who not in self.hashes:
            raise RuleError(f"no hash of {who} stands", where="strike", expected=" ".join(self.hashes))
        if self.opened:
            raise RuleError(
                "a seed is open: who knows it decides no roster any more", where="strike", remedy=OTHER_SHOE
            )
        if len(self.hashes) == 1:
            raise RuleError("nobody would remain", where="strike", remedy=OTHER_SHOE)
        del self.hashes[who]
        self.struck.add(who)

    def open(self, seed: Seed) -> None:
        """Hold a seed against its hash. InputError: it is another one; RuleError: none is waited for."""
        who, value = seed
        if who not in self.hashes:
            what = f"{who} is struck from this shoe" if who in self.struck else f"no hash of {who} stands"
            raise RuleError(what, where="contribute", remedy=NEXT_SHOE)
        digest = hashlib.sha256(value).hexdigest()
        if digest != self.hashes[who]:
            remedy = f"ask {who} for the very bytes that were hashed"
            expected = f"the seed of {self.hashes[who]}"
            raise InputError(f"it hashes to {digest}", where="seed", expected=expected, remedy=remedy)
        if who in self.opened:
            what = f"{who} contributes twice"
            raise InputError(what, where="seed", expected="one seed a contributor", remedy=LEAVE_OUT)
        self.opened[who] = value

    def unopened(self) -> tuple[str, ...]:
        """Who has still to open, the newest first: who came last opens blind."""
        return tuple(who for who in reversed(self.hashes) if who not in self.opened)

    def seeds(self) -> tuple[Seed, ...]:
        """The seeds that are open, in roster order."""
        return tuple(Seed(who, self.opened[who]) for who in self.hashes if who in self.opened)
