"""The report: what it says of honest and of broken logs, its sums against the log itself, the same bytes again."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from audit_cli.main import main
from audit_cli.report.behaviour import players_together
from audit_cli.report.blocks import Chart, page, picture
from audit_cli.report.chance import luck
from audit_cli.report.charts import charts
from audit_cli.report.luck.busts import Busts
from audit_cli.report.outcomes import Outcomes
from audit_cli.report.results import MoneySums, Results, expected, game_of, games
from audit_cli.report.run import ReportCounts, ReportResult, make
from audit_cli.report.standards import read_standard
from audit_cli.verify.findings.finding import FALSE_RESULT, RESULT_CODES, Place
from audit_cli.verify.findings.report import Report
from audit_cli.verify.run import verify
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import InputError
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.long.house import SIGNER, TRICKS
from tests.luck.test_house import Players, one_round, played
from tests.simulated import simulated

SECTIONS = [
    "games",
    "charts",
    "checks",
    "findings",
    "luck",
    "busts",
    "shuffles",
    "behaviour",
    "results",
    "outcomes",
    "choices",
]
PROFILE = """title = "House rules"
source = "https://commission.example/rules"
edition = "2026"

[[clause]]
id = "4.2"
about = "Every card can be checked afterwards."
checks = ["commitment", "cards"]

[[clause]]
id = "4.3"
about = "The shuffles are fair."
sections = ["shuffles"]
checks = ["signature"]
least = { days = 1 }

[[clause]]
id = "4.4"
about = "Players are told."
people = "That they are."
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=1_200, careless=0.03)


@pytest.fixture(scope="module")
def made(log: Path) -> ReportResult:
    return make(log, key=(log / "log.vkey").read_text())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Too few rounds to judge any number."""
    return simulated(tmp_path_factory.mktemp("log") / "house", rounds=24)


@pytest.fixture(scope="module")
def small_made(small: Path) -> ReportResult:
    return make(small, key=(small / "log.vkey").read_text())


def page_of(made: ReportResult) -> str:
    return page("Audit", made.sections, made.sections[1:])


def entries(log: Path) -> list[dict]:
    return [json.loads(line) for line in (log / "log.jsonl").read_text().splitlines()]


def broken(log: Path, folder: Path, old: bytes, new: bytes) -> Path:
    """The log with the first such bytes changed, unsigned."""
    data = (log / "log.jsonl").read_bytes()
    assert old in data
    (folder / "log.jsonl").write_bytes(data.replace(old, new, 1))
    return folder


def test_an_honest_log_is_told_to_be_one(made: ReportResult) -> None:
    assert made.sections[0].status == "good"
    assert made.good
    assert not [section.name for section in made.sections if section.status in ("bad", "question")]


def test_every_section_has_an_answer_and_a_name_of_its_own(made: ReportResult) -> None:
    names = [section.name for section in made.sections]
    assert len(set(names)) == len(names)
    assert names[1 : 1 + len(SECTIONS)] == SECTIONS
    assert all(section.says for section in made.sections)


def test_sums_are_those_of_the_log(log: Path, made: ReportResult) -> None:
    nets: Counter[str] = Counter()
    rounds: Counter[str] = Counter()
    for entry in entries(log):
        if entry["kind"] == "round":
            game = entry["shoe"].partition("-")[0]
            rounds[game] += 1
            nets[game] += sum(hand["net"] + hand.get("insurance", 0) for hand in entry["hands"])
    (table, *_) = (block for block in section(made, "games").blocks if hasattr(block, "rows"))
    titles = [column.title for column in table.columns]
    told = {row[0]: dict(zip(titles, row, strict=True)) for row in table.rows}
    assert {game: row["rounds"] for game, row in told.items()} == rounds
    assert {game: round((row["RTP"] - (game != "lounge")) * row["staked"]) for game, row in told.items()} == nets
    assert all(row["from"] < min(row["expected RTP"], row["RTP"]) for row in told.values())
    assert all(row["to"] > max(row["expected RTP"], row["RTP"]) for row in told.values())


@pytest.mark.parametrize(
    ("game", "strategy", "loses"),
    [
        ("banker", "random", True),
        ("banker", "bicycle", False),
        ("lounge", "random", True),
        ("pontoon", "random", False),
    ],
)
def test_an_honest_log_lies_in_its_band_whatever_its_players_do(
    game: str, strategy: str, loses: bool, tmp_path: Path
) -> None:
    """Careless players lose far more than the reference strategy, but to each other; the band is that of their own
    decisions."""
    log = simulated(tmp_path / "log", [game], rounds=500, strategy=strategy)
    made = make(log, key=(log / "log.vkey").read_text())
    table = next(block for block in section(made, "games").blocks if hasattr(block, "rows"))
    told = dict(zip((column.title for column in table.columns), table.rows[0], strict=True))
    assert told["from"] < told["RTP"] < told["to"]
    assert told["rounds replayed"] > 0.9
    assert (told["expected RTP"] < told["reference RTP"] - 0.05) == loses
    (data,) = section(made, "games").data.values()
    assert data["play"] == pytest.approx((told["expected RTP"] - told["reference RTP"]) * told["staked"])


def test_players_with_few_rounds_share_the_dealers_cards(small: Path) -> None:
    """All players of a log's tables together stray as the tables do, not as if each had played alone."""
    counts = ReportCounts()
    verify(small, watch=counts)
    found = counts.results
    whole = players_together(found, {player.player for player, _ in found.players})
    spread = sum(expected(found, game, sums).deviation ** 2 for game, sums in whole)
    tables = sum(expected(found, game, sums).deviation ** 2 for (_, game), sums in found.tables.items())
    assert spread == pytest.approx(tables, rel=1e-4)  # but for the error of expectations that were simulated
    assert players_together(found, set()) == []


def test_choices_stray_by_shoes(log: Path, made: ReportResult) -> None:
    left = Counter[str]()
    sizes = {"casino": 312, "banker": 312, "boxes": 416, "pontoon": 52, "lounge": 312, "chinese": 52}
    rules = {entry["table"]: entry["rules"] for entry in entries(log) if entry["kind"] == "table"}
    for entry in entries(log):
        if entry["kind"] == "reveal" and entry["why"] != "worn":
            left[entry["shoe"]] += sizes[rules[entry["shoe"].partition("/")[0]]] - entry["end"]
    data, counts = section(made, "choices").data, made.audit.choices.as_json()["log"]
    assert data["cards left in shoes ended before they were worn"] == sum(cards**2 for cards in left.values()) > 0
    assert data["sole contributor"] == counts["sole contributor"]
    assert data.keys() == counts.keys()
    assert data["bust"] > counts["bust"]


def test_each_game_has_its_charts_with_their_bands(log: Path, made: ReportResult) -> None:
    """Those of few shoes say nothing of first cards; a log of one day has no days to compare."""
    charts = {chart.title: chart for chart in section(made, "charts").blocks}
    assert {title.partition(":")[0] for title in charts} == set(RULES)
    for title, chart in charts.items():
        outside = sum(not point.low <= point.value <= point.high for point in chart.points)
        assert outside <= 1 + len(chart.points) // 20, title
    first: dict[str, str] = {}
    for entry in entries(log):
        if entry["kind"] == "round" and entry["shoe"].startswith("banker"):
            first.setdefault(entry["shoe"], entry["cards"][0][0])
    points = charts["banker: first cards in %"].points
    counts = {point.label: round(point.value * len(first) / 100) for point in points if point.value}
    assert counts == Counter(first.values())
    assert "casino: first cards in %" not in charts


def test_days_are_compared_and_returns_end_in_the_band_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairshoe.simulate.simulated_table.MAX_PAUSE", 300_000_000)
    made = make(simulated(tmp_path / "log", ["lounge"], rounds=200))
    charts = {chart.title: chart for chart in section(made, "charts").blocks}
    staked, won = (charts[f"lounge: {name} by day"] for name in ("stakes", "the players' result"))
    (data,) = section(made, "games").data.values()
    assert len(staked.points) == len(won.points) > 1
    assert sum(point.value for point in staked.points) == data["staked"]
    assert sum(point.value for point in won.points) == data["net"]
    tables = section(made, "charts").as_json()["tables"]
    assert [table["rows"] for table in tables if "stakes" in table["caption"]] == [[*map(list, staked.points)]]
    returned = charts["lounge: return (RTP) in %, over rounds"].points[-1]
    row = next(block for block in section(made, "games").blocks if hasattr(block, "rows")).rows[0]
    assert returned == pytest.approx(("200", 100 * row[3], 100 * row[5], 100 * row[6]))


@pytest.mark.parametrize(
    ("placed", "lost", "status"), [(600, 0.4, "question"), (600, 0.02, "plain"), (0, 0.4, "plain")]
)
def test_a_return_is_asked_about_where_a_placer_gave_the_cards(placed: int, lost: float, status: str) -> None:
    """No other test can: nobody knows the order of these shoes. A wrong place is never called chance."""
    results, audit = one_hour(placed, lost), Report()
    audit.rounds = 601
    made = games(results, audit)
    assert (made.status, [ask.key for ask in made.asks]) == (status, ["return t casino"] * (status == "question"))
    assert "1 round that failed" in made.says
    audit.add("place-differs", Place("t"))
    assert "place-differs" in games(results, audit).says


def one_hour(placed: int, lost: float) -> Results:
    """600 rounds of one table in one hour."""
    results, rules, whole = Results(), rules_of("casino", {}), 60_000
    sums = MoneySums(600, 600, whole, whole, -int(whole * lost), 100 * whole, 100 * whole, placed=placed)
    game = game_of(rules)
    results.options[game], results.hours[game, "2026-01-01T18"], results.tables["t", game] = rules.options, sums, sums
    return results


def test_a_game_that_was_played_within_an_hour_has_the_chart_of_its_return() -> None:
    (chart,) = charts(one_hour(0, 0.4), Busts(), Outcomes()).blocks
    assert isinstance(chart, Chart)
    assert [(point.label, point.value) for point in chart.points] == [("600", 60.0)]
    assert len(re.findall(r'class="line" points="([^"]*)"', picture(chart))[0].split()) == 2


def test_naturals_are_those_of_the_log(log: Path, made: ReportResult) -> None:
    """Counted a second time, from the cards themselves."""
    found: Counter[tuple[str, str]] = Counter()
    known: set[str] = set()
    for entry in entries(log):
        if entry["kind"] != "round" or entry["shoe"] in known:
            continue
        known.add(entry["shoe"])
        game, cards = entry["shoe"].partition("-")[0], entry["cards"]
        bets = Counter((hand["seat"], hand.get("box")) for hand in entry["hands"])
        for hand in entry["hands"]:
            if bets[hand["seat"], hand.get("box")] == 1 and ace_and_ten(cards, hand["cards"]):
                found[game, "player"] += 1
        found[game, "dealer"] += ace_and_ten(cards, entry["dealer"]["cards"])
    rows = section(made, "outcomes").data["naturals"]
    assert {(row[0], row[1]): row[3] for row in rows if row[3]} == {key: n for key, n in found.items() if n}


def ace_and_ten(cards: list[str], offsets: list[int]) -> bool:
    two = [cards[offset][0] for offset in offsets[:2]]
    return len(two) == 2 and ("A" in two) and any(rank in "TJQK" for rank in two)


def test_the_same_log_gives_the_same_bytes(small: Path, small_made: ReportResult) -> None:
    again = make(small, key=(small / "log.vkey").read_text())
    assert page_of(again) == page_of(small_made)
    assert json.dumps(again.as_json()) == json.dumps(small_made.as_json())


def test_a_changed_payout_is_the_first_thing_that_is_said(small: Path, tmp_path: Path) -> None:
    """And that no chip moved otherwise than the rules say."""
    made = make(broken(small, tmp_path, b'"net":-', b'"net":-1'))
    assert {each.cause for each in made.audit.findings if each.code in RESULT_CODES} == {FALSE_RESULT}
    head = made.sections[0]
    assert head.status == "bad"
    assert "1 logged result is false" in head.says
    assert "the house's" in head.says
    assert any("payout" in item for block in head.blocks for item in getattr(block, "items", ()))
    assert section(made, "checks").status == section(made, "findings").status == "bad"
    assert not made.good


def test_a_log_without_its_key_is_not_called_good(small: Path) -> None:
    made = make(small)
    assert made.sections[0].status == "unknown"
    assert "not all of it" in made.says
    assert made.good


def test_the_command(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html, form, csv = tmp_path / "r.html", tmp_path / "r.json", tmp_path / "hands.csv"
    outputs = ["--output", str(html), "--output", str(form), "--csv", str(csv)]
    assert main(["report", str(small), "--key", str(small / "log.vkey"), *outputs]) == 0
    assert "too little was played" in capsys.readouterr().out
    assert json.loads(form.read_text())["sections"]["verdict"]["status"] == "unknown"
    assert csv.read_text().startswith("entry,time,table,rules,")
    assert "too little was played" in html.read_text()


@pytest.mark.parametrize("words", [["report"], ["report", "-", "--csv", "out"], ["report", "LOG", "--csv", "-"]])
def test_mistakes_on_the_command_line(small: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(small) if word == "LOG" else word for word in words]) == 2
    assert capsys.readouterr().err


def test_the_page_asks_for_nothing_and_every_link_has_an_end(made: ReportResult) -> None:
    text = page_of(made)
    assert not re.search(
        r"<(?:script|link|iframe|img)\b|<[^>]*\s(?:src|data|action|poster|srcset)=|url\(|@import", text
    )
    ids, links = re.findall(r'<[^>]*\sid="([^"]+)"', text), re.findall(r'<[^>]*\shref=("[^"]*"|[^"])', text)
    assert len(ids) == len(set(ids))
    assert links
    assert set(links) <= {f'"#{each}"' for each in ids}
    assert text.count("<svg") == text.count("<title>") - 1 > 1


def test_what_a_log_says_is_no_markup(small: Path, tmp_path: Path) -> None:
    folder = broken(small, tmp_path, b'"kind":"round"', b'"<script>alert(1)</script>":1,"kind":"round"')
    assert "<script" not in page_of(make(folder))


def section(made: ReportResult, name: str):
    return next(section for section in made.sections if section.name == name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb'"cards":\["(..)"', b'"cards":["XX"'),
        (rb'"cards":\[("..",?)+\],"chips"', b'"cards":[],"chips"'),
        (rb'"hands":\[\{"bet":(\d+),"cards":\[\d+', rb'"hands":[{"bet":\1,"cards":[1000000000000000'),
        (rb'"outcome":"[a-z]+"', '"outcome":"\u202e\u200bheld"'.encode()),
        (rb'"decisions":\[\{"move":"\w+","seat":\d', b'"decisions":[{"move":"hit","seat":9'),
    ],
    ids=["label", "no cards", "card of none", "steering text", "seat of none"],
)
def test_a_hostile_round_has_a_report(small: Path, tmp_path: Path, old: bytes, new: bytes) -> None:
    data = (small / "log.jsonl").read_bytes()
    changed = re.sub(old, new, data, count=1)
    assert changed != data
    (tmp_path / "log.jsonl").write_bytes(changed)
    made = make(tmp_path)
    assert made.sections[0].status == "bad"
    assert not set(page_of(made)) & {"\u202e", "\u200b", "\0"}


def test_a_single_round_says_nothing_of_the_numbers(tmp_path: Path) -> None:
    log = simulated(tmp_path / "log", ["boxes"], rounds=1)
    made = make(log, key=(log / "log.vkey").read_text())
    assert made.sections[0].status == "unknown"
    assert "too little" in made.sections[0].says
    assert {section(made, name).status for name in ("luck", "shuffles", "outcomes")} == {"unknown"}


@pytest.mark.parametrize(
    "words",
    [
        ["--output", "same.html", "--output", "same.html"],
        ["--output", "rounds.csv", "--csv", "."],
        ["--csv", "evidence"],
    ],
)
def test_nothing_is_written_over(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Neither the log, whatever its file is called, nor another output."""
    monkeypatch.chdir(tmp_path)
    evidence = tmp_path / "evidence" / "rounds.csv"
    evidence.parent.mkdir()
    data = (small / "log.jsonl").read_bytes()
    evidence.write_bytes(data)
    assert main(["report", str(evidence), *words]) == 2
    assert evidence.read_bytes() == data
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["evidence", "rounds.csv"]


def test_a_clause_is_what_the_worst_of_its_checks_and_sections_is(small: Path, tmp_path: Path) -> None:
    profile = tmp_path / "house.toml"
    profile.write_text(PROFILE)
    made = make(small, profiles=[str(profile)])
    (standards,) = [section for section in made.as_json()["sections"].values() if section["title"] == "Standards"]
    (table,) = standards["tables"]
    assert table["caption"] == "House rules"
    assert [row[2] for row in table["rows"]] == ["good", "unknown", "plain"]
    (few,) = make(small).as_json()["sections"]["standards"]["tables"][:1]
    assert "Alcohol and Gaming Commission" in few["caption"]


def test_no_clause_holds_for_more_than_the_log_shows(made: ReportResult, tmp_path: Path) -> None:
    """An honest log of minutes has no three months of history, nor one of a few shoes their unpredictability; a house
    that its luck asks about holds neither standard."""
    assert clauses(made)["RTS 1B"] == clauses(made)["21.1.1"] == clauses(made)["21.1.8"] == "unknown"
    assert clauses(made)["RTS 5A"] == clauses(made)["21.1.5"] == "good"
    write_log(tmp_path, map(encode, TRICKS["late-bets"](120).play().log), SIGNER)
    crooked = make(tmp_path, key=str(SIGNER.verifier))
    assert section(crooked, "luck").status == "question"
    assert [ask.key for ask in section(crooked, "luck").asks] == ["log "]
    assert clauses(crooked)["RTS 7A"] == clauses(crooked)["21.1.1"] == "question"


def test_what_never_happened_fails_no_clause(small: Path, tmp_path: Path) -> None:
    """A false payout says nothing of restarts where the service never started anew, and fails a clause without them."""
    shutil.copytree(small, tmp_path / "log")
    file, profile = tmp_path / "log" / "log.jsonl", tmp_path / "house.toml"
    file.write_bytes(file.read_bytes().replace(b'"net":-', b'"net":-1', 1))
    clause = '[[clause]]\nid = "{}"\nabout = "-"\nchecks = ["settlement"]\nleast = {{ {} }}\n'
    profile.write_text(
        PROFILE.partition("[[")[0] + clause.format("1", "restarts = 1") + clause.format("2", "rounds = 100000")
    )
    assert clauses(make(tmp_path / "log", profiles=[str(profile)])) == {"1": "unknown", "2": "bad"}


def clauses(made: ReportResult) -> dict[str, str]:
    tables = made.as_json()["sections"]["standards"]["tables"]
    return {row[0]: row[2] for table in tables for row in table["rows"]}


@pytest.mark.parametrize(
    ("shoes", "status", "says"),
    [(20, "unknown", "quarter"), (80, "look", "more round"), (200, "question", "not explain")],
)
def test_the_grades_of_luck(shoes: int, status: str, says: str) -> None:
    """A house that takes the best of three keys: not to be seen, worth a look, asked."""
    found = luck(played(one_round("banker", Players(1, "mimic"), shoes, "ground", 3)), 0, once=False)
    assert found.status == status
    assert says in found.says


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("least = { days", "least = { nights", "clause 4.3 needs"),
        ('title = "House rules"\n', "", "title"),
        ("checks = [", "chek = [", "chek"),
        ('"cards"]', '"card"]', "clause 4.2 names"),
        ('sections = ["shuffles"]', 'sections = "shuffles"', "clause 4.3 names"),
        ('people = "That they are."\n', "", "clause 4.4 says nothing"),
        ("[[clause]]", "[[claus]]", "clause"),
        ('title = "House', "title = House", "TOML"),
    ],
)
def test_a_profile_that_is_none_is_refused(old: str, new: str, why: str, tmp_path: Path) -> None:
    profile = tmp_path / "house.toml"
    profile.write_text(PROFILE.replace(old, new))
    with pytest.raises(InputError, match=why):
        read_standard(str(profile))
