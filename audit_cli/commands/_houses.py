"""Verifier keys that the reader confirmed once, kept a line each as ssh keeps known hosts; and a house's proofs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import click

from fairshoe.errors import InputError, VerificationError, missing
from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.directory import CHECKPOINT, VERIFIER
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.terminal.files import exists, is_stdin, make_folder, read_utf8, write_whole
from fairshoe.terminal.screen import complain

MAX_KEYS_BYTES = 1 << 20

remember_option = click.option(
    "--remember",
    "remember_key",
    is_flag=True,
    help="Keep the house's key for later audits: the one given with --key, or at a first use the one beside the log.",
)


def houses_file() -> Path:
    """Return the file that FAIRSHOE_HOUSES names, or `houses` where this user keeps settings of fairshoe."""
    named = os.environ.get("FAIRSHOE_HOUSES")
    return Path(named) if named else Path(click.get_app_dir("fairshoe")) / "houses"


def known_houses() -> dict[str, Verifier]:
    """Return the keys that are kept, by the house's name. Raises InputError for a file that is damaged."""
    path = houses_file()
    if not exists(path):
        return {}
    found: dict[str, Verifier] = {}
    for number, line in enumerate(read_utf8(path, MAX_KEYS_BYTES).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                verifier = verifier_of(line)
            except InputError as error:
                raise InputError(error.what, where=f"{path}, line {number}", remedy="delete the line") from None
            found[verifier.name] = verifier
    return found


def house_key(log: Path, key: str | None) -> str | None:
    """Return the key for a log's signature: the given one, else the one kept for its house, if any. InputError."""
    if key is not None or is_stdin(log):
        return key
    known = known_houses()
    found = known.get(_house_of(log)) if known else None
    return None if found is None else str(found)


def key_of_house(log: Path, keys: Sequence[str], *, alone: bool) -> str | None:
    """Return the key for one of several logs: the given one in its house's name, or for an `alone` one any; else the
    one kept. Raises InputError."""
    from ..verify.evidence.head import read_house_key

    if alone and len(keys) < 2:
        return house_key(log, keys[0] if keys else None)
    house = _house_of(log)
    given = next((key for key in map(read_house_key, keys) if key.name == house), None)
    return house_key(log, None if given is None else str(given))


def remember(log: Path, key: str | None) -> None:
    """Keep the key for later audits and say so; without one, a first use, the one beside the log. Raises InputError."""
    from ..verify.evidence.head import read_beside, read_house_key

    text = read_beside(log, VERIFIER) if key is None else None
    if key is None and text is None:
        complain(f"fairshoe-audit: no key to remember: there is no {VERIFIER} beside the log, and no --key")
        return
    if keep_key(verifier_of(text) if text is not None else read_house_key(key or "")) and key is None:
        complain("fairshoe-audit: it came with the log, so this audit proves no signature: compare it with the house's")


def keep_key(verifier: Verifier) -> bool:
    """Keep a house's key, and return whether it is new. Raises InputError if another has its name."""
    known, path = known_houses(), houses_file()
    kept = known.get(verifier.name)
    if kept == verifier:
        return False
    if kept is not None:
        remedy = f"ask the house; if it has a new key, delete the line of the old one in {path}"
        raise InputError(f"another key of {verifier.name} is kept", where=str(path), expected=str(kept), remedy=remedy)
    make_folder(path.parent)
    write_whole({path: "".join(f"{each}\n" for each in (*known.values(), verifier)).encode()})
    complain(f"fairshoe-audit: from now on the key of {verifier.name} is {verifier} ({path})")
    return True


def _house_of(log: Path) -> str:
    """Return the house that the log says it is of; "" where it says none."""
    from ..verify.evidence.head import read_beside

    with suppress(InputError, VerificationError):
        note = read_beside(log, CHECKPOINT)
        if note is not None:
            return checkpoint_of(note).origin
    return ""


class FetchedProof(NamedTuple):
    """A proof file, the house's verifier key, and whether that came from the house just now."""

    file: Path
    key: str
    first_use: bool


def address_in(log: Path) -> str | None:
    """Return the address that was given in a log's place, if it is one; as a path it lost a slash."""
    scheme, _, rest = str(log).partition(":/")
    return f"{scheme}://{rest.lstrip('/')}" if scheme in ("http", "https") and not log.exists() else None


@contextmanager
def fetch_proof(address: str, round: str, key: str | None) -> Iterator[FetchedProof]:
    """Fetch the proof of a round `TABLE#NUMBER` while open. The key: given, else kept, else at a first use the house's.
    Raises InputError, Unreachable, Problem."""
    from tempfile import TemporaryDirectory

    from fairshoe.log.hand_proof import proof_of

    try:
        from fairshoe.client import Client
    except ImportError:
        raise missing("client", "a house's address", "urllib3") from None
    client = Client(address)
    try:
        text = client.proof(round)
        known = key or known_houses().get(checkpoint_of(proof_of(text.encode()).checkpoint).origin)
        first = known is None
        if known is None:
            known = client.key()
    finally:
        client.close()
    with TemporaryDirectory(prefix="fairshoe-") as name:
        file = Path(name, "hand.json")
        file.write_text(text, encoding="utf-8", newline="")
        yield FetchedProof(file, str(known), first)
