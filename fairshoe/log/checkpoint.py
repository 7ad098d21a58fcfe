"""Tree heads as C2SP checkpoints (c2sp.org/tlog-checkpoint), and
witnesses' cosignatures over them (c2sp.org/tlog-cosignature), Ed25519."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ..errors import InputError, VerificationError
from .canonical import MAX_INTEGER
from .note import Signature, Signer, Verifier, base64_of, bytes_of_base64, check_key, is_name, open_note, signatures_of

GIVE_AS_KEPT = "give it as it was kept: nothing before or after it, and no line quoted or indented"


class Checkpoint(NamedTuple):
    """A log's origin, how many entries it has, and the tree head over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"

    def signed(self, signer: Signer) -> str:
        return signer.sign(self.text)


def checkpoint_of(text: str) -> Checkpoint:
    """Read a checkpoint, signed or not; extension lines are passed over. InputError."""
    body, blank, _ = text.rpartition("\n\n")
    return _read(body if blank else text.removesuffix("\n"))


def _read(body: str) -> Checkpoint:
    """Read the text without its last LF."""
    lines = body.split("\n")
    try:
        root = bytes_of_base64(lines[2])
        size = int(lines[1]) if re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1], re.ASCII) else -1
    except (IndexError, ValueError):
        root, size = b"", -1
    if "" in lines or not 0 <= size <= MAX_INTEGER or len(root) != 32:
        expected = "origin, size (at most 2^53 - 1), base64 root, no empty line"
        raise InputError("not a checkpoint", where="checkpoint", expected=expected, remedy=GIVE_AS_KEPT)
    return Checkpoint(lines[0], size, root)


def open_checkpoint(note: str, verifier: Verifier) -> Checkpoint:
    """A checkpoint that `verifier` signed. Raises VerificationError."""
    try:
        return _read(open_note(note, verifier)[:-1])
    except InputError as error:
        raise VerificationError(error.what, where="checkpoint", expected=error.expected) from None


COSIGNATURE = b"\x04"
TIME_BYTES = 8
_MAX_TIME = 2**63 - 1
"""Seconds."""
_SIGNATURE = 64


class CosignerKey(NamedTuple):
    """A witness's verifier key: its name, its 4-byte id, the public key's 32 bytes."""

    name: str
    id: bytes
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64_of(COSIGNATURE + self.public)}"


def cosigner_key(name: str, public: bytes) -> CosignerKey:
    return CosignerKey(name, hashlib.sha256(name.encode() + b"\n" + COSIGNATURE + public).digest()[:4], public)


def cosigner_key_of(text: str) -> CosignerKey:
    """Read a witness's verifier key `name+id+base64`. InputError, also for a key that fits what nobody signed."""
    name, _, rest = text.strip().partition("+")
    identifier, _, encoded = rest.partition("+")
    try:
        data = bytes_of_base64(encoded)
    except ValueError:
        data = b""
    key = cosigner_key(name, data[1:])
    if not is_name(name) or data[:1] != COSIGNATURE or len(data) != 33 or identifier != key.id.hex():
        raise InputError(
            "not a witness's verifier key",
            where="witness",
            expected="name+id+base64 of an Ed25519 cosigner (type 4), with a matching id",
        )
    check_key(key.public, "witness")
    return key


def is_cosignature(signature: Signature) -> bool:
    """Whether a line below a note can be a cosignature, by its form alone: a time and an Ed25519 signature."""
    return len(signature.bytes) == TIME_BYTES + _SIGNATURE


def cosigned_bytes(text: str, seconds: int) -> bytes:
    """Return the bytes that a witness signs: a checkpoint's text and a POSIX time in seconds."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def cosignature_time(note: str, key: CosignerKey) -> int:
    """Return the latest time (POSIX seconds) of the witness's cosignature. Raises VerificationError if it has none."""
    text, blank, signatures = note.rpartition("\n\n")
    times: list[int] = []
    for data in _signatures(signatures, key) if blank else ():
        seconds, signature = int.from_bytes(data[:TIME_BYTES], "big"), data[TIME_BYTES:]
        if seconds > _MAX_TIME:
            what = f"the cosignature of {key.name} has a time that none may have"
            raise VerificationError(what, where="checkpoint", expected="seconds, at most 2^63 - 1")
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature, cosigned_bytes(f"{text}\n", seconds))
        except InvalidSignature:
            raise VerificationError(
                f"the cosignature of {key.name} is wrong", where="checkpoint", expected=f"a cosignature by {key}"
            ) from None
        times.append(seconds)
    if not times:
        raise VerificationError(f"no cosignature by {key.name}", where="checkpoint", expected=str(key))
    return max(times)


def cosignature_line(answer: str, text: str, key: CosignerKey) -> str:
    """Return a witness's dated line in an answer that holds over a checkpoint's text. Raises VerificationError."""
    for data in _signatures(answer, key):
        line = f"— {key.name} {base64_of(key.id + data)}\n"
        if cosignature_time(f"{text}\n{line}", key):
            return line
    raise VerificationError(f"no cosignature by {key.name}", where="answer", expected=str(key))


def _signatures(lines: str, key: CosignerKey) -> Iterator[bytes]:
    for line in lines.split("\n"):
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        try:
            data = bytes_of_base64(encoded)
        except ValueError:
            continue
        if dash == "—" and name == key.name and data[:4] == key.id:
            yield data[4:]


def cosigned_note(note: str, origin: str) -> str:
    """Return a note with its first signature by `origin` and what may be cosignatures, each once and sorted, unchecked.
    InputError."""
    try:
        text, signatures = signatures_of(note)
    except VerificationError as error:
        raise InputError(error.what, where="checkpoint", expected=error.expected) from None
    mine = next((each for each in signatures if each.name == origin and not is_cosignature(each)), None)
    if mine is None:
        raise InputError("not signed by the log itself", where="checkpoint", expected=f"a signature by {origin}")
    return f"{text}\n{_line(mine)}" + "".join(sorted({_line(each) for each in signatures if is_cosignature(each)}))


def cosigners_in(note: str) -> list[str]:
    """The names by which cosignatures stand below a note, none of them checked; one for each key. VerificationError."""
    return [name for name, _ in sorted({each[:2] for each in signatures_of(note)[1] if is_cosignature(each)})]


def _line(signature: Signature) -> str:
    return f"— {signature.name} {base64_of(signature.id + signature.bytes)}\n"
