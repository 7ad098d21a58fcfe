"""`python -m fairshoe.page` prints the page; `--check FILE` says whether a file is that page, with a hand in it or not;
`--hash` writes its SHA-256 into docs/verify-page.md."""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path

from ..errors import FairshoeError, InputError
from . import emptied, page
from .joining import joined_page

DOCS = Path(__file__).parents[2] / "docs" / "verify-page.md"
LINE = re.compile(r"(?<=SHA-256 of the page: `)[0-9a-f]*(?=`)")


def main(words: list[str]) -> int:
    """Answer 0, or 1 where a file that was checked is another page. Raises InputError for other words, for a file that
    cannot be read, and where the line of the docs is not there."""
    match words:
        case []:
            sys.stdout.write(joined_page())
        case ["--hash"]:
            print(_documented(sha256(joined_page().encode()).hexdigest()))
        case ["--check", name]:
            same = is_page(Path(name))
            print("this release's page" if same else "another page: do not trust what it shows")
            return 0 if same else 1
        case _:
            raise InputError(f"unknown: {' '.join(words)}", expected="nothing, --check FILE, or --hash")
    return 0


def is_page(path: Path) -> bool:
    """Whether a file is, byte for byte, this release's page once it is emptied. Raises InputError."""
    try:
        return emptied(path.read_bytes().decode()) == page()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), expected="a page that was saved") from error


def _documented(digest: str) -> str:
    before = DOCS.read_text(encoding="utf-8")
    after, count = LINE.subn(digest, before)
    if count != 1:
        raise InputError("no such line", where=DOCS.name, expected="SHA-256 of the page: `…`, once")
    DOCS.write_text(after, encoding="utf-8")
    return digest


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except FairshoeError as error:
        sys.exit(str(error))
