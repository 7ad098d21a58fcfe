"""Bodies and queries into marshmallow schemas, with our reader and our errors."""

from __future__ import annotations

from typing import Any, NoReturn

from flask import Request
from marshmallow import RAISE, ValidationError, missing
from webargs.flaskparser import FlaskParser

from ..errors import InvalidFields, UnsupportedType
from .body import parse_body


class StrictParser(FlaskParser):
    """Unknown fields are refused everywhere, and a body must be JSON by name and by content."""

    def __init__(self) -> None:
        super().__init__()
        self.DEFAULT_UNKNOWN_BY_LOCATION = {"json": RAISE, "query": RAISE}

    def load_json(self, req: Request, schema: Any) -> Any:
        data = req.get_data()
        if not data:
            return missing
        if not req.is_json:
            raise UnsupportedType(
                req.mimetype or "no content type", where="Content-Type", expected="Content-Type: application/json"
            )
        return parse_body(data)

    def load_querystring(self, req: Request, schema: Any) -> Any:
        for name, values in req.args.lists():
            if len(values) > 1:
                raise InvalidFields({name[:64]: "given more than once"})
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> NoReturn:
        by_location = error.messages if isinstance(error.messages, dict) else {"body": error.messages}
        fields: dict[str, str] = {}
        for messages in by_location.values():
            _flatten(messages, "", fields)
        raise InvalidFields(fields)


def _flatten(messages: Any, path: str, fields: dict[str, str]) -> None:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            part = f"[{name}]" if isinstance(name, int) else f".{name}" if path else str(name)
            own = path if name in ("_schema", "value", "key") else path + part
            _flatten(inner, own, fields)
    else:
        fields[path[:200] or "body"] = " ".join(map(str, messages))
