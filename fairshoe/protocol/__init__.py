"""The shuffle protocol `fairshoe/1`. Knows no game. Specification: docs/protocol.md."""
