"""What the service shows to people: its first page, the page that checks, and a hand's own address."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest

from fairshoe.page import fill_page, page, policy
from fairshoe.service.api import modules, pages
from fairshoe.service.errors import StorageError

from ..verifier.node import node
from .wire import call

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
DOCS = Path(__file__).parents[2] / "docs"
HAND = "/v1/rounds/t1%231/verify"


def browsed(place, path="/", accept=BROWSER):
    answer = call(place, "GET", path, Accept=accept)
    assert answer.status == 200
    return answer


def test_who_likes_html_better_gets_the_page_for_people_and_who_asks_for_anything_json(place):
    for accept in (BROWSER, "text/html", "text/html, application/json;q=0.9"):
        answer = browsed(place, accept=accept)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "Accept" in answer.headers["Vary"]
        assert answer.body.startswith(b"<!doctype html>")
    for accept in ("*/*", "application/json", "", "application/json, text/html", "text/html;q=0.5, */*", "nonsense"):
        answer = call(place, "GET", "/", Accept=accept)
        assert answer.json["verify"] == "/verify"
        assert "Accept" in answer.headers["Vary"]


def test_an_address_that_there_is_not_is_a_page_for_people_and_a_problem_for_programs(place):
    page = call(place, "GET", "/nowhere", Accept=BROWSER)
    assert (page.status, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    for path, accept in (("/nowhere", "*/*"), ("/v1/nowhere", BROWSER), ("/v1/tables/nowhere", BROWSER)):
        refused = call(place, "GET", path, Accept=accept)
        assert (refused.status, refused.headers["Content-Type"]) == (404, "application/problem+json")


def test_a_link_to_any_page_is_shown_with_what_it_leads_to(place):
    place.deal_until_asked(place.sealed())
    for path, title in {
        "/": "fairshoe",
        "/tables/t1": "Table t1 · fairshoe",
        "/tables/t1/rules": "Rules: t1 · fairshoe",
        "/rules/casino": "Rules: casino · fairshoe",
        HAND: "Check the hand t1#1",
    }.items():
        body = browsed(place, path).body.decode()
        shown = dict(re.findall(r'<meta (?:property|name)="(og:\w+|description)" content="([^"]*)">', body))
        assert shown["og:title"] == title
        assert shown["description"] == shown["og:description"]
    name = "x%22%3E%3Cscript%3Ealert(1)"
    assert "<script>alert" not in call(place, "GET", f"/tables/{name}", Accept=BROWSER).body.decode()


def test_a_house_without_its_database_shows_people_a_page_and_programs_a_problem(place, monkeypatch):
    def no_tables(*_):
        raise StorageError("the database cannot be reached")

    monkeypatch.setattr(place.house.sequencer, "all_tables", no_tables)
    page = call(place, "GET", "/", Accept=BROWSER)
    assert (page.status, page.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert int(page.headers["Retry-After"]) > 0
    assert "<script" not in page.body.decode()
    refused = call(place, "GET", "/v1/tables", Accept=BROWSER)
    assert (refused.status, refused.json["type"]) == (503, "/docs#storage-busy")


def test_documents_are_pages_that_lead_to_each_other(place):
    """Each document has a title; every link of every page is answered, and what is no document is not there."""
    waiting, seen = ["/docs"], set()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = browsed(place, path)
        if path.endswith((".webp", ".json")):
            continue
        text = answer.body.decode()
        assert re.search(r"<title>[^<]+ · fairshoe</title>", text), path
        assert re.search(r"<h1[ >]", text), path
        found = re.findall(r'(?:href|src)="(/docs[^"#]*)', text)
        waiting += {*found} - seen - {*waiting}
        for anchor in re.findall(r'href="#([^"]+)"', text):
            assert f'id="{anchor}"' in text, (path, anchor)
    names = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert {f"/docs/{name}" for name in (*names, "log.schema.json", "receipt.schema.json")} <= seen
    assert "<table>" in browsed(place, "/docs/protocol").body.decode()
    for name in ("nothing", "proof.md", "../pyproject", "%2e%2e/README", "deploy/nginx.conf"):
        assert call(place, "GET", f"/docs/{name}").status == 404
    tag = browsed(place, "/docs/proof").headers["ETag"]
    assert call(place, "GET", "/docs/proof", If_None_Match=tag).status == 304


def test_without_javascript_the_tables_stand_there_with_their_last_hands(place):
    place.bet_and_finish(place.sealed())
    told = re.search(r"<noscript>(.*)</noscript>", browsed(place).body.decode(), re.S)[1]
    assert "<b>t1</b>: casino, 2/7" in told
    links = re.findall(r'href="([^"]+)"', told)
    assert {HAND, "/v1/log.tar", "/checkpoint", "/v1/log/vkey", "/docs", "/verify"} <= set(links)
    for link in links:
        assert call(place, "GET", link).status == 200


@pytest.mark.parametrize("path", ["/", "/tables/t1"])
def test_the_pages_where_one_plays_run_the_houses_modules_alone_and_in_no_frame(place, path):
    place.casino(1)
    answer = browsed(place, path)
    assert answer.headers["Content-Security-Policy"] == pages.POLICY
    assert "frame-ancestors 'none'" in pages.POLICY
    assert "unsafe" not in pages.POLICY
    wanted = re.findall(rb'(?:src|href)="/modules/([^"]+)"', answer.body)
    named = {name.decode() for name in wanted}
    assert {"tables.css", "main.js"} < named <= modules.files().keys()
    brought = b"".join(modules.files()[name].data for name in named)
    assert b"an entry that can be followed" not in brought, "a whole audit, and no first card needs one"
    assert not re.search(
        rb"https?:|style=|<script>", re.sub(rb'"data:[^"]*"|<meta property="og:image"[^>]*>', b"", answer.body)
    )


@pytest.mark.parametrize("path", ["/verify", HAND])
def test_its_header_allows_what_the_page_allows_and_nothing_else(place, path):
    place.deal_until_asked(place.sealed())
    answer = browsed(place, path)
    assert path == HAND or answer.body.decode() == page()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"] == f"{policy()}; frame-ancestors 'none'"
    assert f'content="{policy()}"' in answer.body.decode()
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_browser_that_has_it_gets_it_no_second_time(place):
    tag = browsed(place, "/verify").headers["ETag"]
    again = call(place, "GET", "/verify", If_None_Match=tag)
    assert (again.status, again.body) == (304, b"")
    assert "Date" not in again.headers, "the server adds one"
    assert call(place, "GET", "/verify", If_None_Match='"other"').status == 200


def test_a_hand_has_an_address_that_opens_the_page_with_it(place):
    place.deal_until_asked(place.sealed())
    proof = call(place, "GET", "/v1/rounds/t1%231/proof")
    answer = browsed(place, HAND)
    key = str(place.house.sequencer.signer.verifier)
    inside = re.search(r'<script type="application/json" id="filled">(.*?)</script>', answer.body.decode(), re.S)[1]
    form = json.loads(inside)
    untitled = fill_page(proof.body, key, link=form["link"], code=form["code"])
    assert answer.body.decode() == untitled.replace('content="Check a hand"', 'content="Check the hand t1#1"')
    assert {name: form[name] for name in ("key", "proof")} == {
        "key": key,
        "proof": base64.b64encode(proof.body).decode(),
    }
    assert form["link"].endswith(HAND)


def test_proof_and_page_link_each_other_and_the_table_links_its_last_hand(place):
    seats = place.sealed(2)
    assert "verify" not in place.public.get("/v1/tables/t1")
    place.deal_until_asked(seats)
    place.finish(seats)
    proof, shown = call(place, "GET", "/v1/rounds/t1%231/proof"), browsed(place, HAND)
    assert proof.headers["Link"] == f'<{HAND}>; rel="alternate"; type="text/html"'
    assert shown.headers["Link"] == '</v1/rounds/t1%231/proof>; rel="alternate"; type="application/json"'
    state = place.public.get("/v1/tables/t1")
    assert state["verify"] == f"/v1/rounds/t1%23{state['last']['round']}/verify"


def test_a_hand_that_there_is_not_is_refused_as_its_proof_is(place):
    place.deal_until_asked(place.sealed())
    absent = {"t1%2399": 404, "t9%231": 404, "nonsense": 404, "t1%231/../x": 404, "t1%231?witnesses=1": 409}
    for path, status in absent.items():
        name, _, query = path.partition("?")
        for form in ("verify", "proof"):
            answer = call(place, "GET", f"/v1/rounds/{name}/{form}?{query}")
            assert answer.status == status
            assert answer.headers["Content-Type"] == "application/problem+json"


def test_no_name_gets_out_of_the_data(place):
    name = "</script><script>alert(1)</script><!--"
    place.operator.create_table("casino", table="t1")
    eve = place.operator.table("t1").sit("eve", 1000, name=name)
    place.make_shoe([eve])
    place.deal_until_asked([eve])
    text = browsed(place, HAND).body.decode()
    assert name not in text
    assert text.count("<script") == page().count("<script")


def test_scripts_are_served_with_all_that_they_import_and_nothing_else_is(place, tmp_path):
    for name in modules.files():
        answer = call(place, "GET", f"/modules/{name}")
        assert answer.status == 200
        assert answer.headers["Content-Security-Policy"] == modules.POLICY
        if name.endswith(".js"):
            assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
            assert f"{name}.map" in modules.files()
        (tmp_path / name).write_bytes(answer.body)
    loads = "const { House, Seat } = await import('./player.js'); const { verify } = await import('./verifier.js')"
    words = [node(), "--input-type=module", "-e", f"{loads}; if (!House || !Seat || !verify) process.exit(1)"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    packed = call(place, "GET", "/modules/player.js", Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == call(place, "GET", "/modules/player.js").body
    assert call(place, "GET", "/modules/player.js", If_None_Match=packed.headers["ETag"]).status == 304
    for path in ("../verify.html", "page.html", "../../service/app.py", "service/app.py", ""):
        assert call(place, "GET", f"/modules/{path}").status == 404
