"""`fairshoe raffle`: announce a raffle, draw it once the beacon's round is out, check one (docs/raffle.md)."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from ..errors import InputError, RuleError, VerificationError
from ..page import raffle_page
from ..protocol.beacons import drand_quicknet
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.raffle import RaffleNotice, RaffleProof, check_raffle, raffle
from ..protocol.text import parse_decimal
from ..protocol.tickets import Entries
from ..terminal import EXIT_FINDINGS, EXIT_OK
from ..terminal.commands import FILE, command, one_standard_input
from ..terminal.files import read_utf8
from ..terminal.screen import explain, printable
from . import COMMANDS

MAX_ENTRIES_BYTES = 1 << 27
MAX_FORM_BYTES = 1 << 26
KEY_OPTION = click.option("--key", required=True, type=FILE, help="The file of the raffle's key. Keep it secret.")

cli = click.Group("raffle", help=COMMANDS["raffle"], no_args_is_help=False)


@command("announce", help="Make a key, and print the notice: publish it, with ENTRIES, before the beacon's round.")
@click.argument("entries", type=FILE)
@click.option("--name", required=True, metavar="ID", help="The raffle's id.")
@click.option("--prizes", required=True, metavar="K", help="How many win.")
@click.option("--draws", required=True, metavar="N", help="Draw so many numbers at most: more than there are prizes.")
@click.option("--round", "number", required=True, metavar="R", help="A future round of drand's quicknet.")
@KEY_OPTION
def announce_command(entries: Path, name: str, prizes: str, draws: str, number: str, key: Path) -> int:
    """ENTRIES has one id a line, or an id, a TAB and a weight."""
    beacon = drand_quicknet(parse_decimal(number, "--round"))
    if beacon.time <= time.time():
        remedy = "take one that comes out after everybody has seen the notice"
        raise InputError("this round is out already", where="--round", expected="a future round", remedy=remedy)
    secret, listed = new_key(), _entries(entries)
    listed.check_spelling()
    sizes = {"prizes": parse_decimal(prizes, "--prizes"), "draws": parse_decimal(draws, "--draws")}
    made = raffle(name, listed, **sizes, beacon=beacon, key=secret)
    with open(key, "x", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(f"{secret.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    print(made.notice.to_json())
    return EXIT_OK


@command("draw", help="Draw, and print the proof.")
@click.argument("notice", type=FILE)
@click.argument("entries", type=FILE)
@click.option("--signature", required=True, metavar="HEX", help="Of the beacon's round.")
@KEY_OPTION
def draw_command(notice: Path, entries: Path, signature: str, key: Path) -> int:
    one_standard_input([notice, entries, key])
    told = _notice(notice)
    secret = key_of_hex(read_utf8(key, 100).strip())
    sizes = {"prizes": told.prizes, "draws": told.draws}
    again = raffle(told.shoe, _entries(entries), **sizes, beacon=told.beacon, key=secret)
    if again.notice != told:
        remedy = "give the very file that was announced, and its key"
        raise InputError("these entries or this key give another notice", where=str(entries), remedy=remedy)
    print(again.draw(signature).reveal().to_json())
    return EXIT_OK


@command("check", help="Check a raffle's proof, and print the winners. Exit code 0: it holds, 1: it does not.")
@click.argument("proof", type=FILE)
@click.argument("entries", type=FILE)
@click.option("--notice", type=FILE, help="The notice that you kept from before the draw.")
def check_command(proof: Path, entries: Path, notice: Path | None) -> int:
    one_standard_input([proof, entries, notice])
    published = RaffleProof.from_json(read_utf8(proof, MAX_FORM_BYTES))
    kept = None if notice is None else _notice(notice)
    try:
        found = check_raffle(published, _entries(entries), notice=kept)
    except (VerificationError, RuleError) as error:
        no_result = isinstance(error, RuleError)
        print(f"The raffle {'holds, and nobody wins' if no_result else 'does not hold'}.\n{explain(error)}")
        return EXIT_FINDINGS
    about = found.notice
    counts = f"{about.prizes} of {about.entries} entries win, of {about.tickets} tickets, in {about.draws} draws"
    print(f"The raffle {about.shoe} holds: {counts}")
    out = datetime.fromtimestamp(about.beacon.time, UTC)
    print(f"round {about.beacon.number} came out on {out:%Y-%m-%d at %H:%M:%S} UTC: the notice must be older")
    for missed in found.not_checked:
        print(f"not checked: {missed}")
    for winner in found.winners:
        print(f"ticket {winner.ticket}: {printable(winner.entrant)}")
    return EXIT_OK


@command("page", help="Print the page that checks a raffle in a browser, with PROOF and ENTRIES in it if given.")
@click.argument("proof", type=FILE, required=False)
@click.argument("entries", type=FILE, required=False)
def page_command(proof: Path | None, entries: Path | None) -> int:
    texts = {}
    if proof is not None:
        if entries is None:
            raise InputError("ENTRIES is missing", where=str(proof), remedy="give both files, or none")
        one_standard_input([proof, entries])
        texts = {"proof": read_utf8(proof, MAX_FORM_BYTES), "entries": read_utf8(entries, MAX_ENTRIES_BYTES)}
        check_raffle(RaffleProof.from_json(texts["proof"]), Entries.from_text(texts["entries"]))
    sys.stdout.write(raffle_page(**texts))
    return EXIT_OK


def _entries(path: Path) -> Entries:
    return Entries.from_text(read_utf8(path, MAX_ENTRIES_BYTES))


def _notice(path: Path) -> RaffleNotice:
    return RaffleNotice.from_json(read_utf8(path, MAX_FORM_BYTES))


for each in (announce_command, draw_command, check_command, page_command):
    cli.add_command(each)
