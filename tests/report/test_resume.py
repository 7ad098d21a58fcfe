"""`report --resume`: the report is that of the whole log, to the byte, wherever the last one ended."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from audit_cli.desk.report import ReportOptions, desk_report
from audit_cli.main import main
from audit_cli.report.counting.watcher import CountWatcher
from audit_cli.report.cover import Cover
from audit_cli.report.run import make
from audit_cli.verify.walk.audit import Audit
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.simulate.house import plan_house
from tests import everything
from tests.audit.test_shares import interleaved
from tests.long.house import SIGNER, TRICKS
from tests.simulated import KEY, simulated


def lines_of_everything() -> list[bytes]:
    house = interleaved(2, 4)
    for each in (everything.casinos, everything.pontoon, everything.lounge):
        each(house)
    return house.lines


def lines_of_a_trickster() -> list[bytes]:
    return [*map(encode, TRICKS["late-bets"](60).play().log)]


def text_of(folder: Path, lines: Sequence[bytes], state: Path | None = None) -> str:
    write_log(folder, lines, SIGNER)
    result = make(folder, key=str(SIGNER.verifier), state=state)
    assert not result.why_not
    report = desk_report([result], [folder], Cover(), ReportOptions(False, ()), {})
    return json.dumps([section.as_json() for section in report.sections]) + json.dumps(result.as_json())


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Where many seeds come too late, and some after their shoe was void."""
    folder = simulated(tmp_path_factory.mktemp("log") / "house", rounds=150, careless=0.2)
    return (folder / "log.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("of", ["honest", lines_of_everything, lines_of_a_trickster])
def test_the_report_is_that_of_the_whole_log(of, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    lines = request.getfixturevalue(of) if type(of) is str else of()
    whole = text_of(tmp_path / "whole", lines)
    for part in (2, 5):
        folder, state = tmp_path / str(part), tmp_path / f"{part}.json"
        text_of(folder, lines[: part * len(lines) // 8], state)
        assert text_of(folder, lines, state) == whole, part


def test_a_seed_that_comes_after_the_last_report_counts(
    honest: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A void shoe is known by its last seed, whichever report that falls into."""
    waits: list[int] = []

    def note(self: CountWatcher, audit: Audit, line: bytes) -> None:
        before(self, audit, line)
        if self._awaited and not waits:
            waits.append(audit.index + 1)

    before = CountWatcher.__call__
    with monkeypatch.context() as patch:
        patch.setattr(CountWatcher, "__call__", note)
        whole = text_of(tmp_path / "whole", honest)
    assert waits
    text_of(tmp_path / "log", honest[: waits[0]], tmp_path / "state")
    assert json.loads((tmp_path / "state").read_text())["known"]["watch"]["awaited"]
    assert text_of(tmp_path / "log", honest, tmp_path / "state") == whole


def test_the_command_audits_only_what_came_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    logs = []
    for number, game in enumerate(("casino", "banker")):
        plan = plan_house([game], 30, KEY)
        folder = simulated(tmp_path / f"whole{number}", [game], rounds=30)
        logs.append((tmp_path / f"log{number}", (folder / "log.jsonl").read_bytes().splitlines(), plan.signer()))
    names = [str(log[0]) for log in logs]
    take, taken = Audit.take, [0]
    monkeypatch.setattr(Audit, "take", lambda self, line: (taken.append(taken.pop() + 1), take(self, line)))
    for part in (2, 1):
        for folder, lines, signer in logs:
            write_log(folder, lines[: len(lines) // part], signer)
        assert main(["report", *names, "--output", f"{part}.json", "--resume", "states"]) == 0
        assert taken == [sum(len(lines) // part for _, lines, _ in logs)]
    assert main(["report", *names, "--output", "whole.json"]) == 0
    assert Path("1.json").read_bytes() == Path("whole.json").read_bytes()
    assert len(list(Path("states").iterdir())) == 2


@pytest.mark.parametrize(
    "words", [["LOG", "LOG"], ["LOG", "--jobs", "2"], ["LOG", "--cluster", "tcp://127.0.0.1:1"], ["-"]]
)
def test_what_cannot_go_on_is_refused(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = str(simulated(tmp_path / "log", ["casino"], rounds=1))
    words = [log if word == "LOG" else word for word in words]
    assert main(["report", *words, "--output", "r.json", "--resume", "states"]) == 2
    assert not Path("states").exists()


def test_the_state_of_an_audit_without_counts_is_refused(tmp_path: Path) -> None:
    log = str(simulated(tmp_path / "log", ["casino"], rounds=1))
    states, output = str(tmp_path / "states"), ["--output", str(tmp_path / "r.json")]
    assert main(["report", log, *output, "--resume", states]) == 0
    (state,) = Path(states).iterdir()
    assert main(["verify", log, "--resume", str(state)]) == 2
    state.unlink()
    assert main(["verify", log, "--resume", str(state)]) == 0
    assert main(["report", log, *output, "--resume", states]) == 2
