"""How the house tells the players, and the rounds."""

import json

PLAYERS = ["alice", "bob", "carol"]


def publish(note):
    """Tell every player. Here it is a file that they all read."""
    with open("announced.jsonl", "a") as file:
        file.write(json.dumps(note) + "\n")


def rounds(record):
    return [dict(zip(PLAYERS, note["cards"], strict=True)) for note in record.notes if "cards" in note]


def play(record, until):
    while len(rounds(record)) < until:
        record.draw(len(PLAYERS))
