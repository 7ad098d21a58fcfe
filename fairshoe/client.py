"""A client of the HTTP API, on the standard library alone.

table = Client("http://127.0.0.1:8000").table("t1")
alice = table.sit("alice", 1000)
alice.next()        # what the seat can do now, or None
alice.contribute()  # hash and cut, or seed: whatever is due
alice.bet(10)
alice.decide("stand")
"""

from __future__ import annotations

import http.client
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

Form = dict[str, Any]
SEED_BYTES = 32
KEPT_SEEDS = 16
IDLE = 30
"""Seconds after which a connection is not used again: servers drop those that idle."""


class Problem(Exception):
    """The service refused; `body` is its problem (RFC 9457)."""

    def __init__(self, status: int, body: Form) -> None:
        super().__init__(f"{status}: {body.get('detail', body)}")
        self.status = status
        self.body = body


class Client:
    """One keep-alive connection; not for several threads."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self._address = address
        self._parts = urlsplit(address)
        self._token = token
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0

    def with_token(self, token: str) -> Client:
        return Client(self._address, token)

    def get(self, path: str) -> Any:
        return self._json("GET", path, None)

    def post(self, path: str, body: Form | None = None) -> Any:
        return self._json("POST", path, body or {})

    def raw(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
        """The answer's body. Raises Problem, OSError."""
        sent = dict(headers or {})
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        response = self._ask(method, path, body, sent)
        data = response.read()
        if response.status >= 400:
            raise Problem(response.status, _form(data))
        return data

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> http.client.HTTPResponse:
        """Send on the open connection; a reading request is sent again where the server has dropped it."""
        if time.monotonic() > self._used + IDLE:
            self.close()
        self._used = time.monotonic()
        for attempt in (1, 2):
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self._parts.hostname or "", self._parts.port, timeout=60)
            try:
                self._connection.request(method, path, body, headers)
                return self._connection.getresponse()
            except (http.client.HTTPException, OSError):
                self.close()
                if method != "GET" or attempt == 2:
                    raise
        raise AssertionError

    def _json(self, method: str, path: str, body: Form | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"Content-Type": "application/json"}
        return json.loads(self.raw(method, path, data, headers))

    def log(self, start: int = 0) -> Iterator[bytes]:
        """The log's entries from number `start` on, as bytes without LF."""
        for line in self.raw("GET", f"/v1/log?from={start}").split(b"\n"):
            if line:
                yield line

    def checkpoint(self) -> str:
        """The log's signed checkpoint."""
        return self.raw("GET", "/v1/log/checkpoint").decode()

    def create_table(self, rules: str, **fields: Any) -> Table:
        made: Form = self.post("/v1/tables", {"rules": rules, **fields})
        return self.table(made["table"])

    def table(self, name: str) -> Table:
        return Table(self, name)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _form(data: bytes) -> Form:
    try:
        body = json.loads(data)
    except ValueError:
        return {"detail": data.decode(errors="replace")}
    return body if isinstance(body, dict) else {"detail": body}


class Table:
    """A table, as the client's token sees it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name

    def path(self, what: str = "") -> str:
        return f"/v1/tables/{quote(self.name, safe='')}{what and '/' + what}"

    def state(self) -> Form:
        state: Form = self.client.get(self.path())
        return state

    def send(self, what: str, **fields: Any) -> Form:
        answer: Form = self.client.post(self.path(what), fields)
        return answer

    def sit(self, player: str, amount: int, seat: int | None = None, name: str | None = None) -> Seat:
        optional = {"seat": seat, "name": name}
        fields: Form = {"player": player, "amount": amount, **{k: v for k, v in optional.items() if v is not None}}
        taken = self.send("seats", **fields)
        return Seat(Table(self.client.with_token(taken["token"]), self.name), taken)


class Seat:
    """A chair with its token. `state` is the table as the seat saw it last.

    Makes a fresh random seed for every shoe, and opens it only after seeing its own hash in the log and a
    checkpoint that holds it; `checkpoint` is that one, to be kept.
    """

    def __init__(self, table: Table, taken: Form, *, fresh: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.table = table
        self.seat: int = taken["seat"]
        self.token: str = taken["token"]
        self.state: Form = taken["state"]
        self.player: str = self.state["you"]["player"]
        self._fresh = fresh
        self._seeds: dict[str, bytes] = {}
        self.checkpoint = ""

    def send(self, what: str, **fields: Any) -> Form:
        self.state = self.table.send(what, **fields)
        return self.state

    def refresh(self) -> Form:
        self.state = self.table.state()
        return self.state

    def next(self) -> Form | None:
        """The first thing that the table waits for from this seat, as of `state`."""
        return next((form for form in self.expects() if not form.get("may")), None)

    def expects(self, do: str = "") -> list[Form]:
        """What the seat may send as of `state`: everything, or by one route."""
        expected: list[Form] = self.state.get("you", {}).get("expects", [])
        return [form for form in expected if do in ("", form["do"])]

    def contribute(self, cut: int | None = None, *, waive: bool = False) -> bool:
        """Send what the ceremony wants of this seat now, if anything; gives whether it did.

        `cut` where to cut if the seat is to (the middle, left out). `waive`: agree to bet on a shoe that
        the seat has no seed in.
        """
        wanted = self.next()
        if wanted is None or wanted["do"] not in ("hash", "seed"):
            if waive and self.expects("waiver"):
                self.send("waiver")
                return True
            return False
        extra = {"cut": cut if cut is not None else sum(wanted["cut"]) // 2} if "cut" in wanted else {}
        if wanted["do"] == "hash":
            self.send("hash", hash=sha256(self._seed(wanted["shoe"])).hexdigest(), **extra)
        else:
            self._open(wanted, extra)
        return True

    def _open(self, wanted: Form, extra: Form) -> None:
        """Open a seed: after its hash is in the log, and a signed checkpoint holds all that stands before it."""
        seed = self._seed(wanted["shoe"])
        if not wanted.get("owed"):
            hashes = self.state["shoe"]["hashes"]
            if hashes is not None and hashes.get(self.player) != sha256(seed).hexdigest():
                raise Problem(0, {"detail": "the log does not have this seat's hash: the seed stays closed"})
            self.checkpoint = self.table.client.checkpoint()
            if int(self.checkpoint.split("\n")[1]) < self.state["log"]:
                raise Problem(0, {"detail": "no checkpoint holds the entries so far: the seed stays closed"})
        self.send("seed", seed=seed.hex(), **extra)

    def _seed(self, shoe: str) -> bytes:
        """The seat's seed of a shoe; the last ones are kept, since one may be owed."""
        if shoe not in self._seeds:
            kept = list(self._seeds.items())[-KEPT_SEEDS:]
            self._seeds = {**dict(kept), shoe: self._fresh(SEED_BYTES)}
        return self._seeds[shoe]

    def bet(self, *amounts: int, boxes: Mapping[int, int] | None = None) -> Form:
        """Bet on the next round: an amount on this seat's own place, or amounts by box; nothing is a pass."""
        bets: list[Form] = [{"amount": amount} for amount in amounts]
        bets += [{"amount": amount, "box": box} for box, amount in (boxes or {}).items()]
        return self.send("bets", round=self.state["rounds"] + 1, bets=bets)

    def decide(self, move: str, **fields: Any) -> Form:
        wanted = self.next() or {}
        place = {"round": wanted.get("round", self.state["rounds"]), "step": wanted.get("step", 0)}
        return self.send("decisions", **place, move=move, **fields)

    def leave(self) -> Form:
        return self.send("chips", op="cash-out", leave=True)
