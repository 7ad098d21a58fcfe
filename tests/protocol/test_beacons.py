"""Beacons: a round that is named at the commitment, its signature at the seal, and what `verify` makes of it."""

from __future__ import annotations

import sys

import pytest

import fairshoe
from fairshoe import BeaconRound, Committed, InputError, RuleError, StepFailed, VerificationError, drand_quicknet
from fairshoe.cli import main
from fairshoe.protocol.beacons import check_signature
from tests.second.vectors import load

KEY = bytes(range(32))
EARLY, LATE = load("beacons")
SIGNATURE: str = EARLY["signature"]


def committed(number: int = 1000) -> Committed:
    return fairshoe.commit("s", fairshoe.french(1), key=KEY, beacon=drand_quicknet(number))


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)


@pytest.mark.parametrize("published", [EARLY, LATE], ids=["1000", "657413"])
def test_the_published_rounds_hold_and_no_other(published: dict[str, object]) -> None:
    number, signature = int(str(published["round"])), str(published["signature"])
    assert check_signature(drand_quicknet(number), signature).randomness == published["randomness"]
    for other in (number - 1, number + 1, 1):
        with pytest.raises(VerificationError):
            check_signature(drand_quicknet(other), signature)


@pytest.mark.parametrize(
    "signature",
    [LATE["signature"], "00" * 48, "ff" * 48, "c0" + "00" * 47, "94" + SIGNATURE[2:], SIGNATURE[:-2] + "38"],
    ids=["another round's", "zeros", "ones", "infinity", "the other sign", "the last bit"],
)
def test_what_is_not_the_rounds_signature_is_refused(signature: str) -> None:
    shoe = committed()
    with pytest.raises(VerificationError) as caught:
        shoe.seal(signature=signature)
    assert (caught.value.where, caught.value.fault) == ("signature", "house")
    proof = shoe.seal(signature=SIGNATURE).reveal()
    with pytest.raises(StepFailed) as failed:
        fairshoe.verify(proof, signature=signature)
    assert failed.value.step == 7


def test_a_signature_in_upper_case_is_malformed() -> None:
    with pytest.raises(InputError) as caught:
        check_signature(drand_quicknet(1000), SIGNATURE.upper())
    assert caught.value.where == "signature"


def test_a_named_round_is_sealed_with_its_signature_alone() -> None:
    shoe = fairshoe.resume(fairshoe.keep(committed(), KEY), KEY)
    assert isinstance(shoe, Committed)
    assert (shoe.promised, shoe.beacon) == (drand_quicknet(1000), None)
    with pytest.raises(RuleError, match="signature"):
        shoe.seal()
    with pytest.raises(RuleError, match="names a round"):
        shoe.add_beacon(EARLY["randomness"], 1000, EARLY["randomness"])
    with pytest.raises(InputError, match="no round was named"):
        fairshoe.commit("s", ["a"]).seal(signature=SIGNATURE)
    sealed = shoe.seal(signature=SIGNATURE)
    assert tuple(sealed.transcript.beacon or ()) == (drand_quicknet(1000).chain, 1000, EARLY["randomness"])
    assert fairshoe.verify(sealed.reveal(), signature=SIGNATURE).not_checked == ()


def test_another_randomness_fails_with_and_without_the_extra(request: pytest.FixtureRequest) -> None:
    beacon = (drand_quicknet(1000).chain, 1000, LATE["randomness"])
    proof = fairshoe.seal(key=KEY, shoe="s", deck=["a"], beacon=beacon).reveal()
    for _ in range(2):
        with pytest.raises(StepFailed) as failed:
            fairshoe.verify(proof, signature=SIGNATURE)
        assert (failed.value.step, failed.value.where) == (7, "beacon")
        request.getfixturevalue("without_extra")


@pytest.mark.usefixtures("without_extra")
def test_without_the_extra_nothing_is_sealed_and_the_beacon_is_not_checked() -> None:
    with pytest.raises(InputError, match="pip install"):
        committed().seal(signature=SIGNATURE)
    beacon = (drand_quicknet(1000).chain, 1000, EARLY["randomness"])
    proof = fairshoe.seal(key=KEY, shoe="s", deck=["a"], beacon=beacon).reveal()
    assert fairshoe.verify(proof, signature=SIGNATURE).not_checked == ("beacon",)


def test_what_is_not_checked_is_told(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    file = f"{tmp_path}/proof.json"
    with open(file, "w") as written:
        written.write(committed().seal(signature=SIGNATURE).reveal().to_json())
    assert main(["verify", file]) == 0
    assert "not checked: beacon\n" in capsys.readouterr().out
    assert main(["verify", file, "--signature", SIGNATURE]) == 0
    assert "not checked" not in capsys.readouterr().out
    assert main(["verify", file, "--signature", LATE["signature"], "--json"]) == 1
    assert '"step": 7' in capsys.readouterr().out
    assert main(["verify", file, "--signature", "00"]) == 2


def test_when_a_round_comes_out() -> None:
    assert (drand_quicknet(1).time, drand_quicknet(1000).time) == (1692803367, 1692806364)
    for bad in (0, -1, 1.0, "1000"):
        with pytest.raises(InputError):
            drand_quicknet(bad)  # type: ignore[arg-type]
    for odd in (1000, ("ab", 1), BeaconRound("ab", 1), drand_quicknet(1000)._replace(number=0)):
        with pytest.raises(InputError):
            fairshoe.commit("s", ["a"], beacon=odd)  # type: ignore[arg-type]
