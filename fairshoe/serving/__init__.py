"""A WSGI application on the network: sockets, connections, HTTP, threads that answer. Knows no game and no log."""
