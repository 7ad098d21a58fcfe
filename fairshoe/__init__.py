"""fairshoe: provably fair shuffles for any game.

    import fairshoe

    shoe = fairshoe.commit("table-1/7", fairshoe.french(6), draws={"dice/0": 6})
    print(shoe.commitment)                      # publish before anybody bets
    shoe.pledge("alice", hash_of_her_seed)      # SHA-256 in hex; everybody's, before the first seed
    shoe.contribute("alice", her_seed)
    sealed = shoe.seal()                        # the order is fixed now
    cards = [sealed.draw() for _ in range(5)]
    dice = sealed.number("dice/0") + 1
    proof = sealed.reveal()                     # publish when the game is over
    fairshoe.verify(proof, commitment=shoe.commitment)

Importing this package loads the shuffle protocol and nothing else.
"""

from . import compiled as compiled  # first: it decides what is loaded of the rest
from .cards import french
from .errors import (
    FairshoeError,
    IllegalBet,
    IllegalDecision,
    InputError,
    LogError,
    NotALog,
    NotCanonical,
    RuleError,
    VerificationError,
)
from .protocol.beacons import BeaconRound, drand_quicknet
from .protocol.commitment import commitment_of, new_key
from .protocol.committed_shoe import Committed, commit
from .protocol.openings import Opening
from .protocol.placer_chain import RepeatedPlace
from .protocol.proof import Proof
from .protocol.raffle import RaffleNotice, RaffleProof, check_raffle, raffle
from .protocol.saved_shoe import keep, resume
from .protocol.shoe import Sealed, seal, shuffle
from .protocol.tickets import Entries, TicketProof
from .protocol.verify import StepFailed, Verified, verify
from .shoe_record import Record, check_record

__all__ = [
    "BeaconRound",
    "Committed",
    "Entries",
    "FairshoeError",
    "IllegalBet",
    "IllegalDecision",
    "InputError",
    "LogError",
    "NotALog",
    "NotCanonical",
    "Opening",
    "Proof",
    "RaffleNotice",
    "RaffleProof",
    "Record",
    "RepeatedPlace",
    "RuleError",
    "Sealed",
    "StepFailed",
    "TicketProof",
    "VerificationError",
    "Verified",
    "check_raffle",
    "check_record",
    "commit",
    "commitment_of",
    "drand_quicknet",
    "french",
    "keep",
    "new_key",
    "raffle",
    "resume",
    "seal",
    "shuffle",
    "verify",
]
__version__ = "0.1.0"
