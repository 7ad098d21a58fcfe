"""The rest of the game, and the proof."""

import os
from collections import Counter

from war import play, publish, rounds

import fairshoe

secret = bytes.fromhex(os.environ["WAR_SECRET"])
record = fairshoe.Record.resume("war.saved", secret, publish=publish)  # the last note once more: was it seen?
play(record, until=5)


def winner(cards):
    by_rank = sorted(cards, key=lambda name: "23456789TJQKA".index(cards[name][0]))
    return by_rank[-1] if cards[by_rank[-1]][0] != cards[by_rank[-2]][0] else None


won = Counter(filter(None, map(winner, rounds(record))))
leaders = [name for name in record.roster if won[name] == max(won.values(), default=0)]
best = leaders[record.number("tie") % len(leaders)]  # 6 goes by one, two and three
with open("proof.json", "w") as file:
    file.write(record.reveal().to_json())
print(best, "wins")
