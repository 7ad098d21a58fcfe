"""A hand's proof from a house's address, and the key that it is held against."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fairshoe.log.checkpoint import checkpoint_of
from fairshoe.log.hand_proof import proof_of

from ..extras import missing
from ._houses import known_houses


class Fetched(NamedTuple):
    """A proof file, the house's verifier key, and whether that came from the house just now."""

    file: Path
    key: str
    first_use: bool


def address_in(log: Path) -> str | None:
    """The address that was given in a log's place, if it is one; as a path it lost a slash."""
    scheme, _, rest = str(log).partition(":/")
    return f"{scheme}://{rest.lstrip('/')}" if scheme in ("http", "https") and not log.exists() else None


@contextmanager
def fetched(address: str, round: str, key: str | None) -> Iterator[Fetched]:
    """The proof of the round `TABLE#NUMBER`, as long as this lasts. The key is the one that is given, else the one that
    is kept for the house; at a first use the one that the house shows. Raises InputError, Unreachable, Problem."""
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
        yield Fetched(file, str(known), first)
