"""What SARIF 2.1.0 (OASIS) asks of the objects that the auditor writes: a checker of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Shape(NamedTuple):
    """An object: its properties with their types, and which of them are required."""

    properties: dict[str, Any]
    required: frozenset[str] = frozenset()


def _shape(required: str = "", **properties: Any) -> Shape:
    return Shape(properties, frozenset(required.split()))


LEVELS = {"none", "note", "warning", "error"}
BAG = dict
MESSAGE = _shape("text", text=str)
FILE = _shape("uri", uri=str, uriBaseId=str, index=int)
RULE = _shape(
    "id",
    id=str,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=_shape(level=LEVELS),
    properties=BAG,
)
LOCATION = _shape(
    physicalLocation=_shape("artifactLocation", artifactLocation=FILE, region=_shape("startLine", startLine=int)),
    logicalLocations=[_shape(fullyQualifiedName=str)],
)
RESULT = _shape(
    "message",
    ruleId=str,
    ruleIndex=int,
    level=LEVELS,
    message=MESSAGE,
    locations=[LOCATION],
    occurrenceCount=int,
    partialFingerprints={str: str},
    properties=BAG,
)
RUN = _shape(
    "tool",
    tool=_shape("driver", driver=_shape("name", name=str, version=str, semanticVersion=str, rules=[RULE])),
    originalUriBaseIds={str: _shape(description=MESSAGE)},
    artifacts=[_shape(location=FILE, mimeType=str, encoding=str)],
    invocations=[
        _shape(
            "executionSuccessful",
            executionSuccessful=bool,
            toolExecutionNotifications=[_shape("message", level=LEVELS, message=MESSAGE, properties=BAG)],
        )
    ],
    results=[RESULT],
    columnKind={"utf16CodeUnits", "unicodeCodePoints"},
    properties=BAG,
)
LOG = Shape({"$schema": str, "version": {"2.1.0"}, "runs": [RUN]}, frozenset(("version", "runs")))


def faults(value: Any, shape: Any = LOG, path: str = "") -> Iterator[str]:
    """Where a value is not as the standard wants it."""
    if isinstance(shape, Shape):
        yield from _object(value, shape, path)
    elif isinstance(shape, list):
        items = value if type(value) is list else [value]
        if type(value) is not list:
            yield f"{path}: not a list"
        for i, item in enumerate(items):
            yield from faults(item, shape[0], f"{path}[{i}]")
    elif isinstance(shape, dict):
        for name, item in value.items():
            yield from faults(item, shape[str], f"{path}.{name}")
    elif isinstance(shape, set):
        if value not in shape:
            yield f"{path}: {value!r}"
    elif type(value) is not shape or (shape is int and value < (0 if path.lower().endswith("index") else 1)):
        yield f"{path}: {value!r} is no {shape.__name__}"
    elif shape is dict and len(set(value.get("tags", ()))) != len(value.get("tags", ())):
        yield f"{path}: a tag stands twice"


def _object(value: Any, shape: Shape, path: str) -> Iterator[str]:
    if type(value) is not dict:
        yield f"{path}: not an object"
        return
    yield from (f"{path}: no {name}" for name in shape.required - value.keys())
    for name, item in value.items():
        if name not in shape.properties:
            yield f"{path}: {name} is unknown"
        else:
            yield from faults(item, shape.properties[name], f"{path}.{name}")
