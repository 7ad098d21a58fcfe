"""`fairshoe-audit foreign` and the page's second copy of it: real results follow, altered ones never do."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from audit_cli.cases.foreign.check import DIFFERS, FOLLOWS, NOT_CHECKED, check
from audit_cli.cases.foreign.scheme import ForeignHand, card_in
from audit_cli.cases.foreign.schemes import schemes
from audit_cli.cases.foreign.table import hands_in
from audit_cli.main import main
from fairshoe.errors import InputError
from tests.verifier.node import node

RESULTS = Path(__file__).parents[1] / "data" / "other-houses" / "results.csv"
REAL = [replace(hand, nonce=hand.nonce or "20") for hand in hands_in(RESULTS.read_bytes())]
"""A chain's remembered hash is at most twenty games old here."""
COMMITTED = [hand for hand in REAL if hand.commitment]
HEX = "0123456789abcdef"


def altered(hand: ForeignHand, chance: random.Random) -> ForeignHand:
    """Change one character of a seed, the nonce or the commitment, or one card or the number of the result."""
    fields = ["server_seed", "commitment", "result"]
    if hand.scheme in ("stake", "liqd"):  # elsewhere there is no nonce, and a number may be the same by chance
        fields += ["client_seed", "nonce"]
    field = chance.choice(fields)
    if field == "result":
        cards = hand.result.split(" ")
        places = [at for at, name in enumerate(cards) if name not in "|/" and "|" not in name]
        at = chance.choice(places)
        if hand.game == "crash":
            return replace(hand, result=f"{float(hand.result) + 0.01:.2f}")
        cards[at] = "2c" if card_in(cards[at]) != "2c" else "3c"
        return replace(hand, result=" ".join(cards))
    text = getattr(hand, field)
    at = chance.randrange(len(text))
    other = chance.choice([digit for digit in ("0123456789" if field == "nonce" else HEX) if digit != text[at]])
    return replace(hand, **{field: text[:at] + other + text[at + 1 :]})


ALTERED = [altered(hand, random.Random(at)) for at, hand in enumerate(COMMITTED * 3)]


def by_node(hands: list[ForeignHand]) -> list[dict[str, object]]:
    """Answer as the page does."""
    lines = "\n".join(json.dumps(asdict(hand)) for hand in hands)
    script = Path(__file__).with_name("foreign.mjs")
    said = subprocess.run([node(), script], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in said.stdout.splitlines()]


def by_python(hand: ForeignHand) -> dict[str, object]:
    """Answer as the command does, in the same form."""
    try:
        answer = check(hand)
    except InputError as error:
        return {"refused": error.where}
    game = schemes()[hand.scheme].games[hand.game]
    slips = sum("it would follow" in note for note in answer.notes)
    return {**answer.answers(), "expected": game.outcome.expected(hand), "slips": slips}


def test_every_real_result_follows() -> None:
    for hand in REAL:
        answer = check(hand)
        assert answer.outcome == FOLLOWS, hand
        assert answer.commitment == (FOLLOWS if hand.commitment else NOT_CHECKED), hand
        assert answer.payout == (FOLLOWS if hand.payout else NOT_CHECKED), hand


def test_a_game_is_called_real_only_if_its_results_stand_here() -> None:
    tried = {(hand.scheme, hand.game) for hand in REAL}
    called = {(scheme.name, name) for scheme in schemes().values() for name, game in scheme.games.items() if game.real}
    assert called == tried


def test_an_altered_hand_never_follows() -> None:
    assert len(ALTERED) == 300
    followed = [hand for hand in ALTERED if check(hand)[1:3] == (FOLLOWS, FOLLOWS)]
    assert {len(hand.result.split()) for hand in followed} <= {1}, "one card may be the same by chance"
    assert len(followed) < 3


def test_no_wrong_seed_follows_a_commitment() -> None:
    chance = random.Random(1)
    for hand in COMMITTED:
        seed = chance.randbytes(len(hand.server_seed) // 2).hex()
        answer = check(replace(hand, server_seed=seed))
        assert answer.commitment == DIFFERS
        assert FOLLOWS not in answer.answers().values()


def test_both_languages_agree() -> None:
    hands = [*REAL, *ALTERED[:120]]
    assert by_node(hands) == [by_python(hand) for hand in hands]


FIRST = REAL[0]
OTHER_KEY = next(hand for hand in REAL if hand.scheme == "duel")
SLIPS = [
    (replace(FIRST, nonce=str(int(FIRST.nonce) + 3)), f"if the nonce were {FIRST.nonce}"),
    (replace(FIRST, server_seed=FIRST.client_seed, client_seed=FIRST.server_seed), "the two seeds were exchanged"),
    (replace(FIRST, server_seed=FIRST.server_seed + "\n"), "the server seed had no space or line feed"),
    (replace(FIRST, scheme="duel", game="cards"), "by stake blackjack"),
    (replace(FIRST, commitment=FIRST.server_seed), "the server seed itself"),
    (replace(OTHER_KEY, commitment=schemes()["stake"].commits(OTHER_KEY.server_seed)), "hash of the seed's text"),
    (replace(FIRST, commitment=schemes()["duel"].commits(FIRST.server_seed)), "hash of the seed's bytes"),
    (replace(FIRST, commitment=schemes()["stake"].commits(FIRST.server_seed + "\n")), "with a line feed behind it"),
]


@pytest.mark.parametrize(("hand", "slip"), SLIPS, ids=[slip for _, slip in SLIPS])
def test_a_slip_is_named(hand: ForeignHand, slip: str) -> None:
    answer = check(hand)
    assert DIFFERS in answer.answers().values()
    assert any(slip in note for note in answer.notes), answer.notes


def test_without_a_scheme_what_fits_is_a_candidate() -> None:
    answer = check(replace(FIRST, scheme="", game=""))
    assert set(answer.answers().values()) == {NOT_CHECKED}
    assert answer.notes[0].startswith("candidate: stake blackjack, ")


def test_a_wrong_commitment_takes_the_word_from_a_right_result() -> None:
    answer = check(replace(FIRST, commitment="0" * 64))
    assert (answer.commitment, answer.outcome) == (DIFFERS, NOT_CHECKED)


@pytest.mark.parametrize(("name", "label"), [("H13", "Kh"), ("10♦", "Td"), ("♠A", "As"), ("1c", "Ac"), ("2H", "2h")])
def test_cards_of_any_notation(name: str, label: str) -> None:
    assert card_in(name) == label


PAYOUTS = [("4.5", DIFFERS), ("4.6", FOLLOWS)]


@pytest.mark.parametrize(("payout", "state"), PAYOUTS)
def test_the_money_of_a_split_with_both_side_bets(payout: str, state: str) -> None:
    hand = next(hand for hand in REAL if hand.actions == "split,double,double" and hand.payout == "4.6")
    assert check(replace(hand, payout=payout)).payout == state


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"scheme,deck\nstake,6\n", "row 1"),
        (b"scheme,server_seed\n", "FILE"),
        (b"\xff\xfe", "FILE"),
        (b'{"scheme": "stake"}\n{"scheme": ', "row 2"),
        (b'{"scheme": ["stake"]}', "row 1"),
    ],
)
def test_a_file_is_refused_whole(data: bytes, where: str) -> None:
    with pytest.raises(InputError) as refused:
        hands_in(data)
    assert refused.value.where == where


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = FIRST
    hand = ["--scheme", "stake", "--game", "blackjack", "--server-seed", first.server_seed, "--nonce", first.nonce]
    hand += ["--client-seed", first.client_seed]
    assert main(["foreign", *hand, "--result", first.result]) == 0
    assert main(["foreign", *hand, "--result", "As " + first.result]) == 1
    assert main(["foreign", *hand, "--result", "joker"]) == 2
    assert main(["foreign"]) == 2
    capsys.readouterr()
    assert main(["foreign", str(RESULTS), "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(REAL)
    assert {row["outcome"] for row in rows} == {FOLLOWS}
    lines = tmp_path / "hands.jsonl"
    lines.write_text('{"scheme":"stake","game":"dice","server_seed":"a","nonce":3,"result":2.81}\n', encoding="utf-8")
    assert main(["foreign", str(lines)]) == 1
