"""What is loaded when: the protocol alone, until somebody asks for more."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

SERVICE = ["flask", "sqlalchemy", "marshmallow", "uvicorn", "h11", "prometheus_client", "urllib3"]
SERVICE += ["fairshoe.service", "fairshoe.serving", "fairshoe.client"]
GAMES = ["fairshoe.engine", "fairshoe.log", "fairshoe.record", "fairshoe.ceremony"]
HEAVY = [*SERVICE, *GAMES]
SLOW = ["concurrent", "multiprocessing", "secrets", "sqlite3", "tarfile", "tempfile"]
"""Modules of Python that take long to load, and that few commands need."""
UNUSED = [*SLOW, "cryptography", "hashlib", "json", "fairshoe.library", "fairshoe.log"]
"""Modules that no help needs."""
ROOT = Path(__file__).parents[2]
LOG = ROOT / "tests" / "data" / "logs" / "bets-unfunded"
SHUFFLE = ["shuffle", "--key", "00" * 32, "--shoe", "s", "--deck", "french:1", "--first", "0"]


def check_not_loaded(code: str, heavy: list[str]) -> None:
    program = f"{code}\nimport sys\nprint('loaded:', *(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.parametrize(
    "code",
    [
        "import fairshoe",
        "from fairshoe.cli import main; assert main(['--help']) == 0",
        f"from fairshoe.cli import main; assert main({SHUFFLE}) == 0",
    ],
    ids=["import", "help", "shuffle"],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    check_not_loaded(code, HEAVY)


def test_the_library_loads_no_command_line() -> None:
    check_not_loaded(
        "import fairshoe, fairshoe.protocol.pure",
        ["cryptography", "click", "argparse", "fairshoe.terminal.commands", "audit_cli"],
    )
    check_not_loaded("import fairshoe", ["fairshoe.library", "fairshoe.protocol"])


def test_the_protocol_reads_no_clock() -> None:
    for path in (ROOT / "fairshoe" / "protocol").glob("*.py"):
        assert not re.search(r"^(import|from) (time|datetime)\b", path.read_text(), re.M), path


@pytest.mark.parametrize("program", ["audit_cli.main", "fairshoe.cli"])
def test_help_loads_no_command(program: str) -> None:
    package = f"{program.split('.')[0]}.commands"
    commands = [path.stem for path in (ROOT / package.replace(".", "/")).glob("[!_]*.py")]
    assert list(import_module(package).COMMANDS) == sorted(commands)
    heavy = [*UNUSED, *(f"{package}.{name}" for name in commands)]
    check_not_loaded(f"from {program} import main; assert main(['--help']) == 0", heavy)


@pytest.mark.parametrize("command", ["verify", "hand"])
def test_a_small_audit_loads_what_it_needs(command: str) -> None:
    heavy = [*SERVICE, *SLOW, "fairshoe.library", "fairshoe.protocol.raffle", "audit_cli.report"]
    heavy += ["audit_cli.cases"] if command == "verify" else []
    check_not_loaded(f"from audit_cli.main import main; assert main([{command!r}, {str(LOG)!r}]) == 0", heavy)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["verify", "--help"]])
def test_the_auditors_help_loads_neither_service_nor_engine(words: list[str]) -> None:
    engine = ["fairshoe.engine", "fairshoe.record", "fairshoe.ceremony", "audit_cli.verify.kinds"]
    check_not_loaded(f"from audit_cli.main import main; assert main({words}) == 0", [*SERVICE, *engine])
