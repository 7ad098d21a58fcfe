"""`python -m tests.long.javascript [GAMES]`: random games with shoes, by Python and by the npm package, held against
each other; 1,000 unless a number is given."""

from __future__ import annotations

import sys

from tests.javascript.random_games import Game, check_games

if __name__ == "__main__":
    games = [Game(seed) for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)]
    steps, proofs = check_games(games), sum(bool(game.proof) for game in games)
    print(f"{len(games):,} games, {steps:,} steps, {proofs:,} proofs: no difference")
