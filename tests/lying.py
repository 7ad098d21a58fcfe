"""Houses that lie, each in its own way, over HTTP: in front of an honest one, whose answers, log and signatures they
change. What every client of a player has to notice.

A lie says what the log has instead of each entry, what a table's state says instead, and what happens once a request
was done. The rest follows as for a house that means it: its checkpoints, tiles and proofs are of the log that it made
up, signed by its own key. Who is lied to is alice, at a table of one lie.
"""

from __future__ import annotations

import http.client
import json
from hashlib import sha256
from urllib.parse import parse_qs, unquote, urlsplit

from fairshoe.log.canonical import encode, parse
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.hand_proof import build_proof, proof_text
from fairshoe.log.note import Signer
from fairshoe.log.tiles import TiledTree, leaf_tile, named
from fairshoe.log.tree import Tree
from fairshoe.receipts import read_receipt, write_receipt
from fairshoe.record.hand_entries import HandEntries, entries_of_shoe, round_of

from .client.servers import Quiet, Serving
from .service.place import at

OTHER = bytes(range(32))
"""Another key than any shoe's."""
DROPPED = ("content-length", "transfer-encoding", "connection", "content-encoding", "etag")


class Lie:
    """A house that tells the truth. `code`: what the browser's core calls it. `rules`, `rounds`, `placer`: of the
    table where it is met, and after how many rounds at the latest."""

    code = ""
    rules = "casino"
    rounds = 1
    placer = ""

    def __init__(self):
        self.house = None

    def line(self, entry):
        """What the log has instead of an entry of the table's."""
        return entry

    def state(self, form):
        """Change what a table's state says."""

    def done(self, what):
        """A request of the player's to the route `what` was done."""

    def shown(self, chosen):
        """Which of its entries the proof of a shoe has."""
        return chosen

    def page(self, lines):
        """Entries as somebody reads them from the log."""
        return lines

    def refuses(self, path):
        """Whether a path is answered with 404."""
        return False

    def signer(self, own):
        """Who signs checkpoints."""
        return own


def name_of(lie):
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in lie.__name__).strip("-")


# The ten ways.


class AnotherCommitment(Lie):
    """The log has another commitment than was shown."""

    code = "other-commitment"

    def line(self, entry):
        return entry | {"commitment": sha256(OTHER).hexdigest()} if entry["kind"] == "shoe" else entry


class HashLeftOut(Lie):
    """Another hash stands in `seeds` than the one that was sent."""

    code = "hash-left-out"

    def line(self, entry):
        if entry["kind"] != "seeds":
            return entry
        return entry | {"hashes": entry["hashes"] | {"alice": sha256(b"another").hexdigest()}}


class SeedBeforeOthers(Lie):
    """The seed is wanted before the newer player has opened."""

    code = "seed-too-early"

    def done(self, what):
        if what == "seats":
            self.bob = self.house.place.public.table(self.house.table).sit("bob", 1000)
        if what == "hash":
            at(self.bob).contribute()

    def state(self, form):
        shoe = form["shoe"]
        if shoe and shoe["hashes"] and "you" in form:
            form["you"]["expects"] = [{"do": "seed", "shoe": shoe["shoe"]}]
            shoe["opens"] = ["alice"]


class SeedWithoutCheckpoint(Lie):
    """The seed is wanted, and no proof of the shoe is given."""

    code = "seed-too-early"

    def refuses(self, path):
        return "/shoes/" in path


class LogStartsAnew(Lie):
    """After the first seed the log is another one."""

    code = "log-does-not-extend"
    rules = "banker"
    rounds = 2

    opened = False

    def done(self, what):
        self.opened |= what == "seed"

    def line(self, entry):
        return entry | {"policy": entry["policy"] | {"cut": 77}} if entry["kind"] == "table" and self.opened else entry


class AnotherKey(Lie):
    """Checkpoints are signed by another key of the same name."""

    code = "other-key"

    def signer(self, own):
        return Signer(own.verifier.name, b"s" * 32)


class BetChanged(Lie):
    """Ten were bet, and twenty stand."""

    code = "bet-changed"

    def state(self, form):
        note = form.get("you", {}).get("receipt")
        if note is not None:
            receipts = self.house.place.house.sequencer.receipts._signer
            said = read_receipt(note, receipts.verifier)
            said["bets"] = said["view"]["bets"] = [bet | {"amount": 20} for bet in said["bets"]]
            form["you"]["receipt"] = write_receipt(said, receipts)
        if form["round"]:
            form["round"]["bets"] = [bet | {"amount": 20} for bet in form["round"]["bets"]]

    def line(self, entry):
        if entry["kind"] == "open":
            return entry | {"bets": [bet | {"amount": 20} for bet in entry["bets"]]}
        return entry


class BetDropped(Lie):
    """The round opens without the bet, and nothing is signed about it."""

    code = "bet-changed"

    def state(self, form):
        form.get("you", {}).pop("receipt", None)
        if form["round"]:
            form["round"]["bets"] = []

    def line(self, entry):
        if entry["kind"] == "open":
            return entry | {"bets": [], "passed": [bet["seat"] for bet in entry["bets"]]}
        return entry | {"hands": []} if entry["kind"] == "round" else entry


class BetCalledLate(Lie):
    """The log has a bet as late that came in time."""

    code = "bet-changed"

    def line(self, entry):
        if entry["kind"] == "open":
            return entry | {"bets": [], "late": [bet["seat"] for bet in entry["bets"]]}
        return entry


class DecisionByTheTable(Lie):
    """The log has a decision as the table's that was sent in time."""

    code = "decision-changed"
    rounds = 8

    def line(self, entry):
        if entry["kind"] == "round" and entry["decisions"]:
            first, *others = entry["decisions"]
            return entry | {"decisions": [first | {"by": "table", "at": entry["at"]}, *others]}
        return entry


class AnotherCard(Lie):
    """The log has another card than lay on the table."""

    code = "other-card"

    def line(self, entry):
        if entry["kind"] == "round":
            first, *others = entry["cards"]
            return entry | {"cards": ["2c" if first != "2c" else "3c", *others]}
        return entry


class AnotherPayout(Lie):
    """A hand pays one chip less than it should."""

    code = "other-payout"

    def line(self, entry):
        if entry["kind"] == "round":
            first, *others = entry["hands"]
            return entry | {"hands": [first | {"net": first["net"] - 1}, *others]}
        return entry


class AnotherKeyOfTheShoe(Lie):
    """The key that is revealed is not the one that was committed to."""

    code = "other-key-of-shoe"

    def line(self, entry):
        return entry | {"key": OTHER.hex()} if entry["kind"] == "reveal" else entry


TEN_WAYS = {name_of(lie): lie for lie in Lie.__subclasses__()}


# And to have a seed before it may be known.


class SeedBeforeHashes(Lie):
    """The seed is wanted while another hash is not there."""

    code = "seed-too-early"

    def done(self, what):
        if what == "seats":
            self.house.place.public.table(self.house.table).sit("bob", 1000)

    def state(self, form):
        if form["shoe"] and form["shoe"]["hashed"] and "you" in form:
            form["you"]["expects"] = [{"do": "seed", "shoe": form["shoe"]["shoe"]}]


class SeedBeforeBets(Lie):
    """In a shoe of one round the seed is wanted before the bet."""

    code = "seed-too-early"
    rules = "banker"

    def state(self, form):
        if form["shoe"] and "you" in form:
            form["you"]["expects"] = [{"do": "seed", "shoe": form["shoe"]["shoe"]}]


class SeedSaidToBeOwed(SeedBeforeBets):
    """The seed is said to be owed, and its shoe goes on."""

    rules = "casino"

    def state(self, form):
        if form["shoe"] and form["shoe"]["hashes"] and "you" in form:
            form["you"]["expects"] = [{"do": "seed", "shoe": form["shoe"]["shoe"], "owed": True}]


class ChairNotShown(Lie):
    """The proof of the shoe does not have how the chair was taken."""

    code = "seed-too-early"

    def shown(self, chosen):
        return [each for each in chosen if b'"op":"buy-in"' not in each[1]]


class EntriesChanged(Lie):
    """The entries that are read are not those that were signed."""

    code = "log"

    def page(self, lines):
        return [line.replace(b'"kind":"seeds"', b'"kind":"feeds"') for line in lines]


class PlacerInvented(Lie):
    """A placer is shown of which the log knows nothing."""

    code = "seed-too-early"

    def state(self, form):
        key = str(Signer("placer.example", OTHER).verifier)
        form["placer"] = {"key": key, "address": "https://placer.example", "awaited": False}


TOO_EARLY = (SeedBeforeHashes, SeedBeforeBets, SeedSaidToBeOwed, ChairNotShown, EntriesChanged, PlacerInvented)
EARLY = {name_of(lie): lie for lie in TOO_EARLY}
LIES = TEN_WAYS | EARLY


# The house.


class LyingHouse(Serving):
    """Stands at `address` in front of an honest house; makes the table where it lies, called as the lie is."""

    def __init__(self, place, lie, table=""):
        self.place = place
        self.table = table or name_of(lie)
        self.lie = lie()
        self.lie.house = self
        self.posted = []
        placer = {"placer": lie.placer} if lie.placer else {}
        place.operator.create_table(self.lie.rules, table=self.table, **placer)

    # The log that it made up.

    def lines(self):
        mine = f'"shoe":"{self.table}/'.encode(), f'"table":"{self.table}"'.encode()
        honest = self.place.house.sequencer
        lines = list(honest.log.lines(0, honest.log.size()))
        return [self.made_up(line) if any(mark in line for mark in mine) else line for line in lines]

    def made_up(self, line):
        return encode(self.lie.line(parse(line)))

    def checkpoint(self, lines):
        tree = Tree()
        for line in lines:
            tree.append(line)
        own = self.place.house.sequencer.signer
        return Checkpoint(own.verifier.name, tree.size, tree.root).signed(self.lie.signer(own))

    def tile(self, path, lines):
        asked = named(path)
        start = 256 * asked.number
        assert asked.level == 0, "a log of more than 65,536 entries"
        return leaf_tile(lines[start : start + asked.width])

    def proof(self, name, lines, chosen):
        node = TiledTree(len(lines), lambda tile: self.tile(tile.path, lines)).node
        return proof_text(build_proof(name, self.checkpoint(lines), chosen, node)).encode()

    def logged(self, path):
        """What it says of its log; None for what is not about that."""
        url = urlsplit(path)
        lines, parts = self.lines(), unquote(url.path).split("/")
        if url.path == "/v1/log":
            query = parse_qs(url.query)
            asked = lines[int(query["from"][0]) : int(query["to"][0])]
            return b"".join(line + b"\n" for line in self.lie.page(asked))
        if url.path in ("/checkpoint", "/v1/log/checkpoint"):
            return self.checkpoint(lines).encode()
        if url.path.startswith("/tile/"):
            return self.tile(url.path[1:], lines)
        if parts[-1] == "proof" and parts[2] == "rounds":
            hand = HandEntries(*round_of(parts[3]))
            for place, line in enumerate(lines):
                hand.take(place, line)
            return self.proof(parts[3], lines, hand.lines)
        if parts[-1] == "proof":
            table, shoe = parts[3], f"{parts[3]}/{parts[5]}"
            about = f'"table":"{table}"'.encode(), f'"shoe":"{table}/'.encode()
            told = [each for each in enumerate(lines) if any(mark in each[1] for mark in about)]
            return self.proof(shoe, lines, self.lie.shown(entries_of_shoe(told, shoe)))
        return None

    # Requests.

    def answer(self, method, path, headers, body):
        """Status, headers and body."""
        if self.lie.refuses(path):
            return 404, {}, b'{"detail":"not found"}'
        if path.endswith("/events"):
            return 503, {"Retry-After": "1"}, b'{"detail":"look now and then"}'
        logged = self.logged(path) if method == "GET" else None
        if logged is not None:
            return 200, {}, logged
        if method == "POST":
            self.posted.append(body.decode())
        status, told, data = self.asked(method, path, headers, body)
        about = f"/tables/{self.table}" in path and "/openings" not in path
        if status < 300 and about and "json" in told.get("content-type", ""):
            form = json.loads(data)
            if method == "POST":
                self.lie.done(path.rsplit("/", 1)[1])
            if form.get("last"):
                form["last"] = self.lie.line(form["last"])
            self.lie.state(form)
            data = json.dumps(form).encode()
        return status, told, data

    def asked(self, method, path, headers, body):
        """What the honest house answers."""
        inside = http.client.HTTPConnection(urlsplit(self.place.address).netloc)
        kept = {name: value for name, value in headers.items() if name.lower() not in ("host", "accept-encoding")}
        inside.request(method, path, body, kept)
        answer = inside.getresponse()
        data = answer.read()
        inside.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders() if k.lower() not in DROPPED}, data

    def handler(self):
        house = self

        class Handler(Quiet):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
                status, headers, data = house.answer(self.command, self.path, dict(self.headers), body)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 304:
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

        return Handler
