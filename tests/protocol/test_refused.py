"""The `refused` part of docs/vectors/fairshoe-1.json: the command and the second implementation agree with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairshoe.cli import main
from tests.second import protocol as second
from tests.second.vectors import load

Case = dict[str, Any]
REFUSED = load("refused")
INPUTS, PROOFS = REFUSED["inputs"], REFUSED["proofs"]
PYTHON_TEXT = ["Traceback", "recursion", "4300", "sys.", "utf-8-sig", "None"]


def named(cases: list[Case]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def bytes_of(case: Case, base: str) -> bytes:
    """The file that a case of `proofs` stands for."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "text" in case:
        return str(case["text"]).encode()
    old, new = case["replace"]
    assert base.count(old) == 1, case["name"]
    return base.replace(old, new).encode()


def test_names_differ() -> None:
    for cases in (INPUTS["cases"], PROOFS["cases"]):
        assert len({case["name"] for case in cases}) == len(cases)


@named([{"name": "base", "change": {}, "exit": 0}, *INPUTS["cases"]])
def test_inputs(case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = INPUTS["base"] | case["change"]
    labels = options["deck"]
    if "deck_file" in options:
        labels = bytes.fromhex(options.pop("deck_file"))
        (tmp_path / "deck").write_bytes(labels)
        options["deck"] = f"@{tmp_path / 'deck'}"
    words = []
    for name, value in options.items():
        for text in value if isinstance(value, list) else [value]:
            words += [f"--{name}", text]
    key, shoe, seeds, draws = (options[name] for name in ("key", "shoe", "seed", "draw"))
    code, expected = 0, None
    try:
        expected = second.command(key, shoe, labels, seeds, options["beacon"], options["cut"], draws, options["first"])
    except second.Refused:
        code = 2
    assert code == case["exit"]
    assert main(["shuffle", *words, "--json"]) == code
    out, err = capfd.readouterr()
    assert (json.loads(out) if out else None) == expected
    assert not any(text in err for text in PYTHON_TEXT)


@named([{"name": "base", "text": PROOFS["base"], "exit": 0, "step": None}, *PROOFS["cases"]])
def test_proofs(case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = bytes_of(case, PROOFS["base"])
    remembered = case.get("commitment", PROOFS["commitment"])
    assert second.verdict(data, remembered) == (case["exit"], case["step"])
    file = tmp_path / "proof"
    file.write_bytes(data)
    words = [] if remembered is None else ["--commitment", remembered]
    assert main(["verify", str(file), "--json", *words]) == case["exit"]
    out, err = capfd.readouterr()
    if case["exit"] == 2:
        assert out == ""
        assert err.startswith("fairshoe: ")
        assert not any(text in err for text in PYTHON_TEXT)
        return
    body = json.loads(out)
    assert (body["holds"], err) == (case["exit"] == 0, "")
    assert body.get("step") == case["step"]
    if body["holds"]:
        assert body["remembered"] == (remembered is not None)
        assert body["dealt"] == second.dealt_cards(second.read_proof(data), remembered)
    if case["name"] == "base":
        assert body["dealt"] == PROOFS["dealt"]
