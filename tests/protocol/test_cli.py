"""`fairshoe shuffle` and `fairshoe verify` as a user meets them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from fairshoe import commit, french
from fairshoe.cli import main
from tests.second import protocol as second

from .conftest import Run

KEY = "0123456789abcdef" * 4
BASE = ("shuffle", "--key", KEY, "--shoe", "table-1/7")


@pytest.fixture
def proof_file(tmp_path: Path) -> Path:
    shoe = commit("table-1/7", french(1), draws={"dice/0": 6}, key=bytes.fromhex(KEY)).seal()
    shoe.draw()
    shoe.reshuffle(range(5))
    path = tmp_path / "proof.json"
    path.write_text(shoe.reveal().to_json(), encoding="utf-8")
    return path


def test_labels_are_utf_8_whatever_the_locale(fairshoe_cli: Run, tmp_path: Path) -> None:
    deck = tmp_path / "kärtchen"
    deck.write_text("🂡\n é \n", encoding="utf-8")
    done = fairshoe_cli(*BASE, "--deck", f"@{deck}", "--draw", "wheel:1")
    assert (done.returncode, done.stderr) == (0, b"")
    *labels, draw = done.stdout.decode("utf-8").split("\n")[:-1]
    assert sorted(labels) == [" é ", "🂡"]
    assert draw == "draw wheel 0"


def test_json_has_exactly_four_fields(fairshoe_cli: Run) -> None:
    body = json.loads(fairshoe_cli(*BASE, "--deck", "french:6", "--json", "--first", "3").stdout)
    assert list(body) == ["commitment", "transcript", "order", "draws"]
    assert len(body["order"]) == 3
    assert body["draws"] == {}


REFUSED = {
    "no options": ["shuffle"],
    "unknown option": [*BASE, "--deck", "french:1", "--size", "3"],
    "abbreviated option": [*BASE, "--deck", "french:1", "--fir", "3"],
    "an argument too many": [*BASE, "--deck", "french:1", "more"],
    "an option without its value": [*BASE, "--deck"],
    "an option twice": [*BASE, "--deck", "french:1", "--cut", "1", "--cut", "1"],
    "a seed that is --": [*BASE, "--deck", "french:1", "--seed", "--"],
    "id that is not UTF-8": ["shuffle", "--key", KEY, "--shoe", "\udcff", "--deck", "french:1"],
    "no file": [*BASE, "--deck", "@"],
    "verify: not UTF-8": ["verify", "/bin/sh"],
}
"""By what is no input of the protocol: of those docs/vectors has all (test_refused). What is no file, and commands that
there are not: tests/cli."""


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_message_and_exit_code_2(capfd: pytest.CaptureFixture[str], name: str) -> None:
    code = main(REFUSED[name])
    out, err = capfd.readouterr()
    assert (code, out) == (2, "")
    assert "fairshoe" in err


SAYS = {
    "NAME:M": [*BASE, "--deck", "french:1", "--draw", "foo"],
    "WHO=HEX": [*BASE, "--deck", "french:1", "--seed", "a"],
    "french:N, or @FILE": [*BASE, "--deck", "x"],
    "an integer from 0 to 51,": [*BASE, "--deck", "french:1", "--cut", "-1"],
}


@pytest.mark.parametrize("expected", SAYS)
def test_the_message_says_what_is_expected(capfd: pytest.CaptureFixture[str], expected: str) -> None:
    assert main(SAYS[expected]) == 2
    assert f"expected: {expected}" in capfd.readouterr().err


def test_verify_holds(fairshoe_cli: Run, proof_file: Path) -> None:
    commitment = second.commitment(bytes.fromhex(KEY))
    done = fairshoe_cli("verify", str(proof_file), "--commitment", commitment)
    assert done.returncode == 0
    assert done.stdout.split(b"\n")[0].endswith(commitment.encode())
    assert b"Step 1 was not done" not in done.stdout
    assert b"Step 1 was not done" in fairshoe_cli("verify", "-", stdin=proof_file.read_bytes()).stdout
    body = json.loads(fairshoe_cli("verify", "--json", str(proof_file)).stdout)
    assert list(body) == ["holds", "remembered", "commitment", "transcript", "dealt", "draws"]
    assert (body["holds"], body["remembered"]) == (True, False)
    assert [len(cards) for cards in body["dealt"]] == [1, 0]


def test_verify_does_not_hold(fairshoe_cli: Run, proof_file: Path) -> None:
    done = fairshoe_cli("verify", str(proof_file), "--commitment", "00" * 32)
    assert done.returncode == 1
    assert done.stdout.startswith(b"The proof does not hold: step 1 fails")
    assert b"expected: " + b"00" * 32 in done.stdout
    body = json.loads(fairshoe_cli("verify", str(proof_file), "--json", "--commitment", "00" * 32).stdout)
    assert list(body) == ["holds", "step", "what", "where", "expected", "remedy"]
    assert (body["holds"], body["step"], body["where"]) == (False, 1, "commitment")


SLIPS: dict[str, tuple[str, str]] = {
    "the key itself": (KEY, "this is the key"),
    "the hash of its digits": (sha256(KEY.encode()).hexdigest(), "hash the bytes"),
    "the hash of its digits in capitals": (sha256(KEY.upper().encode()).hexdigest(), "hash the bytes"),
    "the hash of its digits by echo": (sha256(f"{KEY}\n".encode()).hexdigest(), "hash the bytes"),
}


@pytest.mark.parametrize("what", SLIPS)
def test_what_is_no_commitment_for_certain(what: str, proof_file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commitment, word = SLIPS[what]
    assert main(["verify", str(proof_file), "--commitment", commitment]) == 2
    out, error = capfd.readouterr()
    assert (out, word in error) == ("", True)


FORMATS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "gzip": (gzip.compress, "a gzip file"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), "a text in UTF-16"),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    "Latin-1": (lambda data: data + b"\xe4", "is not UTF-8"),
}


@pytest.mark.parametrize("what", FORMATS)
def test_a_proof_in_another_format(what: str, proof_file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    change, word = FORMATS[what]
    proof_file.write_bytes(change(proof_file.read_bytes()))
    assert main(["verify", str(proof_file)]) == 2
    error = capfd.readouterr().err
    assert word in error
    assert "\n  remedy:   " in error


def test_another_id_is_another_shuffle(capfd: pytest.CaptureFixture[str]) -> None:
    for more in (["--seed", "älice=00"], ["--draw", "würfel:6"]):
        assert main([*BASE, "--deck", "french:1", *more]) == 2
        error = capfd.readouterr().err
        assert "another id" in error
        assert "-lice" not in error
        assert "w-rfel" not in error


def test_a_closed_pipe_is_no_error() -> None:
    program = "import sys; from fairshoe.cli import main; sys.exit(main())"
    line = f"'{sys.executable}' -c '{program}' {' '.join(BASE)} --deck french:1260 | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_what_the_reader_can_mend_is_told_with_the_remedy(fairshoe_cli: Run, proof_file: Path) -> None:
    commitment = commit("s", french(1), key=bytes.fromhex(KEY)).commitment
    upper = fairshoe_cli("verify", str(proof_file), "--commitment", commitment.upper())
    assert (upper.returncode, b"write it in lower case, without spaces or 0x" in upper.stderr) == (2, True)
    text = proof_file.read_text(encoding="utf-8")
    proof_file.write_bytes(text.replace("\n", "\r\n").encode())
    assert fairshoe_cli("verify", str(proof_file), "--commitment", commitment).returncode == 0
    proof_file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    marked = fairshoe_cli("verify", str(proof_file), "--commitment", commitment)
    assert (marked.returncode, b"save it as UTF-8 without a byte order mark" in marked.stderr) == (2, True)
