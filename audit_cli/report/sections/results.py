"""Who won what, beside what the games give."""

from __future__ import annotations

from collections.abc import Iterator

from ...chance import within
from ...measures.results import Game, Results, Sums
from ..blocks import Block, Cell, Chart, Column, Section, Table
from ..charts.pictures import Point, band
from ..expected import expected
from ..facts import Facts

NAME, TITLE = "results", "Who won what"
MOST_POINTS = 120
MOST_ROWS = 20
MOST_DAYS = 40


def build(facts: Facts) -> Section:
    results = facts.counted.measures.results
    if not results.games:
        return Section(NAME, TITLE, "plain", "No round was settled.")
    wide = within(facts.profile.level)
    outside = [game for game, sums in results.games.items() if _outside(results, game, sums, wide)]
    says = "The players' results lie where the reference strategy's would, in every game."
    if outside:
        names = ", ".join(sorted({game.rules for game in outside}))
        says = (
            f"In {names} the players won otherwise than the reference strategy would with these bets. Players who play "
            "otherwise do; whether the cards did it, the house-luck test says."
        )
    blocks: list[Block] = [
        _games(results, wide),
        *_lines(facts, results, wide),
        _by_stake(results),
        *_by_day(results),
        *_players(results),
    ]
    data = {f"{game.rules} {game.digest}": _form(sums) for game, sums in sorted(results.games.items())}
    return Section(NAME, TITLE, "plain", says, blocks, data)


def _outside(results: Results, game: Game, sums: Sums, wide: float) -> bool:
    return abs(expected(results, game, sums).z(sums.net)) > wide


def _games(results: Results, wide: float) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for game, sums in sorted(results.games.items()):
        usual = expected(results, game, sums)
        low, high = round(usual.mean - wide * usual.deviation), round(usual.mean + wide * usual.deviation)
        share = sums.net / sums.staked if sums.staked else None
        counts = (sums.rounds, sums.hands, sums.staked, sums.wagered, sums.net)
        rows.append((game.rules, game.digest[:12], *counts, share, usual.share, low, high))
    columns = (
        Column("rules"),
        Column("options", "code"),
        Column("rounds", "count"),
        Column("hands", "count"),
        Column("staked", "money"),
        Column("wagered", "money"),
        Column("players won", "money"),
        Column("of the stakes", "percent"),
        Column("by the reference", "percent"),
        Column("from", "money"),
        Column("to", "money"),
    )
    caption = "By game: what the players won, and what chance leaves the reference strategy"
    return Table(caption, columns, rows)


def _lines(facts: Facts, results: Results, wide: float) -> Iterator[Chart]:
    """Each game's result as it grew, in the band of chance."""
    for game in sorted(results.games):
        hours = sorted(hour for each, hour in results.hours if each == game)
        if len(hours) < 2:
            continue
        size = -(-len(hours) // MOST_POINTS)
        so_far, points = Sums(), []
        for number, hour in enumerate(hours, 1):
            so_far.add(results.hours[game, hour])
            if number % size == 0 or number == len(hours):
                usual = expected(results, game, so_far)
                low, high = usual.mean - wide * usual.deviation, usual.mean + wide * usual.deviation
                points.append(Point(hour.replace("T", " ") + "h", so_far.net, low, high))
        says = (
            f"The line is what the players won so far, the band where {facts.profile.name} of 100 honest logs lie "
            "at that moment if they play by the reference strategy. A line that leaves the band slowly is play, or a "
            "bias; one that jumps is a few large bets."
        )
        yield Chart(
            f"{game.rules}: the players' result over time", band(f"{game.rules}: result over time", points), says
        )


def _by_stake(results: Results) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (rules, step, sums.rounds, sums.staked, sums.net, sums.net / sums.staked if sums.staked else None)
        for (rules, step), sums in sorted(results.stakes.items())
    ]
    columns = (
        Column("rules"),
        Column("bets from", "money"),
        Column("bets", "count"),
        Column("staked", "money"),
        Column("players won", "money"),
        Column("of the stakes", "percent"),
    )
    return Table("By the height of the bet", columns, rows)


def _by_day(results: Results) -> list[Table]:
    days: dict[tuple[str, str], Sums] = {}
    for (game, hour), sums in results.hours.items():
        days.setdefault((hour[:10], game.rules), Sums()).add(sums)
    last = sorted(days)[-MOST_DAYS:]
    rows: list[tuple[Cell, ...]] = [
        (day, rules, days[day, rules].rounds, days[day, rules].staked, days[day, rules].net) for day, rules in last
    ]
    columns = (
        Column("day (UTC)"),
        Column("rules"),
        Column("rounds", "count"),
        Column("staked", "money"),
        Column("players won", "money"),
    )
    caption = "By day" if len(last) == len(days) else f"By day, the last {len(last)} rows of {len(days):,}"
    return [Table(caption, columns, rows)]


def _players(results: Results) -> list[Table]:
    whole: list[tuple[int, str, str, Sums, int]] = []
    for player in results.players.keys() | results.banked.keys():
        mine, bank = Sums(), Sums()
        for sums in results.players.get(player, {}).values():
            mine.add(sums)
        for sums in results.banked.get(player, {}).values():
            bank.add(sums)
        whole.append((mine.net - bank.net, player.player, player.table, mine, -bank.net))
    whole.sort(key=lambda each: (-each[0], each[1], each[2]))
    shown = whole if len(whole) <= MOST_ROWS else whole[: MOST_ROWS // 2] + whole[-MOST_ROWS // 2 :]
    rows: list[tuple[Cell, ...]] = [
        (player, table, mine.rounds, mine.staked, mine.net, banked, net) for net, player, table, mine, banked in shown
    ]
    columns = (
        Column("player"),
        Column("table"),
        Column("rounds", "count"),
        Column("staked", "money"),
        Column("won with hands", "money"),
        Column("as banker", "money"),
        Column("in all", "money"),
    )
    caption = (
        f"Players: {len(whole)}" if len(shown) == len(whole) else f"Of {len(whole):,} players the first and the last"
    )
    return [Table(caption, columns, rows)]


def _form(sums: Sums) -> dict[str, int]:
    return {name: getattr(sums, name) for name in ("rounds", "hands", "staked", "wagered", "net")}
