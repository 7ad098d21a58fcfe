"""The names that `import fairshoe` offers: the shuffle protocol, whole packs of cards, records of a shoe's game."""

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
