"""What was given as a key: which 32 bytes are a public key of Ed25519 (RFC 8032) that somebody can have made to sign
with, and what a text is that is no verifier key."""

from __future__ import annotations

import re

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
    """The format in words, None where it is none that is known. Nothing of the text itself is in them."""
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
