"""`fairshoe-audit consistency OLD NEW LOG`."""

from __future__ import annotations

import base64

import pytest

from audit_cli.main import main
from fairshoe.log.tree import check_consistency

from .logs import HOUSE, NAMESAKE, OTHER, entries, head, leaves, note, write

KEY = str(HOUSE.verifier)


@pytest.fixture
def run(tmp_path, capsys):
    """Run it over these three logs; the exit code and what was said."""

    def run(old, new, log, *more, key=KEY, signer=HOUSE):
        (tmp_path / "old").write_text(note(old, signer))
        (tmp_path / "new").write_text(note(new))
        write(tmp_path / "log", log)
        keyed = [] if key is None else ["--key", key]
        words = ["consistency", *(str(tmp_path / name) for name in ("old", "new", "log")), *keyed, *more]
        code = main(words)
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


@pytest.mark.parametrize(
    ("old", "new", "log"), [(0, 0, 0), (0, 5, 5), (1, 1, 9), (7, 13, 13), (256, 300, 301), (9, 9, 9)]
)
def test_the_proof_is_that_of_rfc_6962(run, old: int, new: int, log: int) -> None:
    code, said = run(entries(old), entries(new), entries(log))
    assert code == 0
    first, *lines = said.splitlines()
    assert first == f"PASS: the log of {new} entries extends the one of {old}"
    proof = [base64.b64decode(line) for line in lines]
    assert proof == leaves(entries(new)).consistency(old, new)
    check_consistency(old, head(entries(old)).root, new, head(entries(new)).root, proof)


@pytest.mark.parametrize(
    ("old", "new", "log", "wrong"),
    [
        (entries(7, 2), entries(13), entries(13), ["OLD: over its 7 entries the log has another tree head"]),
        (entries(7), entries(13, 9), entries(13), ["NEW: over its 13 entries the log has another tree head"]),
        (entries(7), entries(13), entries(13, 2), ["OLD: over", "NEW: over"]),
        (entries(7), entries(13), entries(12), ["NEW: it covers 13 entries, and the log has 12"]),
    ],
)
def test_what_does_not_hold_is_named(run, old, new, log, wrong: list[str]) -> None:
    code, said = run(old, new, log)
    assert code == 1
    for each in wrong:
        assert f"FAIL: {each}" in said
    assert said.count("FAIL") == len(wrong)


def test_signatures_are_checked_with_the_key(run) -> None:
    code, said = run(entries(7), entries(13), entries(13), signer=NAMESAKE)
    assert (code, "FAIL: OLD: " in said) == (1, True)
    code, said = run(entries(7), entries(13), entries(13), signer=NAMESAKE, key=None)
    assert (code, "Not checked: the signatures" in said) == (0, True)


def test_two_logs_or_the_wrong_way_round(run) -> None:
    assert run(entries(7), entries(13), entries(13), signer=OTHER)[0] == 2
    assert run(entries(13), entries(7), entries(13))[0] == 2


def test_what_is_no_checkpoint_or_no_log(tmp_path) -> None:
    write(tmp_path / "log", entries(7))
    (tmp_path / "text").write_text("hello\n")
    good = str(tmp_path / "log" / "checkpoint")
    for words in ([good, str(tmp_path / "text"), str(tmp_path / "log")], [good, good, str(tmp_path / "none")]):
        assert main(["consistency", *words]) == 2
