"""The modules that a page needs as one script: each once, after those that it imports, in one scope.

No JavaScript is understood here: the modules keep a form that lines show. What is imported or exported, and each
declaration at the top level, begins a line; no line inside a function begins so, and none of a template does or begins
with a space. Comments with lines of their own go, `/** … */` in one line, and `// …` without a quote after `;`, `{` or
a comma.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..errors import InputError

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\*[^\n]*?\*/ ?|(?<=[;{,]) // [^\n\"'`]*$", re.M | re.S
)
_LIST = re.compile(r'^(import|export) \{([^{}]*)\}(?: from "(\.\.?/[^"]+\.mjs)")?;\n', re.M)
_DECLARED = re.compile(r"^(export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
_EXPORT = re.compile(r"^export (?=async|function|class|const|let)", re.M)
_REFUSED = re.compile(r"^(?:import|export)\b[^\n]*|\bimport ?[(.][^\n]*|^(?:const|let|var) [\[{][^\n]*|^var\b", re.M)
_ENDS = re.compile(r"</?script|<!--", re.I)
_BLANK = re.compile(r"\n{2,}")
_INDENT = re.compile(r"^ +", re.M)
REMEDY = 'write `import { a, b as c } from "./x.mjs";`, `export` before a declaration, or `export { a };`'


class Module(NamedTuple):
    """`imports`: of which module what, as it is called there and here; `names`: those at its top level."""

    name: str
    imports: list[tuple[str, str, str]]
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
        for needed, _, _ in modules[name].imports:
            if needed not in modules:
                visit(needed)
        order.append(modules[name])

    visit(entry)
    _check_names(order, modules)
    return "\n".join(map(_text, order)) + "\n"


def module_of(name: str, source: str) -> Module:
    """Read the module at the path `name`. Raises InputError for what cannot be joined."""
    text = _COMMENT.sub("", source.rstrip("\n") + "\n")
    imports: list[tuple[str, str, str]] = []
    exports = {found[2] for found in _DECLARED.finditer(text) if found[1]}
    for word, inside, module in _LIST.findall(text):
        names = list(_names(inside))
        if module:
            imports += [(normpath(join(dirname(name), module)), there, here) for there, here in names]
        if word == "export":
            exports |= {outside for _, outside in names}
        if (word == "import" and not module) or (word == "export" and any(one != other for one, other in names)):
            raise _refused(f"{word} {{{inside}}}", name)
    text = _EXPORT.sub("", _LIST.sub("", text))
    if found := _REFUSED.search(text):
        raise _refused(found[0], name)
    if _ENDS.search(text):
        raise InputError("would end the script", where=name, expected=r"`<\/script`, in two parts or escaped")
    return Module(name, imports, exports, [found[2] for found in _DECLARED.finditer(text)], _shown(text))


def _names(inside: str) -> Iterator[tuple[str, str]]:
    """The names of a list: as the other module calls each, and as it is called here."""
    for each in filter(None, map(str.strip, inside.split(","))):
        there, _, here = each.partition(" as ")
        yield there, here or there


def _shown(text: str) -> str:
    """Without empty lines, indented by tabs."""
    return _INDENT.sub(lambda found: "\t" * (len(found[0]) // 2), _BLANK.sub("\n", text)).strip()


def _text(module: Module) -> str:
    renamed = [f"const {here} = {there};" for _, there, here in module.imports if here != there]
    return "\n".join([f"// {module.name}", *renamed, module.text])


def _check_names(order: list[Module], modules: dict[str, Module]) -> None:
    """Raise InputError unless each import is an export, and each name at the top level is one module's."""
    owner: dict[str, str] = {}
    for module in order:
        for needed, there, _ in module.imports:
            if there not in modules[needed].exports:
                raise InputError(f"imports {there!r}", where=module.name, expected=f"an export of {needed}")
        for name in [*module.names, *(here for _, there, here in module.imports if there != here)]:
            if name in owner:
                what = f"{name!r} stands at the top level of {owner[name]} too"
                raise InputError(what, where=module.name, expected="another name", remedy="rename one of the two")
            owner[name] = module.name


def _refused(what: str, name: str) -> InputError:
    return InputError(f"cannot be joined: {what}", where=name, expected="named imports and exports", remedy=REMEDY)
