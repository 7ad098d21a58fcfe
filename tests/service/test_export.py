"""`fairshoe backup --tiles`: from a service that runs, and from one that does not."""

from __future__ import annotations

import pytest

from fairshoe.cli import main
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.directory import read_lines, tiles_in
from fairshoe.log.tile_source import check_tiles
from fairshoe.log.tiles import Bundle, tiles_of

from .test_tiles import grow


@pytest.fixture
def export(place, tmp_path, capsys):
    """Export from the service's data directory; gives the exit code, and what was printed."""

    def run(*more):
        source = more or ("--data", str(place.directory))
        code = main(["backup", "--tiles", str(tmp_path / "web"), *source])
        told = capsys.readouterr()
        return code, told.out + told.err

    run.directory = tmp_path / "web"
    return run


def assert_holds(directory, place, size):
    """The directory has what the service serves."""
    sequencer = place.house.sequencer
    signed = open_checkpoint((directory / "checkpoint").read_text(), sequencer.signer.verifier)
    assert signed.size == size
    assert (directory / "log.vkey").read_text() == f"{sequencer.signer.verifier}\n"
    for tile in (*tiles_of(size), *(Bundle(*tile[1:]) for tile in tiles_of(size) if not tile.level)):
        assert (directory / tile.path).read_bytes() == sequencer.tile(tile)
    assert [line[:-1] for line in read_lines(directory)] == list(sequencer.log_lines(0, size))
    assert check_tiles(tiles_in(directory)).wrong is None


def test_what_a_running_service_has_and_later_what_is_new(place, export):
    for since, size in ((0, 0), (0, 1), (1, 255), (255, 257), (257, 1000)):
        grow(place.house, size)
        code, text = export()
        assert code == 0, text
        assert f"holds {size:,} entries of {place.house.sequencer.signer.verifier.name} as tiles" in text
        assert f" as tiles, {size - since} new" in text
        assert_holds(export.directory, place, size)
    assert " 0 new" in export()[1]


def test_what_is_refused_is_explained(place, export, tmp_path):
    code, text = export("--data", str(tmp_path / "nothing"))
    assert (code, "no data here" in text) == (2, True)
    assert not (tmp_path / "nothing").exists()
    export.directory.mkdir()
    (export.directory / "index.html").write_text("<html>")
    code, text = export()
    assert (code, "holds something else" in text) == (2, True)
