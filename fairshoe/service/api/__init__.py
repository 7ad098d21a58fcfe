"""The HTTP API: strict JSON in, problems (RFC 9457) for everything that is refused, OpenAPI 3.1 about it."""
