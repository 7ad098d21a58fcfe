"""The description of the API that the service gives, as something to hold answers against."""

from __future__ import annotations

import json

import jsonschema_rs

METHODS = ("get", "post", "delete")


class Description:
    def __init__(self, document):
        self.document = document
        self._validators = {}

    def operations(self):
        """Path, method and operation, of each."""
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method]

    def of(self, operation_id):
        return next(each for _, _, each in self.operations() if each["operationId"] == operation_id)

    def resolved(self, value):
        """What a reference stands for; anything else is itself."""
        while "$ref" in value:
            found = self.document
            for part in value["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            value = found
        return value

    def faults(self, schema, value):
        """What of a value is not as a schema of the description says, formats such as date-time included."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._validators:
            whole = schema | {"components": self.document["components"]}
            self._validators[key] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return [f"{list(error.instance_path)}: {error.message}" for error in self._validators[key].iter_errors(value)]

    def check(self, name, value):
        """Hold a value against a schema by its name."""
        faults = self.faults({"$ref": f"#/components/schemas/{name}"}, value)
        assert not faults, faults

    def check_answer(self, operation_id, status, media, value):
        """Hold an answer against what is said of it: its status, its type, its content."""
        responses = self.of(operation_id)["responses"]
        assert str(status) in responses, (operation_id, status)
        content = self.resolved(responses[str(status)])["content"]
        assert media in content, (operation_id, status, media)
        assert self.faults(content[media]["schema"], value) == []
        if media == "application/problem+json":
            assert value["type"].removeprefix("/docs#") in content[media]["examples"]
