"""Runs tests against mutants: each in a process of its own that imports the changed module instead of the real one.

Nothing is written to the working tree. The processes are forked from this one, which has imported pytest, but nothing
of the package; a test that starts another Python sees the real package there.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import hypothesis
import pytest

from .making import Mutant

Stages = Sequence[Sequence[Path]]
"""Test files: those of a stage are asked together, the next stage when all of them have passed."""

FORK = multiprocessing.get_context("fork")
MEMORY = 4 << 30
"""Bytes; a mutant that eats more has failed."""


class Limits:
    """How long a test may take in processor seconds, and a whole run by the clock."""

    def __init__(self, test: float = 300, run: float = 3000) -> None:
        self.test, self.run = test, run


class Watched:
    """A pytest plugin: ends the process when a test takes too long; keeps how long the slowest took."""

    def __init__(self, limit: float) -> None:
        self.limit, self.slowest = limit, 0.0

    def pytest_sessionstart(self) -> None:
        """Hypothesis looks for an example that fails, and not for the smallest."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", hypothesis.settings(), phases=phases)
        hypothesis.settings.load_profile("mutants")
        signal.setitimer(signal.ITIMER_PROF, self.limit)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, self.limit)
        began = time.process_time()
        yield
        self.slowest = max(self.slowest, time.process_time() - began)


class Changed(SourceFileLoader):
    """Finds and loads a mutant's module."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None
        spec.loader = self
        return spec

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.fix_missing_locations(Put(self.mutant).visit(self.mutant.tree))
        return compile(tree, self.path, "exec")


class Put(ast.NodeTransformer):
    """Puts a mutant's new node in the place of the old one."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def visit(self, node: ast.AST) -> Any:
        if node is self.mutant.old:
            return ast.copy_location(self.mutant.new, node)
        return self.generic_visit(node)


def passes(stages: Stages, watched: Watched) -> bool:
    """Ask the stages in turn, until a test fails."""
    for files in stages:
        asked = ["-x", "-q", "-p", "no:cacheprovider", *map(str, files)]
        if pytest.main(asked, plugins=[watched]) != pytest.ExitCode.OK:
            return False
    return True


def alone(stages: Stages, mutant: Mutant | None, limit: float, slowest: Any) -> None:
    """What a process does: exit code 0 where all tests pass."""
    os.setsid()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if mutant is not None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, Changed(mutant))
    watched = Watched(limit)
    passed = passes(stages, watched)
    slowest.value = watched.slowest
    os._exit(0 if passed else 1)


def begun(stages: Stages, mutant: Mutant | None, limits: Limits, slowest: Any) -> BaseProcess:
    sys.stdout.flush()
    process = FORK.Process(target=alone, args=(stages, mutant, limits.test, slowest))
    process.start()
    return process


def measured(stages: Stages) -> Limits:
    """The limits that fit these tests, after a run without a change; SystemExit where they do not pass."""
    slowest, began = FORK.Value("d", 0.0), time.monotonic()
    process = begun(stages, None, Limits(), slowest)
    process.join()
    if process.exitcode != 0:
        raise SystemExit("the tests do not pass without a change")
    return Limits(10 + 4 * slowest.value, 60 + 10 * (time.monotonic() - began))


def fates(mutants: Sequence[tuple[Mutant, Stages]], limits: Limits, jobs: int) -> Iterator[tuple[Mutant, int]]:
    """Each mutant, as it is done, and an exit code: 0 all tests pass, 1 one fails, below 0 it took too long."""
    waiting = list(reversed(mutants))
    running: dict[BaseProcess, tuple[Mutant, float]] = {}
    slowest = FORK.Value("d", 0.0)
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant, stages = waiting.pop()
                running[begun(stages, mutant, limits, slowest)] = mutant, time.monotonic() + limits.run
            wait([process.sentinel for process in running], timeout=1)
            for process, (mutant, until) in list(running.items()):
                if process.is_alive() and time.monotonic() < until:
                    continue
                ended(process)
                del running[process]
                yield mutant, process.exitcode or 0
    finally:
        for process in running:
            ended(process)


def ended(process: BaseProcess) -> None:
    """Wait for a process, which is killed if it still runs, with all that it has started."""
    try:
        os.killpg(process.pid or 0, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.join()
