"""A proof file of one hand: what the house's key alone is enough to check, and what it must refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_cli.cases.hand.parts import ProofRefused
from audit_cli.cases.hand.run import check_hand_proof
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.hand_proof import MAX_PROOF, proof_of, proof_text
from fairshoe.log.note import Signer
from tests.house import SIGNER, House

from .proofs import GAMES, ROUND, VECTORS, checked, file_of, note_over, played, proven, write_vectors
from .telling import said, written
from .test_hand import NeverRetired

KEY = str(SIGNER.verifier)
Form = dict[str, Any]
Change = Callable[[Form], Form]


def form_of(data: bytes) -> Form:
    form: Form = json.loads(data)
    return form


def file(form: Form) -> bytes:
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def kinds(data: bytes) -> list[str]:
    return [json.loads(entry["line"])["kind"] for entry in form_of(data)["entries"]]


# What it shows.


@pytest.mark.parametrize("rules", GAMES)
def test_a_proof_tells_what_the_whole_log_tells(rules: str, tmp_path: Path) -> None:
    """The same entries, cards, arithmetic, decisions and payouts, through the same code."""
    log, name = written(tmp_path / "log", played(rules)), f"{rules}#{ROUND}"
    (tmp_path / "proof").write_bytes(proven(rules))
    whole = json.loads(said("hand", log, "--round", name, "--whole", "--format", "json", "--key", KEY).out)
    alone = json.loads(said("hand", tmp_path / "proof", "--format", "json", "--key", KEY).out)
    proof = alone.pop("proof")
    assert whole.pop("complete")
    assert not alone.pop("complete")
    assert {who: chips for who, chips in whole["chips_before"].items() if who in alone["chips_before"]} == alone.pop(
        "chips_before"
    )
    named = alone.pop("players")
    assert named.items() <= whole.pop("players").items()
    del whole["chips_before"]
    assert alone == whole
    assert proof["entries"] == [entry["index"] for entry in form_of(proven(rules))["entries"]]
    assert proof["key"] == KEY


@pytest.mark.parametrize("rules", GAMES)
def test_a_hand_is_bound_before_its_key_is_revealed(rules: str) -> None:
    lines, name = list(played(rules)), f"{rules}#{ROUND}"
    needed = [entry["index"] for entry in form_of(proven(rules))["entries"]]
    for size in range(max(needed) + 1):
        try:
            data = file_of(lines[:size], name)
        except InputError:
            continue  # the round is not open yet
        outcome = checked(data).outcome
        assert outcome.line.startswith(f"PASS so far: round {name} "), outcome
        assert not outcome.complete


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    (tmp_path / "proof").write_bytes(proven("banker"))
    return tmp_path / "proof"


def test_the_command_says_what_only_the_whole_log_can_show(proof: Path) -> None:
    told = said("hand", proof, "--key", KEY)
    assert told.code == 0
    assert "only the whole log" in told.out
    assert "earlier balances" in told.out
    assert said("hand", proof, "--key", KEY, "--require-complete").code == 1
    assert "give --key" in said("hand", proof).err, "without a key a proof proves nothing"
    for option in (("--player", "p1"), ("--receipt", proof)):
        assert said("hand", proof, "--key", KEY, *option).code == 2


def test_entries_behind_the_checkpoint_are_not_proved(tmp_path: Path) -> None:
    lines = played("banker")
    log = written(tmp_path / "log", lines[:-1])
    (log / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    told = said("prove", log, "--round", f"banker#{ROUND}")
    assert checked(told.out.encode()).outcome.word == "PASS"
    (log / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines[1:]))
    told = said("prove", log, "--round", f"banker#{ROUND}")
    assert (told.code, told.out) == (2, "")
    assert "that was signed" in told.err


@pytest.mark.parametrize("name", ["banker#999", "nobody#1", "banker", "banker#01", "banker#-1", "#1"])
def test_a_round_that_there_is_not_cannot_be_proved(name: str, tmp_path: Path) -> None:
    told = said("prove", written(tmp_path / "log", played("banker")), "--round", name)
    assert (told.code, told.out) == (2, "")
    assert "round" in told.err


# What it refuses.


@pytest.mark.parametrize("rules", GAMES)
def test_a_needed_entry_that_is_missing_is_never_blamed_on_the_house(rules: str) -> None:
    """Without its end a proof is one that was made earlier; without anything else it is refused."""
    form = form_of(proven(rules))
    last = len(form["entries"]) - 1
    for number in range(last + 1):
        less = form | {"entries": [entry for i, entry in enumerate(form["entries"]) if i != number]}
        if number == last:
            assert checked(file(less)).outcome.word == "PASS so far"
            continue
        with pytest.raises(ProofRefused) as caught:
            checked(file(less))
        assert caught.value.fault == "unknown"
        assert caught.value.remedy


@pytest.mark.parametrize("rules", GAMES)
def test_an_entry_that_the_hand_does_not_need_is_refused(rules: str) -> None:
    lines, name = played(rules), f"{rules}#{ROUND}"
    needed = {entry["index"] for entry in form_of(proven(rules))["entries"]}
    for extra in sorted(set(range(len(lines))) - needed):
        with pytest.raises(ProofRefused):
            checked(file_of(lines, name, [(i, lines[i]) for i in sorted(needed | {extra})]))


def entry(**fields: Any) -> Change:
    """Other fields in the first entry."""
    return lambda form: form | {"entries": [form["entries"][0] | fields, *form["entries"][1:]]}


def path(make: Callable[[list[str]], list[str]]) -> Change:
    """Another path of the first entry."""
    return lambda form: entry(path=make(form["entries"][0]["path"]))(form)


CHANGES: dict[str, Change] = {
    "another version": lambda form: form | {"v": 2},
    "true for 1": lambda form: form | {"v": True},
    "a field more": lambda form: form | {"note": ""},
    "a field less": lambda form: {k: v for k, v in form.items() if k != "kind"},
    "no entries": lambda form: form | {"entries": []},
    "an entry twice": lambda form: form | {"entries": [form["entries"][0], *form["entries"]]},
    "out of order": lambda form: form | {"entries": form["entries"][::-1]},
    "another round": lambda form: form | {"round": "banker#1"},
    "another index": entry(index=1),
    "an index below 0": entry(index=-1),
    "an index beyond all logs": entry(index=1 << 64),
    "an empty line": entry(line=""),
    "half a character": entry(line="\ud800"),
    "a line that is too long": entry(line="x" * 70_000),
    "a shorter path": path(lambda path: path[:-1]),
    "a longer path": path(lambda path: [*path, path[-1]]),
    "base64 with a loose end": path(lambda path: [path[0][:-2] + "9=", *path[1:]]),
    "base64 with a line end": path(lambda path: [path[0] + "\n", *path[1:]]),
    "no signature": lambda form: form | {"checkpoint": form["checkpoint"].partition("\n\n")[0]},
    "two signatures": lambda form: (
        form | {"checkpoint": form["checkpoint"] + form["checkpoint"].splitlines()[-1] + "\n"}
    ),
    "another origin": lambda form: form | {"checkpoint": form["checkpoint"].replace("fairshoe.test", "other.test")},
    "another log": lambda form: form | {"checkpoint": note_over(played("banker")[:-1])[0]},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_form_that_is_changed_is_refused(name: str) -> None:
    form = CHANGES[name](form_of(proven("banker")))
    text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    data = text.encode("utf-8", "backslashreplace") + b"\n"
    with pytest.raises(FairshoeError) as caught:
        checked(data)
    assert caught.value.what
    assert caught.value.expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"v":1}', b'"v":1,"v":1}'),
        (b'"v":1}', b'"v":1.0}'),
        (b'"v":1}', b'"v":NaN}'),
        (b'"v":1}', b'"v":' + b"9" * 5_000 + b"}"),
        (b'"v":1}', b'"v": 1}'),
        (b'"v":1}', b'"v":' + b"[" * 100_000 + b"}"),
        (b'"v":1}\n', b'"v":1}\r\n'),
        (b'"v":1}\n', b'"v":1}\n{}\n'),
        (b'{"checkpoint":', b'\xef\xbb\xbf{"checkpoint":'),
        (b'{"checkpoint":', b'{"checkpoint":"","checkpoint":'),
        (b'"kind":"fairshoe', b'"kind":"\\u0066airshoe'),
    ],
)
def test_a_file_that_is_written_otherwise_is_refused(old: bytes, new: bytes) -> None:
    data = proven("banker")
    assert data.count(old) == 1
    with pytest.raises(InputError):
        checked(data.replace(old, new))


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as stream:
        stream.write(proven("banker")[:-1])
        stream.truncate(MAX_PROOF + 1)
    told = said("hand", huge, "--key", KEY)
    assert told.code == 2
    assert "too long" in told.err


def test_another_key_of_the_same_name_is_refused() -> None:
    with pytest.raises(ProofRefused):
        check_hand_proof(proven("banker"), Signer(SIGNER.verifier.name, bytes(32)).verifier)
    with pytest.raises(InputError):
        checked(proven("banker"), name=f"banker#{ROUND + 1}")


def test_the_vectors_are_what_the_code_makes(tmp_path: Path) -> None:
    write_vectors(tmp_path)
    for rules in GAMES:
        assert proof_text(proof_of(proven(rules))).encode() == proven(rules)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {
        path.name: path.read_bytes() for path in (Path(__file__).parents[2] / VECTORS).iterdir() if path.suffix != ".py"
    }
    assert made == kept


def test_a_hand_after_a_reshuffle_in_the_middle_of_an_earlier_deal_brings_that_along() -> None:
    """Honest shoes end with such a round; in a log where one does not the order follows only from it."""
    house = House()
    NeverRetired(house, "pontoon", "pontoon", (1, 2, 3), chips=100_000).play(61)
    entries = [json.loads(line) for line in house.lines]
    shoe = next(entry["shoe"] for entry in entries if entry["kind"] == "reshuffle")
    numbers = [entry["round"] for entry in entries if entry["kind"] == "round" and entry["shoe"] == shoe]
    first = next(entry["round"] for entry in entries if entry["kind"] == "reshuffle")
    data = file_of(house.lines, f"pontoon#{numbers[numbers.index(first) + 1]}")
    assert kinds(data).count("round") == 2
    assert checked(data).outcome.word == "PASS"
    less = form_of(data)
    reshuffled = kinds(data).index("reshuffle")
    rest = [entry for i, entry in enumerate(less["entries"]) if not reshuffled - 1 <= i <= reshuffled + 1]
    assert checked(file(less | {"entries": rest})).outcome.word == "FAIL", (
        "in no log of an honest house is this left out"
    )
