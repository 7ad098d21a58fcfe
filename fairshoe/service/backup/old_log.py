"""A log that could not go on, as a directory that anybody audits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import InputError
from ...log.checkpoint import Checkpoint
from ...log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from ...log.note import Signer
from ...terminal.durable import replace, replacing, settle
from .database_files import snapshot
from .known_heads import Known, known_head, verifier_beside
from .stored_log import stored_lines


def write_old_log(
    folder: Path,
    database: Path,
    head: Checkpoint,
    signer: Signer | None,
    known: Sequence[Known],
    copies: Sequence[Path | None],
) -> str:
    """Write the entries of `database`, with the newest head that is known; gives its note.

    Without the log's key (`signer` None) the checkpoint is that of one of the `copies`. Raises InputError, LogError.
    """
    with snapshot(database) as connection:
        if signer is not None:
            write_log(folder, stored_lines(connection, 0, head.size), signer)
            settle(folder)
            known = [*known, Known(head, head.signed(signer))]
        else:
            with replacing(folder / ENTRIES) as file:
                file.writelines(line + b"\n" for line in stored_lines(connection, 0, head.size))
            known = [*known, *_beside(folder, [path for path in copies if path is not None])]
    newest = max(known, key=lambda each: each.head.size)
    if newest.head.size > head.size:
        replace(folder / CHECKPOINT, newest.note)  # the house signed more than is here: whoever audits it learns that
    return newest.note


def _beside(folder: Path, copies: Sequence[Path]) -> list[Known]:
    verifier = verifier_beside(*copies)
    replace(folder / VERIFIER, f"{verifier}\n")
    found = [known_head(path / CHECKPOINT, verifier) for path in copies if path.is_dir()]
    heads = sorted((each for each in found if each is not None), key=lambda each: each.head.size)
    if not heads:
        expected = f"a backup, or a copy of the log, with its {CHECKPOINT}"
        raise InputError("nothing says what the house had signed", where="the backup", expected=expected)
    replace(folder / CHECKPOINT, heads[-1].note)
    return heads
