"""`python -m fairshoe.page` prints the page; `--hash` writes its SHA-256 into docs/verify-page.md."""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path

from ..errors import FairshoeError, InputError
from .bundle import joined_page

DOCS = Path(__file__).parents[2] / "docs" / "verify-page.md"
LINE = re.compile(r"(?<=SHA-256 of the page: `)[0-9a-f]*(?=`)")


def main(words: list[str]) -> None:
    """Raises InputError for other words, and where the line of the docs is not there."""
    text = joined_page()
    if not words:
        sys.stdout.write(text)
    elif words == ["--hash"]:
        digest = sha256(text.encode()).hexdigest()
        after, count = LINE.subn(digest, DOCS.read_text(encoding="utf-8"))
        if count != 1:
            raise InputError("no such line", where=DOCS.name, expected="SHA-256 of the page: `…`, once")
        DOCS.write_text(after, encoding="utf-8")
        print(digest)
    else:
        raise InputError(f"unknown: {' '.join(words)}", expected="nothing, or --hash")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except FairshoeError as error:
        sys.exit(str(error))
