"""Who may take a chair: so many of one address; and who must leave it."""

from __future__ import annotations

import pytest

from audit_cli.receipts.run import decide
from fairshoe.service.settings import Settings

from .calls import call
from .place import Place, sitting


@pytest.fixture
def proxied(tmp_path):
    with Place(tmp_path / "data", Settings(trusted_proxies=("127.0.0.1",))) as place:
        place.operator.create_table("casino", table="t1")
        yield place


def sit(place, player, address, table="t1", **more):
    body = sitting(player, 100, f"fs_{player}", **more)
    return call(place, "POST", f"/v1/tables/{table}/seats", body, X_Forwarded_For=address)


def test_a_stranger_cannot_take_all_chairs(proxied):
    tokens = [sit(proxied, f"p{i}", "203.0.113.7") for i in range(4)]
    assert [told.status for told in tokens] == [201, 201, 201, 409]
    assert "3 chairs" in tokens[3].json["detail"]
    assert sit(proxied, "q", "203.0.113.8").status == 201
    proxied.operator.create_table("casino", table="t2")
    assert sit(proxied, "p4", "203.0.113.7", "t2").status == 201
    leave = {"op": "cash-out", "leave": True}
    assert call(proxied, "POST", "/v1/tables/t1/chips", leave, "fs_p0").status == 200
    assert sit(proxied, "p5", "203.0.113.7").status == 201
    assert sit(proxied, "p6", "203.0.113.7").status == 409


def test_a_chair_that_somebody_else_took_over_is_not_counted(proxied):
    for number in (1, 2, 3):
        sit(proxied, f"p{number}", "203.0.113.7", seat=number)
    call(proxied, "POST", "/v1/tables/t1/chips", {"op": "cash-out", "leave": True}, "fs_p1")
    assert sit(proxied, "q", "203.0.113.8", seat=1).status == 201
    assert sit(proxied, "p4", "203.0.113.7").status == 201
    assert sit(proxied, "p5", "203.0.113.7").status == 409


# The house has a chair left: never while it could know the order of a shoe.


def evict(place, seat):
    return place.operator.table("t1").send("evict", seat=seat)


def out(place):
    """The cash-outs by the house's word."""
    return [(e["seat"], e["player"], e["by"]) for e in place.of_kind("chips") if "by" in e]


def test_being_put_out_is_no_act_in_the_players_name(place, tmp_path):
    """Whose receipts are all there misses none for it."""
    place.operator.create_table("casino", table="t1").sit("p1", 100, receipts=tmp_path / "p1")
    evict(place, 1)
    place.assert_clean()
    decided = decide(tmp_path / "p1", place.directory / "audited", key=place.public.verifier())
    assert decided.outcome.good, decided.text
    assert "without a receipt" not in decided.text
