"""A route's request: the sequencer, the sender, the key; who may send it, and how it is answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import quote

from flask import Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from ...ceremony.acting.lone_shoe import ROW
from ...ceremony.acting.placers import PlacerRequests
from ...ceremony.acting.state import State
from ...ceremony.acting.view import table_view
from ...errors import FairshoeError
from ...log.times import timestamp
from ...protocol.placer_chain import END
from ..errors import MalformedKey, RateLimited, StorageError, Unauthorized
from ..limits import Visit
from ..limits import address_of as client_address
from ..placers import addresses
from ..replies import Make, Reply, RequestDigests, SentRequest, TableReply, digest_request
from ..sequencer import Sequencer
from ..tokens import Caller

EXTENSION = "fairshoe"
JSON = "application/json"
KEY = "Idempotency-Key"
REPLAY_HEADER = "Idempotent-Replay"
MIN_KEY_LENGTH, MAX_KEY_LENGTH = 16, 128
_KEY = re.compile(rf"[!-~]{{{MIN_KEY_LENGTH},{MAX_KEY_LENGTH}}}", re.ASCII)
EXPECTED = f"{MIN_KEY_LENGTH} to {MAX_KEY_LENGTH} visible ASCII characters"
PROOF, VERIFY = "proof", "verify"
"""The two forms of a hand: the file for programs, and the page for people that has it inside."""
View = TypeVar("View", bound=Callable[..., Any])


def sequencer() -> Sequencer:
    return cast(Sequencer, current_app.extensions[EXTENSION])


# Who asks.


def bearer() -> str | None:
    """The token of the request, if it has one. Raises Unauthorized for another kind of credentials."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("not a bearer token", where="token", expected="Authorization: Bearer TOKEN")
    return token.strip()


def check_caller(*roles: str) -> Caller:
    """Return the holder of the request's token. Raises Unauthorized, or Forbidden if it has none of these roles."""
    caller = sequencer().caller(bearer())
    caller.check_role(*roles)
    return caller


def visit() -> Visit:
    """The request as limits know it; the same each time within one request."""
    if "visit" not in g:
        token = None
        with suppress(Unauthorized):
            token = bearer()
        g.visit = Visit(client_address(request.remote_addr or ""), token)
    return cast(Visit, g.visit)


def route() -> str:
    """The route's path as it is registered; empty where there is none."""
    return "" if request.url_rule is None else request.url_rule.rule


def key_of(header: str) -> str:
    """The key in an Idempotency-Key header. Raises MalformedKey."""
    if not _KEY.fullmatch(header.strip()):
        raise MalformedKey("not a key", where=KEY, expected=EXPECTED)
    return header.strip()


def request_digests() -> RequestDigests | None:
    """Return the digests by which a repetition of the request is known; None if it has no key. Raises MalformedKey."""
    header = request.headers.get(KEY)
    if header is None:
        return None
    said = b"\n".join((request.method.encode(), request.full_path.encode(), request.get_data()))
    return digest_request(key_of(header), bearer(), f"{request.method} {route()}", said)


def require_role(view: View, roles: tuple[str, ...]) -> View:
    """Wrap a view for callers of these roles. The caller and an earlier answer are looked up in the transaction that
    acts, or before a malformed body is refused: strangers learn nothing about fields."""

    @wraps(view)
    def first(*args: Any, **kwargs: Any) -> Any:
        g.roles, g.table = roles, f"{ROW}{kwargs['shoe']}" if "shoe" in kwargs else kwargs.get("table")
        try:
            return view(*args, **kwargs)
        except RateLimited:
            raise
        except (FairshoeError, HTTPException) as error:
            again = None if visit().is_counted else _refused(error)
            if again is None:
                raise
            return respond(again)

    return first  # type: ignore[return-value]


def _refused(error: Exception) -> Reply | None:
    """Count a refused request, and return its earlier answer if it has one: that needs no write."""
    stored = not isinstance(error, StorageError)
    try:
        again = sequencer().admit(sent_request())
    except (RateLimited, StorageError):
        raise
    except FairshoeError:
        sequencer().count(visit())
        raise
    if again is not None:
        with suppress(StorageError):
            sequencer().count(visit())
    elif stored:
        sequencer().count(visit())
    return again


# What is done.


def act_at_table(table: str, command: Make) -> Response:
    """Apply a command of the operator, or of the chair whose token came."""
    return respond(sequencer().act(table, sent_request(), command))


def sent_request(status: int = 200, location: str = "", body: Callable[..., bytes] | None = None) -> SentRequest:
    """Return the request as the sequencer takes it. `body` makes the answer, else the table's state; it may run in
    another thread or process."""
    return SentRequest(bearer(), g.roles, g.table, body or body_of, request_digests(), visit(), status, location)


# How it is answered.


def json_response(body: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body), status, mimetype=JSON)


def respond(reply: Reply) -> Response:
    response = Response(reply.body, reply.status, mimetype=JSON)
    if reply.location:
        response.headers["Location"] = reply.location
    if reply.again:
        response.headers[REPLAY_HEADER] = "true"
    return response


def body_of(seen: TableReply[State], house: Sequencer) -> bytes:
    return json.dumps(state_of(seen, house)).encode()


def state_of(seen: TableReply[State], house: Sequencer) -> dict[str, Any]:
    """The table as whoever asked sees it, with the receipt of what they sent, and of their bets as they stand."""
    state: dict[str, Any] = {**table_view(seen.state, seen.seat, seen.now, seen.live_round), "log": seen.size}
    if seen.version:
        state["changed"] = timestamp(seen.version)
    if seen.state.last_round is not None:
        state["verify"] = address_of(f"{seen.state.id}#{seen.state.last_round['round']}")
    if (placer := state.get("placer")) is not None:
        placer["address"] = addresses(house.settings.placers).get(placer["key"], "")
    if house.restored is not None:
        state["restored"] = house.restored
    if seen.placer_requests is not None and seen.placer_requests.by_player:
        state["awaited"] = _awaited(seen.placer_requests, house.sign)
    elif seen.placer_requests is not None and seen.state.places_awaited:
        state["placer"]["question"] = house.sign(seen.placer_requests.questions[0][1].text)
    if seen.placer_receipt is not None:
        state["answer_receipt"] = seen.placer_receipt
    if seen.receipt is not None:
        state["receipt"] = seen.receipt
    standing = None if seen.seat is None else house.receipts.sign_standing_bets(seen.state, seen.seat)
    if standing is not None:
        state["you"]["receipt"] = standing
    return state


def _awaited(awaited: PlacerRequests, sign: Callable[[str], str]) -> dict[str, Any]:
    """Return the question to a player who places, with the cards of the round."""
    form: dict[str, Any] = {"commit": sign(awaited.text)} if awaited.text else {}
    form["questions"] = [
        {"shoe": shoe, "question": sign(question.text), "since": list(question.parts)}
        | ({} if question.lines == (END,) else {"cards": list(awaited.cards)})
        for shoe, question in awaited.questions
    ]
    return form


def address_of(round: str, form: str = VERIFY) -> str:
    """Return the address of a hand, in one of its forms."""
    return f"/v1/rounds/{quote(round, safe='')}/{form}"
