"""What a text is that was given as a verifier key and is none: other formats of keys, and other files."""

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
