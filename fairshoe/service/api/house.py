"""How the house is, for whoever operates it."""

from __future__ import annotations

from typing import cast

from flask import Response, current_app

from ...log.times import timestamp
from ..errors import NotFound
from ..monitoring import Operations
from ..placers import placer_of
from ..tokens import OPERATOR, READER
from . import answers
from .context import check_caller, json_response, sequencer
from .routes import RouteGroup

routes = RouteGroup("house", "How the house is")
OPERATIONS = "fairshoe.operations"
"""The key in the application's extensions of the answers to monitors; None without a server."""


@routes.get("/house", answers.HouseResponse, roles=(OPERATOR, READER))
def show_house() -> Response:
    """How the house is (the operator, or a reader): its checks, log, witnesses, placers, database and disk. /operator
    shows it to people."""
    asked = cast("Operations | None", current_app.extensions[OPERATIONS])
    if asked is None:
        raise NotFound("no server runs here", where="house", remedy="ask a running service")
    house, health = sequencer(), asked.health()
    placers = [placer_of(each) for each in house.settings.placers]
    body: answers.HouseResponse = {
        "role": check_caller(OPERATOR, READER).role,
        "at": timestamp(house.transactions.outages.clock.present),
        "checks": {check.name: check.what or "fine" for check in asked.checks()},
        "checkpoint": house.heads.newest_checkpoint(),
        "witnesses": [witness_fields(*each) for each in health.witnesses],
        "placers": [{"name": each.key.partition("+")[0], "address": each.address} for each in placers],
        "troubles": dict(health.troubles),
        "database": health.where,
    }
    if health.beacon:
        body["beacon"] = health.beacon
    if health.free is not None:
        body["free"] = health.free
    return json_response(dict(body))


def witness_fields(name: str, entries: int, trouble: str) -> answers.WitnessFields:
    """Return a witness as it is shown; no trouble is left out."""
    shown: answers.WitnessFields = {"name": name, "entries": entries}
    if trouble:
        shown["trouble"] = trouble
    return shown
