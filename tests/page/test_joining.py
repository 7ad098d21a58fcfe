"""How modules become one script: what is dropped, what stays to the byte, and what is refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairshoe.errors import InputError
from fairshoe.page.bundle import ENTRY, SOURCE, data, joined_script, module_of, plain_style
from tests.verifier.node import node


def test_comments_with_lines_of_their_own_go_and_all_else_stays() -> None:
    source = (
        '// head\n\n/**\n * What it does.\n */\nfunction f() {\n  /** doc */\n  const a = "; // no comment"; // why\n\n'
        '  return (/** @type {import("./x.mjs").X} */ (a));\n}\n'
    )
    assert module_of("a.mjs", source).text == ('function f() {\n\tconst a = "; // no comment";\n\treturn ((a));\n}')


def test_what_a_module_imports_exports_and_declares() -> None:
    module = module_of(
        "steps/a.mjs",
        'import { b, c } from "../x.mjs";\nexport const f = 1;\n'
        "let g = () => {\n  const i = 1;\n};\nexport async function j() {}\nexport class K {}\n"
        "export function* l() {}\nconst m = 1;\n",
    )
    assert module.imports == ["x.mjs"]
    assert module.names == ["f", "g", "j", "K", "l", "m"]
    assert "export" not in module.text
    assert "import" not in module.text


@pytest.mark.parametrize(
    "source",
    [
        'import a from "./a.mjs";',
        'import * as a from "./a.mjs";',
        'import "./a.mjs";',
        'import { a } from "node:fs";',
        "export default 1;",
        'export * from "./a.mjs";',
        'import { a as b } from "./a.mjs";',
        'export { a } from "./a.mjs";',
        "const a = 1;\nexport { a };",
        'const a = () => import("./a.mjs");',
        "const a = import.meta.url;",
        "const { a, b } = c;",
        'const a = "</script>";',
        'const a = "<!--";',
    ],
)
def test_what_cannot_stand_in_one_scope_is_refused(source: str) -> None:
    with pytest.raises(InputError, match=r"^a\.mjs: "):
        module_of("a.mjs", source)


def joined(**modules: str) -> str:
    return joined_script("main.mjs", lambda name: modules[name.removesuffix(".mjs")])


def test_each_module_stands_once_after_those_that_it_imports() -> None:
    script = joined(
        main='import { b } from "./b.mjs";\nimport { c } from "./c.mjs";\nb(c);',
        b='import { c } from "./c.mjs";\nexport const b = () => c;',
        c="export const c = 1;",
    )
    assert script == "// c.mjs\nconst c = 1;\n// b.mjs\nconst b = () => c;\n// main.mjs\nb(c);\n"


def test_a_name_that_two_modules_have_is_refused() -> None:
    with pytest.raises(InputError, match=r"'own' stands at the top level of a\.mjs too"):
        joined(main='import { a } from "./a.mjs";\nconst own = 1;', a="export const a = 1;\nconst own = 2;")


def test_the_script_is_javascript(tmp_path: Path) -> None:
    script = joined_script(ENTRY, lambda name: (SOURCE / name).read_text(encoding="utf-8"))
    (tmp_path / "page.mjs").write_text(script, encoding="utf-8")
    subprocess.run([node(), "--check", tmp_path / "page.mjs"], check=True)


def test_data_ends_no_element() -> None:
    assert data({"a": ["</script>", "<!--"], "b": "ä"}) == '{"a":["\\u003c/script>","\\u003c!--"],\n"b":"ä"}'


def test_styles_are_joined_without_comments() -> None:
    assert plain_style("/* a */\nb { c: d }\n\n/* e\n f */g { h: i }  \n") == "b { c: d }\ng { h: i }\n"
