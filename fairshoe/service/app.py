"""The application factory."""

from __future__ import annotations

from flask import Flask

from .. import __version__
from .api import log, pages, problems, rounds, routes, shoes, tables, tiles
from .api.body import MAX_BODY
from .api.context import EXTENSION
from .sequencer import Sequencer

GROUPS = [tables.routes, shoes.routes, rounds.routes, log.routes]


def create_app(sequencer: Sequencer) -> Flask:
    """The service as a WSGI application over an opened sequencer."""
    app = Flask("fairshoe.service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions[EXTENSION] = sequencer
    problems.install(app)
    spec = routes.install(app, GROUPS, title="fairshoe", version=__version__)
    pages.install(app, spec)
    tiles.install(app)
    return app
