"""A witness that cosigns checkpoints (c2sp.org/tlog-cosignature), for the tests."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairshoe.log.checkpoint import TIME_BYTES, cosigned_bytes, cosigner_key
from fairshoe.log.note import base64_of


class Cosigner:
    """Cosigns checkpoints in one name. `seed` are the 32 bytes of an Ed25519 private key."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = cosigner_key(name, self._private.public_key().public_bytes_raw())

    def cosign(self, text: str, seconds: int) -> str:
        """The signature line, with its LF, over a checkpoint's text, at a POSIX time in seconds."""
        signature = self._private.sign(cosigned_bytes(text, seconds))
        data = self.key.id + seconds.to_bytes(TIME_BYTES, "big") + signature
        return f"— {self.key.name} {base64_of(data)}\n"
