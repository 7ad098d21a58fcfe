"""The logs of a report, audited one after the other: what `report` and `recheck` have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from fairshoe.log.directory import ENTRIES
from fairshoe.terminal.commands import FILE, one_standard_input
from fairshoe.terminal.files import is_stdin
from fairshoe.terminal.screen import complain

from ._houses import key_of_house
from ._log import count_workers, files_of, show_progress, unpack_log
from ._reading import checkpoint_option, cluster_option, jobs_option, quorum_option, witness_option

if TYPE_CHECKING:
    from ..report.cover import Cover
    from ..report.run import ReportResult

Function = TypeVar("Function", bound=Callable[..., int])


def names_of(logs: Sequence[Path]) -> list[str]:
    """Return the logs' short names: of each the name of its folder or file, and as many folders above it as tell them
    apart."""
    parts = [(log.absolute().parent if log.name == ENTRIES else log.absolute().with_suffix("")).parts for log in logs]
    tails = (["/".join(each[-count:]) for each in parts] for count in range(1, max(map(len, parts)) + 1))
    return next((names for names in tails if len(set(names)) == len(names)), [str(log) for log in logs])


class ReportedLogs(NamedTuple):
    """Audited logs as directories, and the report of each."""

    folders: Sequence[Path]
    results: Sequence[ReportResult]


class GivenLogs(NamedTuple):
    """Logs as they were named, and what they are audited with and by."""

    logs: tuple[Path, ...]
    keys: tuple[str, ...]
    jobs: int | None
    cluster: str | None
    checkpoints: tuple[Path, ...]
    witnesses: tuple[str, ...]
    quorum: int | None

    @property
    def files(self) -> list[Path]:
        """Return the files that an audit reads."""
        return [*(file for log in self.logs for file in files_of(log)), *self.checkpoints]

    def check(self, again: object, states: Path | None) -> None:
        """Refuse what several logs, standard input or `states` forbid. `again`: something reads a log twice."""
        if any(map(is_stdin, self.logs)) and (again or states):
            raise click.UsageError("--csv, --exceptions, --previous and --resume read the log again: name a file")
        if len(self.logs) > 1 and self.checkpoints:
            raise click.UsageError("--checkpoint is of one log: give it with that log alone, to verify")
        if states is not None and (self.jobs not in (None, 1) or self.cluster is not None):
            raise click.UsageError("--jobs and --cluster audit a whole log: not with --resume")
        one_standard_input([*self.logs, *self.keys, *self.checkpoints, *self.witnesses])

    @contextmanager
    def reported(
        self,
        once: bool,
        standards: Sequence[str],
        cover: Cover,
        states: Path | None = None,
        count: int | None = None,
    ) -> Iterator[ReportedLogs]:
        """Yield each log's report, resumed with `states`, as one of `count` logs. Raises LogError, InputError."""
        from ..desk.states import state_files
        from ..report.run import make
        from ..verify.evidence.witnesses import required_witnesses

        wanted = required_witnesses(self.witnesses, self.quorum)
        alone = (count or len(self.logs)) == 1
        results = []
        with ExitStack() as unpacked:
            folders = [unpacked.enter_context(unpack_log(log)) for log in self.logs]
            files = [None] * len(folders) if states is None else state_files(states, folders)
            for log, given, state, name in zip(folders, self.logs, files, names_of(self.logs), strict=True):
                jobs = self.jobs if state is None else 1
                with show_progress(log) as progress, count_workers(log, jobs, self.cluster, given) as workers:
                    result = make(
                        log,
                        workers=workers,
                        state=state,
                        key=key_of_house(log, self.keys, alone=alone),
                        remembered=self.checkpoints,
                        wanted=wanted,
                        once=once,
                        profiles=standards,
                        cover=cover if alone else None,
                        progress=progress,
                    )
                if result.why_not:
                    kept = "left as it was" if state is not None and state.exists() else "not written"
                    complain(f"fairshoe-audit: {state} is {kept}: {result.why_not}")
                results.append(result._replace(name=name))
            yield ReportedLogs(folders, results)


def logs_options(function: Function) -> Function:
    """Return the argument and options that make a command's `given`."""

    @wraps(function)
    def command(**words: Any) -> int:
        given = GivenLogs(*(words.pop(name) for name in GivenLogs._fields))
        return function(given=given, **words)

    made: Any = command
    for option in (
        quorum_option,
        witness_option,
        checkpoint_option,
        cluster_option,
        jobs_option,
        click.option(
            "--key",
            "keys",
            multiple=True,
            metavar="VKEY",
            help="A house's verifier key, or a file with it; repeatable.",
        ),
        click.argument("logs", metavar="LOG...", type=FILE, nargs=-1, required=True),
    ):
        made = option(made)
    found: Function = made
    return found
