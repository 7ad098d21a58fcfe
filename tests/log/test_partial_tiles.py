"""An export over a directory whose older partial tiles were changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairshoe.errors import InputError

from .test_export import ENTRIES_ALL, exported, files_in

SIZES = (5, 200, 300, 301, 600)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for size in SIZES:
        exported(tmp_path, ENTRIES_ALL[:size])
    return tmp_path


@pytest.mark.parametrize(
    "name", ["tile/0/000.p/5", "tile/0/000.p/200", "tile/0/001.p/45", "tile/1/000.p/1", "tile/entries/000.p/5"]
)
@pytest.mark.parametrize("size", [600, 700])
def test_it_is_told_whether_or_not_anything_is_new(name: str, size: int, directory: Path) -> None:
    whole = (directory / name).read_bytes()
    for data in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-1], whole + b"x", b""):
        (directory / name).write_bytes(data)
        before = files_in(directory)
        with pytest.raises(InputError, match="its tiles were changed") as caught:
            exported(directory, ENTRIES_ALL[:size])
        assert caught.value.where == str(directory / name)
        assert files_in(directory) == before
    (directory / name).unlink()
    assert exported(directory, ENTRIES_ALL[:size]).new == size - 600


def test_what_an_export_that_was_killed_left_beyond_its_checkpoint_is_no_change(directory: Path) -> None:
    place = directory / "tile/0/002.p/90"
    place.write_bytes(b"of another try")
    assert exported(directory, ENTRIES_ALL[:600]).new == 0
