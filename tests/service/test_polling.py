"""Many tables come in pages, and a table that has not changed costs little to look at again."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest

from fairshoe.service.api import tables

from .place import refusal, step
from .wire import call


def listed(place, query=""):
    answer = call(place, "GET", f"/v1/tables{query}")
    assert answer.status == 200
    return [line["table"] for line in answer.json["tables"]], answer.headers["Link"]


def test_tables_come_in_pages_by_their_ids(place):
    for number in (3, 1, 2, 10):
        place.operator.create_table("casino", table=f"t{number}")
    assert listed(place) == (["t1", "t10", "t2", "t3"], None)
    pages, link = [], '</v1/tables?limit=3>; rel="next"'
    while link:
        page, link = listed(place, re.fullmatch(r'</v1/tables(\?.+)>; rel="next"', link)[1])
        pages.append(page)
    assert pages == [["t1", "t10", "t2"], ["t3"]]
    assert listed(place, "?after=t2&limit=1") == (["t3"], None)
    assert listed(place, "?after=t3") == ([], None)
    with patch.object(tables, "PAGE", 3):
        assert listed(place) == (["t1", "t10", "t2"], '</v1/tables?limit=3&after=t2>; rel="next"')
        assert listed(place, "?limit=1000")[1] is None


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=01", "limit=x", "limit=", "after=*", "page=2"])
def test_a_page_that_is_none_is_refused(place, query):
    answer = call(place, "GET", f"/v1/tables?{query}")
    assert answer.status == 422
    assert answer.json["errors"][0]["field"] == query.partition("=")[0]


def test_a_table_that_has_not_changed_is_not_sent_again(place):
    (alice,) = place.casino(1)
    first = call(place, "GET", "/v1/tables/t1", token=alice.token)
    tag = first.headers["ETag"]
    place.clock.forward(1)
    place.operator.create_table("casino", table="t2")
    again = call(place, "GET", "/v1/tables/t1", token=alice.token, If_None_Match=tag)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    everybody = call(place, "GET", "/v1/tables/t1", If_None_Match=tag)
    assert (everybody.status, everybody.headers["Vary"]) == (200, "Authorization")
    assert everybody.headers["ETag"] != tag
    alice.send("shoe")
    later = call(place, "GET", "/v1/tables/t1", token=alice.token, If_None_Match=f'"other", {tag}')
    assert (later.status, later.json["phase"]) == (200, "hash")


def test_each_thing_that_happens_at_a_table_changes_its_tag(place):
    seats = place.casino()
    for _ in range(12):
        for seat in seats:
            before, size = tag_of(place, seat), place.house.sequencer.log.size()
            step(seat)
            if place.house.sequencer.log.size() != size:
                assert tag_of(place, seat) != before
    assert "round" in place.kinds()


def tag_of(place, seat):
    return call(place, "GET", "/v1/tables/t1", token=seat.token).headers["ETag"]


def test_each_commit_tells_the_tables_that_it_changed_by_a_version_that_only_rises(place):
    (alice,) = place.casino(1)
    told = []
    place.house.sequencer.transactions.changed = told.append
    alice.send("shoe")
    assert refusal(alice.bet, 10)["status"] == 409
    place.operator.create_table("casino", table="t2")
    place.clock.forward(3600)
    place.house.sequencer.transactions.catch_up("t1")
    alice.refresh()
    place.house.sequencer.transactions.start(clock_is_right=True)
    assert [sorted(each) for each in told if each] == [["t1"], ["t2"], ["t1"], ["t1", "t2"]]
    versions = [version for each in told for version in set(each.values())]
    assert versions == sorted(set(versions))
    place.restart()
    stored = place.house.sequencer.tables
    with place.house.database.begin_read() as connection:
        assert min(stored.load_any(connection, table).version for table in ("t1", "t2")) > versions[-1]
