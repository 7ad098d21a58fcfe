"""Charts of each game of at least `MIN_ROUNDS` rounds: its return, stakes and results by day, busts, first cards."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

from fairshoe.cards import named_deck
from fairshoe.engine.rules import rules_of

from ..verify.findings.wording import count_text
from .blocks import LEVEL, BandPoint, Chart, Section
from .luck.busts import CHANCE_SCALE, Busts
from .luck.tails import within
from .outcomes import Outcomes
from .results import MoneySums, ReportedGame, Results, expected

MIN_ROUNDS = 200
MAX_POINTS = 120
MIN_SHARE = 20
"""The line of a return begins after one in so many of its rounds: before that its band is as wide as the chart."""
MIN_EXPECTED = 5
"""With fewer cards expected the normal law says nothing of them."""
WIDE = within(LEVEL)
BAND = "where 99 of 100 honest ones lie"


def charts(results: Results, busts: Busts, outcomes: Outcomes) -> Section:
    """Make the section: every value in front of the band in which chance leaves it."""
    games = [game for game, sums in sorted(results.games.items()) if sums.rounds >= MIN_ROUNDS]
    made = [chart for game in games for chart in _of_game(game, results, busts, outcomes)]
    says = f"{count_text(len(games), 'game')} of at least {MIN_ROUNDS} rounds."
    return Section("charts", "How each game went", "plain", says, made)


def _of_game(game: ReportedGame, results: Results, busts: Busts, outcomes: Outcomes) -> Iterator[Chart]:
    hours = {hour: sums for (each, hour), sums in sorted(results.hours.items()) if each == game}
    days: dict[str, MoneySums] = defaultdict(MoneySums)
    for hour, sums in hours.items():
        days[hour[:10]].merge(sums)
    returned = list(_returns(results, game, hours.values()))
    staked = [BandPoint(day, sums.staked, 0, sums.staked) for day, sums in days.items()]
    won = [_won(results, game, day, sums) for day, sums in days.items()]
    slow = "A line that leaves the band slowly is a bias; one that jumps is a few large bets."
    slow = slow if len(returned) > 1 else "All within an hour: one value."
    many = "One day in a hundred lies outside."
    drawn = "Hands and dealers that drew a card, by what they counted before, aces as 1."
    first = "The first card of each shoe's first round."
    yield from (
        Chart(f"{game.rules}: {title}", points, line, band, says, zero)
        for title, points, line, band, says, zero in (
            ("return (RTP) in %, over rounds", returned, "what came back", BAND, slow, False),
            ("stakes by day", staked, "staked before the first card", "", "", True),
            ("the players' result by day", won, "what they won", BAND, many, True),
            ("busts in %", list(_busts(busts, game)), "of the cards drawn", BAND, drawn, True),
            ("first cards in %", list(_first_cards(results, outcomes, game)), "of the shoes", BAND, first, False),
        )
        if len(points) > 1 or points is returned
    )


def _won(results: Results, game: ReportedGame, day: str, sums: MoneySums) -> BandPoint:
    usual = expected(results, game, sums)
    spread = WIDE * usual.deviation
    return BandPoint(day, sums.net, usual.mean - spread, usual.mean + spread)


def _returns(results: Results, game: ReportedGame, hours: Iterable[MoneySums]) -> Iterator[BandPoint]:
    """Yield the return after more and more rounds."""
    parts, so_far = list(hours), MoneySums()
    rounds = sum(part.rounds for part in parts)
    shown = 0
    for part in parts:
        so_far.merge(part)
        if so_far.rounds - shown >= rounds / MAX_POINTS and so_far.rounds * MIN_SHARE >= rounds and so_far.staked:
            shown = so_far.rounds
            usual = expected(results, game, so_far)
            spread = WIDE * usual.deviation
            nets = so_far.net, usual.mean - spread, usual.mean + spread
            yield BandPoint(f"{shown:,}", *(100 * (usual.kept + net / so_far.staked) for net in nets))


def _busts(busts: Busts, game: ReportedGame) -> Iterator[BandPoint]:
    for (rules, hard), sums in sorted(busts.totals.items()):
        if rules == game.rules:
            mean = sums.chance / CHANCE_SCALE / sums.draws
            spread = WIDE * math.sqrt(sums.variance / CHANCE_SCALE) / sums.draws
            yield _share(f"{hard}", sums.busts / sums.draws, mean, spread)


def _first_cards(results: Results, outcomes: Outcomes, game: ReportedGame) -> Iterator[BandPoint]:
    """Yield the share of each rank, in the order of the pack; nothing where there are too few to say."""
    deck = [label[0] for label in named_deck(rules_of(game.rules, results.options[game]).deck)]
    counts = {rank: outcomes.first[game, rank] for rank in dict.fromkeys(deck)}
    shoes = sum(counts.values())
    if shoes * deck.count(min(counts, key=deck.count)) < MIN_EXPECTED * len(deck):
        return
    for rank, count in counts.items():
        share = deck.count(rank) / len(deck)
        yield _share(rank, count / shoes, share, WIDE * math.sqrt(share * (1 - share) / shoes))


def _share(label: str, share: float, mean: float, spread: float) -> BandPoint:
    return BandPoint(label, 100 * share, 100 * max(mean - spread, 0), 100 * min(mean + spread, 1))
