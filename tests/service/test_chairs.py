"""Who may take a chair: so many of one address, and at some tables only who was invited; and who must leave it."""

from __future__ import annotations

import pytest

from audit_cli.receipts.run import decide
from fairshoe.service.settings import Settings

from .calls import call
from .place import Place, refusal, sitting


@pytest.fixture
def proxied(tmp_path):
    with Place(tmp_path / "data", Settings(trusted_proxies=("127.0.0.1",))) as place:
        place.operator.create_table("casino", table="t1")
        yield place


@pytest.fixture
def guarded(place):
    """A table for invited players."""
    place.operator.post("/v1/tables", {"rules": "casino", "table": "t1", "invitation": True})
    return place


def sit(place, player, address, table="t1", **more):
    body = sitting(player, 100, f"fs_{player}", **more)
    return call(place, "POST", f"/v1/tables/{table}/seats", body, X_Forwarded_For=address)


def invite(place, **body):
    return place.operator.post("/v1/tables/t1/invitations", body)["invitation"]


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


def test_a_table_for_invited_players(guarded):
    assert guarded.public.get("/v1/tables/t1")["invitation"] is True
    (line,) = guarded.public.get("/v1/tables")["tables"]
    assert line["invitation"] is True
    body = sitting("alice", 100)
    told = call(guarded, "POST", "/v1/tables/t1/seats", body)
    assert (told.status, told.json["field"]) == (403, "invitation")
    body["invitation"] = invite(guarded)
    assert call(guarded, "POST", "/v1/tables/t1/seats", body).status == 201
    body["player"] = "bob"
    assert call(guarded, "POST", "/v1/tables/t1/seats", body).status == 403
    assert guarded.kinds() == ["table", "chips"]


def test_an_invitation_that_was_refused_for_another_reason_stays_good(guarded):
    code = invite(guarded)
    taken = sitting("alice", 100, seat=9, invitation=code)
    assert call(guarded, "POST", "/v1/tables/t1/seats", taken).status == 422
    assert call(guarded, "POST", "/v1/tables/t1/seats", {**taken, "seat": 3}).status == 201


def test_an_invitation_ends_when_it_says(guarded):
    made = guarded.operator.post("/v1/tables/t1/invitations", {"seconds": 60})
    assert made["ends"] is not None
    guarded.clock.forward(61)
    body = sitting("alice", 100, invitation=made["invitation"])
    assert call(guarded, "POST", "/v1/tables/t1/seats", body).status == 403
    late = invite(guarded, seconds=60)
    guarded.clock.forward(59)
    assert call(guarded, "POST", "/v1/tables/t1/seats", {**body, "invitation": late}).status == 201


def test_an_invitation_is_for_one_table(guarded):
    code = invite(guarded)
    guarded.operator.post("/v1/tables", {"rules": "casino", "table": "t2", "invitation": True})
    body = sitting("alice", 100, invitation=code)
    assert call(guarded, "POST", "/v1/tables/t2/seats", body).status == 403
    guarded.operator.create_table("casino", table="t3")
    assert call(guarded, "POST", "/v1/tables/t3/seats", body).status == 403
    told = refusal(guarded.operator.post, "/v1/tables/t3/invitations", {})
    assert told["status"] == 409


def test_only_the_operator_invites(guarded):
    code = invite(guarded)
    call(guarded, "POST", "/v1/tables/t1/seats", sitting("a", 1, "fs_a", invitation=code))
    assert call(guarded, "POST", "/v1/tables/t1/invitations", {}, "fs_a").status == 403
    assert call(guarded, "POST", "/v1/tables/t1/invitations", {}).status == 401
    assert call(guarded, "POST", "/v1/tables/nowhere/invitations", {}, guarded.token).status == 404


def test_an_invitation_whose_answer_was_lost_comes_again(guarded):
    key = {"Idempotency_Key": "k" * 20}
    first, second = (call(guarded, "POST", "/v1/tables/t1/invitations", {}, guarded.token, **key) for _ in range(2))
    assert first.body == second.body
    other = call(guarded, "POST", "/v1/tables/t1/invitations", {}, guarded.token)
    assert other.json["invitation"] != first.json["invitation"]


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
