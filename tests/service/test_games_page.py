"""docs/games.md works as printed, from the first command to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.long.serving import free_port

from .test_documentation import shell

pytestmark = pytest.mark.wire
PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")


def test_the_page_as_printed(tmp_path):
    script = "trap 'kill %1 2>/dev/null' EXIT\n"
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE, re.M | re.S):
        script += block if language == "sh" else f"python3 - <<'END'\n{block}END\n"
    port = str(free_port())
    script = script.replace("serve --data house", f"serve --port {port} --data house").replace(":8000", f":{port}")
    code, told = shell(script, tmp_path)
    assert code == 0, told
    for text in ('["bob","ann"]', '"draw"', '"hidden": 3', "PASS: card 3 of shoe high-1", " wins; worn"):
        assert text in told, told
