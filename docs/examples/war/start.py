"""From the commitment to the first cards."""

import hashlib
import os
import secrets
from pathlib import Path

from war import PLAYERS, play, publish

import fairshoe

secret, deck = bytes.fromhex(os.environ["WAR_SECRET"]), fairshoe.french(1)
record = fairshoe.Record.commit("war.saved", secret, "war-1", deck, PLAYERS, draws={"tie": 6}, cut=20, publish=publish)

# Each player makes a seed, tells nobody, and sends its hash. Here the three are one line.
seeds = {name: secrets.token_bytes(16) for name in PLAYERS}
Path("alice.seed").write_bytes(seeds["alice"])
for name in PLAYERS:
    record.pledge(name, hashlib.sha256(seeds[name]).hexdigest())

# Each player finds the own hash among the notes, and opens the seed: the newest first.
while record.waits_for:
    name = record.waits_for[0]
    record.contribute(name, seeds[name])

record.seal()
play(record, until=2)
os._exit(1)  # and here the machine fails
