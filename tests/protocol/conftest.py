"""What the protocol's tests share: the vectors, orders made by the kernel in C and by Python, the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from fairshoe.protocol import _kernel, kernel, pure
from tests.second.vectors import load_vectors

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


both = pytest.mark.usefixtures("made_by")
"""A test that runs twice: once with the kernel in C, once with Python."""


def packed(words: Iterable[int]) -> bytes:
    """A stream of these words."""
    return b"".join(word.to_bytes(4, "big") for word in words)


@pytest.fixture(params=["C", "Python"])
def made_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have orders made by the one or the other. The tests' environment builds the kernel: without it they fail."""
    monkeypatch.setattr(kernel, "order", _kernel.order if request.param == "C" else pure.order)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector" in metafunc.fixturenames:
        vectors = load_vectors()
        metafunc.parametrize("vector", vectors, ids=[vector["name"] for vector in vectors])


@pytest.fixture(scope="session")
def fairshoe_cli() -> Run:
    """`fairshoe` as a process of its own, in the C locale and without Python's UTF-8 mode."""

    def run(*words: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", "import sys; from fairshoe.cli import main; sys.exit(main())", *words]
        environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        root = Path(__file__).parents[2]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment, cwd=root)

    return run
