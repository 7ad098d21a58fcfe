"""What both command lines do alike: help, version, completion, wrong usage, streams that fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fairshoe.compiled import describe_build

from .process import ENVIRONMENT, PROGRAMS, ROOT, call, check_told, command_of, run

both = pytest.mark.parametrize("program", PROGRAMS)


@both
def test_version_and_help_of_the_program_and_of_every_command(program: str) -> None:
    done = run(program, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{program} 0.1.0 ({describe_build()})\n", "")
    done = run(program, "-h")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {program} ")
    listed = done.stdout.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    names = [line.split()[0] for line in listed if not line.startswith("   ")]
    assert "verify" in names
    for name in names:
        told = call(program, name, "--help")
        assert (told.returncode, told.stdout.startswith(f"Usage: {program} {name} "), told.stderr) == (0, True, "")


@pytest.mark.parametrize(
    ("program", "words", "offered"),
    [
        ("fairshoe", ["sh"], ["shuffle"]),
        ("fairshoe-audit", ["verify", "x", "--format", "j"], ["json", "jsonl"]),
        ("fairshoe-audit", ["explain", "payout-d"], ["payout-differs"]),
        ("fairshoe", ["serve", "--data", "d"], ["compopt -o dirnames"]),
    ],
)
def test_bash_completes_commands_options_and_values(program: str, words: list[str], offered: list[str]) -> None:
    """By click's own script."""
    name = program.replace("-", "_")
    script = f"""
        eval "$(_{name.upper()}_COMPLETE=bash_source {program})"
        COMP_WORDS=("$@") COMP_CWORD={len(words)}
        compopt() {{ echo "compopt $1 $2"; }}
        _{name}_completion {program}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**ENVIRONMENT, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "-c", script, "bash", program, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    assert (done.stdout.split(), done.stderr) == (" ".join(offered).split(), "")


@both
@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "Missing command"),
        (["verfy"], "No such command 'verfy': did you mean 'verify'?"),
        (["zzz"], "No such command 'zzz'"),
        (["verify", "--jason"], "No such option"),
        (["--jason"], "No such option"),
        (["verify"], "Missing argument"),
        (["verify", "a", "b"], "extra argument"),
        (["verify", ""], "at least one character"),
    ],
)
def test_wrong_usage_is_exit_2_with_what_to_do(program: str, words: list[str], what: str) -> None:
    told = check_told(program, call(program, *words))
    assert what in told["what"]
    assert told["usage"].startswith(program)
    assert told["remedy"] == f"{' '.join([program, *words[:1]])} --help" or words[:1] != ["verify"]
    assert told.get("fault") in (None, "reader")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("fairshoe", ["verify", "-", "--commitment", "a", "--commitment", "a"]),
        ("fairshoe", ["keys", "token", "--data", "a", "--data=b"]),
        ("fairshoe-audit", ["verify", "LOG", "--key", "a", "--key", "b"]),
    ],
)
def test_an_option_with_a_value_is_given_once(program: str, words: list[str]) -> None:
    assert "is given twice" in check_told(program, call(program, *words))["what"]


def test_after_two_dashes_nothing_is_an_option() -> None:
    assert check_told("fairshoe", call("fairshoe", "verify", "--", "--json"))["where"] == "--json"
    assert check_told("fairshoe-audit", call("fairshoe-audit", "verify", "--", "--help"))["where"] == "--help"


@both
def test_what_a_user_passed_does_not_steer_the_terminal(program: str) -> None:
    hostile = "\x1b[2J\x07\u202e\u2028\n\rx"
    for words in (["verify", hostile], [hostile], ["verify", f"--{hostile}"], ["verify", "LOG", hostile]):
        done = call(program, *words)
        assert all(line.isprintable() for line in done.stderr.splitlines())
        check_told(program, done)


@both
def test_a_closed_pipe_is_no_error(program: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command_of(program, "--help"), env=ENVIRONMENT, stdout=writing, stderr=subprocess.PIPE, check=False, cwd=ROOT
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@both
def test_a_full_disk_is_told(program: str) -> None:
    with open("/dev/full", "wb") as full:
        done = run(program, "--help", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert "No space left" in check_told(program, done)["what"]


@both
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(program: str, closed: str) -> None:
    command = command_of(program, "--version")
    done = subprocess.run(["bash", "-c", f'"$@" {closed}', "bash", *command], env=ENVIRONMENT, check=False, cwd=ROOT)
    assert done.returncode == 0


def test_an_interrupt_is_exit_130_without_a_word() -> None:
    prelude = "import os, signal, fairshoe.commands.verify as v\n"
    prelude += "v.read_utf8 = lambda *_: os.kill(os.getpid(), signal.SIGINT)"
    done = run("fairshoe", "verify", "-", prelude=prelude)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_tests_of_interrupts_pass_in_the_background() -> None:
    """A job that a script starts in the background ignores SIGINT, and so would all that the tests start."""
    test = f"{Path(__file__)}::{test_an_interrupt_is_exit_130_without_a_word.__name__}"
    words = (
        "bash",
        "-c",
        'trap "" INT; exec "$@"',
        "bash",
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        test,
    )
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@both
def test_the_locale_changes_nothing(program: str) -> None:
    for words in (["--help"], ["verify", "é\udcff"]):
        outcomes = set()
        for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
            done = run(program, *map(os.fsencode, words), env=ENVIRONMENT | locale)
            outcomes.add((done.returncode, done.stdout))
        assert len(outcomes) == 1
