"""The HTTP API: strict JSON in, problems (RFC 9457) for everything that is refused, OpenAPI 3.1 about it.

docs/contributing.md says what to touch for a new route; one that carries a command goes to `request_of` in
tests/service/any_order.py as well.
"""
