"""Private keys in the form of signed notes, `PRIVATE+KEY+name+id+base64`: of whoever signs reports, of a witness."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fairshoe.errors import InputError
from fairshoe.log.base64 import base64_of, bytes_of_base64
from fairshoe.log.cosignature import COSIGNATURE, Cosigner, CosignerKey
from fairshoe.log.key_forms import form_of
from fairshoe.log.note import ED25519, Signer, Verifier
from fairshoe.terminal.files import check_regular, read_utf8

PRIVATE = "PRIVATE+KEY+"
MOST_KEY = 4_096
OTHERS = stat.S_IRWXG | stat.S_IRWXO
MAKE = {
    ED25519: "fairshoe-audit key NAME FILE makes one",
    COSIGNATURE: "fairshoe-audit key --witness NAME FILE makes one",
}
WHOSE = {ED25519: "a private key that signs notes", COSIGNATURE: "a witness's private key"}

Of = TypeVar("Of", Signer, Cosigner)


def new_key(name: str, file: Path) -> Verifier:
    """Write a new key that signs notes; its verifier key. Raises InputError."""
    seed = secrets.token_bytes(32)
    verifier = Signer(_printable(name), seed).verifier
    _write(file, name, verifier.id, ED25519 + seed)
    return verifier


def new_witness(name: str, file: Path) -> CosignerKey:
    """Write a new key of a witness; its verifier key. Raises InputError."""
    seed = secrets.token_bytes(32)
    key = Cosigner(_printable(name), seed).key
    _write(file, name, key.id, COSIGNATURE + seed)
    return key


def signer_of(keyfile: Path) -> Signer:
    """Read a key that signs notes. Raises InputError."""
    return _read(keyfile, ED25519, Signer, lambda signer: signer.verifier.id)


def cosigner_of(keyfile: Path) -> Cosigner:
    """Read a witness's key. Raises InputError."""
    return _read(keyfile, COSIGNATURE, Cosigner, lambda cosigner: cosigner.key.id)


def _printable(name: str) -> str:
    if not name.isprintable():
        raise InputError("a name is written in characters that can be printed", where="NAME")
    return name


def _write(file: Path, name: str, identifier: bytes, key: bytes) -> None:
    """A new file that nobody else may read."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise InputError(
            "there is a file of that name", where=str(file), remedy="name another: a key is kept"
        ) from None
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", where=str(file), remedy="check the folder") from None
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(f"{PRIVATE}{name}+{identifier.hex()}+{base64_of(key)}\n")


def _read(keyfile: Path, kind: bytes, make: Callable[[str, bytes], Of], id_of: Callable[[Of], bytes]) -> Of:
    _check_private(keyfile)
    text = read_utf8(keyfile, MOST_KEY).strip()
    name, _, rest = text.removeprefix(PRIVATE).partition("+")
    identifier, _, encoded = rest.partition("+")
    try:
        key = bytes_of_base64(encoded)
        made = make(name, key[1:])
        if text.startswith(PRIVATE) and key[:1] == kind and identifier == id_of(made).hex():
            return made
    except (ValueError, InputError):
        key = b""
    form = WHOSE.get(key[:1], "") if text.startswith(PRIVATE) else form_of(text) or ""
    wanted = "a private key of signed notes" if kind == ED25519 else WHOSE[kind]
    what = f"{form}, not {wanted}" if form and key[:1] != kind else f"not {wanted}"
    raise InputError(what, where=str(keyfile), expected=f"{PRIVATE}name+id+base64", remedy=MAKE[kind])


def _check_private(keyfile: Path) -> None:
    """Refuse what is no file, and a key that others may have read."""
    try:
        check_regular(keyfile)
        mode = keyfile.stat().st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot read: {reason}", where=str(keyfile), remedy="fairshoe-audit key makes one") from None
    if os.name == "posix" and mode & OTHERS:
        remedy = "chmod 600 it, or make a new key where somebody could have read this one"
        raise InputError("others may read this private key", where=str(keyfile), remedy=remedy)
