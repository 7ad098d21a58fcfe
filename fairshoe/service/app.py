"""The application factory."""

from __future__ import annotations

from flask import Flask

from .api import description, headers, log, operations, pages, problems, rounds, seats, shoes, tables
from .api.body import MAX_BODY
from .api.context import EXTENSION
from .sequencer import Sequencer

GROUPS = [tables.routes, seats.routes, seats.invitations, shoes.routes, rounds.routes, log.routes]


def create_app(sequencer: Sequencer, asked: operations.Operations | None = None) -> Flask:
    """The service as a WSGI application over an opened sequencer; `asked` is what monitors ask of a server."""
    app = Flask("fairshoe.service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions[EXTENSION] = sequencer
    problems.install(app)
    headers.install(app, sequencer.settings.cors_origins)
    for group in GROUPS:
        app.register_blueprint(group.blueprint)
    description.install(app, GROUPS)
    pages.install(app)
    log.install(app)
    operations.install(app, asked)
    return app
