"""`fairshoe raffle`: announce a raffle, draw it once the beacon's round is out, check one (docs/raffle.md)."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from ..errors import InputError, VerificationError
from ..page import raffle_page
from ..protocol.beacons import drand_quicknet
from ..protocol.commitment import key_of_hex, new_key
from ..protocol.proof import read_json
from ..protocol.raffle import (
    MAX_CHANCE_OF_NO_RESULT,
    CheckedRaffle,
    Raffle,
    RaffleNotice,
    RaffleProof,
    chance_of_no_result,
    check_raffle,
    draws_needed,
    raffle,
)
from ..protocol.text import parse_decimal
from ..protocol.tickets import Entries
from ..terminal import EXIT_FINDINGS, EXIT_OK
from ..terminal.commands import FILE, command, one_standard_input
from ..terminal.files import read_utf8
from ..terminal.screen import explain, printable
from . import COMMANDS

MAX_ENTRIES_BYTES = 1 << 27
MAX_FORM_BYTES = 1 << 26
WEIGHT_WITHOUT_TAB = re.compile(r"[ ,;:]+[0-9]+$", re.ASCII)
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
    secret, listed = new_key(), _entries(entries)
    sizes = {"prizes": parse_decimal(prizes, "--prizes"), "draws": parse_decimal(draws, "--draws")}
    now = int(time.time())
    made = raffle(name, listed, **sizes, beacon=beacon, now=now, key=secret)
    with open(key, "x", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
        file.write(f"{secret.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    print(made.notice.to_json())
    for note in _notes(made, now):
        print(note, file=sys.stderr)
    return EXIT_OK


def _notes(made: Raffle, now: int) -> Iterator[str]:
    """Tell the organiser what was announced, and what may be a mistake."""
    listed, about = made.entries, made.notice
    yield f"{len(listed):,} entries hold {listed.tickets:,} tickets."
    left = f"{about.beacon.time - now:,} seconds from now by this machine's clock"
    yield f"Round {about.beacon.number} comes out on {_moment(about)}: {left}."
    weights = [entrant for entrant in listed.ids if WEIGHT_WITHOUT_TAB.search(entrant)]
    if weights:
        yield f"note: {weights[0]!a} is an id with one ticket ({len(weights):,} such lines): a weight follows a TAB"
    chance = chance_of_no_result(listed, about.prizes, about.draws)
    if chance > MAX_CHANCE_OF_NO_RESULT:
        enough = draws_needed(listed, about.prizes)
        yield f"note: nobody may win, with a chance of up to {chance:.1g}: --draws {enough} makes it 0.000001 at most"


@command("draw", help="Draw, and print the proof.")
@click.argument("notice", type=FILE)
@click.argument("entries", type=FILE)
@click.option("--signature", required=True, metavar="HEX", help="Of the beacon's round.")
@KEY_OPTION
def draw_command(notice: Path, entries: Path, signature: str, key: Path) -> int:
    one_standard_input([notice, entries, key])
    told = _notice(notice)
    again = told.resume(_entries(entries), key_of_hex(read_utf8(key, 100).strip()))
    print(again.draw(signature).reveal().to_json())
    return EXIT_OK


@command(
    "check",
    help="Check a raffle's proof, and print the winners; before the draw the notice. Exit code 0: it holds, 1: it does "
    "not, or nobody has the --id.",
)
@click.argument("proof", metavar="PROOF|NOTICE", type=FILE)
@click.argument("entries", type=FILE)
@click.option("--notice", type=FILE, help="The notice that you kept from before the draw.")
@click.option("--id", "entrant", metavar="ID", help="Say how many tickets ID holds.")
def check_command(proof: Path, entries: Path, notice: Path | None, entrant: str | None) -> int:
    one_standard_input([proof, entries, notice])
    text, listed = read_utf8(proof, MAX_FORM_BYTES), _entries(entries)
    kept = None if notice is None else _notice(notice)
    try:
        if kept is None and _is_notice(text):
            lines = list(_tell_notice(RaffleNotice.from_json(text), listed))
        else:
            lines = list(_tell_result(check_raffle(RaffleProof.from_json(text), listed, notice=kept)))
    except VerificationError as error:
        print(f"The raffle does not hold.\n{explain(error)}")
        return EXIT_FINDINGS
    for line in lines:
        print(printable(line))
    if entrant is None:
        return EXIT_OK
    known = entrant in listed.ids
    count = listed.prove(entrant).weight if known else 0
    print(
        printable(f"{entrant}: {count:,} of {listed.tickets:,} tickets" if known else f"{entrant} is not in the list")
    )
    return EXIT_OK if known else EXIT_FINDINGS


def _is_notice(text: str) -> bool:
    form = read_json(text)
    return isinstance(form, dict) and "root" in form


def _tell_notice(notice: RaffleNotice, entries: Entries) -> Iterator[str]:
    """Tell what can be checked before the draw. Raises VerificationError for another list."""
    notice.check_list(entries)
    yield f"The list is that of the raffle {notice.shoe}, which is not drawn here: {_counts(notice)}"
    moment, number = _moment(notice), notice.beacon.number
    if notice.beacon.time > time.time():
        yield f"round {number} comes out on {moment}: keep the notice until then"
    else:
        yield f"round {number} came out on {moment}: a notice that you did not have before then shows nothing"


def _tell_result(found: CheckedRaffle) -> Iterator[str]:
    about = found.notice
    yield f"The raffle {about.shoe} holds: {_counts(about)}"
    yield (
        f"round {about.beacon.number} came out on {_moment(about)}: compare when you got the notice, since one from "
        "after that shows nothing"
    )
    yield from (f"not checked: {missed}" for missed in found.not_checked)
    yield from (f"ticket {winner.ticket}: {winner.entrant}" for winner in found.winners)
    if not found.winners:
        yield "nobody wins: the draws are used up"


def _counts(about: RaffleNotice) -> str:
    return f"{about.prizes} of {about.entries} entries win, of {about.tickets} tickets, in {about.draws} draws"


def _moment(about: RaffleNotice) -> str:
    return f"{datetime.fromtimestamp(about.beacon.time, UTC):%Y-%m-%d at %H:%M:%S} UTC"


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
