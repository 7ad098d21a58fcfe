"""The reviewer's desk: several logs in one report, exceptions from month to month, the last report, the signature."""

import csv
import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_cli.commands._reports import names_of
from audit_cli.desk.exceptions import COLUMNS, read_exceptions
from audit_cli.main import main
from fairshoe.errors import InputError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.log.signer_file import signer_in
from tests.long.house import SIGNER, TRICKS
from tests.simulated import simulated

HEAD = ",".join(COLUMNS)
ROW = "E0123456789abcde,h,l,b,t,w,e,"
DECIDED = {"state": "accepted", "decided by": "rita", "when": "2026-02-01"}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("desk") / "honest", rounds=24)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of another house."""
    folder = tmp_path_factory.mktemp("desk") / "other"
    folder.mkdir()
    write_log(folder, map(encode, TRICKS["late-bets"](30).play().log), SIGNER)
    return folder


@pytest.fixture(scope="module")
def edited(honest: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The honest log with two payouts changed, not signed anew."""
    folder = tmp_path_factory.mktemp("desk") / "edited"
    shutil.copytree(honest, folder)
    data = (folder / "log.jsonl").read_bytes()
    (folder / "log.jsonl").write_bytes(data.replace(b'"net":-', b'"net":-1', 2))
    return folder


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two logs of one house with void shoes."""
    folders = [tmp_path_factory.mktemp("noted") / name for name in ("one", "two")]
    return [simulated(folder, ["boxes"], rounds=rounds) for folder, rounds in zip(folders, (60, 90), strict=True)]


@pytest.fixture
def desk(honest: Path, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Reports on logs with the keys of both houses; gives the exit code and the JSON."""
    monkeypatch.chdir(tmp_path)

    def report(*words: object) -> tuple[int, dict]:
        keys = ["--key", str(honest / "log.vkey"), "--key", str(SIGNER.verifier)]
        code = main(["report", *map(str, words), *keys, "--output", "report.json"])
        text = Path("report.json").read_text()
        return code, json.loads(text.partition("\n\n— ")[0])

    return report


def rows(file: str) -> list[dict[str, str]]:
    with open(file, newline="") as text:
        return list(csv.DictReader(text))


def write_rows(file: str, table: list[dict[str, str]]) -> None:
    with open(file, "w", newline="") as text:
        out = csv.DictWriter(text, COLUMNS)
        out.writeheader()
        out.writerows(table)


def test_several_logs_have_their_verdicts_and_totals_in_one_report(
    desk, honest: Path, other: Path, edited: Path
) -> None:
    logs = honest, other, edited
    code, form = desk(*logs, "--output", "report.html", "--tables", "tables")
    assert code == 1
    assert [log["sections"]["verdict"]["status"] for log in form["logs"]] == ["unknown", "unknown", "bad"]
    assert form["sections"]["verdict"]["status"] == "bad"
    assert "1 does not hold (edited)" in form["sections"]["verdict"]["says"]
    listed = form["sections"]["logs"]["tables"][0]["rows"]
    assert [row[1] for row in listed] == [log["audit"]["log"]["origin"] for log in form["logs"]]
    assert [row[0] for row in listed] == [log["name"] for log in form["logs"]] == ["honest", "other", "edited"]
    assert len({row[1] for row in listed}) == 2
    totals = {tuple(row[:2]): row[2] for row in form["sections"]["totals"]["tables"][0]["rows"]}
    whole = totals["all houses", "all games"]
    staked = {tuple(row[:2]): row[3] for row in form["sections"]["totals"]["tables"][0]["rows"]}
    assert staked["all houses", "lounge"]
    assert staked["all houses", "all games"] is None, "what a pool was played for is no stake"
    left = sum(log["audit"]["rounds"] for log in form["logs"]) - whole
    assert f"Left out: {left} round" in form["sections"]["totals"]["says"]
    ends = form["sections"]["totals"]["tables"][1]["rows"]
    assert ends == [[log.name, sum(chips_at_end(log).values())] for log in logs]
    assert whole == sum(
        rounds for (house, game), rounds in totals.items() if house != "all houses" and game == "all games"
    )
    assert whole == sum(rounds for (house, game), rounds in totals.items() if house == "all houses") - whole
    text = Path("report.html").read_text()
    ids, links = re.findall(r'\sid="([^"]+)"', text), re.findall(r'href="#([^"]+)"', text)
    assert len(ids) == len(set(ids))
    page = text.partition("<nav")[0]
    for kind in ("payout-differs", "two-histories: honest and edited begin alike"):
        assert kind in page, "page one says which log has what"
    assert {"logs", "totals", "1-honest-verdict", "3-edited-verdict"} <= set(links) <= set(ids)
    assert Path("tables/3-edited-findings.csv").read_text().startswith("finding,severity,")
    assert hashlib.sha256(Path("report.json").read_bytes()).hexdigest() in text
    printed = set(re.findall(r'<section id="([^"]+)" class="\w+"', text))
    assert {"exceptions", "1-honest-verdict", "3-edited-findings", "3-edited-unseen"} <= printed
    assert not {"1-honest-findings", "1-honest-choices"} & printed
    found = form["sections"]["exceptions"]["data"]
    assert {each["log"] for each in found if each["what"].startswith("payout-differs")} == {"edited"}
    assert {"honest", "edited"} <= {name for each in found for name in each["log"].split(", ")}


def chips_at_end(log: Path) -> dict[tuple[str, str], int]:
    """The chips that each entry says of each seat, the last ones."""
    found: dict[tuple[str, str], int] = {}
    for line in (log / "log.jsonl").read_text().splitlines():
        entry = json.loads(line)
        table = entry.get("table") or entry.get("shoe", "").rpartition("/")[0]
        found |= {(table, seat): chips for seat, chips in entry.get("chips", {}).items() if seat.isdigit()}
    return found


@pytest.mark.parametrize(
    ("logs", "names"),
    [
        (["logs/north", "logs/south/log.jsonl"], ["north", "south"]),
        (["2026-01/north", "2026-02/north", "2026-02/south"], ["2026-01/north", "2026-02/north", "2026-02/south"]),
        (["north.tar", "south.log.jsonl"], ["north", "south.log"]),
        (["a/log", "a/log"], ["a/log", "a/log"]),
    ],
)
def test_each_log_has_a_short_name(logs: list[str], names: list[str]) -> None:
    assert names_of([*map(Path, logs)]) == names


def test_notes_of_a_code_and_table_are_one_exception_also_next_month(desk, noted: list[Path]) -> None:
    """Whatever the counts are, and whichever entry has the first of them."""
    ids = []
    for log in noted:
        _, form = desk(log)
        found = form["sections"]["exceptions"]["data"]
        notes = [each for each in found if each["what"].startswith("shoe-void: ")]
        listed = [each for each in form["logs"][0]["audit"]["findings"] if each["code"] == "shoe-void"]
        assert len(listed) > len(notes) > 0
        assert Counter(each["table"] for each in notes) == dict.fromkeys({each["table"] for each in listed}, 1)
        ids.append({each["table"]: each["id"] for each in notes})
    assert ids[0].items() & ids[1].items()


def test_an_exception_has_one_id_whatever_other_logs_are_reported(
    desk, noted: list[Path], honest: Path, other: Path, tmp_path: Path
) -> None:
    """Alone, beside logs of its house and of another, and beside an earlier form of itself."""
    log = noted[0]
    lines = (log / "log.jsonl").read_bytes().splitlines(keepends=True)
    shorter = tmp_path / "shorter"
    shutil.copytree(log, shorter)
    (shorter / "log.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))

    def ids(*logs: Path) -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for each in desk(*logs)[1]["sections"]["exceptions"]["data"]:
            if each["what"].startswith("shoe-void: "):
                for name in each["log"].split(", "):
                    found.setdefault((name.rpartition("/")[2], each["table"]), set()).add(each["id"])
        return found

    alone = ids(log)
    assert alone
    for beside in ([honest], [other], [shorter], [honest, other, shorter]):
        found = ids(log, *beside)
        assert {key: found[key] for key in alone} == alone
    assert ids(shorter, log) == ids(log, shorter)


def test_a_note_that_came_more_often_than_was_decided_is_open_again(desk, noted: list[Path], tmp_path: Path) -> None:
    desk(noted[0], "--exceptions", "exceptions.csv")
    table = [
        row | DECIDED | {"owner": "olga", "note": "power cut"}
        for row in rows("exceptions.csv")
        if row["what"].startswith("shoe-void: ")
    ]
    fewer = [row | {"what": re.sub(r"[\d,]+ times?$", "1 time", row["what"])} for row in table]
    for given, state in ((table, "accepted"), (fewer, "open")):
        write_rows("exceptions.csv", given)
        for _ in range(2):  # the second report keeps what the first one wrote
            desk(noted[0], "--exceptions", "exceptions.csv")
            found = {row["id"]: row for row in rows("exceptions.csv")}
            assert {found[row["id"]]["state"] for row in table} == {state}
            assert {found[row["id"]]["owner"] for row in table} == {"olga"}
            assert all("power cut" in found[row["id"]]["note"] for row in table)
            assert all(("rita" in found[row["id"]]["note"]) == (state == "open") for row in table)


def test_exceptions_are_kept_from_report_to_report(desk, honest: Path, edited: Path, other: Path) -> None:
    desk(edited, "--exceptions", "exceptions.csv", "--date", "2026-02-01")
    first = rows("exceptions.csv")
    assert {row["first seen"] for row in first} == {"2026-02-01"}
    assert tuple(first[0]) == COLUMNS
    assert {row["state"] for row in first} == {"open"}
    paid = [row for row in first if row["what"].startswith("payout-differs")]
    assert len(paid) == 2
    assert len({row["id"] for row in first}) == len(first)
    table = [
        row | {"state": "accepted", "decided by": "rita", "when": "2026-01-02", "first seen": "2025-12-31"}
        if row == paid[0]
        else row
        for row in first
    ]
    with open("exceptions.csv", "w", newline="", encoding="utf-8-sig") as file:
        out = csv.DictWriter(file, COLUMNS, delimiter=";")
        out.writeheader()
        out.writerows(table)
    assert desk(edited, "--exceptions", "exceptions.csv")[0] == 1  # a decision hides nothing
    again = {row["id"]: row for row in rows("exceptions.csv")}
    assert again.keys() == {row["id"] for row in first}
    decided = again[paid[0]["id"]]
    assert (decided["state"], decided["decided by"], decided["first seen"]) == ("accepted", "rita", "2025-12-31")
    assert again[paid[1]["id"]]["state"] == "open"
    _, form = desk(honest, "--exceptions", "exceptions.csv")
    carried = {row[0]: row for row in form["sections"]["exceptions"]["tables"][0]["rows"]}
    assert carried[paid[1]["id"]][-2].startswith("gone, since 202")
    _, form = desk(other, "--exceptions", "exceptions.csv")
    carried = {row[0]: row for row in form["sections"]["exceptions"]["tables"][0]["rows"]}
    assert carried[paid[1]["id"]][-2].startswith("log not given, since 202")
    assert {row["id"] for row in rows("exceptions.csv")} >= again.keys()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("id,house\n", "exceptions.csv"),
        ("", "exceptions.csv"),
        (f"{HEAD}\n1,h,,w,e,,open,,,,\n", "exceptions.csv, line 2"),
        (f"{HEAD},mine\n{ROW}2026-01-31,open,,,,,kept\n", "exceptions.csv"),
        (f"{HEAD}\n{ROW},accepted,,,2026-02-01,\n", "exceptions.csv, line 2"),
        (f"{HEAD}\n{ROW},accepted,,rita,,\n", "exceptions.csv, line 2"),
        (f"{HEAD}\n{ROW},accepted,,rita,2030,\n", "exceptions.csv, line 2"),
        (f"{HEAD}\n{ROW}2026-02-30,open,,,,\n", "exceptions.csv, line 2"),
        (f"{HEAD}\n{ROW},open,,,,\n{ROW},accepted,,rita,2026-02-01,\n", "exceptions.csv, line 3"),
    ],
    ids=["columns", "empty", "id", "own column", "decided by nobody", "never decided", "no day", "never seen", "twice"],
)
def test_a_table_of_exceptions_that_is_none_is_refused_and_stays(
    text: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("exceptions.csv").write_text(text)
    with pytest.raises(InputError) as refused:
        read_exceptions(Path("exceptions.csv"))
    assert refused.value.where == where
    assert Path("exceptions.csv").read_text() == text


def test_last_time_stands_beside_this_time(desk, honest: Path, edited: Path) -> None:
    _, last = desk(honest)
    last["cover"]["signer"] = "nobody+c5ce1ae4+AZ"
    log = last["logs"][0]
    log["audit"]["log"]["first"] = "2025-12-01T00:00:00.000000Z"  # another log of that house
    game = next(name for name in log["sections"]["games"]["data"] if name.startswith("casino"))
    log["sections"]["games"]["data"][game]["net"] += 100 * log["sections"]["games"]["data"][game]["staked"]
    log["audit"]["choices"]["log"] |= {"put out by the house": 500, "pass": 500}
    log["sections"]["choices"]["data"] |= {"put out by the house": 500, "pass": 500 * 500}  # the one on one shoe
    Path("last.json").write_text(json.dumps(last))
    _, form = desk(edited, "--previous", "last.json")
    found = form["sections"]["previous"]
    changed = {(row[1], row[2]) for row in found["tables"][0]["rows"] if row[-1] == "look"}
    games = ", ".join(sorted({table["rules"] for table in log["audit"]["tables"]}))
    assert changed == {("all its logs", "return, casino"), ("all its logs", f"choice in {games}: put out by the house")}
    assert (found["status"], [each["log"] for each in found["data"]["asked"]]) == ("question", [""])
    assert "nobody+" not in str(found), "nor are words of a report repeated that nobody checked"
    kinds = Counter(row[-2] for row in form["sections"]["exceptions"]["tables"][0]["rows"] if "payout" in row[2])
    assert kinds == {"new": 2}


def test_a_bad_room_shows_beside_the_good_ones_of_its_house(desk, noted: list[Path], honest: Path) -> None:
    """One log's, and one table's, whatever the others hide; and whether the last report's signature was checked."""
    sign = ["--by", "rita", "--sign", "rita.key"]
    _, last = desk(*noted, honest, *sign)
    one, two = (log["sections"] for log in last["logs"][:2])
    lost = 4 * one["results"]["data"][0]["staked"]
    for sections, net in ((one, -lost), (two, lost)):
        for sums in (*sections["results"]["data"], *sections["games"]["data"].values()):
            sums["net"] += net
    for log in last["logs"]:
        log["audit"]["log"]["first"] = "2025-12-01T00:00:00.000000Z"
    Path("last.json").write_text(signer_in(Path("rita.key"), "rita", "").sign(json.dumps(last) + "\n"))
    _, form = desk(*noted, honest, "--previous", "last.json")
    found = form["sections"]["previous"]
    assert {row[1] for row in found["tables"][0]["rows"] if row[-1] == "look"} == {"one", "two"}
    assert not found["data"]["checked"]
    assert ("one", "return, boxes") in {(row[1], row[2]) for row in found["tables"][0]["rows"]}
    _, form = desk(*noted, honest, "--previous", "last.json", *sign)
    assert form["sections"]["previous"]["data"]["checked"]
    other = str(SIGNER.verifier)
    assert main(["report", str(honest), "--previous", "last.json", "--reviewer", other]) == 2


def test_of_a_log_that_goes_on_only_what_came_since_counts(desk, honest: Path) -> None:
    desk(honest)
    shutil.copy("report.json", "last.json")
    _, form = desk(honest, "--previous", "last.json")
    data = form["sections"]["previous"]["data"]
    assert data["asked"] == []
    assert {row[-2].partition(",")[0] for row in form["sections"]["exceptions"]["tables"][0]["rows"]} == {"known"}
    assert {rate["amount"] for rate in data["rates"]} == {0}
    assert {rate["z"] for rate in data["rates"]} == {None}


def test_a_last_report_that_no_log_goes_on_from_is_a_question(desk, honest: Path, edited: Path, other: Path) -> None:
    """Whether the log given has another history, or ends before; and no question where it goes on, or is not given. It
    stands on the first page and among the exceptions, as every question does."""
    shutil.copytree(honest, "shorter")
    lines = (honest / "log.jsonl").read_bytes().splitlines(keepends=True)
    Path("shorter/log.jsonl").write_bytes(b"".join(lines[:20]))
    cases = (
        ("shorter", honest, []),
        (honest, "shorter", ["not-continued"]),
        (edited, honest, ["two-histories"]),
        (honest, other, []),
    )
    for number, (last, now, asked) in enumerate(cases):
        desk(last, "--by", "rita", "--sign", "rita.key")
        shutil.copy("report.json", "last.json")
        sign = "--by", "rita", "--sign", "rita.key", "--exceptions", f"{number}.csv"
        code, form = desk(now, "--previous", "last.json", *sign)
        sections = form["sections"]
        assert [each["what"].partition(":")[0] for each in sections["previous"]["data"]["asked"]] == asked
        assert (sections["previous"]["status"] == "question") == (sections["verdict"]["status"] in ("bad", "question"))
        assert code == bool(asked)
        found = [row for row in rows(sign[-1]) if row["where"] == "Since the last report"]
        assert [(row["what"].partition(":")[0], row["log"]) for row in found] == [
            (each, Path(last).name if each == "two-histories" else "") for each in asked
        ]
        keys = "--reviewer", form["cover"]["signer"], "--key", str(honest / "log.vkey"), "--key", str(SIGNER.verifier)
        assert main(["recheck", "report.json", str(now), *keys]) == 0


def test_a_house_that_founds_a_log_each_month_has_one_question_whose_decision_stays(desk, tmp_path: Path) -> None:
    found = []
    for number, game in enumerate(("casino", "banker", "boxes")):
        log = simulated(tmp_path / game, [game], rounds=4)
        desk(log, "--exceptions", "e.csv", *(("--previous", "last.json") if number else ()))
        shutil.copy("report.json", "last.json")
        asked = [row for row in rows("e.csv") if row["where"] == "Since the last report"]
        found.append([(row["id"], row["state"]) for row in asked])
        write_rows("e.csv", [row | DECIDED if row in asked else row for row in rows("e.csv")])
    assert "banker, begun" in asked[0]["what"]
    assert [[state for _, state in each] for each in found] == [[], ["open"], ["accepted"]]
    assert len({name for each in found for name, _ in each}) == 1


def test_a_signed_report_is_checked_against_its_logs(
    desk, honest: Path, other: Path, edited: Path, noted: list[Path], capsys
) -> None:
    cover = ["--number", "2026/01", "--date", "2026-02-01", "--by", "rita", "--sign", "rita.key", "--once"]
    _, form = desk(honest, other, *cover)
    assert [form["cover"][name] for name in ("number", "date", "by")] == ["2026/01", "2026-02-01", "rita"]
    assert form["cover"]["signer"].startswith("rita+")
    Path("signed.json").write_bytes(Path("report.json").read_bytes())

    def recheck(*logs: Path) -> int:
        words = [*map(str, logs), "--reviewer", form["cover"]["signer"], "--format", "json"]
        return main(
            ["recheck", "signed.json", *words, "--key", str(honest / "log.vkey"), "--key", str(SIGNER.verifier)]
        )

    capsys.readouterr()
    assert recheck(other) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["verdict"], said["differs"], said["missing"]) == ("incomplete", [], ["honest"])
    assert recheck(other, honest) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["verdict"], said["differs"], said["same_program"]) == ("same", [], True)
    assert recheck(noted[0]) == 2
    assert main(["recheck", "signed.json", str(honest), "--reviewer", form["cover"]["signer"]]) == 2, "without its key"
    assert recheck(edited, other) == 1
    assert any(place.startswith("logs[0].audit") for place in json.loads(capsys.readouterr().out)["differs"])
    Path("signed.json").write_text(Path("signed.json").read_text().replace('"rounds"', '"round5"', 1))
    assert recheck(honest, other) == 2
    assert recheck(honest, other, edited) == 2
    signer = signer_in(Path("rita.key"), "rita", "")
    for change, place in FORGED:
        forged = json.loads(json.dumps(form))
        change(forged["sections"])
        Path("signed.json").write_text(signer.sign(json.dumps(forged) + "\n"))
        capsys.readouterr()
        assert recheck(honest, other) == 1
        assert place in json.loads(capsys.readouterr().out)["differs"]


def test_a_log_counts_once(honest: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(honest), str(other), str(honest), "--key", str(honest / "log.vkey")]) == 2
    assert "log 3 has the same entries as log 1" in capsys.readouterr().err


FORGED: list[tuple[Callable[[Any], object], str]] = [
    (lambda sections: sections["verdict"].update(says="Of 2 logs: 2 hold"), "sections.verdict.says"),
    (
        lambda sections: sections["totals"]["tables"][0]["rows"][0].__setitem__(3, 1),
        "sections.totals.tables[0].rows[0][3]",
    ),
    (lambda sections: sections["exceptions"].update(says="0 exceptions open"), "sections.exceptions.says"),
    (lambda sections: sections["exceptions"]["data"][0].update(state="accepted"), "sections.exceptions.data[0].state"),
    (lambda sections: sections["exceptions"]["data"].pop(), "sections.exceptions.data"),
]
"""What the signer may write into a report that its logs do not say, and where it differs."""


@pytest.mark.parametrize(
    "words",
    [
        ["LOG", "LOG", "--csv", "hands.csv"],
        ["LOG", "LOG", "--checkpoint", "old"],
        ["-", "--exceptions", "e.csv"],
        ["LOG", "--output", "r.json", "--sign", "key"],
        ["LOG", "--by", "rita", "--sign", "key"],
        ["LOG", "--date", "yesterday"],
        ["LOG", "--date", "2026-02-30"],
        ["LOG", "--output", "report.pdf"],
        ["LOG", "--exceptions", "e.xlsx"],
        ["LOG", "--previous", "LOG/log.vkey"],
    ],
)
def test_what_cannot_be_done_is_refused_before_the_audit(
    honest: Path, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", *(word.replace("LOG", str(honest)) for word in words)]) == 2
    assert not list(tmp_path.iterdir())
