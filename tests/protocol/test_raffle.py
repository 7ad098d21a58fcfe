"""Raffles: the published vectors, planted frauds, the chance of each winner, the command line."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import scipy

import fairshoe
from fairshoe import (
    Entries,
    InputError,
    Proof,
    RaffleNotice,
    RaffleProof,
    RuleError,
    TicketProof,
    VerificationError,
    check_raffle,
    drand_quicknet,
    raffle,
)
from fairshoe.cli import main
from fairshoe.protocol.raffle import Raffle, chance_of_no_result, draws_needed, winners_of
from fairshoe.protocol.word_stream import draw_named
from tests.second.vectors import load

Vector = dict[str, Any]
KEY = bytes(range(32))
SIGNATURE: str = load("beacons")[0]["signature"]
WEIGHTS = {"alice": 1, "bob": 5, "carol": 2, "dave": 4}


def entries_of(given: Any) -> Entries:
    numbered = isinstance(given, dict)
    return Entries([(f"#{i}", 1 + i % 3) for i in range(given["numbered"])] if numbered else given)


def announced(weights: dict[str, int] = WEIGHTS, prizes: int = 3, draws: int = 30) -> Raffle:
    return raffle("r", weights, prizes=prizes, draws=draws, beacon=drand_quicknet(1000), key=KEY, now=0)


def drawn(*given: Any, **more: Any) -> RaffleProof:
    return announced(*given, **more).draw(SIGNATURE).reveal()


NOTICE = announced().notice


@pytest.mark.parametrize("drawn_raffle", load("raffles"), ids=lambda each: each["name"])
def test_vectors(drawn_raffle: Vector) -> None:
    entries, beacon = entries_of(drawn_raffle["entries"]), drawn_raffle["beacon"]
    key = bytes.fromhex(drawn_raffle["key"])
    numbers = len(entries), entries.tickets, drawn_raffle["draws"], drawn_raffle["prizes"]
    unsealed = RaffleNotice(drawn_raffle["shoe"], "", *numbers, entries.root, drand_quicknet(beacon["round"]))
    made = Raffle(entries, unsealed, key)  # two of its ids look alike
    assert [*made.notice.labels] == drawn_raffle["deck"]
    found = made.draw(beacon["signature"])
    assert found.sealed.transcript.text == drawn_raffle["transcript"]
    assert [found.sealed.number(f"pick/{i}") for i in range(drawn_raffle["draws"])] == drawn_raffle["numbers"]
    assert [list(entries.prove(who).path) for who in (entries.ids[0], entries.ids[-1])] == drawn_raffle["paths"]
    proof = RaffleProof.from_json(found.reveal().to_json())
    assert [list(winner) for winner in proof.winners] == drawn_raffle["winners"]
    notice = RaffleNotice.from_json(made.notice.to_json())
    assert check_raffle(proof, entries, notice=notice).not_checked == ()
    assert check_raffle(proof, entries)[::2] == (proof.winners, ("notice",))
    assert notice.resume(entries, key).notice == made.notice


def changed_proof(**changes: Any) -> RaffleProof:
    proof = drawn()
    return proof._replace(proof=replace(proof.proof, **changes))


def without(proof: RaffleProof, place: int) -> RaffleProof:
    return proof._replace(winners=proof.winners[:place] + proof.winners[place + 1 :])


def resealed(**more: Any) -> RaffleProof:
    """The same raffle with something mixed in once the beacon was known."""
    proof = drawn()
    names = {name: bound for name, (bound, _) in proof.proof.draws.items()}
    given = {"key": KEY, "shoe": "r", "deck": proof.proof.deck, "beacon": proof.proof.beacon, "draws": names}
    shown = fairshoe.seal(**{**given, **more}).reveal()
    found = winners_of(Entries(WEIGHTS), [value for _, value in shown.draws.values()], 3)
    return RaffleProof(shown, proof.signature, found)


def relabelled(place: int, label: str) -> RaffleProof:
    deck = list(drawn().proof.deck)
    deck[place] = label
    return changed_proof(deck=deck)


HONEST = drawn()
MORE = {**WEIGHTS, "mallory": 9}
FRAUDS: dict[str, tuple[RaffleProof, dict[str, int], str]] = {
    "a ticket added to the list": (HONEST, MORE, "deck"),
    "a ticket added, and the raffle made anew": (drawn(MORE), MORE, "entries"),
    "a weight changed in the list": (HONEST, {**WEIGHTS, "alice": 9}, "deck"),
    "weights exchanged, and the raffle made anew": (
        drawn({**WEIGHTS, "alice": 2, "carol": 1}),
        {**WEIGHTS, "alice": 2, "carol": 1},
        "root",
    ),
    "entries in another order": (HONEST, dict(reversed(WEIGHTS.items())), "deck"),
    "a winner skipped": (without(drawn(), 1), WEIGHTS, "winners"),
    "the first winner skipped": (without(drawn(), 0), WEIGHTS, "winners"),
    "winners exchanged": (HONEST._replace(winners=HONEST.winners[::-1]), WEIGHTS, "winners"),
    "another winner": (HONEST._replace(winners=(HONEST.winners[0]._replace(entrant="dave"),)), WEIGHTS, "winners"),
    "no winner": (HONEST._replace(winners=()), WEIGHTS, "winners"),
    "fewer winners than promised": (without(drawn(), 2), WEIGHTS, "winners"),
    "a prize more, once the beacon was known": (drawn(prizes=4), WEIGHTS, "prizes"),
    "a prize less, once the beacon was known": (drawn(prizes=2), WEIGHTS, "prizes"),
    "another number of prizes in the deck": (relabelled(4, "2"), WEIGHTS, "prizes"),
    "no prize in the deck": (relabelled(4, "0"), WEIGHTS, "deck"),
    "more prizes than entries in the deck": (relabelled(4, "5"), WEIGHTS, "deck"),
    "more draws": (drawn(draws=31), WEIGHTS, "draws"),
    "a draw left out": (changed_proof(draws=dict([*HONEST.proof.draws.items()][:-1])), WEIGHTS, "deck"),
    "a draw under another name": (resealed(draws={f"dice/{i}": 12 for i in range(30)}), WEIGHTS, "draws"),
    "a bound changed": (resealed(draws=dict.fromkeys(HONEST.proof.draws, 11)), WEIGHTS, "draws"),
    "a number changed": (
        changed_proof(draws={**HONEST.proof.draws, "pick/0": (12, 11 - HONEST.proof.draws["pick/0"][1])}),
        WEIGHTS,
        "draw pick/0",
    ),
    "a seed mixed in once the beacon was known": (resealed(seeds=[("house", b"x")]), WEIGHTS, "proof"),
    "another id": (resealed(shoe="r2"), WEIGHTS, "shoe"),
    "another key": (resealed(key=bytes(32)), WEIGHTS, "commitment"),
    "no beacon": (resealed(beacon=None), WEIGHTS, "beacon"),
    "another round": (resealed(beacon=(drand_quicknet(1).chain, 1001, HONEST.proof.beacon[2])), WEIGHTS, "beacon"),  # type: ignore[index]
    "another signature": (HONEST._replace(signature=load("beacons")[1]["signature"]), WEIGHTS, "beacon"),
}


@pytest.mark.parametrize("fraud", FRAUDS)
def test_frauds(fraud: str) -> None:
    proof, weights, where = FRAUDS[fraud]
    assert check_raffle(HONEST, Entries(WEIGHTS), notice=NOTICE).winners == HONEST.winners
    with pytest.raises(VerificationError) as caught:
        check_raffle(RaffleProof.from_json(proof.to_json()), Entries(weights), notice=NOTICE)
    assert not re.search(r"Winner|BeaconRound|\(", caught.value.what + str(caught.value.expected))
    assert (caught.value.where, caught.value.fault) == (where, "house")


def changed_text(text: str, changes: dict[str, Any]) -> str:
    return json.dumps({**json.loads(text), **changes})


NOTICE_TEXT, PROOF_TEXT = NOTICE.to_json(), HONEST.to_json()
CHAIN = NOTICE.beacon.chain
INNER = json.loads(PROOF_TEXT)["proof"]
BAD_NOTICES: dict[str, tuple[Any, str]] = {
    "entries": (1.0, "entries"),
    "entries, more than tickets": (13, "entries"),
    "tickets": (2**32 + 1, "tickets"),
    "tickets, true": (True, "tickets"),
    "draws": (0, "draws"),
    "draws, too many": (65_537, "draws"),
    "prizes": (0, "prizes"),
    "prizes, more than entries": (5, "prizes"),
    "prizes, text": ("3", "prizes"),
    "shoe": ("", "shoe"),
    "commitment": ("00", "commitment"),
    "root": ("A" * 64, "root"),
    "beacon": (["ab", 1000], "beacon"),
    "beacon, round 0": ([CHAIN, 0], "beacon round"),
    "beacon, after 2432": ([CHAIN, 2**32 + 1], "beacon round"),
    "beacon, half a round": ([CHAIN, 1.5], "beacon round"),
    "note": (1, "notice"),
}
BAD_PROOFS: dict[str, tuple[dict[str, Any], str]] = {
    "winners that are none": ({"winners": [[True, "alice"]]}, "winners"),
    "a half ticket": ({"winners": [[0.5, "alice"]]}, "winners"),
    "winners without tickets": ({"winners": ["alice"]}, "winners"),
    "a short signature": ({"signature": "00"}, "signature"),
    "no signature": ({"signature": None}, "signature"),
    "a lone surrogate": ({"winners": [[0, "\ud800"]]}, "winners"),
    "no shoe": ({"proof": None}, "proof"),
    "fields of none": ({"prizes": 3}, "proof"),
    "a deck of one label": ({"proof": INNER | {"deck": ["raffle"]}}, "deck"),
    "prizes with a zero before": ({"proof": INNER | {"deck": [*INNER["deck"][:4], "03", INNER["deck"][5]]}}, "deck"),
    "a label more": ({"proof": INNER | {"deck": [*INNER["deck"], "x"]}}, "deck"),
    "no draws": ({"proof": INNER | {"draws": {}}}, "deck"),
    "round 0": ({"proof": INNER | {"beacon": [CHAIN, 0, "ab"]}}, "beacon"),
    "a round after 2432": ({"proof": INNER | {"beacon": [CHAIN, 2**40, "ab"]}}, "beacon"),
    "randomness of the house": ({"proof": INNER | {"beacon": [CHAIN, 1000, "00" * 32]}}, "draw pick/0"),
    "a card dealt": ({"proof": INNER | {"dealt": 1}}, "proof"),
    "a placer": ({"proof": INNER | {"protocol": "fairshoe/2", "placer": ["p", "00" * 32, "00" * 32]}}, "proof"),
}


@pytest.mark.parametrize("case", BAD_NOTICES)
def test_no_notice(case: str) -> None:
    value, where = BAD_NOTICES[case]
    with pytest.raises(InputError) as caught:
        RaffleNotice.from_json(changed_text(NOTICE_TEXT, {case.partition(",")[0]: value}))
    assert caught.value.where == where


@pytest.mark.parametrize("case", BAD_PROOFS)
def test_no_proof(case: str) -> None:
    changes, where = BAD_PROOFS[case]
    with pytest.raises((InputError, VerificationError)) as caught:
        check_raffle(RaffleProof.from_json(changed_text(PROOF_TEXT, changes)), Entries(WEIGHTS))
    assert caught.value.where == where


@pytest.mark.parametrize("ticket", [2**53, -1, True, 1.0])
def test_a_winner_without_a_ticket(ticket: Any) -> None:
    with pytest.raises(InputError):
        RaffleProof.from_json(changed_text(PROOF_TEXT, {"winners": [[ticket, "bob"]]}))


@pytest.mark.parametrize("text", [NOTICE_TEXT, PROOF_TEXT], ids=["notice", "proof"])
def test_a_field_twice_or_too_deep(text: str) -> None:
    """Whoever reads the first of two values sees another raffle than whoever reads the last one."""
    kind: Any = RaffleNotice if text is NOTICE_TEXT else RaffleProof
    for bad in (text.replace('"shoe"', '"shoe": "x", "shoe"', 1), "[" * 99_999, f"\ufeff{text}", f"{text}{text}"):
        with pytest.raises(InputError):
            kind.from_json(bad)


ALIKE = [
    ["bob", "bob\u200b"],
    ["bob\u200b", "bob"],
    ["\u00e9", "e\u0301"],
    ["e\u0301", "\u00e9"],
    ["\uff41nn", "ann"],
    ["bob "],
    ["\ufeffbob"],
    ["\u3000bob"],
    ["bob", "Bob"],
    ["bob m", "bob  m"],
    ["bob m", "BOB\u00a0M"],
    ["\u2764", "\u2764\ufe0f"],
]


@pytest.mark.parametrize("ids", ALIKE, ids=ascii)
def test_ids_that_look_alike_are_not_announced(ids: list[str]) -> None:
    with pytest.raises(InputError):
        announced(dict.fromkeys([*ids, "eve", "mallory", "zoe"], 1))


def test_ids_that_differ_are_announced() -> None:
    Entries(
        ["bob", "b ob", "b\u043eb", "\u00e9", "e", "\u200d", "\U0001f469\u200d\U0001f467", "\U0001f469"]
    ).check_spelling()


def test_the_chance_of_each_pair_is_that_of_drawing_tickets_without_those_of_the_winner() -> None:
    entries, games, total = Entries(WEIGHTS), 6000, sum(WEIGHTS.values())
    pairs = list(permutations(WEIGHTS, 2))
    counts = dict.fromkeys(pairs, 0)
    for game in range(games):
        digest = sha256(b"raffle %d" % game).digest()
        numbers = (draw_named(KEY, digest, f"pick/{i}", total) for i in range(60))
        first, second = winners_of(entries, numbers, 2)
        counts[first.entrant, second.entrant] += 1
    expected = [games * WEIGHTS[a] / total * WEIGHTS[b] / (total - WEIGHTS[a]) for a, b in pairs]
    assert scipy.stats.chisquare([counts[pair] for pair in pairs], expected).pvalue > 0.001
    flat = [games / len(pairs)] * len(pairs)
    assert scipy.stats.chisquare([counts[pair] for pair in pairs], flat).pvalue < 1e-9


CHANGED_TICKETS: list[dict[str, Any]] = [{"entrant": "mallory"}, {"path": ()}, {"n": 3}, {"n": 5}, {"pos": 4}]


def test_a_ticket_is_shown_to_be_in_the_list() -> None:
    entries = Entries(WEIGHTS)
    for who, first, weight in (("alice", 0, 1), ("bob", 1, 5), ("carol", 6, 2), ("dave", 8, 4)):
        ticket = TicketProof.from_json(entries.prove(who).to_json())
        ticket.verify(NOTICE.root, NOTICE.entries)
        assert (ticket.entrant, ticket.first, ticket.weight) == (who, first, weight)
        assert {entries.holder(number) for number in range(first, first + weight)} == {who}
        for changed in ({"first": first + 1}, {"weight": weight + 1}, *CHANGED_TICKETS):
            with pytest.raises(VerificationError):
                ticket._replace(**changed).verify(NOTICE.root, NOTICE.entries)
    with pytest.raises(VerificationError):
        ticket.verify(announced(MORE).notice.root, 4)
    twice = ticket.to_json().replace('"first"', '"first": 0, "first"')
    for text in (
        "",
        "{}",
        "[" * 9999,
        twice,
        ticket.to_json().encode(),
        ticket.to_json().replace('"first": 8', '"first": true'),
        None,
    ):
        with pytest.raises(VerificationError):
            TicketProof.from_json(text)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        entries.prove("mallory")


def test_limits_of_a_list() -> None:
    for bad in ([], [("a", 0)], [("a", 1), ("a", 1)], ["a", "a"], [("a", 2**32), "b"], ["a\n"], "ab", {"a": 1.0}, [1]):
        with pytest.raises(InputError):
            Entries(bad)  # type: ignore[arg-type]
    for line, text in ((2, "a\nb\r\n"), (3, "a\nb\n\nc\n"), (2, "a\nb\t0\n"), (2, "a\na\n")):
        with pytest.raises(InputError) as caught:
            Entries.from_text(text)
        assert caught.value.where == f"line {line}"
    for text in ("", "a\n\n", "a\t0\n", "a\t01\n", "a\t1\t1\n", "a\r\nb\r\n", "a\na\n"):
        with pytest.raises(InputError):
            Entries.from_text(text)
    assert Entries([("a", 2**32)]).holder(2**32 - 1) == "a"
    assert Entries.from_text("a b\nc\t3").prove("c")[1:3] == (1, 3)


def test_used_up_draws_and_too_many_winners() -> None:
    found = announced(prizes=4, draws=4).draw(SIGNATURE)
    assert found.winners == ()
    used_up = found.reveal()
    assert check_raffle(used_up, Entries(WEIGHTS)).winners == ()
    with pytest.raises(VerificationError):
        check_raffle(used_up._replace(winners=HONEST.winners), Entries(WEIGHTS))
    for prizes, draws in ((0, 9), (5, 9), (3, 2), (1, 0), (1, 65_537)):
        with pytest.raises(InputError):
            announced(prizes=prizes, draws=draws)


def test_a_round_that_is_out_is_not_announced() -> None:
    with pytest.raises(InputError) as caught:
        raffle("r", WEIGHTS, prizes=1, draws=9, beacon=drand_quicknet(1000), now=drand_quicknet(1000).time)
    assert caught.value.where == "beacon"
    for entries, key in ((Entries(MORE), KEY), (Entries(WEIGHTS), bytes(32))):
        with pytest.raises(InputError):
            NOTICE.resume(entries, key)


def test_how_many_draws_are_enough() -> None:
    """The bound holds for what is drawn, and is the chance itself where all but one have won, or the weights are
    equal."""
    entries, games = Entries(WEIGHTS), 4000
    for draws in (4, 9, 20):
        used_up = sum(
            not winners_of(
                entries, (draw_named(KEY, sha256(b"%d %d" % (game, i)).digest(), "pick/0", 12) for i in range(draws)), 3
            )
            for game in range(games)
        )
        assert used_up / games <= chance_of_no_result(entries, 3, draws) + 4 * (0.25 / games) ** 0.5
    assert chance_of_no_result(Entries(["a", "b"]), 2, 3) == pytest.approx(1 / 8 + 3 / 8)
    assert chance_of_no_result(entries, 1, 1) == 0
    enough = draws_needed(entries, 3)
    chances = [chance_of_no_result(entries, 3, draws) for draws in (enough - 1, enough)]
    assert chances[1] <= 1e-6 < chances[0]
    assert draws_needed(Entries([f"{i}" for i in range(5000)]), 3) == 4


def test_more_than_64_contributors_are_told_of_raffles() -> None:
    shoe = fairshoe.commit("s", ["a"])
    for number in range(64):
        shoe.pledge(f"p{number}", sha256(b"%d" % number).hexdigest())
    with pytest.raises(RuleError, match=r"fairshoe\.raffle"):
        shoe.pledge("p64", "00" * 32)
    with pytest.raises(InputError, match=r"fairshoe\.raffle"):
        fairshoe.seal(key=KEY, shoe="s", deck=["a"], seeds=[(f"p{number}", b"x") for number in range(65)])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("entries").write_text("".join(f"{who}\t{weight}\n" for who, weight in WEIGHTS.items()))
    announce = [
        "raffle",
        "announce",
        "entries",
        "--name",
        "r",
        "--prizes",
        "2",
        "--draws",
        "30",
        "--key",
        "key",
        "--round",
    ]
    assert main([*announce, "1000"]) == 2
    assert not Path("key").exists()
    monkeypatch.setattr("time.time", lambda: 1_692_806_000.0)
    capsys.readouterr()
    assert main([*announce, "1000"]) == 0
    notice, notes = capsys.readouterr()
    assert "2023-08-23 at 15:59:24 UTC: 364 seconds from now by this machine's clock" in notes
    Path("notice").write_text(notice)
    assert Path("key").stat().st_mode & 0o777 == 0o600
    assert main([*announce, "1000"]) == 2
    assert len(Path("key").read_text()) == 65
    draw = ["raffle", "draw", "notice", "entries", "--key", "key", "--signature"]
    assert main([*draw, load("beacons")[1]["signature"]]) == 2
    capsys.readouterr()
    assert main([*draw, SIGNATURE]) == 0
    Path("proof").write_text(capsys.readouterr().out)
    check = ["raffle", "check", "proof", "entries", "--notice", "notice"]
    assert main(check) == 0
    told = capsys.readouterr().out.splitlines()
    winners = json.loads(Path("proof").read_text())["winners"]
    assert told[1].startswith("round 1000 came out on 2023-08-23 at 15:59:24 UTC")
    assert told[2:] == [f"ticket {ticket}: {who}" for ticket, who in winners]
    assert main(["raffle", "check", "proof", "entries"]) == 0
    assert "not checked: notice" in capsys.readouterr().out
    before = ["raffle", "check", "notice", "entries", "--id"]
    assert (main([*before, "bob"]), main([*before, "eve"])) == (0, 1)
    told = capsys.readouterr().out.splitlines()
    assert (told[2], told[5]) == ("bob: 5 of 12 tickets", "eve is not in the list")
    assert told[1].startswith("round 1000 comes out on 2023-08-23 at 15:59:24 UTC")
    Path("used-up").write_text(announced(prizes=4, draws=4).draw(SIGNATURE).reveal().to_json())
    assert main(["raffle", "check", "used-up", "entries"]) == 0
    assert "nobody wins" in capsys.readouterr().out
    assert main(["raffle", "page", "used-up", "entries"]) == 0
    Path("entries").write_text(Path("entries").read_text() + "mallory\n")
    assert (main(check), main([*draw, SIGNATURE])) == (1, 2)
    assert main(["raffle", "check", "notice", "entries"]) == 1
    assert main(["raffle", "check", "entries", "entries"]) == 2
    assert isinstance(RaffleProof.from_json(Path("proof").read_text()).proof, Proof)


def test_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command and the Python of docs/raffle.md, at a time before round 1000."""
    page = (Path(fairshoe.__file__).parents[1] / "docs" / "raffle.md").read_text(encoding="utf-8")
    assert len(page.split()) <= 500
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.time", lambda: 1_692_806_000.0)
    Path("entries.txt").write_text("".join(f"{who}\t{weight}\n" for who, weight in WEIGHTS.items()))
    commands = re.findall(r"^fairshoe (.*?)(?: > (\S+))?$", page, re.MULTILINE)
    assert [shlex.split(command)[:2] for command, _ in commands] == [
        ["raffle", n] for n in ("announce", "draw", "check")
    ]
    for command, file in commands:
        words = command.replace("$ROUND", "1000").replace("$SIGNATURE", SIGNATURE)
        assert main(shlex.split(words)) == 0
        told = capsys.readouterr().out
        if file:
            Path(file).write_text(told)
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(block, "docs/raffle.md", "exec"), {})
    assert capsys.readouterr().out.count("Winner(") == told.count("\nticket ") == 3
