"""One file with settings, in TOML."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..errors import InputError
from .settings import read, settings

MOST = 64 * 1024


def read_settings(path: Path) -> dict[str, Any]:
    """The settings that a file has, by name. Raises InputError, OSError."""
    known = {about.name: about for about in settings()}
    with path.open("rb") as stream:
        data = stream.read(MOST + 1)
    found = {}
    for name, value in _parse(data, str(path)).items():
        if name not in known:
            raise _unknown(name, list(known), str(path))
        found[name] = read(known[name], value, f"{path}, {name}")
    return found


def _parse(data: bytes, where: str) -> dict[str, Any]:
    if len(data) > MOST:
        raise InputError("no file of settings", where=where, expected="at most 64 KiB")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise InputError("not UTF-8", where=where, expected="TOML in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", where=where, expected='lines such as host = "127.0.0.1"') from None


def _unknown(name: str, known: list[str], where: str) -> InputError:
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    remedy = f"did you mean {close[0]}?" if close else "see `fairshoe serve --help`"
    return InputError(f"no setting is called {name[:40]!r}", where=where, remedy=remedy)
