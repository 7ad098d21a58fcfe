"""A WSGI application on the network: uvicorn, and threads that answer. Knows no game and no log.

Slow, idle and greedy connections are the business of the proxy in front (docs/deploy/nginx.conf)."""
