"""A whole log given to the page: every hand listed, searched, marked, and opened step by step."""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.audit.planting import entries_of, log
from tests.audit.proofs import GAMES, ROUND, entries_for, file_of, proven
from tests.ceremony import walk
from tests.house import SIGNER
from tests.house_table import NAMES
from tests.placer.house import PlacedHouse, entries_in, placed
from tests.placer.own import own
from tests.placer.test_openings import Liar
from tests.placer.test_own_frauds import has_a_client_that_gives_another_place
from tests.placer.test_waiting import kept, later
from tests.simulated import simulated

from .reading import KEY, STEPS, Reader, said, statuses, written

ROWS = ".hands-of-log .row"


def signed(path: Path, lines: Iterable[bytes]) -> list[Path]:
    """The files of a log that a house signed, in a new directory."""
    write_log(path, lines, SIGNER)
    return [path / "log.jsonl", path / "checkpoint", path / "log.vkey"]


def edited(rules: str, **changes: Any) -> list[bytes]:
    """A log whose second round's last hand has other fields, signed as if nothing were."""
    entries = entries_of(rules)
    (entry,) = [each for each in entries if each["kind"] == "round" and each["round"] == 2]
    entry["hands"][-1].update(changes)
    return [encode(each) for each in entries]


def opened(reader: Reader, verdict: str) -> dict[str, Any]:
    """Wait for a hand of the log that was clicked."""
    reader.page.locator("#step-shuffle").wait_for()
    return reader.told(verdict)


def shown(reader: Reader) -> dict[str, Any]:
    """What the page shows of a hand: its cards, what happened, what stands in the steps."""
    told = opened(reader, "pass")
    scene = reader.page.locator(".scene").inner_text()
    keep = (
        "commitment",
        "seeds",
        "transcript",
        "shuffle",
        "decisions",
        "dealer",
        "totals",
        "outcome",
        "payout",
        "chips",
    )
    texts = {each: reader.page.locator(f"#step-{each}").text_content() for each in keep}
    return {"steps": statuses(told), "says": told["says"], "scene": scene, "texts": texts}


def test_every_hand_of_every_games_log_holds_and_opens_as_its_proof_does(
    reader: Reader, saved: str, tmp_path: Path
) -> None:
    for rules in GAMES:
        lines, name = log(rules), f"{rules}#{ROUND}"
        proof = file_of(lines, name, entries_for(lines, name))
        reader.open(saved).asked().pick(*signed(tmp_path / rules, lines))
        reader.page.locator(ROWS).first.wait_for()
        marks = reader.page.locator(ROWS).evaluate_all("rows => rows.map(row => row.className)")
        rounds = [each for each in entries_of(rules) if each["kind"] == "round"]
        assert len(marks) >= min(100, sum(len({hand["seat"] for hand in each["hands"]}) for each in rounds))
        assert not [mark for mark in marks if "fail" in mark]
        reader.page.locator("#in-search").fill(name)
        reader.page.locator(ROWS, has_text=re.compile(rf"{name}\b")).first.click()
        by_log = shown(reader)
        assert by_log["steps"] == dict.fromkeys(STEPS, "pass")
        reader.button("act.back").click()
        assert reader.page.locator("#in-search").input_value() == name
        reader.button("act.another").click()
        reader.give(proof)
        by_proof = shown(reader)
        for seat, player in NAMES.items():  # only the log tells how players wrote their names
            by_log["scene"] = by_log["scene"].replace(
                f"{player} Seat {seat} · {rules}-p{seat}", f"{rules}-p{seat} Seat {seat}"
            )
        assert by_proof == by_log


def test_a_log_that_pays_wrongly_names_the_hand(reader: Reader, saved: str, tmp_path: Path) -> None:
    files = signed(tmp_path / "log", edited("casino", net=1))
    reader.open(saved).asked().pick(*files).told("fail")
    wrong = reader.page.locator(f"{ROWS}.fail")
    assert "fail" in (reader.page.locator(ROWS).first.get_attribute("class") or ""), "what is wrong stands first"
    assert "casino#2" in wrong.first.inner_text()
    assert "settlement" in wrong.first.inner_text()
    everything = reader.page.locator(ROWS).count()
    reader.page.get_by_label(said("log.wrong")).check()
    assert 0 < reader.page.locator(ROWS).count() == wrong.count() < everything
    wrong.first.click()
    told = opened(reader, "fail")
    assert statuses(told)["payout"] == "fail"
    assert statuses(told)["signature"] == "pass"
    assert reader.button("act.back").is_visible()


def test_a_log_in_one_file_as_a_house_serves_it(reader: Reader, saved: str, tmp_path: Path) -> None:
    """The key in it is not the reader's, so nobody stands for it yet."""
    files = signed(tmp_path / "log", log("casino"))
    with tarfile.open(tmp_path / "log.tar", "w", format=tarfile.GNU_FORMAT) as archive:
        for file in reversed(files):
            archive.add(file, file.name)
    told = reader.open(saved).asked().pick(tmp_path / "log.tar").told("bound")
    assert statuses(told) == {"signature": "open", "inclusion": "pass"}
    assert reader.page.locator(ROWS).count() > 2
    cut = written(tmp_path / "cut.tar", (tmp_path / "log.tar").read_bytes()[:20_000])
    assert reader.open(saved).asked().pick(cut).told("unreadable")["says"] == said("verdict.unreadable.half")


def test_a_log_without_its_checkpoint_or_with_another_is_not_said_to_be_signed(
    reader: Reader, saved: str, tmp_path: Path
) -> None:
    lines = list(log("casino"))
    entries, checkpoint, key = signed(tmp_path / "log", lines)
    told = reader.open(saved).asked().pick(entries, key).told("bound")
    rounds = [each for each in entries_of("casino") if each["kind"] == "round"]
    assert told["says"] == said("verdict.log.bound.key", hands=len(rounds))
    other = written(tmp_path / "other.jsonl", b"".join(line + b"\n" for line in [*lines[:-1], lines[0]]))
    told = reader.open(saved).asked().pick(other, checkpoint, key).told("fail")
    assert told["says"] == said("verdict.log.fail.edited.besides")
    assert statuses(told)["inclusion"] == "fail"


def test_half_a_file_cannot_be_read_whatever_is_missing(reader: Reader, saved: str, tmp_path: Path) -> None:
    lines = list(log("casino"))
    entries, checkpoint, key = signed(tmp_path / "log", lines)
    ends_early = written(tmp_path / "early.jsonl", b"".join(line + b"\n" for line in lines[:-1]))
    half = written(tmp_path / "half.jsonl", entries.read_bytes()[:-9])
    for files in ([ends_early, checkpoint, key], [half], [half, checkpoint, key]):
        told = reader.open(saved).asked().pick(*files).told("unreadable")
        assert (told["says"], told["steps"]) == (said("verdict.unreadable.half"), {})
    reader.give(proven("casino")[:5000]).page.wait_for_timeout(0)
    assert reader.told("unreadable")["says"] == said("verdict.unreadable.half")


def test_one_altered_hand_counts_as_one(reader: Reader, saved: str, tmp_path: Path) -> None:
    """Whatever else does not fit because of it: the other seats of its round, chips after it, the end of its shoe."""
    for rules, change in (
        ("casino", lambda entry: entry["hands"][0].update(net=1)),
        (
            "pontoon",
            lambda entry: entry["decisions"][0].update(move={"hit": "stand"}.get(entry["decisions"][0]["move"], "hit")),
        ),
        ("boxes", lambda entry: entry["chips"].update({"1": 1})),
    ):
        entries = entries_of(rules)
        rounds = [each for each in entries if each["kind"] == "round"]
        change(next(each for each in rounds[1:] if each["decisions"]))
        altered = written(tmp_path / f"{rules}.jsonl", b"".join(encode(each) + b"\n" for each in entries))
        told = reader.open(saved).asked().pick(altered).told("fail")
        assert told["says"] == said("verdict.log.fail", hands=len(rounds), wrong=1), rules
        _, checkpoint, key = signed(tmp_path / rules, log(rules))
        told = reader.open(saved).asked().pick(altered, checkpoint, key).told("fail")
        assert told["says"] == said("verdict.log.fail.edited", hands=len(rounds), wrong=1), rules
        reader.page.locator(f"{ROWS}.pass").first.click()
        told = opened(reader, "fail")
        assert {name for name, status in statuses(told).items() if status == "fail"} == {"inclusion"}, rules


@pytest.mark.parametrize("house", [lambda: placed("casino", 6), lambda: own("boxes", 6)])
def test_hands_whose_placer_signed_an_entry_that_was_changed_follow_from_it(
    house: Callable[[], PlacedHouse], reader: Reader, saved: str, tmp_path: Path
) -> None:
    """In one shoe of many hands, and in shoes of one hand each."""
    entries = entries_in(played := house())
    rounds = [each for each in entries if each["kind"] == "round"]
    rounds[2]["hands"][0]["net"] += 1
    log, checkpoint, key = signed(tmp_path / "log", played.lines)
    reader.open(saved).asked().pick(log, checkpoint, key).told("pass")
    number = reader.page.locator(f"{ROWS} b").first.inner_text()
    reader.page.locator(ROWS).first.click()
    shoe, table = (next(each for each in entries if each["kind"] == kind) for kind in ("shoe", "table"))
    placed_by = said("part.placed", placer=shoe["placer"]["key"].split("+")[0])
    player = ".player" if table["placer"] == "player" else ""
    assert opened(reader, "pass")["says"] == said(f"verdict.hand.pass{player}", round=number) + f" {placed_by}"
    altered = written(tmp_path / "altered.jsonl", b"".join(encode(each) + b"\n" for each in entries))
    told = reader.open(saved).asked().pick(altered, checkpoint, key).told("fail")
    assert told["says"] == said("verdict.log.fail.edited", hands=len(rounds), wrong=1)
    rows = reader.page.locator(ROWS).evaluate_all(
        "rows => rows.map(row => [row.className.slice(4), row.querySelector('b').textContent, row.innerText])"
    )
    order, (name,) = ["fail", "open", "pass"], {each["shoe"].split("/")[0] for each in rounds}
    assert [state for state, *_ in rows] == sorted((state for state, *_ in rows), key=order.index)
    assert {hand for state, hand, _ in rows if state == "fail"} == {f"{name}#3"}
    later = {f"{name}#{each['round']}" for each in rounds[3:]}
    assert {hand for _, hand, text in rows if said("log.follows") in text} == later


def test_a_long_log_is_read_in_a_worker_and_its_progress_is_shown(reader: Reader, saved: str, tmp_path: Path) -> None:
    reader.page.add_init_script("""
        window.shares = [];
        new MutationObserver(() => {
            const share = document.querySelector("#verdict progress")?.value;
            if (share !== undefined) window.shares.push(share);
        }).observe(document, { attributes: true, subtree: true });""")
    folder = simulated(tmp_path / "log", rounds=400)
    files = [folder / name for name in ("log.jsonl", "checkpoint", "log.vkey")]
    told = reader.open(saved).asked().pick(*files).told("pass")
    assert told["says"] == said("verdict.log.pass", hands=400)
    assert len(reader.page.workers) == 1
    shares = reader.page.evaluate("window.shares")
    assert shares == sorted(shares)
    assert shares[-1] <= 1


def test_a_hand_whose_key_is_not_out_is_not_green(reader: Reader, saved: str, tmp_path: Path) -> None:
    lines = list(log("casino"))
    last = max(place for place, line in enumerate(lines) if b'"kind":"round"' in line)
    files = signed(tmp_path / "log", lines[: last + 1])
    reader.open(saved).asked().pick(*files).told("bound")
    assert "open" in (reader.page.locator(ROWS).first.get_attribute("class") or "")
    reader.page.locator(ROWS).first.click()
    assert statuses(opened(reader, "bound"))["shuffle"] == "open"


def test_an_open_round_may_wait_or_be_kept_back(reader: Reader, saved: str, tmp_path: Path) -> None:
    """The house's receipts tell, whether they come with the log or after it."""
    both = kept()
    write_log(tmp_path, map(encode, later(both.log, 32)), walk.SIGNER)
    files = [tmp_path / name for name in ("log.jsonl", "checkpoint", "log.vkey")]
    reader.open(saved).asked().pick(*files).told("bound")
    assert said("unseen.waits") in reader.page.locator("main").inner_text()
    lines = [f"{json.dumps(both.receipt(hours))}\n" for hours in (0, 30)]
    one, two = (written(tmp_path / f"{many}.jsonl", "".join(lines[:many]).encode()) for many in (1, 2))
    reader.button("act.another").click()
    reader.asked().pick(*files, one).told("bound")
    reader.button("act.another").click()
    reader.asked().pick(two, *files).told("fail")
    assert "completeness" in reader.page.locator(f"{ROWS}.fail").first.inner_text()


def test_a_players_fault_stands_beside_the_verdict(reader: Reader, saved: str, tmp_path: Path) -> None:
    files = signed(tmp_path / "log", has_a_client_that_gives_another_place().lines)
    reader.open(saved).asked().pick(*files).told("pass")
    assert said("log.player") in reader.page.locator(".log .fault").inner_text()


def test_openings_show_other_cards_than_the_house_bound(reader: Reader, saved: str, tmp_path: Path) -> None:
    table = Liar(PlacedHouse(), "casino", "casino", (1, 2), packs=8, careless=0)
    lines = [f"{json.dumps(each)}\n" for each in table.rounds_of_a_shoe(1)]
    openings = written(tmp_path / "openings.jsonl", "".join(lines).encode())
    files = signed(tmp_path / "log", table.house.lines)
    reader.open(saved).asked().pick(*files).told("bound")
    reader.button("act.another").click()
    reader.asked().pick(*files, openings).told("fail")


def test_arrow_keys_replay_a_hand_without_a_click(reader: Reader, saved: str) -> None:
    reader.open(saved).asked().give(proven("casino"), KEY).told("pass")
    told = reader.page.locator(".told")
    last = told.inner_text()
    reader.page.keyboard.press("ArrowLeft")
    before = told.inner_text()
    assert before != last
    reader.page.keyboard.press("ArrowRight")
    assert told.inner_text() == last
