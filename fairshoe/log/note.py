"""C2SP signed notes with Ed25519 (c2sp.org/signed-note): keys, signatures, and their base64 in its one form."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from functools import lru_cache
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..errors import InputError, VerificationError


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def bytes_of_base64(text: str) -> bytes:
    """Return the bytes. Raises binascii.Error where the text is not what `base64_of` gives for them."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise binascii.Error(str(error)) from None
    if base64_of(data) != text:
        raise binascii.Error("not the one form of these bytes")
    return data


_BEGINNINGS = (
    ("PRIVATE+KEY+", "a private key (keep it secret)"),
    ("-----BEGIN", "a key or certificate in PEM"),
    ("ssh-", "a key of OpenSSH"),
    ("ecdsa-sha2-", "a key of OpenSSH"),
    ("untrusted comment:", "a key of minisign or signify"),
    ("{", "a JSON object"),
    ("<", "a web page"),
)
_PRIVATE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY")
_HEX = re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}[\s:]?){16,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{42,}={0,2}")


def form_of(text: str) -> str | None:
    """Return the format in words, None where it is none that is known. Nothing of the text itself is in them."""
    text = text.strip()
    if _PRIVATE.match(text):
        return "a private key in PEM (keep it secret)"
    for beginning, form in _BEGINNINGS:
        if text.startswith(beginning):
            return form
    if not text:
        return "an empty text"
    if "\ufffd" in text:
        return "a binary file"
    if "\n— " in text:
        return "a checkpoint or another signed note"
    if _HEX.fullmatch(text):
        return "bytes in hex"
    if _BASE64.fullmatch(text):
        return "bytes in base64"
    if "\n" in text:
        return "a text of several lines"
    return None


_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_EIGHTH = int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
_SMALL = {0, 1, _P - 1, _EIGHTH, _P - _EIGHTH}
"""The y of the eight points of small order. Under such a key one signature fits many texts: nobody has signed any."""


def is_public_key(data: bytes) -> bool:
    """Whether these bytes are the canonical encoding of a point of the curve that is not of small order."""
    y = int.from_bytes(data, "little") & (2**255 - 1)
    return len(data) == 32 and y < _P and y not in _SMALL and _is_square((y * y - 1) * (_D * y * y + 1))


def _is_square(number: int) -> bool:
    return pow(number, (_P - 1) // 2, _P) <= 1


ED25519 = b"\x01"
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
"""Characters that no note has: ASCII control characters other than LF."""
_SIGNER = re.compile(r"[^\s+]+")
_MAX_NAME_LENGTH = 255
"""Characters of a name that a key of ours may have."""


class Verifier(NamedTuple):
    """A verifier key: the signer's name, its 4-byte id, the public key's 32 bytes."""

    name: str
    id: bytes
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64_of(ED25519 + self.public)}"


def is_name(text: str) -> bool:
    """Whether a key may have this name: no white space of Unicode, no plus sign, no control character."""
    return len(text) <= _MAX_NAME_LENGTH and _SIGNER.fullmatch(text) is not None and not _CONTROL.search(text)


def key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


@lru_cache(256)
def verifier_of(text: str) -> Verifier:
    """Read a verifier key `name+id+base64`. Raises InputError, also for a key that fits what nobody signed."""
    name, _, rest = text.strip().partition("+")
    identifier, _, encoded = rest.partition("+")
    try:
        key = bytes_of_base64(encoded)
        verifier = Verifier(name, bytes.fromhex(identifier), key[1:])
    except ValueError:
        raise _not_a_verifier(text) from None
    if not is_name(name) or key[:1] != ED25519 or len(key) != 33 or verifier.id != key_id(name, key[1:]):
        raise _not_a_verifier(text)
    check_key(verifier.public, "key")
    return verifier


def check_key(public: bytes, where: str) -> None:
    """Raise InputError unless a public key's 32 bytes can be one, under which a signature shows who signed what."""
    if not is_public_key(public):
        what = "a key that nobody can have made to sign with, and under which anybody's signature may hold"
        expected = "an Ed25519 key in canonical form, a point of the curve that is not of small order"
        raise InputError(what, where=where, expected=expected)


def _not_a_verifier(text: str) -> InputError:
    """Says what it is instead; never repeats it, since it may be secret."""
    form = form_of(text)
    what = "not a verifier key" if form is None else f"{form}, not a verifier key"
    remedy = "give the house's log.vkey as somebody noted it: one line such as example.org+c4fdfa42+AU…"
    return InputError(what, where="key", expected="name+id+base64 with a matching id, of Ed25519", remedy=remedy)


class Signer:
    """Signs notes in one name. `seed` are the 32 bytes of the Ed25519 private key."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not is_name(name):
            raise InputError(f"{name!r} cannot name a log", where="name", expected="no space and no plus sign")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._private.public_key().public_bytes_raw()
        self.verifier = Verifier(name, key_id(name, public), public)

    def sign(self, text: str) -> str:
        """Return the note: `text`, which ends with a LF, an empty line and the signature line."""
        signature = self.verifier.id + self._private.sign(text.encode())
        return f"{text}\n— {self.verifier.name} {base64_of(signature)}\n"


class Signature(NamedTuple):
    """A line below a note: who signed, the 4-byte id of the key, the signature's bytes."""

    name: str
    id: bytes
    bytes: bytes


def signatures_of(note: str) -> tuple[str, list[Signature]]:
    """Return the text of a note and the signatures below it, none of them checked. VerificationError."""
    text, blank, below = note.rpartition("\n\n")
    if not blank or not below.endswith("\n"):
        raise VerificationError("not a signed note", where="checkpoint", expected="text, an empty line, signatures")
    if _CONTROL.search(note):
        raise VerificationError("a control character in a note", where="checkpoint", expected="none but LF")
    return text + "\n", [_signature(line) for line in below[:-1].split("\n")]


def _signature(line: str) -> Signature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    try:
        data = bytes_of_base64(encoded)
    except ValueError:
        data = b""
    if dash != "—" or not _SIGNER.fullmatch(name) or len(data) < 5:
        expected = "— name base64, the name without white space and plus sign"
        raise VerificationError("malformed signature line", where="checkpoint", expected=expected)
    return Signature(name, data[:4], data[4:])


def open_note(note: str, verifier: Verifier) -> str:
    """The text of a note that `verifier` signed; other signatures are passed over. VerificationError, also where only
    one of several signatures by that key does not hold."""
    text, signatures = signatures_of(note)
    mine = [signature.bytes for signature in signatures if signature[:2] == verifier[:2]]
    if not mine:
        raise VerificationError(f"no signature by {verifier.name}", where="checkpoint", expected=str(verifier))
    for signature in mine:
        try:
            Ed25519PublicKey.from_public_bytes(verifier.public).verify(signature, text.encode())
        except InvalidSignature:
            what, expected = f"the signature of {verifier.name} is wrong", f"a signature by {verifier}"
            raise VerificationError(what, where="checkpoint", expected=expected) from None
    return text
