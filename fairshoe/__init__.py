"""fairshoe: provably fair shuffles for any game.

    import fairshoe

    shoe = fairshoe.commit("table-1/7", fairshoe.french(6), draws={"dice/0": 6})
    print(shoe.commitment)                      # publish before anybody bets
    shoe.contribute("alice", b"alice's own entropy")
    sealed = shoe.seal()                        # the order is fixed now
    cards = [sealed.draw() for _ in range(5)]
    dice = sealed.number("dice/0") + 1
    proof = sealed.reveal()                     # publish when the game is over
    fairshoe.verify(proof, commitment=shoe.commitment)

Importing this package loads the shuffle protocol and nothing else.
"""

from .cards import french
from .errors import FairshoeError, InputError, VerificationError
from .protocol.commitment import commitment_of, new_key
from .protocol.proof import Proof
from .protocol.shoe import Committed, Sealed, commit, seal, shuffle
from .protocol.verify import Verified, verify

__all__ = [
    "Committed",
    "FairshoeError",
    "InputError",
    "Proof",
    "Sealed",
    "VerificationError",
    "Verified",
    "commit",
    "commitment_of",
    "french",
    "new_key",
    "seal",
    "shuffle",
    "verify",
]
__version__ = "0.1.0"
