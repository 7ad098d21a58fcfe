"""What is made and kept: the package carries what the web code builds, and the API's types follow its description."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from fairshoe.page import BUILT
from tests.player.api_types import PATH, api_types
from tests.verifier.node import node

WEB = BUILT.parent


def contents(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_the_built_files_are_those_that_the_sources_give(tmp_path: Path) -> None:
    """Where this fails, run `node fairshoe/web/build.mjs` and commit what it writes."""
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules", "built", "lib"))
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    subprocess.run([node(), copy / "build.mjs"], check=True, capture_output=True)
    assert contents(copy / "built") == contents(BUILT)


def test_the_types_of_the_api_are_those_of_its_description() -> None:
    """Where this fails, run `python -m tests.player.api_types` and commit what it writes."""
    assert api_types() == PATH.read_text(encoding="utf-8")
