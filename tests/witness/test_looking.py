"""A witness looks at whole logs: `fairshoe-audit witness DIR --key KEYFILE LOG`."""

from __future__ import annotations

import pytest

from audit_cli.evidence.forks import check_fork, fork_of
from audit_cli.evidence.private_keys import new_key, new_witness
from audit_cli.main import main
from audit_cli.witness.memory import origin_hash
from fairshoe.log.cosignature import cosigned_at
from fairshoe.log.directory import CHECKPOINT, ENTRIES, write_log
from fairshoe.log.note import Signer, open_note
from tests.client.house import NAME, FakeHouse

from .logs import HOUSE, NAMESAKE, OTHER, body, entries, head, note, witness_in, write

KEYFILE = "witness.key"


@pytest.fixture
def place(tmp_path, capsys):
    return Place(tmp_path, capsys)


class Place:
    """A witness's directory and key, and what it says."""

    def __init__(self, path, capsys):
        self.path = path
        self.capsys = capsys
        self.key = new_witness("witness.example/w1", path / KEYFILE)
        self.memory = path / "memory"

    def look(self, log, *more):
        """The exit code and what was said on both streams."""
        code = main(["witness", str(self.memory), "--key", str(self.path / KEYFILE), *map(str, more), str(log)])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def of(self, lines, *more, signer=HOUSE, name="log"):
        return self.look(write(self.path / name, lines, signer), *more)

    def first(self, lines):
        """The witness takes up the log."""
        assert self.of(lines, "--log", HOUSE.verifier)[0] == 0

    @property
    def log(self):
        return self.memory / "logs" / origin_hash(HOUSE.verifier.name)

    @property
    def evidence(self):
        return list((self.log / "refused").glob("*")) if (self.log / "refused").exists() else []

    def check_convicts(self, entry, cosigned, refused):
        (kept,) = self.evidence
        fork = fork_of((kept / "fork.json").read_text())
        check_fork(fork, HOUSE.verifier)
        assert fork.entry == entry
        assert (kept / "refused").read_text() == note(refused)
        assert open_note((kept / "cosigned").read_text(), HOUSE.verifier) == head(cosigned).text


def test_a_log_that_grows_is_cosigned_again_and_again(place) -> None:
    place.first(entries(1))
    for size in (1, 2, 7, 8, 300, 300):
        code, line, err = place.of(entries(size))
        assert (code, err, line.count("\n")) == (0, "", 1)
        assert cosigned_at(note(entries(size)) + line, place.key)
        assert len((place.log / "leaves").read_bytes()) == 32 * size
    assert not place.evidence


def test_the_cosigned_checkpoint_goes_to_a_file(place) -> None:
    code, line, _ = place.of(entries(5), "--log", HOUSE.verifier, "--output", place.path / "cosigned")
    assert (code, (place.path / "cosigned").read_text()) == (0, note(entries(5)) + line)


@pytest.mark.parametrize("size", [8, 9, 20])
@pytest.mark.parametrize("entry", [0, 3, 7])
def test_a_second_history_is_refused_and_the_entry_named(place, entry: int, size: int) -> None:
    place.first(entries(8))
    before = (place.log / CHECKPOINT).read_text()
    code, out, _ = place.of(entries(size, entry), name="second")
    assert code == 1
    assert f"entry {entry} differs first" in out
    assert "evidence:" in out
    place.check_convicts(entry, entries(8), entries(size, entry))
    assert (place.log / CHECKPOINT).read_text() == before
    assert place.of(entries(9))[0] == 0


@pytest.mark.parametrize("entry", [0, 4])
def test_a_smaller_second_history_is_evidence_too(place, entry: int) -> None:
    place.first(entries(20))
    code, out, _ = place.of(entries(6, entry), name="second")
    assert code == 1
    assert f"entry {entry} differs first" in out
    place.check_convicts(entry, entries(20), entries(6, entry))


def test_a_second_history_whose_entries_are_not_shown_convicts_at_one_size(place) -> None:
    place.first(entries(8))
    write(place.path / "second", entries(8, 3))
    (place.path / "second" / ENTRIES).write_bytes(b"".join(line + b"\n" for line in entries(8)))
    code, out, _ = place.look(place.path / "second")
    assert code == 1
    assert "signed two histories" in out
    place.check_convicts(None, entries(8), entries(8, 3))


def test_an_earlier_copy_is_not_cosigned_and_no_evidence(place) -> None:
    place.first(entries(20))
    for size in (0, 6):
        code, out, _ = place.of(entries(size), name="earlier")
        assert code == 1
        assert "a log of 20 entries was cosigned; this one is of earlier" in out
    assert not any((each / "fork.json").exists() for each in place.evidence)


def test_a_log_without_the_entries_that_were_signed(place) -> None:
    place.first(entries(8))
    log = write(place.path / "log", entries(20))
    lines = (log / ENTRIES).read_bytes().splitlines(keepends=True)
    (log / ENTRIES).write_bytes(b"".join(lines[:-1]))
    assert "the checkpoint covers 20 entries, and there are 19" in place.look(log)[1]
    (log / ENTRIES).write_bytes(b"".join([*lines[:-1], b"{}\n"]))
    code, out, _ = place.look(log)
    assert (code, "not those that the house signed" in out) == (1, True)
    assert not any((each / "fork.json").exists() for each in place.evidence)


@pytest.mark.parametrize(
    ("signer", "code", "word"), [(NAMESAKE, 1, "no signature by"), (OTHER, 1, "is witnessed here")]
)
def test_another_houses_log_is_refused(place, signer: Signer, code: int, word: str) -> None:
    place.first(entries(8))
    found, out, _ = place.of(entries(9), signer=signer)
    assert (found, word in out) == (code, True)


def test_a_log_is_taken_up_by_its_key_alone(place) -> None:
    code, out, _ = place.of(entries(8))
    assert (code, "is witnessed here" in out) == (1, True)
    place.first(entries(8))
    code, _, err = place.of(entries(9, 0), "--log", NAMESAKE.verifier, signer=NAMESAKE)
    assert (code, "remembered with another key" in err) == (2, True)


def test_leaf_hashes_that_were_lost_or_changed_are_read_again(place) -> None:
    place.first(entries(8))
    for spoil in (lambda p: p.unlink(), lambda p: p.write_bytes(b"x" * 32 * 40), lambda p: p.write_bytes(b"x" * 33)):
        spoil(place.log / "leaves")
        size = 9 + len(place.evidence)
        assert place.of(entries(size))[0] == 0
        spoil(place.log / "leaves")
        assert place.of(entries(30, 3), name="second")[0] == 1
    assert all((each / "fork.json").exists() for each in place.evidence)


def test_what_was_cosigned_over_http_binds_later_looks(place) -> None:
    from audit_cli.evidence.private_keys import cosigner_of
    from audit_cli.witness.http import create_app

    with witness_in(place.memory, cosigner=cosigner_of(place.path / KEYFILE)) as witness:
        assert create_app(witness).test_client().post("/add-checkpoint", data=body(0, entries(8))).status_code == 200
    code, out, _ = place.of(entries(20, 3), name="second")
    assert (code, "two histories" in out) == (1, True)
    place.check_convicts(None, entries(8), entries(20, 3))
    assert "not known here" in place.of(entries(5))[1]
    assert place.of(entries(20))[0] == 0


def test_two_witnesses_do_not_share_a_memory(place) -> None:
    place.first(entries(8))
    new_witness("witness.example/w2", place.path / "other.key")
    code = main(["witness", str(place.memory), "--key", str(place.path / "other.key"), str(place.path / "log")])
    assert code == 2
    assert "the memory of witness.example/w1" in place.capsys.readouterr().err


def test_two_processes_do_not_work_at_once(place) -> None:
    from fairshoe.terminal.durable import alone_in

    place.first(entries(8))
    with alone_in(place.memory, "witness"):
        code, _, err = place.of(entries(9))
    assert (code, "another witness is at work here" in err) == (2, True)


@pytest.mark.parametrize("spoil", [b"", b"\xff", b"hello\n", b"house.example/log\n9\nAAAA\n\n"])
def test_a_memory_that_was_changed_is_not_relied_on(place, spoil: bytes) -> None:
    place.first(entries(8))
    (place.log / CHECKPOINT).write_bytes(spoil)
    code, _, err = place.of(entries(9))
    assert (code, "the memory was changed" in err) == (2, True)


def test_a_checkpoint_that_the_witness_did_not_cosign_is_no_memory(place) -> None:
    place.first(entries(8))
    (place.log / CHECKPOINT).write_text(note(entries(5)))
    code, _, err = place.of(entries(9, 6))
    assert (code, "the memory was changed: no cosignature" in err) == (2, True)


def test_what_is_no_witnesss_directory_or_key(place) -> None:
    place.memory.mkdir()
    (place.memory / "letters").write_text("dear")
    code, _, err = place.of(entries(8))
    assert (code, "holds something else" in err) == (2, True)
    new_key("audit.example", place.path / "reports.key")
    assert (
        main(["witness", str(place.path / "m"), "--key", str(place.path / "reports.key"), str(place.path / "log")]) == 2
    )
    assert "a private key that signs notes, not a witness's private key" in place.capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["LOG", "--serve", "127.0.0.1:0"], ["--serve", "127.0.0.1:0", "--output", "x"]])
def test_wrong_usage(place, words: list[str]) -> None:
    assert main(["witness", str(place.memory), "--key", str(place.path / KEYFILE), *words]) == 2


@pytest.mark.parametrize("size", [10, 300])
def test_a_log_at_an_address_of_which_only_what_is_new_is_read(place, size: int) -> None:
    with FakeHouse(size) as house:
        assert place.look(house.address, "--log", house.signer.verifier)[0] == 0
        house.lines = [*house.lines, b"{}"]
        house.asked.clear()
        code, line, _ = place.look(house.address)
        assert code == 0
        assert cosigned_at(house.checkpoint() + line, place.key)
        assert house.asked == ["/v1/log/checkpoint", f"/v1/log?from={size}&to={size + 1}"]
        house.lines = [*house.lines[:5], b"{}", *house.lines[6:], b"{}"]
        code, out, _ = place.look(house.address)
        assert (code, "entry 5 differs first" in out) == (1, True)
    assert (place.memory / "logs" / origin_hash(NAME)).exists()


def test_an_address_where_nobody_answers(place) -> None:
    code, _, err = place.look("http://127.0.0.1:1", "--log", HOUSE.verifier)
    assert (code, "cannot connect" in err) == (2, True)


def test_a_house_whose_answers_break_off(place) -> None:
    with FakeHouse(30) as house:
        house.drops = [10, 5]
        assert place.look(house.address, "--log", house.signer.verifier)[0] == 0


def test_tiles_at_an_address(place) -> None:
    from fairshoe.log.tiles import bundle_of, bundles_of

    lines = entries(600)
    files = {"/checkpoint": note(lines).encode()}
    for size, since in ((300, 0), (600, 300), (600, 0)):
        for bundle in bundles_of(size, since):
            files[f"/{bundle.path}"] = bundle_of(lines[256 * bundle.number :][: bundle.width])
    with FakeHouse() as house:
        house.answer = lambda path: (200, files[path]) if path in files else (404, b"{}")
        files["/checkpoint"] = note(lines[:300]).encode()
        assert place.look(house.address, "--log", HOUSE.verifier)[0] == 0
        files["/checkpoint"] = note(lines).encode()
        assert place.look(house.address)[0] == 0
    write_log(place.path / "log", lines, HOUSE)
    assert place.look(place.path / "log")[0] == 0
