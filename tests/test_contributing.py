"""docs/contributing.md, architecture.md and glossary.md name what there is, and the recipes work as printed."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

import pytest

from audit_cli.verify.findings.finding import CATALOGUE
from audit_cli.verify.registry import HANDLERS
from fairshoe.service import app
from tests.audit.planting import log
from tests.audit.walk import full
from tests.service.place import Place

ROOT = Path(__file__).parents[1]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("contributing", "architecture")}


def recipe(title: str) -> dict[str, Any]:
    """What the Python of a section defines."""
    section = PAGES["contributing"].split(f"\n## {title}\n")[1].partition("\n## ")[0]
    (block,) = re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S)
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(block, "docs/contributing.md", "exec", dont_inherit=True), names)
    return names


@pytest.mark.parametrize("name", PAGES)
def test_every_path_is_there(name: str) -> None:
    paths = re.findall(r"`((?:fairshoe|audit_cli|tests|docs)/[\w./]+)`", PAGES[name])
    assert len(paths) > 10
    given = [path for path in paths if not re.search(r"[A-Z]{4}", path)]
    assert [path for path in given if not (ROOT / path).exists()] == []


def test_every_name_of_the_glossary_is_there() -> None:
    rows = re.findall(r"^- \*\*.+: `([^`]+)`$", (ROOT / "docs/glossary.md").read_text(), re.M)
    assert len(rows) > 50
    for name in rows:
        assert (ROOT / name).is_file() if "/" in name else resolve_name(name), name


def test_a_finding() -> None:
    made = recipe("A finding")
    judge = HANDLERS["round"]

    def handler(audit: Any, entry: Any, line: bytes) -> None:
        judge(audit, entry, line)
        made["check_many"](audit, entry)

    honest = log("casino")
    code = made["CODE"]
    quick = patch.dict("audit_cli.verify.registry.FAST_PATHS", clear=True)
    with patch.dict(CATALOGUE, {code.code: code}), patch.dict(HANDLERS, {"round": handler}), quick:
        report = full(honest)
    found = [finding for finding in report.findings if finding.code == "cards-many"]
    assert found
    assert not report.failed
    assert all(finding.found > made["MOST"] for finding in found)


def test_a_route(tmp_path: Path) -> None:
    made = recipe("A route")
    with patch.object(app, "GROUPS", [*app.GROUPS, made["routes"]]), Place(tmp_path / "data") as place:
        place.casino(1)
        assert place.public.get("/v1/tables/t1/pace") == {"rounds": 0}
        described = place.public.get("/openapi.json")["paths"]["/v1/tables/{table}/pace"]["get"]
    assert described["operationId"] == "show_pace"


def test_every_error_that_a_docstring_says_is_raised_is_there() -> None:
    """A rename leaves docstrings behind: these named eight classes that there were no more."""
    paths = [path for name in ("fairshoe", "audit_cli") for path in (ROOT / name).rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    imported = " ".join(re.findall(r"^ *(?:from .+ )?import ([^(\n]+|\([^)]+\))", text, re.MULTILINE))
    known = {*dir(builtins), *re.findall(r"\w+", imported), *re.findall(r"^ *class (\w+)", text, re.MULTILINE)}
    told = {*re.findall(r"\bRaises? ([A-Z]\w+)", text)}
    assert len(told) > 20
    assert told - known == set()
