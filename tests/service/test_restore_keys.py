"""A restore with another master key: the one that it replaces is kept, and a wrong one is told as that."""

from __future__ import annotations

import pytest

from fairshoe.cli import main
from fairshoe.errors import InputError
from fairshoe.service.backup.restoring import Asked, restore
from fairshoe.service.backup.vaults import key_in
from fairshoe.service.errors import Unusable
from fairshoe.service.house import open_house
from fairshoe.service.relocking import rotate
from fairshoe.service.rotation import NEXT_FILE, OLD_FILE, begin_exchange
from fairshoe.service.running import RUNNING_FILE
from fairshoe.service.vault import MASTER_FILE, Vault

from .copies import backup, clock_of, mirror, vault_of
from .disks import damage
from .place import Place


@pytest.fixture
def exchanged(place):
    """A house whose master key was exchanged after its backup, with a mirror of the log; gives the backup."""
    place.bet_and_finish(place.sealed())
    kept = backup(place)
    mirror(place)
    place.stop()
    rotate(place.directory)
    return kept


def damaged(place):
    damage(place.directory / "fairshoe.db")
    return place.directory


def test_a_key_that_is_replaced_is_kept_beside_what_it_opens(place, exchanged, capsys):
    data = damaged(place)
    newer, old = (data / MASTER_FILE).read_text(), data / OLD_FILE
    words = ["restore", str(exchanged), "--data", str(data), "--log", str(data.parent / "mirror")]
    assert main([*words, "--key-file", str(old)]) == 0
    assert f"The master key that was here is in {data / 'broken'}" in capsys.readouterr().out
    assert (data / "broken" / MASTER_FILE).read_text() == newer
    assert (data / MASTER_FILE).read_text() == old.read_text()
    with Place(data) as again:
        again.assert_clean()


def test_no_key_is_moved_that_stays(place, exchanged, capsys):
    data = damaged(place)
    (data / OLD_FILE).replace(data / MASTER_FILE)
    words = ["restore", str(exchanged), "--data", str(data), "--key-file", str(data / MASTER_FILE)]
    assert main(words) == 0
    assert "The master key that was here" not in capsys.readouterr().out
    assert not (data / "broken" / MASTER_FILE).exists()


def test_a_key_of_an_exchange_that_a_crash_stopped_is_kept_too(place, exchanged):
    """The broken database may be locked with it, and the next start would forget it."""
    data = damaged(place)
    begin_exchange(data, bytes(32))
    done = restore(
        Asked(exchanged, Vault(key_in(data / OLD_FILE)), master=(data / OLD_FILE).read_text()), data, clock_of(place)
    )
    assert done.key_aside == data / "broken"
    assert key_in(data / "broken" / NEXT_FILE) == bytes(32)
    assert not (data / NEXT_FILE).exists()
    open_house(data).close()


def test_a_key_that_is_no_key_is_put_aside(place, exchanged):
    data, old = damaged(place), place.directory / OLD_FILE
    (data / MASTER_FILE).unlink()
    (data / MASTER_FILE).mkdir()
    done = restore(Asked(exchanged, Vault(key_in(old)), master=old.read_text()), data, clock_of(place))
    assert done.key_aside is not None
    assert (done.key_aside / MASTER_FILE).is_dir()


def test_the_key_of_a_backup_is_found_among_those_of_several_exchanges(place, exchanged):
    rotate(place.directory)
    rotate(place.directory)
    data = damaged(place)
    with pytest.raises(Unusable, match=rf"--key-file {data / OLD_FILE}\Z"):
        restore(Asked(exchanged, vault_of(place)), data, clock_of(place))
    (data / OLD_FILE).rename(data / f"{OLD_FILE}.7")
    with pytest.raises(Unusable, match=rf"--key-file {data / OLD_FILE}\.7\Z"):
        restore(Asked(exchanged, vault_of(place)), data, clock_of(place))


@pytest.mark.parametrize("at_hand", [True, False])
def test_a_backup_of_another_key_is_not_called_damaged(place, exchanged, at_hand):
    data = damaged(place)
    if not at_hand:
        (data / OLD_FILE).unlink()
    wanted = f"--key-file {data / OLD_FILE}" if at_hand else "give it with --key-file: after `fairshoe keys rotate`"
    with pytest.raises(Unusable, match=r"the backup was made with another master key") as caught:
        restore(Asked(exchanged, vault_of(place)), data, clock_of(place))
    assert wanted in str(caught.value)
    assert "damaged" not in str(caught.value)


@pytest.mark.parametrize("given", ["old", "none"])
def test_a_house_that_starts_with_its_own_key_is_whole_whatever_key_is_given(place, exchanged, given):
    data = place.directory
    vault = Vault(key_in(data / OLD_FILE)) if given == "old" else None
    with pytest.raises(InputError, match="the house here is whole"):
        restore(Asked(exchanged, vault), data, clock_of(place))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_backup_that_is_not_there_is_told_as_that(tmp_path, is_there, capsys):
    source, data = tmp_path / "nope", tmp_path / "data"
    if is_there:
        source.mkdir()
    assert main(["restore", str(source), "--data", str(data)]) == 2
    said = capsys.readouterr().err
    assert said.splitlines()[0] == "fairshoe: no backup here"
    assert str(source) in said
    assert not data.exists()


def test_a_restore_leaves_no_mark_of_a_first_start(place, exchanged):
    """The next start would found another house there."""
    from fairshoe.service.founding import MARK

    data = place.directory.parent / "new"
    data.mkdir()
    for name in (MARK, RUNNING_FILE):
        (data / name).touch()
    key = place.directory / OLD_FILE
    restore(Asked(exchanged, Vault(key_in(key)), master=key.read_text()), data, clock_of(place))
    assert not (data / MARK).exists()
    open_house(data).close()
