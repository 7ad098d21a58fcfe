"""The demonstration: a real service, bots that play over HTTP, the log, one hand worked through."""
