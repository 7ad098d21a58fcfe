"""The HTTP API: strict JSON in, problems (RFC 9457) for everything that is refused, OpenAPI 3.1 about it.

To add a route:

1. its body in `requests.py`, with an example in `EXAMPLES`; its answer in `answers.py`, where it has a new one;
2. the view in the room of its subject (`tables`, `seats`, `shoes`, `rounds`, `log`), under `@routes.post` or
   `@routes.get`: its name is the operation's id, its docstring what the description says; a new group goes to `GROUPS`
   in `app.py`;
3. where it carries a command, `by_seat` or `by_operator` gives that to the machine, whose `ACTS` names the route, and
   `PHASES` when it is possible; then it goes to `request_of` in tests/service/any_order.py as well;
4. its id to `OPERATIONS` in tests/service/test_openapi.py, and a row to the routes of docs/service.md.
"""
