"""Every game's hand: from a link, from the service's own address, and from a file on a disk without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import fairshoe
from fairshoe.client import Seat
from fairshoe.page import filled, page
from tests.audit.proofs import GAMES, ROUND, proven
from tests.service.place import Place, step

from .conftest import Readers
from .reading import KEY, STEPS, Reader, failed, link, said, statuses, written

PLAYERS = {"banker": 1, "boxes": 2, "casino": 2, "chinese": 2, "lounge": 2, "pontoon": 3}


def assert_whole(told: Mapping[str, Any], name: str) -> None:
    assert told["says"] == said("verdict.hand.pass", round=name)
    assert statuses(told) == dict.fromkeys(STEPS, "pass")


def test_every_games_hand_from_a_link(reader: Reader, saved: str) -> None:
    """One after the other, as links are followed; the link's key is not one that the reader holds."""
    for rules in GAMES:
        name = f"{rules}#{ROUND}"
        reader.open(saved + link(proven(rules), KEY))
        reader.page.get_by_role("heading", name=said("verdict.brought", round=name), exact=True).wait_for()
        assert statuses(reader.seen()) == dict.fromkeys(STEPS, "pass") | {"signature": "open"}
        assert_whole(reader.trust(), name)
        assert reader.page.title().startswith(said("told.pass"))
        cards = reader.page.locator(".scene .cards > *")
        assert cards.count() >= 4
        assert all(cards.evaluate_all("cards => cards.map(card => card.getAttribute('aria-label'))"))
        reader.button("trust.forget").click()
        reader.told("bound")


def test_a_key_that_the_browser_remembers_is_the_readers(reader: Reader, saved: str) -> None:
    reader.open(saved + link(proven("casino"), KEY)).told("bound")
    reader.trust()
    again = Reader(reader.context).open(saved + link(proven("boxes")))
    assert_whole(again.told("pass"), f"boxes#{ROUND}")
    again.button("trust.forget").click()
    again.told("bound")
    assert again.complaints == []


def test_without_a_key_a_hand_is_only_bound(reader: Reader, saved: str) -> None:
    told = reader.open(saved + link(proven("casino"))).told("bound")
    assert statuses(told)["signature"] == "open"
    assert told["says"] == said("verdict.hand.bound.key", round=f"casino#{ROUND}")


# From the service.


def dealt(place: Place, table: str) -> list[dict[str, Any]]:
    """The rounds of a table that were dealt."""
    return [entry for entry in place.of_kind("round") if entry["shoe"].startswith(f"{table}/")]


def seated(place: Place, rules: str, players: int) -> list[Seat]:
    """Players at a table of a game; the first one keeps receipts."""
    table = place.operator.create_table(rules, table=rules)
    kept = [place.directory / f"{rules}.receipts"] + [None] * (players - 1)
    return [table.sit(f"p{number}", 10_000, receipts=kept[number]) for number in range(players)]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A service at which a round of each game was played, and its key revealed."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        for rules, players in PLAYERS.items():
            seats = seated(place, rules, players)
            while not dealt(place, rules):
                acted = [step(seat) for seat in seats]
                assert any(acted)
        for _ in range(48):  # until every shoe is too old
            if {dealt(place, rules)[0]["shoe"] for rules in PLAYERS} <= {
                end["shoe"] for end in place.of_kind("reveal")
            }:
                break
            place.clock.forward(3_600)
            for rules in PLAYERS:
                place.house.sequencer.catch_up(rules)
        yield place


def test_every_games_hand_from_its_own_address(house: Place, reader: Reader) -> None:
    reader.open(f"{house.address}/v1/rounds/casino%231/verify").told("bound")
    reader.trust()
    for rules in PLAYERS:
        number = dealt(house, rules)[0]["round"]
        name = f"{rules}#{number}"
        reader.requests.clear()
        reader.open(f"{house.address}/v1/rounds/{name.replace('#', '%23')}/verify")
        assert_whole(reader.told("pass"), name)
        assert [urlsplit(each).path for each in reader.requests] == [f"/v1/rounds/{rules}%23{number}/verify"]


def test_the_first_page_leads_to_the_page_that_checks(house: Place, reader: Reader) -> None:
    reader.open(f"{house.address}/")
    reader.page.get_by_role("link", name="check casino#1").click()
    reader.told("bound")
    reader.page.go_back()
    reader.page.get_by_role("link", name="Open the page that checks").click()
    reader.asked()
    reader.give(house.public.raw("GET", "/v1/rounds/pontoon%231/proof"), house.public.verifier())
    assert_whole(reader.told("pass"), "pontoon#1")


def test_a_page_that_was_served_says_by_whom(house: Place, reader: Reader, saved: str) -> None:
    reader.open(f"{house.address}/verify").asked()
    host = house.address.split("//")[1]
    assert said("foot.served", host=host) in reader.page.locator("#foot").inner_text()
    reader.give(proven("casino")).told("pass")
    assert said("trust.served", host=host) not in reader.page.locator(".trust").inner_text()
    reader.button("trust.remember").click()
    reader.page.locator(".trust .quiet", has_text=said("trust.served", host=host)).wait_for()
    reader.open(saved).asked()
    assert "served" not in reader.page.locator("#foot").inner_text()


def test_receipts_beside_a_hand_are_read(house: Place, reader: Reader, tmp_path: Path) -> None:
    proof = written(tmp_path / "hand.json", house.public.raw("GET", "/v1/rounds/casino%231/proof"))
    key = written(tmp_path / "log.vkey", house.public.verifier().encode())
    reader.open(f"{house.address}/verify").asked()
    reader.pick(proof, house.directory / "casino.receipts", key)
    told = reader.told("pass")
    assert statuses(told)["receipt"] == "pass"
    mine = reader.page.locator(".scene .you")
    assert mine.count() == 1


# From a disk, without a network.


def offline(readers: Readers) -> Reader:
    reader = readers(offline=True)
    reader.context.route(re.compile("^(?!file:|blob:|data:)"), lambda route: route.abort())
    return reader


def test_the_saved_file_checks_a_hand_and_asks_nobody(readers: Readers, saved: str, tmp_path: Path) -> None:
    reader = offline(readers).open(saved).asked()
    reader.page.locator("[name=key]").fill(KEY)
    reader.pick(written(tmp_path / "hand.json", proven("pontoon")))
    assert_whole(reader.told("pass"), f"pontoon#{ROUND}")
    assert reader.requests == [saved]


def test_a_page_with_a_hand_in_it_is_saved_with_the_hand(readers: Readers, tmp_path: Path) -> None:
    before = written(tmp_path / "before.html", filled(proven("banker"), KEY).encode())
    reader = offline(readers).open(before.as_uri())
    reader.told("bound")
    with reader.page.expect_download() as saving:
        reader.button("act.save").click()
    after = tmp_path / "after.html"
    saving.value.save_as(after)
    again = offline(readers).open(after.as_uri())
    again.told("bound")
    assert_whole(again.trust(), f"banker#{ROUND}")
    assert again.requests == [after.as_uri()]
    assert [each for each in reader.requests if not each.startswith("blob:")] == [before.as_uri()]


def test_a_saved_page_is_the_page_but_for_the_hand(reader: Reader, saved: str, tmp_path: Path) -> None:
    reader.open(saved).asked().give(proven("casino")).told("pass")
    with reader.page.expect_download() as saving:
        reader.button("act.save").click()
    saving.value.save_as(tmp_path / "after.html")
    text = (tmp_path / "after.html").read_text(encoding="utf-8")
    assert re.sub('(<script type="application/json" id="filled">)[^<]*', r"\1", text, count=1) == page()


def copied(reader: Reader) -> str:
    """The link to what the page shows."""
    reader.button("act.copy.link").click()
    reader.page.get_by_text(said("act.copied")).wait_for()
    address = reader.page.evaluate("navigator.clipboard.readText()")
    assert isinstance(address, str)
    return address


def downloaded(reader: Reader, path: Path) -> str:
    """The address of the page as it saves itself there."""
    with reader.page.expect_download() as saving:
        reader.button("act.save").click()
    saving.value.save_as(path)
    return path.as_uri()


CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_receipts_are_taken_along(house: Place, readers: Readers, saved: str, tmp_path: Path) -> None:
    """What failed here fails there."""
    hand = house.public.raw("GET", "/v1/rounds/casino%231/proof")
    slips = (house.directory / "casino.receipts").read_bytes()
    forged = slips.replace(b'\\"amount\\":', b'\\"amount\\":1', 1)
    assert forged != slips
    given = (hand, forged, house.public.verifier().strip().encode())
    reader = readers(permissions=CLIPBOARD).open(saved).asked()
    reader.pick(*(written(tmp_path / str(number), data) for number, data in enumerate(given)))
    assert failed(reader.told("fail")) == ["receipt"]
    for address in (copied(reader), downloaded(reader, tmp_path / "both.html")):
        assert failed(readers().open(address).told("fail")) == ["receipt"]


def test_a_commitment_is_taken_along_and_not_believed(readers: Readers, saved: str, tmp_path: Path) -> None:
    shoe = fairshoe.commit("game-42", fairshoe.french(1), key=bytes(32))
    shoe.contribute("alice", b"a seed")
    sealed = shoe.seal()
    sealed.draw()
    reader = readers(permissions=CLIPBOARD).open(saved).asked()
    reader.give(sealed.reveal().to_json().encode(), key="").told("bound")
    reader.page.locator("form.compare [name=commitment]").fill(shoe.commitment)
    reader.page.locator("form.compare button").click()
    reader.told("pass")
    for address in (copied(reader), downloaded(reader, tmp_path / "shoe.html")):
        other = readers().open(address)
        other.told("bound")
        assert other.page.get_by_text(said("own.brought")).is_visible()
        assert other.page.locator("form.compare [name=commitment]").input_value() == shoe.commitment
        other.page.locator("form.compare button").click()
        other.told("pass")
        assert other.page.get_by_text(said("own.brought")).count() == 0


def test_a_link_to_the_check_opens_it_elsewhere(readers: Readers, saved: str) -> None:
    reader = readers(permissions=CLIPBOARD).open(saved).asked()
    reader.give(proven("lounge")).told("pass")
    address = copied(reader)
    assert address.startswith(f"{saved}#h=")
    other = readers().open(address)
    other.told("bound")
    assert_whole(other.trust(), f"lounge#{ROUND}")
