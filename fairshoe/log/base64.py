"""Base64 (RFC 4648 section 4) in the one form that encodes its bytes: no spare bits, nothing left out or added."""

from __future__ import annotations

import base64
import binascii


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def bytes_of_base64(text: str) -> bytes:
    """The bytes. Raises binascii.Error where the text is not what `base64_of` gives for them."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise binascii.Error(str(error)) from None
    if base64_of(data) != text:
        raise binascii.Error("not the one form of these bytes")
    return data
