"""Which names a player may take at a table. The auditor does not ask for this: a log may hold any name of its form."""

from __future__ import annotations

import re
from unicodedata import category, name, normalize

from ...errors import InputError
from ..book import Book
from .commands import Refused, TakeSeat

MAX_MARKS = 4
"""The most combining marks, spaces and invisible characters in a row."""
INVISIBLE = re.compile(r"\b(?:FILLER|BLANK|JOINER|NON-JOINER|VARIATION SELECTOR|VOWEL INHERENT|NULL NOTEHEAD)\b")
"""Words in the Unicode names of invisible characters that are letters, symbols or marks by category."""
RESERVED = frozenset({"house", "pool", "table", "bank", "banker", "dealer"})
"""Names that mean somebody else in a log or on a page; numbers mean chairs."""


def is_invisible(character: str) -> bool:
    return category(character)[0] in "CZ" or bool(INVISIBLE.search(name(character, "")))


def is_readable(text: str) -> bool:
    """Whether a name begins with a visible character, and has at most MAX_MARKS others in a row."""
    marks = MAX_MARKS
    for character in text:
        visible = category(character)[0] != "M" and not is_invisible(character)
        marks = 0 if visible else marks + 1
        if marks > MAX_MARKS:
            return False
    return True


def folded(text: str) -> str:
    """Return the name without case, width, compatibility forms, spaces and invisible characters."""
    plain = normalize("NFKC", normalize("NFKC", text).casefold())
    return "".join(character for character in plain if not is_invisible(character))


def check_names(book: Book, command: TakeSeat) -> None:
    """Raise InputError for a name that cannot be read or stands for somebody else, Refused for one that is taken."""
    shown = command.player if command.name is None else command.name
    for where, text in (("player", command.player), ("name", shown)):
        if not is_readable(text):
            expected = f"a visible first character, and at most {MAX_MARKS} combining marks in a row"
            raise InputError(ascii(text), where=where, expected=expected)
        if folded(text) in RESERVED or folded(text).isdecimal():
            raise InputError(f"{text!r} stands for somebody else", where=where, expected="a name of your own")
    taken = {folded(chair.player if chair.name is None else chair.name) for chair in book.chairs.values()}
    if folded(shown) in taken:
        where = "player" if command.name is None else "name"
        raise Refused(f"{shown} sits here", where=where, remedy="choose another name")
