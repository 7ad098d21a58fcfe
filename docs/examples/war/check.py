"""What alice's program makes of it."""

import json
from pathlib import Path

import fairshoe

with open("announced.jsonl") as file:
    notes = [json.loads(line) for line in file]
found = fairshoe.check_record(notes, seeds={"alice": Path("alice.seed").read_bytes()})  # raises what does not hold
print("ok", *found.verified.dealt[0])
