"""The page as one file: template, styles, texts and script, and the policy that lets nothing else in.

The script is the modules that the page needs, each once, after those that it imports, in one scope. No JavaScript is
understood here: the modules keep a form that lines show. What is imported or exported, and each declaration at the top
level, begins a line; no line inside a function begins so, and none of a template does or begins with a space. Comments
with lines of their own go, `/** … */` in one line, and `// …` without a quote after `;`, `{` or a comma.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..errors import InputError

SOURCE = Path(__file__).parents[1] / "verifier"
ENTRY = "page/main.mjs"
_POLICY = (
    "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; connect-src 'none'; form-action 'none'; "
    "base-uri 'none'"
)
_PLACE = re.compile(r"<!--(policy|style|script|texts|filled)-->")


def joined_page() -> str:
    """Join the page from its parts: the same bytes from the same parts, wherever. Raises InputError where its modules
    cannot stand in one script."""

    def read(name: str) -> str:
        return (SOURCE / name).read_text(encoding="utf-8")

    script = joined_script(ENTRY, read)
    style = plain_style(read("page/page.css"))
    parts = {
        "policy": _POLICY.format(_source_hash(script), _source_hash(style)),
        "style": style,
        "script": script,
        "texts": data(json.loads(read("page/texts.json"))),
        "filled": "",
    }
    return _PLACE.sub(lambda found: parts[found[1]], read("page/page.html"))


def plain_style(style: str) -> str:
    """Styles without comments and empty lines."""
    lines = re.sub(r"/\*.*?\*/", "", style, flags=re.S).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def plain_script(source: str) -> str:
    """A module without comments and empty lines."""
    return "".join(f"{line}\n" for line in _COMMENT.sub("", source.rstrip("\n") + "\n").split("\n") if line.strip())


def data(form: Mapping[str, object]) -> str:
    """An object as the text of a script element that holds data, a line for each field: no `<`, so that nothing in it
    ends the element or begins another."""
    fields = (f"{_json(name)}:{_json(value)}" for name, value in form.items())
    return "{" + ",\n".join(fields).replace("<", "\\u003c") + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _source_hash(text: str) -> str:
    """What a content security policy calls an inline script or style (CSP 3, 2.3.1)."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


_COMMENT = re.compile(
    r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\*[^\n]*?\*/ ?|(?<=[;{,]) // [^\n\"'`]*$", re.M | re.S
)
_IMPORT = re.compile(r'^import \{ (\w+(?:, \w+)*) \} from "(\.\.?/[^"]+\.mjs)";\n', re.M)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
_EXPORT = re.compile(r"^export (?=async|function|class|const|let)", re.M)
_REFUSED = re.compile(
    r"^(?:import|export)\b[^\n]*|\bimport ?[(.][^\n]*|^(?:const|let|var) [\[{][^\n]*|^var\b|</?script[^\n]*|<!--[^\n]*",
    re.M | re.I,
)
REMEDY = 'write `import { a, b } from "./x.mjs";`, and `export` before a declaration; part what would end the script'


class Module(NamedTuple):
    """`imports`: the modules that it needs; `names`: those at its top level."""

    name: str
    imports: list[str]
    names: list[str]
    text: str


def joined_script(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` and all that it needs, in the order in which a browser would run them (ECMA-262, 16.2.1.5).
    `read` gives a module's source by its path. Raises InputError for what cannot stand in one scope."""
    modules: dict[str, Module] = {}
    order: list[Module] = []

    def visit(name: str) -> None:
        modules[name] = module_of(name, read(name))
        for needed in modules[name].imports:
            if needed not in modules:
                visit(needed)
        order.append(modules[name])

    visit(entry)
    owner: dict[str, str] = {}
    for module in order:
        for name in module.names:
            if name in owner:
                what = f"{name!r} stands at the top level of {owner[name]} too"
                raise InputError(what, where=module.name, expected="another name", remedy="rename one of the two")
            owner[name] = module.name
    return "".join(f"// {module.name}\n{module.text}\n" for module in order)


def module_of(name: str, source: str) -> Module:
    """Read the module at the path `name`. Raises InputError for what cannot be joined."""
    text = plain_script(source)
    imports = [normpath(join(dirname(name), module)) for _, module in _IMPORT.findall(text)]
    names = _DECLARED.findall(text)
    text = _EXPORT.sub("", _IMPORT.sub("", text))
    if found := _REFUSED.search(text):
        what = f"cannot be joined: {found[0]}"
        raise InputError(what, where=name, expected="named imports and exports", remedy=REMEDY)
    shown = re.sub("^ +", lambda space: "\t" * (len(space[0]) // 2), text, flags=re.M)
    return Module(name, imports, names, shown.strip())
