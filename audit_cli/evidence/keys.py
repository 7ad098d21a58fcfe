"""A verifier key as the reader gives it, the house's or a witness's: the key itself, or a file with it."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from fairshoe.errors import InputError
from fairshoe.log.checkpoint import CosignerKey, cosigner_key_of
from fairshoe.log.directory import read_text
from fairshoe.log.note import Verifier, form_of, verifier_of
from fairshoe.terminal.files import is_stdin

_KEY = re.compile(r"\s*(?:PRIVATE\+KEY\+|[^\s+]+\+[0-9a-f]{8}\+)", re.ASCII)


def verifier_given(key: str, option: str = "--key") -> Verifier:
    """The house's key. Raises InputError, which says what was given instead and does not repeat it."""
    return verifier_of(_text_given(key, "the house's verifier key", option))


def witness_given(key: str) -> CosignerKey:
    """A witness's key. Raises InputError."""
    return cosigner_key_of(_text_given(key, "a witness's verifier key", "--witness"))


def _text_given(key: str, whose: str, option: str) -> str:
    """The text of a key, or the text that was given in its place."""
    if _KEY.match(key):
        return key
    text = read_text(Path(key)) if key and _is_there(Path(key)) else None
    if text is not None:
        return text
    if form_of(key) is None:
        raise InputError(
            "no such file, and not a verifier key", where=option, expected=f"{whose}, name+id+base64, or a file with it"
        )
    return key


def _is_there(file: Path) -> bool:
    with suppress(OSError, ValueError):
        return is_stdin(file) or file.exists()
    return False
