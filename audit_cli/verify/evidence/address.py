"""Logs at an address that the library fsspec reads, such as `s3://bucket/log`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fairshoe.errors import InputError, NotALog, missing
from fairshoe.log.directory import CHECKPOINT, ENTRIES, PACKED, VERIFIER

if TYPE_CHECKING:
    from types import ModuleType

HOUSE_PROTOCOLS = ("http", "https")
"""Protocols of a house's own address, from which `fairshoe pull` fetches a log."""
ROOTED_PROTOCOLS = ("file", "local", "memory")
"""Protocols whose paths begin with a slash."""
LOG_FILES = (ENTRIES, PACKED, CHECKPOINT, VERIFIER)


def log_address(log: Path) -> str:
    """Return the fsspec address that was given in a log's place, "" if it is a path or a house's address."""
    protocol, found, rest = str(log).partition(":/")  # a path has one slash of the two
    if not found or len(protocol) < 2 or protocol in HOUSE_PROTOCOLS or "/" in protocol or log.exists():
        return ""
    root = "/" if protocol.rpartition("::")[2] in ROOTED_PROTOCOLS else ""
    return f"{protocol}://{root}{rest}"


def open_at(place: Path | str) -> BinaryIO:
    """Open a file by its path, or by its address."""
    if isinstance(place, Path):
        return open(place, "rb")
    opened: BinaryIO = _fsspec().open(place, "rb").open()
    return opened


@contextmanager
def temporary_copy(address: str) -> Iterator[Path]:
    """Yield a copy of the log at an address: a directory's files, or a file with those beside it that an audit
    reads. Raises NotALog, InputError."""
    from tempfile import TemporaryDirectory

    fsspec = _fsspec()
    with TemporaryDirectory(prefix="fairshoe-") as folder:
        try:
            files, path = fsspec.core.url_to_fs(address)
            given = "" if files.isdir(path) else path.rpartition("/")[2]
            above = path.rpartition("/")[0] if given else path.rstrip("/")
            names = (given, CHECKPOINT, VERIFIER) if given else LOG_FILES
            found = [name for name in dict.fromkeys(names) if files.isfile(f"{above}/{name}")]
            for name in found:
                files.get_file(f"{above}/{name}", str(Path(folder, name)))
        except Exception as error:  # each protocol has its own
            remedy = "check the address, who may read it, and whether fsspec's package for its protocol is installed"
            raise InputError(f"cannot read: {error}", where=address, remedy=remedy) from None
        if given not in ("", *found):
            expected = "a log's directory, or a file"
            raise NotALog("no such file", where=address, expected=expected, remedy="check the address")
        yield Path(folder, given)


def entries_address(address: str) -> str:
    """Return the address of a log's entries, by the log's."""
    return address if Path(address).suffix else f"{address.rstrip('/')}/{ENTRIES}"


def _fsspec() -> ModuleType | Any:
    """Return the library. Raises InputError if it is not installed."""
    try:
        import fsspec
    except ImportError:
        raise missing("cluster", "a log at an address", "fsspec") from None
    return fsspec
