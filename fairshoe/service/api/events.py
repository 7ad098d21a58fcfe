"""A table to be looked at: now, once something has changed, or each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Flask, Response, request

from ...ceremony.acting.lone_shoe import ROW
from ...serving.followers import ADDRESS, COMMENT, CROWDED, FOLLOW, FollowedView, FollowRequest
from ..errors import Busy, RateLimited
from ..limits import group
from . import answers, requests
from .context import JSON, bearer, body_of, sequencer, visit
from .problems import RETRY_SECONDS
from .routes import ResponseSpec, RouteGroup
from .shoes import shoe_body

routes = RouteGroup("looks", "Looking at a table")
EVENTS = "text/event-stream"
VIEW_SPEC = ResponseSpec(refused=(404,), tagged=True)
STREAM_SPEC = ResponseSpec(refused=(404,), followed=True)
LAST = "Last-Event-ID"


@routes.get("/tables/<table>", answers.TableStateResponse, requests.TableQuery, token=True, response_spec=VIEW_SPEC)
def show_table(query: dict[str, str], table: str) -> Response:
    """A table as your seat may see it, and what you can do; without a token, as everybody may see it. With the ETag
    of the last answer it is 304 as long as nothing but the time and the log's size has changed; with `wait` only
    after so many seconds without a change."""
    response = _unchanged(query, table) if request.if_none_match else None
    if response is None:
        shown = _now(table)
        response = Response(shown.body, headers=[(name.decode(), value.decode()) for name, value in shown.headers])
    response.vary.add("Authorization")
    return response


def _unchanged(query: dict[str, str], table: str) -> Response | None:
    """304 where a table is as it was, perhaps after a while."""
    found = sequencer().glance(table, bearer())
    tag = _tag(found.version, found.seat)
    if not request.if_none_match.contains_weak(tag):
        return None
    if "wait" in query:
        _follow(table, found.version, float(query["wait"]))
    response = Response(status=304, mimetype=JSON)
    response.set_etag(tag, weak=True)
    return response


@routes.get("/shoes/<shoe>", answers.ShoeStateResponse, requests.TableQuery, token=True, response_spec=VIEW_SPEC)
def show_shoe(query: dict[str, str], shoe: str) -> Response:
    """A shoe without a table, and what you can do with a player's token. ETag and `wait` are as at a table."""
    return show_table(query, ROW + shoe)


@routes.get("/shoes/<shoe>/events", EVENTS, token=True, response_spec=STREAM_SPEC)
def follow_shoe(shoe: str) -> Response:
    """A shoe without a table as it changes (server-sent events), as at a table."""
    return follow_table(ROW + shoe)


@routes.get("/tables/<table>/events", EVENTS, token=True, response_spec=STREAM_SPEC)
def follow_table(table: str) -> Response:
    """A table as it changes (server-sent events): at once, unless `Last-Event-ID` is its version, and after each
    change an event with the whole table, as your seat or everybody may see it. An event's id is the table's version, a
    number that only rises; whoever takes them slowly misses some, and never the newest."""
    shown = _now(table)
    _follow(table, shown.version, None)
    first = COMMENT if request.headers.get(LAST) == str(shown.version) else shown.event
    return Response(iter([first]), mimetype=EVENTS, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def _follow(table: str, version: int, seconds: float | None) -> None:
    """Let the answer go on, or wait. Raises Busy, RateLimited."""
    crowd = request.environ.get(CROWDED)
    if crowd == ADDRESS:
        most, remedy = sequencer().settings.followers_by_address, "follow fewer tables at a time, or look now and then"
        raise RateLimited(
            "this address follows too often", RETRY_SECONDS, expected=f"at most {most} at a time", remedy=remedy
        )
    if crowd:
        raise Busy("too many follow tables", remedy="look now and then, or try again")
    if request.method == "GET":
        address = visit().address
        counted = sequencer().settings.limits and not address.is_loopback
        whose = group(address) if counted else ""
        request.environ[FOLLOW] = FollowRequest(table, bearer(), version, seconds, whose)


def _now(table: str) -> FollowedView:
    """The table as whoever asks sees it. Raises Unauthorized, NotFound, Forbidden."""
    token = bearer()
    while (shown := _shown(table, [token]).get(token)) is None:
        sequencer().glance(table, token)
    return shown


def _tag(version: int, seat: int | None) -> str:
    return f"{version}" if seat is None else f"{version}.{seat}"


def _shown(table: str, tokens: Sequence[str | None]) -> dict[str | None, FollowedView]:
    shown, house = {}, sequencer()
    make = shoe_body if table.startswith(ROW) else body_of
    for token, seen in house.show_table(table, tokens).items():
        tag = _tag(seen.version, seen.seat)
        body = make(seen, house)
        headers = [(b"content-type", JSON.encode()), (b"etag", f'W/"{tag}"'.encode())]
        shown[token] = FollowedView(seen.version, headers, body, b"id: %d\ndata: %b\n\n" % (seen.version, body))
    return shown


def show(app: Flask, table: str, tokens: Sequence[str | None]) -> Mapping[str | None, FollowedView]:
    """Return by token the view for each follower of a table."""
    with app.app_context():
        return _shown(table, tokens)
