"""What the service says on standard error: lines of JSON for a machine, of text on a terminal. Never a token, a seed, a
key or a body."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO

from ..serving.requests import Exchange, request_id

ROOT = "fairshoe"
FIELDS = "fields"
"""The attribute of a record that holds what is more than its text."""
requests_logger = logging.getLogger("fairshoe.requests")


def to_stderr(form: str, stream: TextIO | None = None) -> logging.Handler:
    """Have the service's lines written; `form` is json, text, or auto (text on a terminal). Gives the handler."""
    stream = stream or sys.stderr
    text = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextLines() if text else JsonLines())
    for name in (ROOT, "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    logging.getLogger(ROOT).setLevel(logging.INFO)
    return handler


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "what": record.getMessage(),
            **({"request": id} if (id := request_id.get()) else {}),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False)


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        more = "".join(f" {name}={json.dumps(value)}" for name, value in getattr(record, FIELDS, {}).items())
        line = f"{_moment(record)[11:19]} {record.levelname.lower()}: {record.getMessage()}{more}"
        if record.exc_info and record.exc_info[1] is not None:
            line += "\n" + "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        return line


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RequestLines:
    """A line for each request that failed; with `all` for every one. (How many were refused because too many waited
    is counted, and not written down for each.)"""

    def __init__(self, *, all: bool) -> None:
        self._all = all

    def __call__(self, exchange: Exchange) -> None:
        failed = exchange.status >= 500 and exchange.problem != "busy"
        if not failed and not self._all:
            return
        fields = {
            "request": exchange.id,
            "method": exchange.method,
            "path": exchange.path,
            "address": exchange.address,
            "status": exchange.status,
            "ms": round(1000 * exchange.seconds, 1),
            "waited_ms": round(1000 * exchange.waited, 1),
            **({"problem": exchange.problem} if exchange.problem else {}),
        }
        level = logging.ERROR if failed else logging.INFO
        requests_logger.log(level, "%s answered %d", exchange.method, exchange.status, extra={FIELDS: fields})
