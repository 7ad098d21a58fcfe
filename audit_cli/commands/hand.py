"""`fairshoe-audit hand LOG --round ID`, or `--player NAME --since TIME`; `hand FILE --key VKEY` of a proof file; `hand
https://HOUSE ID`, which fetches that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input

from ._fetched import address_in, fetched
from ._houses import house_key, keep_key
from ._log import check_there, files_of, log_argument, reading
from ._reading import check_output, evidence_options, quorum_option, say, witness_option, write_output

if TYPE_CHECKING:
    from ..evidence.cosigned import Wanted as Witnesses
    from ..hand.holding import Holding
    from ..hand.run import Answer
    from ..hand.wanted import Wanted

AT_FIRST = "the signature is not checked: its key came with it, compare it with the house's"


class Given(NamedTuple):
    """What a hand is held against, wherever it is told from, and the files `into` which that goes."""

    holding: Holding
    receipt: Path | None
    checkpoints: tuple[Path, ...]
    witnesses: Witnesses
    into: list[Path]

    @property
    def files(self) -> list[Path]:
        return [*self.checkpoints, *([self.receipt] if self.receipt else [])]


@command(
    "hand",
    help="Show one hand, card by card, with the arithmetic, and compare it with what you hold; or find your hands.",
    epilog="Without --round the hands of a player and a time are listed, and told where there is just one. "
    "TIME is a date, or RFC 3339: 2026-01-31T18:00:00Z. In place of LOG a proof file will do, with --key: see "
    "`fairshoe-audit prove`; or a house's address, from which the proof is fetched: its key is kept at the first use, "
    "and another one refused from then on.",
)
@log_argument
@click.argument("hand_id", metavar="[ID]", required=False)
@click.option("--round", "name", metavar="ID", help="TABLE#NUMBER, or NUMBER where only one table has it.")
@click.option("--player", metavar="NAME", help="A player's id or name: whose hands are sought, whose cards compared.")
@click.option("--since", metavar="TIME", help="Only hands that were over then or later.")
@click.option("--until", metavar="TIME", help="Only hands whose bets stood then or earlier.")
@click.option("--list", "only_list", is_flag=True, help="List hands, a line each, even where there is only one.")
@click.option("--commitment", metavar="HEX", help="The commitment that you noted: is it this shoe's?")
@click.option("--seed", metavar="HEX", help="The seed that you sent: was it opened, and as whose?")
@click.option("--cards", metavar="'Ah Tc …'", help="The cards that you saw, in the order dealt.")
@click.option(
    "--receipt",
    type=FILE,
    metavar="FILE",
    help="A receipt of this hand, or a file with receipts such as a client keeps.",
)
@click.option("--html", type=FILE, metavar="FILE", help="The hand as a page too, a replay step by step.")
@witness_option
@quorum_option
@evidence_options
def cli(
    log: Path,
    hand_id: str | None,
    name: str | None,
    player: str | None,
    since: str | None,
    until: str | None,
    only_list: bool,
    commitment: str | None,
    seed: str | None,
    cards: str | None,
    receipt: Path | None,
    html: Path | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    key: str | None,
    checkpoints: tuple[Path, ...],
    format: str,
    output: Path,
    require_complete: bool,
) -> int:
    from ..evidence.cosigned import wanted_of
    from ..evidence.histories import is_proof
    from ..hand.holding import holding_of
    from ..hand.telling import Telling
    from ..hand.wanted import Wanted, beginning, ending, round_named

    if hand_id is not None and name is not None:
        raise click.UsageError("name the hand once")
    name, address = name or hand_id, address_in(log)
    many = since is not None or until is not None or only_list
    into = [output, html] if html is not None else [output]
    given = Given(holding_of(commitment, seed, cards, player), receipt, checkpoints, wanted_of(witnesses, quorum), into)
    if address is not None:
        if name is None or many:
            raise click.UsageError("say which hand of the house: TABLE#NUMBER")
        found = _of_house(address, name, key, given)
    elif is_proof(log):
        if many:
            raise click.UsageError("a proof file is of one hand: leave out --since, --until and --list")
        found = _of_proof(log, name, key, given)
    else:
        check_there(log)
        if name is not None and many:
            raise click.UsageError("--round names one hand: leave out --since, --until and --list")
        if name is None and player is None and not many:
            raise click.UsageError("say which hand: --round ID, or --player, --since, --until, or --list for all")
        one_standard_input([log, key, *given.files, *witnesses])
        wanted = Wanted(None, None, player, beginning(since), ending(until)) if name is None else round_named(name)
        found = _of_log(log, wanted, key, given, only_list)
    if html is not None:
        if not isinstance(found, Telling):
            raise click.UsageError("--html shows one hand: say which with --round ID")
        from ..hand.page import page_of

        write_output(page_of(found), html)
    return say(found.outcome, found.text, found.form, format=format, output=output, require_complete=require_complete)


def _of_log(log: Path, wanted: Wanted, key: str | None, given: Given, only_list: bool) -> Answer:
    from ..hand.run import of_log

    for path in given.into:
        check_output(path, [*files_of(log), *given.files, *([Path(key)] if key else [])])
    with reading(log) as progress:
        return of_log(
            log,
            wanted,
            key=house_key(log, key),
            remembered=given.checkpoints,
            witnesses=given.witnesses,
            holding=given.holding,
            receipts=given.receipt,
            only_list=only_list,
            progress=progress,
        )


def _of_proof(file: Path, name: str | None, key: str | None, given: Given) -> Answer:
    from fairshoe.log.hand_proof import MOST_PROOF
    from fairshoe.terminal.files import read_bytes

    from ..evidence.head import verifier_given
    from ..hand.run import of_proof
    from ..receipts.reading import receipts_in

    if key is None:
        raise click.UsageError("a proof file proves nothing without the house's key: give --key")
    one_standard_input([file, key, *given.files])
    for path in given.into:
        check_output(path, [file, Path(key), *given.files])
    verifier = verifier_given(key)
    return of_proof(
        read_bytes(file, MOST_PROOF),
        verifier,
        name=name,
        holding=given.holding,
        remembered=given.checkpoints,
        witnesses=given.witnesses,
        receipts=None if given.receipt is None else receipts_in(given.receipt, verifier),
    )


def _of_house(address: str, name: str, key: str | None, given: Given) -> Answer:
    """Of the proof that a house gives. At a first use the key came from the house itself, and nobody knows it from
    elsewhere: it is kept."""
    from ..evidence.head import verifier_given
    from ..hand.telling import Telling

    with fetched(address, name, key) as (file, verifier, first_use):
        found = _of_proof(file, name, verifier, given)
    if not first_use or not isinstance(found, Telling) or not found.outcome.good:
        return found
    keep_key(verifier_given(verifier))
    so_far = found.outcome._replace(word="PASS so far", what=f"{found.outcome.what}; {AT_FIRST}", complete=False)
    return found._replace(outcome=so_far)
