"""A JavaScript module as it is joined: what it imports and exports, its names, and its text without either."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..errors import InputError
from .tokens import GAPS, MARK, TEMPLATE, WORD, Token, plain, tokens

_SIDES = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_LIST = re.compile(r'(import|export) \{([^{}]*)\}(?: from "(\.\.?/[^"]+\.mjs)")?;')
_VARIABLES = ("const", "let", "var")
_NOTHING = Token(MARK, "")
REMEDY = 'write `import { a, b as c } from "./x.mjs";`, `export` before a declaration, or `export { a };`'


class Import(NamedTuple):
    """`names`: as the other module calls each, and as it is called here."""

    module: str
    names: tuple[tuple[str, str], ...]


class Module(NamedTuple):
    """`names`: those declared at its top level, in order; `exports`: what others may import."""

    name: str
    imports: tuple[Import, ...]
    exports: frozenset[str]
    names: tuple[str, ...]
    text: str


def module_of(name: str, source: str) -> Module:
    """Read the module at the path `name`. Raises InputError for what cannot be joined into one scope."""
    found = list(tokens(source, name))
    top = list(_top(found))
    imports: list[Import] = []
    exports: set[str] = set()
    gone: set[int] = set()
    for order, place in enumerate(top):
        word, after = found[place], _text(found, top, order + 1)
        if word not in (Token(WORD, "import"), Token(WORD, "export")):
            continue
        if after == "{":
            end = next((each for each in top[order:] if found[each].text == ";"), len(found) - 1)
            _take(plain(found[place : end + 1]), name, imports, exports)
            gone.update(range(place, end + 1))
        elif word.text == "import" or after in ("default", "*"):
            raise _refused(f"{word.text} {after}", name)
        else:
            gone.update(range(place, top[order + 1]))
            exports.add(next(_declared(found, top[order + 1 :], name)))
    names = tuple(_declared(found, [place for place in top if place not in gone], name))
    kept = [token for place, token in enumerate(found) if place not in gone]
    _check_plain(kept, name)
    return Module(name, tuple(imports), frozenset(exports), names, plain(kept))


def _top(found: list[Token]) -> Iterator[int]:
    """Where the tokens at the top level stand, the brackets around what is inside them included."""
    depth = 0
    for place, token in enumerate(found):
        side = _SIDES.get(token.text, 0) if token.kind == MARK else 0
        depth += min(side, 0)
        if depth == 0 and token.kind not in GAPS:
            yield place
        depth += max(side, 0)
        if token.kind == TEMPLATE:
            depth += (token.text[-1] == "{") - (token.text[0] == "}")


def _text(found: list[Token], top: list[int], order: int) -> str:
    return found[top[order]].text if order < len(top) else ""


def _take(statement: str, name: str, imports: list[Import], exports: set[str]) -> None:
    """Note what one statement with a list of names imports or exports."""
    read = _LIST.fullmatch(" ".join(statement.split()))
    if read is None or (read[1] == "import" and read[3] is None):
        raise _refused(statement, name)
    each = [part.split(" as ") for part in map(str.strip, read[2].split(",")) if part]
    names = tuple((part[0], part[-1]) for part in each)
    if read[3] is not None:
        imports.append(Import(normpath(join(dirname(name), read[3])), names))
    if read[1] == "export":
        if any(inside != outside for inside, outside in names):
            raise _refused(statement, name)
        exports.update(outside for _, outside in names)


def _declared(found: list[Token], top: list[int], name: str) -> Iterator[str]:
    """The names that are declared at the top level, in order. Raises InputError where a pattern declares several."""
    names, variables = False, False  # whether a name comes next; whether a statement of variables goes on
    for place in top:
        token = found[place]
        if names and token.kind == WORD and token.text != "function":
            yield token.text
            names = False
        elif names and variables:
            raise InputError("a pattern declares several names", where=name, expected="a declaration for each name")
        elif variables:
            names, variables = token.text == ",", token.text != ";"
        elif token.kind == WORD and token.text in (*_VARIABLES, "function", "class", "async"):
            names, variables = token.text != "async", token.text in _VARIABLES


def _check_plain(kept: list[Token], name: str) -> None:
    """Refuse what only a module of its own can do, and what would end the script in the page."""
    words = [token for token in kept if token.kind not in GAPS]
    for before, token in zip([_NOTHING, *words], words, strict=False):
        if token == Token(WORD, "import") and before.text != ".":
            raise _refused("import inside the module", name)
        if re.search(r"</?script|<!--", token.text, re.I):
            raise InputError("would end the script", where=name, expected=r"`<\/script`, in two parts or escaped")


def _refused(what: str, name: str) -> InputError:
    return InputError(f"cannot be joined: {what}", where=name, expected="named imports and exports", remedy=REMEDY)
