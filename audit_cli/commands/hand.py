"""`fairshoe-audit hand`: LOG alone lists hands; LOG --round ID, PROOF --key VKEY and https://HOUSE ID tell one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal.commands import FILE, command, one_standard_input

from . import COMMANDS
from ._houses import address_in, fetch_proof, house_key, keep_key
from ._log import check_there, files_of, log_argument, show_progress
from ._reading import Ending, check_output, evidence_options, quorum_option, witness_option

if TYPE_CHECKING:
    from ..cases.hand.run import TrustedInputs
    from ..cases.outcome import Answer

KEY_UNCHECKED = "the signature is not checked: its key came with it, compare it with the house's"


@command(
    "hand",
    help=COMMANDS["hand"],
    epilog="Of a LOG without --round all hands are listed, or a player's. In place of LOG a proof file will do, with "
    "--key: see `fairshoe-audit prove`; or the evidence that a table's page "
    "saves; or a house's address, from which the proof is fetched: its key is kept at the first use, and another one "
    "refused from then on.",
)
@log_argument
@click.argument("hand_id", metavar="[ID]", required=False)
@click.option("--round", "name", metavar="ID", help="TABLE#NUMBER.")
@click.option(
    "--whole", is_flag=True, help="Audit the whole LOG, not only the hand's shoe; so does --require-complete."
)
@click.option("--player", metavar="NAME", help="List the hands of one player, by id or name.")
@click.option(
    "--receipt",
    type=FILE,
    metavar="FILE",
    help="A receipt of this hand, or a file with receipts such as a client keeps.",
)
@witness_option
@quorum_option
@evidence_options
def cli(
    log: Path,
    hand_id: str | None,
    name: str | None,
    whole: bool,
    player: str | None,
    receipt: Path | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    key: str | None,
    checkpoints: tuple[Path, ...],
    ending: Ending,
) -> int:
    from ..cases.hand.run import TrustedInputs, check_hand_in_log
    from ..verify.evidence.browser_file import is_saved
    from ..verify.evidence.histories import is_proof
    from ..verify.evidence.witnesses import required_witnesses

    if hand_id is not None and name is not None:
        raise click.UsageError("name the hand once")
    name, address = name or hand_id, address_in(log)
    against = TrustedInputs(checkpoints, required_witnesses(witnesses, quorum), receipt)
    files = [*checkpoints, *([receipt] if receipt else []), *([Path(key)] if key else [])]
    if player is not None and (name is not None or address is not None or is_proof(log)):
        raise click.UsageError("--player lists the hands of a log: leave it out to see one")
    if address is not None:
        if name is None:
            raise click.UsageError("say which hand of the house: TABLE#NUMBER")
        check_output(ending.output, files)
        found = _of_house(address, name, key, against)
    elif is_proof(log):
        one_standard_input([log, *files])
        check_output(ending.output, [log, *files])
        found = _of_proof(log, name, key, against)
    elif is_saved(log):
        check_output(ending.output, [log, *files])
        found = _of_saved(log, name, key, against)
    else:
        check_there(log)
        if name is None and receipt is not None:
            raise click.UsageError("--receipt is compared with one hand: say which with --round ID")
        one_standard_input([log, *files, *witnesses])
        check_output(ending.output, [*files_of(log), *files])
        with show_progress(log) as progress:
            whole = whole or ending.require_complete
            key = house_key(log, key)
            found = check_hand_in_log(log, name, player, key=key, against=against, whole=whole, progress=progress)
    return ending.write(found)


def _of_proof(file: Path, name: str | None, key: str | None, against: TrustedInputs) -> Answer:
    from fairshoe.log.hand_proof import MAX_PROOF
    from fairshoe.terminal.files import read_bytes

    from ..cases.hand.run import check_hand_proof
    from ..verify.evidence.head import read_house_key

    if key is None:
        raise click.UsageError("a proof file proves nothing without the house's key: give --key")
    return check_hand_proof(read_bytes(file, MAX_PROOF), read_house_key(key), name, against)


def _of_saved(file: Path, name: str | None, key: str | None, against: TrustedInputs) -> Answer:
    """Of what a player's browser saved: the proof, held against the receipts that are in it."""
    from ..verify.evidence.browser_file import unpack

    with unpack(file) as saved:
        if saved.proof is None:
            raise click.UsageError("it has receipts and no hand: hold them against a log with `fairshoe-audit receipt`")
        return _of_proof(saved.proof, name, key, against._replace(receipts=against.receipts or saved.receipts))


def _of_house(address: str, name: str, key: str | None, against: TrustedInputs) -> Answer:
    """Check a proof that a house gives; at a first use its own key is kept, unconfirmed."""
    from ..cases.hand.formats import CheckedRound
    from ..verify.evidence.head import read_house_key

    with fetch_proof(address, name, key) as (file, verifier, first_use):
        found = _of_proof(file, name, verifier, against)
    if not first_use or not isinstance(found, CheckedRound) or not found.outcome.good:
        return found
    keep_key(read_house_key(verifier))
    so_far = found.outcome._replace(word="PASS so far", what=f"{found.outcome.what}; {KEY_UNCHECKED}", complete=False)
    return found._replace(outcome=so_far)
