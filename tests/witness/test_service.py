"""A service and its witnesses: good ones cosign what it publishes, bad ones harm nothing."""

from __future__ import annotations

import base64
import shutil
import threading
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest

from audit_cli.verify.evidence.histories import RememberedCheckpoint, check_fork, fork_between, leaves_of
from audit_cli.verify.evidence.witnesses import required_witnesses
from audit_cli.verify.run import verify
from fairshoe.client import Client, Problem
from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import checkpoint_of, cosignature_time, open_checkpoint
from fairshoe.log.directory import CHECKPOINT, ENTRIES
from fairshoe.service.house import open_house
from fairshoe.service.server import HouseServer
from fairshoe.service.witnesses import WitnessAddress, witness_of
from tests.client.servers import Quiet, Serving
from tests.cosigner import Cosigner

from .logs import SECOND, WITNESS
from .stand_in import StandIn, answering

WAIT = 60


class Service:
    """A house that serves; each table that is made is an entry more."""

    def __init__(self, directory, *witnesses):
        self.house = open_house(directory)
        self.verifier = self.house.sequencer.signer.verifier
        self.named = [WitnessAddress(address, cosigner.key) for address, cosigner in witnesses]
        self.tables = 0

    def __enter__(self):
        self.server = HouseServer(self.house, witnesses=self.named)
        self.server.__enter__()
        self.client = Client(self.server.address, self.house.token)
        return self

    def __exit__(self, *_):
        self.client.close()
        self.server.stop()

    def grow_again(self, token):
        """After a restart, with the operator's token of the first start."""
        Client(self.server.address, token).create_table("casino")

    def checkpoint(self, path="/v1/log/checkpoint"):
        return self.client.raw("GET", path).decode()

    def until_cosigned(self, *witnesses, path="/v1/log/checkpoint"):
        """Wait for the checkpoint with these cosignatures; it is verified."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            with suppress(VerificationError, Problem):
                note = self.checkpoint(path)
                open_checkpoint(note, self.verifier)
                assert all(cosignature_time(note, cosigner.key) for cosigner in witnesses)
                return note
            time.sleep(0.05)
        raise AssertionError("never cosigned")


@contextmanager
def witnessing(verifier, cosigner=WITNESS):
    with answering(StandIn(cosigner, verifier)) as address:
        yield address


class Misbehaving(Serving):
    """A witness that does what it likes: `answer` gets the handler and the submission's body."""

    def __init__(self, answer):
        self.answer = answer

    def handler(self):
        class Handler(Quiet):
            def do_POST(handler):
                self.answer(handler, handler.rfile.read(int(handler.headers["Content-Length"])).decode())

            def say(handler, status, text, **headers):
                handler.send_response(status)
                for name, value in {"Content-Length": len(text.encode()), **headers}.items():
                    handler.send_header(name, str(value))
                handler.end_headers()
                handler.wfile.write(text.encode())

        return Handler


@pytest.fixture
def origin(tmp_path):
    """A new house's log key; its directory is `data`."""
    house = open_house(tmp_path / "data")
    house.database.close()
    return house.sequencer.signer.verifier, house.token


@contextmanager
def cosigned_by_two(data, verifier):
    with (
        witnessing(verifier) as first,
        witnessing(verifier, SECOND) as second,
        Service(data, (first, WITNESS), (second, SECOND)) as service,
    ):
        yield service


def test_what_is_logged_is_cosigned_and_published(tmp_path, origin) -> None:
    verifier, token = origin
    with cosigned_by_two(tmp_path / "data", verifier) as service:
        for _ in range(3):
            service.grow_again(token)
            note = service.until_cosigned(WITNESS, SECOND)
            assert service.checkpoint("/checkpoint") == note
            assert service.checkpoint("/v1/log/checkpoint?witnesses=2") == note
        (tmp_path / "log").mkdir()
        (tmp_path / "log" / CHECKPOINT).write_text(note)
        (tmp_path / "log" / ENTRIES).write_bytes(service.client.raw("GET", "/v1/log"))
    wanted = required_witnesses([str(WITNESS.key), str(SECOND.key)], None)
    assert not verify(tmp_path / "log", key=str(verifier), wanted=wanted).failed


def test_of_a_log_that_grows_without_rest_the_same_heads_are_cosigned_by_all(tmp_path, origin) -> None:
    verifier, token = origin
    with cosigned_by_two(tmp_path / "data", verifier) as service:
        stop = threading.Event()

        def play() -> None:
            operator = Client(service.server.address, token)
            while not stop.is_set():
                operator.create_table("casino")

        player = threading.Thread(target=play)
        player.start()
        try:
            sizes = set()
            while len(sizes) < 3:
                note = service.until_cosigned(WITNESS, SECOND, path="/v1/log/checkpoint?witnesses=2")
                sizes.add(checkpoint_of(note).size)
        finally:
            stop.set()
            player.join()


def test_after_a_restart_it_goes_on_from_what_was_cosigned(tmp_path, origin) -> None:
    verifier, token = origin
    witness = StandIn(WITNESS, verifier)
    with answering(witness) as address:
        for _ in range(2):
            with Service(tmp_path / "data", (address, WITNESS)) as service:
                service.grow_again(token)
                size = checkpoint_of(service.until_cosigned(WITNESS)).size
    assert witness.asked[-1] > 0
    with Service(tmp_path / "data") as service:
        note = service.checkpoint("/v1/log/checkpoint?witnesses=1")
        assert checkpoint_of(note).size == size < service.house.sequencer.log.size()
        with pytest.raises(Problem) as refused:
            service.checkpoint("/v1/log/checkpoint?witnesses=2")
        assert refused.value.status == 409


def test_a_second_history_under_the_same_key_is_refused_and_convicts(tmp_path, origin, caplog) -> None:
    verifier, token = origin
    witness = StandIn(WITNESS, verifier)
    with answering(witness) as address:
        with Service(tmp_path / "data", (address, WITNESS)) as service:
            service.grow_again(token)
            service.until_cosigned(WITNESS)
        shutil.copytree(tmp_path / "data", tmp_path / "other")
        with Service(tmp_path / "data", (address, WITNESS)) as service:
            service.grow_again(token)
            first = service.until_cosigned(WITNESS)
        with Service(tmp_path / "other", (address, WITNESS)) as service:
            service.grow_again(token)
            while service.house.sequencer.log.size() < checkpoint_of(first).size:
                service.grow_again(token)
            end = time.monotonic() + WAIT
            while not any("it answers 422" in text or "more than the" in text for text in caplog.messages):
                assert time.monotonic() < end
                time.sleep(0.05)
            with pytest.raises(VerificationError):
                cosignature_time(service.checkpoint(), WITNESS.key)
            second = service.checkpoint()
            (tmp_path / "log.jsonl").write_bytes(service.client.raw("GET", "/v1/log"))
    one, other = (
        RememberedCheckpoint(name, text, checkpoint_of(text)) for name, text in (("one", first), ("other", second))
    )
    copies = [leaves_of(str(tmp_path / "log.jsonl"), other.checkpoint.size)]
    check_fork(fork_between(one, other, copies), verifier)


def text_of(body):
    return body.partition("\n\n")[2].partition("\n\n")[0] + "\n"


def drip(handler, *_):
    """One byte now and then, for ever."""
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        while True:
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.2)


def endless(handler, *_):
    handler.send_response(200)
    handler.end_headers()
    with suppress(OSError):
        while True:
            handler.wfile.write(b"x" * 65_536)


def hang_up(handler, *_):
    handler.close_connection = True


BAD = {
    "wrong": lambda h, body, who: h.say(200, who.cosign(text_of(body) + "x\n", 5)),
    "another key": lambda h, body, who: h.say(200, SECOND.cosign(text_of(body), 5)),
    "a namesake": lambda h, body, who: h.say(200, Cosigner(who.key.name, bytes(32)).cosign(text_of(body), 5)),
    "no time": lambda h, body, who: h.say(200, who.cosign(text_of(body), 0)),
    "nothing": lambda h, body, who: h.say(200, ""),
    "not UTF-8": lambda h, body, who: h.say(200, "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")),
    "a short line": lambda h, body, who: h.say(
        200, f"— {who.key.name} {base64.b64encode(who.key.id + b'x').decode()}\n"
    ),
    "an error": lambda h, body, who: h.say(500, "no\n\033[2J"),
    "elsewhere": lambda h, body, who: h.say(302, "", Location="http://127.0.0.1:1/"),
    "a conflict for ever": lambda h, body, who: h.say(409, "0\n"),
    "a conflict of a larger size": lambda h, body, who: h.say(409, "9" * 18 + "\n"),
    "a conflict of no size": lambda h, body, who: h.say(409, "-1\n"),
    "a conflict of an absurd size": lambda h, body, who: h.say(409, "9" * 5_000 + "\n"),
    "gone": hang_up,
    "endless": endless,
    "slow": drip,
}


def test_bad_witnesses_harm_nothing(tmp_path, origin, caplog) -> None:
    """Beside them a good one cosigns, and nothing of theirs is kept or published."""
    verifier, token = origin
    asked: set[str] = set()

    def answers(name, who):
        def answer(handler, body):
            asked.add(name)
            BAD[name](handler, body, who)

        return answer

    bad = {name: Cosigner(f"bad.example/{number}", bytes([number]) * 32) for number, name in enumerate(BAD, 1)}
    with ExitStack() as stack:
        named = [(stack.enter_context(Misbehaving(answers(*each))).address, each[1]) for each in bad.items()]
        good = stack.enter_context(witnessing(verifier, SECOND))
        service = stack.enter_context(Service(tmp_path / "data", *named, (good, SECOND)))
        service.grow_again(token)
        end = time.monotonic() + WAIT
        while asked < set(BAD):
            assert time.monotonic() < end, set(BAD) - asked
            time.sleep(0.05)
        note = service.until_cosigned(SECOND)
        assert note.count("— ") == 2
        for who in bad.values():
            with pytest.raises(VerificationError, match="no cosignature"):
                cosignature_time(note, who.key)
            assert service.house.sequencer.heads.cosigned_size(str(who.key)) == 0
    assert "\033" not in caplog.text


@pytest.mark.parametrize(
    "text", ["", "http://localhost", "=x", "ftp://x=" + str(WITNESS.key), "http://localhost=x+y+z"]
)
def test_what_names_no_witness(text: str) -> None:
    with pytest.raises(InputError):
        witness_of(text)


def test_a_witness_is_named_by_address_and_key(tmp_path) -> None:
    named = witness_of(f"https://witness.example/prefix/={WITNESS.key}")
    assert named == WitnessAddress("https://witness.example:443/prefix", WITNESS.key)
    house = open_house(tmp_path / "data")
    with pytest.raises(InputError, match="one witness stands twice"):
        HouseServer(house, witnesses=[named, named])
    house.database.close()
