"""The modules that a page needs as one script: each once, after those that it imports, in one scope.

No JavaScript is understood here: the modules keep a form that lines show. What is imported or exported, and each
declaration at the top level, begins a line; no line inside a function begins so, and none of a template does or begins
with a space. Comments with lines of their own go, `/** … */` in one line, and `// …` without a quote after `;`, `{` or
a comma.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..errors import InputError

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\*[^\n]*?\*/ ?|(?<=[;{,]) // [^\n\"'`]*$", re.M | re.S
)
_IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.\.?/[^"]+\.mjs)";\n', re.M)
_DECLARED = re.compile(r"^(export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
_EXPORT = re.compile(r"^export (?=async|function|class|const|let)", re.M)
_REFUSED = re.compile(r"^(?:import|export)\b[^\n]*|\bimport ?[(.][^\n]*|^(?:const|let|var) [\[{][^\n]*|^var\b", re.M)
_ENDS = re.compile(r"</?script|<!--", re.I)
_BLANK = re.compile(r"\n{2,}")
_INDENT = re.compile(r"^ +", re.M)
REMEDY = 'write `import { a, b } from "./x.mjs";`, and `export` before a declaration'


class Module(NamedTuple):
    """`imports`: of which module what; `names`: those at its top level."""

    name: str
    imports: list[tuple[str, str]]
    exports: set[str]
    names: list[str]
    text: str


def joined_script(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` and all that it needs, in the order in which a browser would run them (ECMA-262, 16.2.1.5).
    `read` gives a module's source by its path. Raises InputError for what cannot stand in one scope."""
    modules: dict[str, Module] = {}
    order: list[Module] = []

    def visit(name: str) -> None:
        modules[name] = module_of(name, read(name))
        for needed, _ in modules[name].imports:
            if needed not in modules:
                visit(needed)
        order.append(modules[name])

    visit(entry)
    _check_names(order, modules)
    return "".join(f"// {module.name}\n{module.text}\n" for module in order)


def module_of(name: str, source: str) -> Module:
    """Read the module at the path `name`. Raises InputError for what cannot be joined."""
    text = _COMMENT.sub("", source.rstrip("\n") + "\n")
    imports = [
        (normpath(join(dirname(name), module)), each)
        for names, module in _IMPORT.findall(text)
        for each in names.split(", ")
    ]
    declared = _DECLARED.findall(text)
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    if found := _REFUSED.search(text):
        what = f"cannot be joined: {found[0]}"
        raise InputError(what, where=name, expected="named imports and exports", remedy=REMEDY)
    if _ENDS.search(text):
        raise InputError("would end the script", where=name, expected=r"`<\/script`, in two parts or escaped")
    return Module(name, imports, {own for word, own in declared if word}, [own for _, own in declared], _shown(text))


def _shown(text: str) -> str:
    """Without empty lines, indented by tabs."""
    return _INDENT.sub(lambda found: "\t" * (len(found[0]) // 2), _BLANK.sub("\n", text)).strip()


def _check_names(order: list[Module], modules: dict[str, Module]) -> None:
    """Raise InputError unless each import is an export, and each name at the top level is one module's."""
    owner: dict[str, str] = {}
    for module in order:
        for needed, there in module.imports:
            if there not in modules[needed].exports:
                raise InputError(f"imports {there!r}", where=module.name, expected=f"an export of {needed}")
        for name in module.names:
            if name in owner:
                what = f"{name!r} stands at the top level of {owner[name]} too"
                raise InputError(what, where=module.name, expected="another name", remedy="rename one of the two")
            owner[name] = module.name
