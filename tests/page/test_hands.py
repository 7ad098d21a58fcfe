"""Every game's hand on a page that has it; hands at the service's own addresses, and from a disk without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fairshoe.page import page
from tests.audit.proofs import GAMES, ROUND, proven
from tests.service.place import Place, step

from .conftest import Readers
from .reading import KEY, STEPS, TEXTS, Reader, failed, holding, said, serving, statuses, written

RAW = re.compile(r"(?:{})\.[a-z][\w.-]*".format("|".join(sorted({key.split(".")[0] for key in TEXTS if "." in key}))))
"""A text's key, as it would show where nothing is written for it."""
ALL = """() => {
    const slider = document.querySelector(".stepper input");
    const moments = Array.from({length: Number(slider.max) + 1}, (_, step) => {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        return document.querySelector(".told").textContent;
    });
    return [document.querySelector("main").textContent, ...moments].join("\\n");
}"""
"""All that the page says of a hand, at every moment of it."""
PLAYERS = {"banker": 1, "boxes": 2}
"""Of games whose shoe ends with its round: the key is revealed at once."""
ID = ["p0", "p-1"]
"""Of the players; the second as the player's page makes one for a name that is no id."""


def assert_whole(told: Mapping[str, Any], name: str) -> None:
    sole = ".sole" if name.startswith("banker") else ""
    assert told["says"] == said(f"verdict.hand.pass{sole}", round=name)
    assert statuses(told) == dict.fromkeys(STEPS, "pass")


def test_every_games_hand(reader: Reader) -> None:
    """At first sight all follows from what stands there; once the browser knows the key, it stood before the bets."""
    for rules in GAMES:
        name = f"{rules}#{ROUND}"
        reader.open(serving(proven(rules), KEY))
        reader.page.get_by_role("heading", name=said("verdict.brought", round=name), exact=True).wait_for()
        assert statuses(reader.seen()) == dict.fromkeys(STEPS, "pass") | {"signature": "open"}
        assert_whole(reader.trust(), name)
        assert reader.page.title() == f"{said('told.pass')}: {name} · fairshoe"
        assert RAW.findall(reader.page.evaluate(ALL)) == []
        cards = reader.page.locator(".scene .cards > *")
        assert cards.count() >= 4
        assert all(cards.evaluate_all("cards => cards.map(card => card.getAttribute('aria-label'))"))
        assert said("trust.kept").split("{since}")[0].split("}")[1] in reader.page.locator(".trust").inner_text()
        reader.button("trust.forget").click()
        reader.page.get_by_role("heading", name=said("verdict.brought", round=name), exact=True).wait_for()
        assert reader.page.evaluate("localStorage.length") == 0


def test_a_key_that_the_browser_remembers_is_the_readers(reader: Reader) -> None:
    reader.open(serving(proven("casino"), KEY)).told("pass")
    again = Reader(reader.context).open(serving(proven("boxes")))
    assert_whole(again.told("pass"), f"boxes#{ROUND}")
    again.button("trust.forget").click()
    again.page.get_by_role("heading", name=said("verdict.hand.pass.key", round=f"boxes#{ROUND}"), exact=True).wait_for()
    assert again.complaints == []


def dealt(place: Place, table: str) -> list[dict[str, Any]]:
    """The rounds of a table that were dealt."""
    return [entry for entry in place.of_kind("round") if entry["shoe"].startswith(f"{table}/")]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A service at which a round of two games was played, and its key revealed; the first players keep receipts."""
    with Place(tmp_path_factory.mktemp("house") / "data") as place:
        for rules, players in PLAYERS.items():
            table = place.operator.create_table(rules, table=rules)
            kept = [place.directory / f"{rules}.receipts"] + [None] * (players - 1)
            seats = [table.sit(ID[number], 10_000, receipts=kept[number]) for number in range(players)]
            while not dealt(place, rules):
                acted = [step(seat) for seat in seats]
                assert any(acted)
        yield place


def test_hands_from_their_own_addresses(house: Place, reader: Reader) -> None:
    reader.open(f"{house.address}/v1/rounds/boxes%231/verify").told("pass")
    for rules in PLAYERS:
        number = dealt(house, rules)[0]["round"]
        name = f"{rules}#{number}"
        reader.requests.clear()
        reader.open(f"{house.address}/v1/rounds/{name.replace('#', '%23')}/verify")
        assert_whole(reader.told("pass"), name)
        assert [urlsplit(each).path for each in reader.requests] == [f"/v1/rounds/{rules}%23{number}/verify"]
        assert reader.page.get_by_label(said("link.field")).input_value() == reader.page.url
        reader.page.get_by_role("img", name=said("link.code")).wait_for()


KEEP = """([id, player, seed]) => new Promise((done) => {
    const opening = indexedDB.open("fairshoe", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => {
        const keeping = opening.result.transaction("kept", "readwrite");
        const hand = { id, at: "2026-01-01T00:00:00.000000Z", net: 1, mark: "pass" };
        keeping.objectStore("kept").put({ hand, place: { player } }, `${location.origin} hand ${id}`);
        if (seed) keeping.objectStore("kept").put(seed, `${location.origin} seed ${id}`);
        keeping.oncomplete = () => done(opening.result.close());
    };
})"""
"""Keep a hand, and perhaps a seed, as the player's page does."""


def test_who_played_a_hand_in_this_browser_is_called_you_in_it(house: Place, reader: Reader) -> None:
    reader.open(f"{house.address}/verify").asked()
    reader.page.evaluate(KEEP, ["boxes#1", "p-1"])
    reader.open(f"{house.address}/v1/rounds/boxes%231/verify").told("pass")
    assert [each.strip() for each in reader.page.locator(".scene h3").all_inner_texts()] == [
        said("seat.bank"),
        "p0 " + said("seat.number", seat=1),
        said("seat.you") + " " + said("seat.number", seat=2) + " · " + said("scene.id", id="p-1"),
    ]
    assert "p-1" not in reader.page.locator(".scene .told").inner_text()
    reader.page.evaluate("localStorage.setItem('fairshoe.name p-1', 'Zoë')")
    reader.page.reload()
    reader.told("pass")
    assert "p-1" not in (seen := reader.page.locator("main").inner_text())
    assert "Zoë" in seen
    reader.open(f"{house.address}/v1/rounds/banker%231/verify").told("pass")
    assert reader.page.locator(".scene .you").count() == 0


def pledge_of(house: Place, rules: str, player: str) -> dict[str, Any]:
    """What a player's seat keeps of the seed of a table's first shoe."""
    shoe = next(each for each in house.of_kind("shoe") if each["shoe"].startswith(f"{rules}/"))
    (seed,) = [e["seed"] for e in house.of_kind("opened") if (e["shoe"], e["player"]) == (shoe["shoe"], player)]
    return {"shoe": shoe["shoe"], "commitment": shoe["commitment"], "seed": seed, "heard": True}


def seat_of(house: Place, rules: str, pledge: Mapping[str, Any]) -> bytes:
    """The file by which a player takes a seat along."""
    first, *notes = map(json.loads, (house.directory / f"{rules}.receipts").read_text().splitlines())
    kept = {"key": {"key": house.public.verifier(), "since": "2026"}, "receipt-key": first}
    kept |= {f"seed {rules} {pledge['shoe']}": pledge}
    kept |= {f"receipt {rules} {number:012}": note for number, note in enumerate(notes)}
    kept |= {f"seat {rules}": {"table": rules, "player": ID[0], "token": "fs_"}}
    form = {"kind": "fairshoe seat", "v": 1, "house": house.address, "table": rules, "kept": kept}
    return json.dumps(form, separators=(",", ":")).encode() + b"\n"


def assert_own(reader: Reader, pledge: Mapping[str, Any]) -> None:
    """The page has found the reader's own seed and commitment, and compared them."""
    for name in ("seed", "commitment"):
        assert reader.page.locator(f".own [name={name}]").input_value() == pledge[name]
    assert reader.page.get_by_text(said("own.compared")).is_visible()


def test_a_players_seat_gives_receipts_and_seeds(house: Place, reader: Reader, saved: str, tmp_path: Path) -> None:
    """It was only named, and the seed of a hand that is over was to be typed, and nowhere to be read."""
    pledge = pledge_of(house, "boxes", ID[0])
    seat = written(tmp_path / "boxes.seat", seat_of(house, "boxes", pledge))
    told = reader.open(saved).asked().pick(seat).told("bound")
    assert told["says"] == f"{said('part.key')} {said('part.seat', seeds=1)}"
    assert reader.page.locator("#step-receipt tbody tr").count() > 2
    proof = written(tmp_path / "hand.json", house.public.raw("GET", "/v1/rounds/boxes%231/proof"))
    told = reader.pick(proof).told("pass")
    assert set(statuses(told).values()) == {"pass", "open"}
    assert {step for step, status in statuses(told).items() if status == "open"} == {"signature", "receipt"}
    assert_own(reader, pledge)
    assert reader.page.locator(".scene .you").count() == 1
    other = written(tmp_path / "other.seat", seat_of(house, "boxes", pledge | {"seed": "ab" * 32}))
    assert failed(reader.open(saved).asked().pick(proof, other).told("fail")) == ["seeds"]
    elsewhere = written(tmp_path / "elsewhere.seat", seat_of(house, "boxes", pledge | {"commitment": "ab" * 32}))
    reader.open(saved).asked().pick(elsewhere, proof).told("pass")
    assert reader.page.locator(".own [name=seed]").input_value() == ""


def test_a_terminals_seat_gives_its_seeds(house: Place, reader: Reader, saved: str, tmp_path: Path) -> None:
    pledge = pledge_of(house, "boxes", ID[0])
    lines = [{"book": 1, "table": "boxes", "player": ID[0], "token": "fs_"}, pledge]
    book = written(tmp_path / "alice.seat", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    proof = written(tmp_path / "hand.json", house.public.raw("GET", "/v1/rounds/boxes%231/proof"))
    reader.open(saved).asked().pick(proof, book).told("pass")
    assert_own(reader, pledge)


def test_the_seed_of_a_hand_that_was_played_in_this_browser_is_compared(house: Place, reader: Reader) -> None:
    pledge = pledge_of(house, "boxes", ID[0])
    reader.open(f"{house.address}/verify").asked()
    reader.page.evaluate(KEEP, ["boxes#1", ID[0], pledge])
    reader.open(f"{house.address}/v1/rounds/boxes%231/verify").told("pass")
    assert_own(reader, pledge)


def test_the_first_page_leads_to_the_page_that_checks(house: Place, reader: Reader) -> None:
    reader.open(f"{house.address}/")
    reader.page.get_by_role("link", name="Check a hand").click()
    reader.asked()
    reader.give(house.public.raw("GET", "/v1/rounds/banker%231/proof"), house.public.verifier())
    assert_whole(reader.told("pass"), "banker#1")


def test_a_page_that_was_served_says_by_whom(house: Place, reader: Reader, saved: str) -> None:
    reader.open(f"{house.address}/verify").asked()
    host = house.address.split("//")[1]
    assert said("foot.served", host=host) in reader.page.locator("#foot").inner_text()
    reader.open(saved).asked()
    assert "served" not in reader.page.locator("#foot").inner_text()


def test_receipts_beside_a_hand_are_read(house: Place, reader: Reader, tmp_path: Path) -> None:
    proof = written(tmp_path / "hand.json", house.public.raw("GET", "/v1/rounds/boxes%231/proof"))
    key = written(tmp_path / "log.vkey", house.public.verifier().encode())
    reader.open(f"{house.address}/verify").asked()
    reader.pick(proof, house.directory / "boxes.receipts", key)
    told = reader.told("pass")
    assert statuses(told)["receipt"] == "pass"
    mine = reader.page.locator(".scene .you")
    assert mine.count() == 1


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


def downloaded(reader: Reader, path: Path) -> str:
    """The address of the page as it saves itself there."""
    with reader.page.expect_download() as saving:
        reader.button("act.save").click()
    assert re.fullmatch(r"fairshoe-[a-z]+(-\d+)+\.html", saving.value.suggested_filename)
    saving.value.save_as(path)
    return path.as_uri()


def test_a_page_with_a_hand_in_it_is_saved_with_the_hand(readers: Readers, tmp_path: Path) -> None:
    before = holding(proven("banker"), KEY)
    reader = offline(readers).open(before)
    reader.told("pass")
    after = downloaded(reader, tmp_path / "after.html")
    assert [each for each in reader.requests if not each.startswith("blob:")] == [before]
    text = (tmp_path / "after.html").read_text(encoding="utf-8")
    assert re.sub('(<script type="application/json" id="filled">)[^<]*', r"\1", text, count=1) == page()
    again = offline(readers).open(after)
    again.told("pass")
    assert_whole(again.trust(), f"banker#{ROUND}")
    assert set(again.requests) == {after}


def test_receipts_are_taken_along(house: Place, reader: Reader, readers: Readers, saved: str, tmp_path: Path) -> None:
    """What failed here fails there."""
    hand = house.public.raw("GET", "/v1/rounds/boxes%231/proof")
    slips = (house.directory / "boxes.receipts").read_bytes()
    forged = slips.replace(b'\\"amount\\":', b'\\"amount\\":1', 1)
    assert forged != slips
    given = (hand, forged, house.public.verifier().strip().encode())
    reader.open(saved).asked()
    reader.pick(*(written(tmp_path / str(number), data) for number, data in enumerate(given)))
    assert failed(reader.told("fail")) == ["receipt"]
    assert failed(readers().open(downloaded(reader, tmp_path / "both.html")).told("fail")) == ["receipt"]
