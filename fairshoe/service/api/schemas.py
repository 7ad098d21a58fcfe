"""JSON Schemas of the forms that the API answers with: of each field its type, and what `Annotated` says of it. That is
a description, more of the schema, or the form of what another package made."""

from __future__ import annotations

import re
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from apispec import APISpec

from ...ceremony.acting.forms import Form, OneOf

TYPES = {int: "integer", bool: "boolean", str: "string"}


def published(name: str) -> str:
    """A form's published name: its class's without `Request` or `Response`."""
    return re.sub("(Request|Response)$", "", name)


class Schemas:
    """Keeps the schema of each form that somebody asks for among the components of `spec`."""

    def __init__(self, spec: APISpec) -> None:
        self.spec = spec

    def ref(self, form: Any, **more: Form) -> Form:
        """The reference to a form, which has `more` fields."""
        name = published(form.__name__)
        if name not in self.spec.components.schemas:
            hints = get_type_hints(form, include_extras=True)
            left_out = {field for field, hint in hints.items() if get_origin(hint) is NotRequired}
            required = sorted({*more, *form.__required_keys__} - left_out)
            self.spec.components.schema(
                name,
                {
                    "type": "object",
                    "properties": {**more, **{field: self.schema(hint) for field, hint in hints.items()}},
                    "additionalProperties": False,
                    **({"required": required} if required else {}),
                },
            )
        return {"$ref": f"#/components/schemas/{name}"}

    def schema(self, hint: Any) -> Form:
        """Return the schema of a type."""
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is NotRequired:
            return self.schema(arguments[0])
        if origin is Annotated:
            return self._annotated(*arguments)
        if origin is list:
            return {"type": "array", "items": self.schema(arguments[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema(arguments[1])}
        if origin is UnionType:
            found = [self.schema(each) for each in arguments if each is not NoneType]
            if len(found) == 1 and "type" in found[0]:
                return found[0] | {"type": [found[0]["type"], "null"]}
            return {"anyOf": [*found, {"type": "null"}] if NoneType in arguments else found}
        return self.ref(hint) if is_typeddict(hint) else {"type": TYPES[hint]} if hint in TYPES else {}

    def _annotated(self, hint: Any, *said: Any) -> Form:
        found = self.schema(next((each for each in said if is_typeddict(each)), hint))
        for each in said:
            if isinstance(each, str):
                found |= {"description": each}
            elif isinstance(each, OneOf):
                found = self._one_of(each)
            elif isinstance(each, dict):
                found |= each
        return found

    def _one_of(self, each: OneOf) -> Form:
        routes = {do: {"type": "string", "enum": [do], "description": "The route"} for do in each.forms}
        refs = {do: self.ref(form, do=routes[do]) for do, form in each.forms.items()}
        mapping = {do: ref["$ref"] for do, ref in refs.items()}
        return {"oneOf": list(refs.values()), "discriminator": {"propertyName": "do", "mapping": mapping}}
