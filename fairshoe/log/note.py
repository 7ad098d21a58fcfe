"""C2SP signed notes with Ed25519 (c2sp.org/signed-note)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..errors import InputError, VerificationError

ED25519 = b"\x01"
_NAME = re.compile(r"[^\s+]{1,255}")


class Verifier(NamedTuple):
    """A verifier key: the signer's name, its 4-byte id, the public key's 32 bytes."""

    name: str
    id: bytes
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.public).decode()}"


def key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def verifier_of(text: str) -> Verifier:
    """Read a verifier key `name+id+base64`. Raises InputError."""
    name, _, rest = text.strip().partition("+")
    identifier, _, encoded = rest.partition("+")
    try:
        key = base64.b64decode(encoded, validate=True)
        verifier = Verifier(name, bytes.fromhex(identifier), key[1:])
    except (ValueError, binascii.Error):
        raise InputError("not a verifier key", where="key", expected="name+id+base64") from None
    if not _NAME.fullmatch(name) or key[:1] != ED25519 or len(key) != 33 or verifier.id != key_id(name, key[1:]):
        raise InputError("not an Ed25519 verifier key", where="key", expected="name+id+base64 with a matching id")
    return verifier


class Signer:
    """Signs notes in one name. `seed` are the 32 bytes of the Ed25519 private key."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise InputError(f"{name!r} cannot name a log", where="name", expected="no space and no plus sign")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._private.public_key().public_bytes_raw()
        self.verifier = Verifier(name, key_id(name, public), public)

    def sign(self, text: str) -> str:
        """The note: `text`, which ends with a LF, an empty line and the signature line."""
        signature = self.verifier.id + self._private.sign(text.encode())
        return f"{text}\n— {self.verifier.name} {base64.b64encode(signature).decode()}\n"


def open_note(note: str, verifier: Verifier) -> str:
    """The text of a note that `verifier` signed; other signatures are passed over. VerificationError."""
    text, blank, signatures = note.rpartition("\n\n")
    text += "\n"
    if not blank or not signatures.endswith("\n"):
        raise VerificationError("not a signed note", where="checkpoint", expected="text, an empty line, signatures")
    for line in signatures[:-1].split("\n"):
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        try:
            signature = base64.b64decode(encoded, validate=True)
        except (ValueError, binascii.Error):
            signature = b""
        if dash != "—" or len(signature) < 5:
            raise VerificationError("malformed signature line", where="checkpoint", expected="— name base64")
        if name == verifier.name and signature[:4] == verifier.id:
            try:
                Ed25519PublicKey.from_public_bytes(verifier.public).verify(signature[4:], text.encode())
            except InvalidSignature:
                raise VerificationError(
                    f"the signature of {name} is wrong", where="checkpoint", expected=f"a signature by {verifier}"
                ) from None
            return text
    raise VerificationError(f"no signature by {verifier.name}", where="checkpoint", expected=str(verifier))
