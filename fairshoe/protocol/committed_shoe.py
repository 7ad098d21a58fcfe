"""The first half of a shoe's life: commit, pledge, contribute, seal.

committed = commit("game-42", french(1), draws={"dice/0": 6})
publish(committed.commitment)
committed.pledge("alice", hash_of_her_seed)     # of everybody, before the first seed
publish(committed.pledges)
committed.contribute("alice", seed)
sealed = committed.seal()
card, dice = sealed.draw(), sealed.number("dice/0")
publish(sealed.reveal())
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial

from ..errors import InputError, RuleError
from .beacons import BeaconRound, check_round, check_signature
from .commitment import HASH_BYTES, check_key, commitment_of, is_hash_of_digits, new_key
from .deck import deck_of
from .placed_shoe import SecondDealer, commit_placer, seal_placed
from .shoe import OTHER_SHOE, NotSealed, Sealed, seal
from .text import bytes_of_hex, check_decimal, check_id
from .transcript import CROWD, MAX_CONTRIBUTORS, Beacon, Seed, check_beacon, check_seed, check_seeds
from .word_stream import check_draws

NEXT_SHOE = "contribute to the next shoe"


class Committed(NotSealed):
    """A shoe that is committed to and still takes contributions.

    Attributes: `commitment` to publish, with that of its `placer` where it has one; `shoe`, `deck`, `draws` as
    committed; `promised`, the beacon's round if `commit` named one; `cut` where it is fixed, `beacon` where it was
    added, else None.
    """

    def __init__(
        self,
        key: bytes,
        shoe: str,
        deck: Sequence[str],
        draws: Mapping[str, int] | None = None,
        placer: SecondDealer | None = None,
        beacon: BeaconRound | None = None,
    ) -> None:
        self._key = check_key(key)
        self.shoe = check_id(shoe, "shoe")
        self.deck = deck_of(deck)
        self.draws = check_draws({} if draws is None else draws, len(self.deck))
        self.promised = None if beacon is None else check_round(beacon)
        self.commitment = commitment_of(key)
        self.placer = commit_placer(placer, self.shoe, self.commitment)
        self._dealer = placer
        self.cut: int | None = None
        self.beacon: Beacon | None = None
        self._hashes: dict[str, str] = {}
        self._struck: set[str] = set()
        self._seeds: dict[str, bytes] = {}
        self._sealed = False

    @property
    def seeds(self) -> tuple[Seed, ...]:
        """The seeds that are known so far, in roster order."""
        roster = self._hashes or self._seeds
        return tuple(Seed(who, self._seeds[who]) for who in roster if who in self._seeds)

    @property
    def pledges(self) -> dict[str, str]:
        """All hashes, in roster order: publish them before the first seed is opened."""
        return dict(self._hashes)

    @property
    def opens(self) -> tuple[str, ...]:
        """Return the players who have pledged a seed and not opened it, in the order to ask them. The newest is first
        and so opens blind; `contribute` holds this order."""
        return tuple(who for who in reversed(self._hashes) if who not in self._seeds)

    def pledge(self, contributor: str, sha256: str) -> None:
        """Take the SHA-256 of a seed, 64 lower-case hex digits; the seed itself comes with `contribute`.

        Where somebody pledges, everybody who contributes does, and before any seed is known. The order of the
        pledges is the roster's order. The same hash again changes nothing. RuleError: too late, another hash of the
        same contributor, somebody else's hash.
        """
        self._require_unsealed()
        if self._seeds and not self._hashes:
            raise RuleError("a seed is known that nobody hashed", where="pledge", remedy=NEXT_SHOE)
        who = check_id(contributor, "contributor")
        bytes_of_hex(sha256, "sha256", low=32, high=32)
        if self._hashes.get(who) == sha256:
            return
        if self._seeds:
            raise RuleError("the seeds are being opened", where="pledge", remedy=NEXT_SHOE)
        if who in self._struck:
            raise RuleError(f"{who} is struck from this shoe", where="pledge", remedy=NEXT_SHOE)
        if who in self._hashes:
            raise RuleError(
                f"{who} has sent another hash",
                where="pledge",
                expected=self._hashes[who],
                remedy="open the seed of that one",
            )
        if sha256 in self._hashes.values():
            raise RuleError("somebody else has sent this hash", where="pledge", remedy="make a seed of your own")
        if len(self._hashes) == MAX_CONTRIBUTORS:
            raise RuleError(f"{MAX_CONTRIBUTORS} contributors are all", where="pledge", remedy=CROWD)
        self._hashes[who] = sha256

    def strike(self, contributor: str) -> None:
        """Leave out somebody who has pledged a seed and does not open it.

        RuleError once any seed is open, and where nobody would remain: then the shoe is void, commit to another.
        """
        self._require_unsealed()
        who = check_id(contributor, "contributor")
        if who not in self._hashes:
            raise RuleError(f"no hash of {who} stands", where="strike", expected=" ".join(self._hashes))
        if self._seeds:
            raise RuleError(
                "a seed is open: who knows it decides no roster any more", where="strike", remedy=OTHER_SHOE
            )
        if len(self._hashes) == 1:
            raise RuleError("nobody would remain", where="strike", remedy=OTHER_SHOE)
        del self._hashes[who]
        self._struck.add(who)

    def contribute(self, contributor: str, seed: bytes) -> None:
        """Mix in one contributor's seed, 1 to 128 bytes; one a contributor.

        Where seeds were pledged it must be the one that was hashed, else InputError; without pledges the order of
        the calls is the roster's order. RuleError: no hash of this contributor stands, or it is another's turn to open
        (`opens`). The same seed again changes nothing.
        """
        self._require_unsealed()
        who, value = checked = check_seed(contributor, seed, where="seed")
        if self._hashes:
            self._check_pledged(who, value)
            if who in self._seeds:
                return
            if who != self.opens[0]:
                remedy = f"ask {self.opens[0]} first" + ("" if self._seeds else ", or strike who does not answer")
                raise RuleError(f"{self.opens[0]} opens first", where="contribute", remedy=remedy)
        check_seeds([*self.seeds, checked])
        self._seeds[who] = value

    def _check_pledged(self, who: str, value: bytes) -> None:
        if who not in self._hashes:
            what = f"{who} is struck from this shoe" if who in self._struck else f"no hash of {who} stands"
            raise RuleError(what, where="contribute", remedy=NEXT_SHOE)
        digest = hashlib.sha256(value).hexdigest()
        if digest != self._hashes[who]:
            slip = is_hash_of_digits(value.hex(), self._hashes[who])
            remedy = HASH_BYTES if slip else f"ask {who} for the very bytes that were hashed"
            expected = f"the seed of {self._hashes[who]}"
            raise InputError(f"it hashes to {digest}", where="seed", expected=expected, remedy=remedy)

    def fix_cut(self, at: int) -> None:
        """Cut at `at` (0 … n−1), before any seed is known. RuleError: later, or another cut stands."""
        self._require_unsealed()
        check_decimal(at, "at", high=len(self.deck) - 1)
        if self.cut == at:
            return
        if self.cut is not None:
            raise RuleError("the cut is fixed", where="fix_cut", expected=f"a cut at {self.cut}", remedy="leave it out")
        if self.seeds:
            raise RuleError("a seed is known: the cut comes too late", where="fix_cut", remedy=OTHER_SHOE)
        self.cut = at

    def add_beacon(self, chain: str, number: int, randomness: str) -> None:
        """Mix in a public beacon's round that was named when the shoe was committed, of any beacon; nothing verifies
        it. RuleError: twice, or `commit` named one."""
        self._require_unsealed()
        if self.promised is not None:
            raise RuleError("the commitment names a round", where="beacon", remedy="pass its signature to seal")
        if self.beacon is not None:
            raise RuleError("a beacon's round stands", where="beacon", remedy="leave it out")
        self.beacon = check_beacon((chain, number, randomness))

    def seal(self, *, cut: int | None = None, signature: str | None = None) -> Sealed:
        """Fix the order, and cut it at `cut` (0 … n−1), or where `fix_cut` said. Nothing is contributed afterwards.

        `signature`: that of the beacon's round which `commit` named, 96 hex digits. VerificationError: it is another's.
        RuleError: twice; a pledged seed is not open; with pledges a cut that was not fixed before the seeds; the
        beacon's signature is missing.
        """
        self._require_unsealed()
        self._require_open_seeds()
        beacon = self._check_beacon(signature)
        fix = seal
        if self.placer is not None and self._dealer is not None:
            fix = partial(seal_placed, placer=self.placer, placing=self._dealer)
        sealed = fix(
            key=self._key,
            shoe=self.shoe,
            deck=self.deck,
            seeds=self.seeds,
            beacon=beacon,
            cut=self._cut_at(cut),
            draws=self.draws,
        )
        self.beacon = beacon
        self._sealed = True
        return sealed

    def _check_beacon(self, signature: str | None) -> Beacon | None:
        if self.promised is None:
            if signature is not None:
                remedy = "name the round in fairshoe.commit"
                raise InputError("no round was named", where="signature", expected="none", remedy=remedy)
            return self.beacon
        if signature is None:
            remedy = f"pass the signature of {self.promised.address}"
            raise RuleError("the beacon's signature is missing", where="seal", remedy=remedy)
        return check_signature(self.promised, signature)

    def _cut_at(self, cut: int | None) -> int:
        if cut is None:
            return self.cut or 0
        check_decimal(cut, "cut", high=len(self.deck) - 1)
        if self.cut is not None and cut != self.cut:
            raise RuleError("the cut is fixed", where="cut", expected=f"a cut at {self.cut}", remedy="leave it out")
        if cut and self.cut is None and self._hashes:
            raise RuleError("the cut comes too late", where="cut", remedy="call fix_cut before any seed is opened")
        return cut

    def _require_open_seeds(self) -> None:
        waited = self.opens
        if not waited:
            return
        remedy = f"{OTHER_SHOE}, or wait for it"
        if not self._seeds and len(waited) > 1:
            remedy = "wait for it, or strike who does not answer before anybody opens"
        raise RuleError(f"the seed of {waited[0]} is pledged and not open", where="seal", remedy=remedy)

    def _require_unsealed(self) -> None:
        if self._sealed:
            raise RuleError("the shoe is sealed", where="shoe", remedy=OTHER_SHOE)


def commit(
    shoe: str,
    deck: Sequence[str],
    *,
    draws: Mapping[str, int] | None = None,
    key: bytes | None = None,
    placer: SecondDealer | None = None,
    beacon: BeaconRound | None = None,
) -> Committed:
    """Commit to a shuffle of `deck`: publish `.commitment` before anybody bets.

    `draws` lists further random numbers by name with their exclusive upper bound; no other counts.
    `key`: leave it out to have a fresh one made. `placer`: a second dealer, such as `fairshoe.client.Dealer`, which
    commits to a key of its own now, and says where each card lies once it is drawn; raises what it raises.
    `beacon`: `drand_quicknet(round)`, a round that comes out after the last bet and seed; publish it as well. `seal`
    then needs its signature.
    """
    return Committed(new_key() if key is None else key, shoe, deck, draws, placer, beacon)
