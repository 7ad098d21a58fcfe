"""`fairshoe shuffle` and `fairshoe verify` as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairshoe import commit, french
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


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    labels=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8), min_size=1),
    seeds=st.dictionaries(st.text("ab:/-.", min_size=1, max_size=5), st.binary(min_size=1, max_size=128), max_size=4),
    final_lf=st.booleans(),
)
def test_shuffle_is_what_the_second_implementation_says(
    fairshoe_cli: Run, tmp_path: Path, labels: list[str], seeds: dict[str, bytes], final_lf: bool
) -> None:
    file = tmp_path / "deck"
    data = "\n".join(labels).encode() + b"\n" * final_lf
    file.write_bytes(data)
    seed_texts = [f"{who}={seed.hex()}" for who, seed in seeds.items()]
    words = [word for text in seed_texts for word in ("--seed", text)]
    cut = str(len(labels) - 1)
    draws = ["a:b/1:7", "a:b/0:4294967296", "cut:" + str(len(labels))]
    words += ["--cut", cut, *(word for draw in draws for word in ("--draw", draw))]
    done = fairshoe_cli(*BASE, "--deck", f"@{file}", *words, "--json")
    expected = second.command(KEY, "table-1/7", data, seed_texts, None, cut, draws)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert json.loads(done.stdout.decode("utf-8")) == expected


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


@pytest.mark.parametrize(("first", "cards"), [("0", 0), ("1", 1), ("52", 52), ("53", 52)])
def test_first(fairshoe_cli: Run, first: str, cards: int) -> None:
    assert fairshoe_cli(*BASE, "--deck", "french:1", "--first", first).stdout.count(b"\n") == cards


def test_the_largest_deck(fairshoe_cli: Run, tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.write_text("".join(f"🂡{i}\n" for i in range(65_536)), encoding="utf-8")
    done = fairshoe_cli(*BASE, "--deck", f"@{deck}", "--json")
    expected = second.command(KEY, "table-1/7", deck.read_bytes())
    assert json.loads(done.stdout) == expected


def test_the_order_of_draw_options_does_not_matter(fairshoe_cli: Run) -> None:
    draws = [("--draw", f"dice/{i}:6") for i in (2, 0, 1)]
    body = json.loads(fairshoe_cli(*BASE, "--deck", "french:1", "--json", *sum(draws, ())).stdout)
    assert list(body["draws"]) == ["dice/2", "dice/0", "dice/1"]


def test_ids_may_look_like_options(fairshoe_cli: Run) -> None:
    words = ("--shoe", "--json", "--deck", "french:1", "--seed", "-a=00", "--draw", "-d:6", "--first", "0")
    done = fairshoe_cli("shuffle", "--key", KEY, *words)
    assert done.returncode == 0
    assert done.stdout.startswith(b"draw -d ")


REFUSED = {
    "no command": [],
    "unknown command": ["deal"],
    "no options": ["shuffle"],
    "unknown option": [*BASE, "--deck", "french:1", "--size", "3"],
    "abbreviated option": [*BASE, "--deck", "french:1", "--fir", "3"],
    "an argument too many": [*BASE, "--deck", "french:1", "more"],
    "an option without its value": [*BASE, "--deck"],
    "an option twice": [*BASE, "--deck", "french:1", "--cut", "1", "--cut", "1"],
    "the shoe twice": [*BASE, "--deck", "french:1", "--shoe", "x"],
    "a seed that is --": [*BASE, "--deck", "french:1", "--seed", "--"],
    "a draw that is --": [*BASE, "--deck", "french:1", "--draw", "--"],
    "upper-case key": ["shuffle", "--key", KEY.upper(), "--shoe", "s", "--deck", "french:1"],
    "id that is not UTF-8": ["shuffle", "--key", KEY, "--shoe", b"\xff", "--deck", "french:1"],
    "no such file": [*BASE, "--deck", "@/no/such/file"],
    "a folder": [*BASE, "--deck", "@/"],
    "no file": [*BASE, "--deck", "@"],
    "a file that never ends": [*BASE, "--deck", "@/dev/zero"],
    "a seed without =": [*BASE, "--deck", "french:1", "--seed", "alice"],
    "an empty seed": [*BASE, "--deck", "french:1", "--seed", "alice="],
    "a seed twice": [*BASE, "--deck", "french:1", "--seed", "a=00", "--seed", "a=00"],
    "65 seeds": [*BASE, "--deck", "french:1", *[w for i in range(65) for w in ("--seed", f"{i}=00")]],
    "a cut at n": [*BASE, "--deck", "french:1", "--cut", "52"],
    "a cut below 0": [*BASE, "--deck", "french:1", "--cut", "-1"],
    "a cut that is no number": [*BASE, "--deck", "french:1", "--cut", "1x"],
    "a draw twice": [*BASE, "--deck", "french:1", "--draw", "a:6", "--draw", "a:6"],
    "a gap in a series": [*BASE, "--deck", "french:1", "--draw", "a/1:6"],
    "a cut of another size": [*BASE, "--deck", "french:1", "--draw", "cut:51"],
    "a draw without its bound": [*BASE, "--deck", "french:1", "--draw", "a"],
    "a beacon of two parts": [*BASE, "--deck", "french:1", "--beacon", "00:1"],
    "verify: no such file": ["verify", "/no/such/file"],
    "verify: not UTF-8": ["verify", "/bin/sh"],
    "verify: an empty proof": ["verify", "-"],
    "verify: a commitment that is none": ["verify", "-", "--commitment", "abc"],
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_message_and_exit_code_2(fairshoe_cli: Run, name: str) -> None:
    done = fairshoe_cli(*REFUSED[name])
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"fairshoe" in done.stderr
    assert b"Traceback" not in done.stderr


SAYS = {
    "NAME:M": [*BASE, "--deck", "french:1", "--draw", "foo"],
    "WHO=HEX": [*BASE, "--deck", "french:1", "--seed", "a"],
    "french:N, or @FILE": [*BASE, "--deck", "x"],
    "an integer from 0 to 51,": [*BASE, "--deck", "french:1", "--cut", "-1"],
}


@pytest.mark.parametrize("expected", SAYS)
def test_the_message_says_what_is_expected(fairshoe_cli: Run, expected: str) -> None:
    assert f"expected: {expected}" in fairshoe_cli(*SAYS[expected]).stderr.decode()


def test_verify_holds(fairshoe_cli: Run, proof_file: Path) -> None:
    commitment = second.commitment(bytes.fromhex(KEY))
    done = fairshoe_cli("verify", str(proof_file), "--commitment", commitment)
    assert done.returncode == 0
    assert done.stdout.startswith(f"The proof holds for the commitment {commitment}".encode())
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


def test_a_closed_pipe_is_no_error() -> None:
    program = "import sys; from fairshoe.cli import main; sys.exit(main())"
    line = f"'{sys.executable}' -c '{program}' {' '.join(BASE)} --deck french:1260 | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_a_full_disk_is_told(fairshoe_cli: Run) -> None:
    line = [sys.executable, "-c", "import sys; from fairshoe.cli import main; sys.exit(main())", *BASE]
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*line, "--deck", "french:1"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


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
