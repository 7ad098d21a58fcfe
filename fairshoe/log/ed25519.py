"""Which 32 bytes are a public key of Ed25519 (RFC 8032) that somebody can have made to sign with."""

from __future__ import annotations

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
