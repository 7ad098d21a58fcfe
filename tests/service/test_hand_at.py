"""`fairshoe-audit hand https://HOUSE T#N`: the proof is fetched and checked, the house's key kept at the first use."""

import pytest

from audit_cli.main import main
from fairshoe.log.note import Signer

from .place import at

pytestmark = pytest.mark.wire


@pytest.fixture
def houses(tmp_path, monkeypatch):
    """The file of kept keys."""
    path = tmp_path / "kept" / "houses"
    monkeypatch.setenv("FAIRSHOE_HOUSES", str(path))
    return path


def finished(place):
    """A table whose players have played a round and left, so that its key is out."""
    seats = place.sealed()
    place.bet_and_finish(seats)
    for seat in seats:
        at(seat).leave()


def test_a_hand_is_checked_at_a_house_s_address(place, houses, capsys):
    seats = place.sealed()
    place.bet_and_finish(seats)
    assert main(["hand", place.address, "t1#1"]) == 0
    assert "when the shoe has" in capsys.readouterr().out
    assert houses.read_text() == f"{place.public.verifier()}\n"
    for seat in seats:
        at(seat).leave()
    assert main(["hand", place.address, "t1#1"]) == 0
    assert capsys.readouterr().out.startswith("PASS: ")


def test_at_the_first_use_the_signature_is_not_checked(place, houses, capsys):
    finished(place)
    assert main(["hand", place.address, "t1#1"]) == 0
    told = capsys.readouterr()
    first, *_, last = told.out.splitlines()
    assert first == last
    assert first.startswith("PASS so far: ")
    assert "signature is not checked" in first
    assert "the key of" in told.err


def test_another_key_than_the_kept_one_is_refused(place, houses, capsys):
    finished(place)
    name = place.public.verifier().split("+")[0]
    houses.parent.mkdir()
    houses.write_text(f"{Signer(name, b'o' * 32).verifier}\n")
    assert main(["hand", place.address, "t1#1"]) == 2
    assert "PASS" not in capsys.readouterr().out


def test_what_is_not_there_is_told(place, houses, capsys):
    assert main(["hand", place.address, "t1#9"]) == 2
    assert main(["hand", place.address]) == 2
    assert main(["hand", "http://127.0.0.1:9", "t1#1"]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not houses.exists()
