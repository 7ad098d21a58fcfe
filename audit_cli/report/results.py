"""Return to players by game, over time and by player, beside that of the reference strategy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from fairshoe.engine.rules import Rules, rules_of
from fairshoe.engine.table import POOL

from ..verify.findings.report import Report
from ..verify.findings.wording import count_text, join_words
from .blocks import LEVEL, SHARE, Block, Cell, Question, ReportTable, Section, Status, columns
from .counting.observations import Count, FieldSums, SettledRound
from .luck.expectations import expectation
from .luck.reference import game_of as alike
from .luck.reference import reference_of, rules_digest
from .luck.sums import UNIT_SCALE, PlaySums
from .luck.tails import anytime_p, bounded_evidence, holm, within

MAX_ROWS = 20
MAX_FAR = 3
MAX_LARGEST = 4
"""A round's result is at most so many times the root mean square of what is staked on one."""
ORDERED = ("shuffle", "cards")
"""The checks without which chance did not give the cards."""


@dataclass(slots=True)
class MoneySums(FieldSums):
    """`staked`: the bets before the first card; `wagered`: with doubles, splits, insurance; `net`: what the hands won;
    `squares`: the sum of the squares of the bets; `shared`: the sum of the squares of what was bet on each round:
    from these two follows how widely `net` may stray. `short`: what the lounge's pool could not pay. `replayed` rounds
    were played by the reference, too: `play` is what the players' decisions won more, `PlaySums.above`. Of `placed`
    rounds a placer gave the cards. All in the tables' smallest units."""

    ADDS = ("rounds", "hands", "staked", "wagered", "net", "squares", "shared", "short", "replayed", "play", "placed")

    rounds: int = 0
    hands: int = 0
    staked: int = 0
    wagered: int = 0
    net: int = 0
    squares: int = 0
    shared: int = 0
    short: int = 0
    replayed: int = 0
    play: int = 0
    placed: int = 0

    def merge(self, other: MoneySums) -> None:
        """Add another's; written out, since this is done some times a round."""
        self.rounds += other.rounds
        self.hands += other.hands
        self.staked += other.staked
        self.wagered += other.wagered
        self.net += other.net
        self.squares += other.squares
        self.shared += other.shared
        self.short += other.short
        self.replayed += other.replayed
        self.play += other.play
        self.placed += other.placed


class ReportedGame(NamedTuple):
    """A rule set with its options, as `luck.reference.game_of` has them, by their digest."""

    rules: str
    digest: str


@lru_cache
def game_of(rules: Rules) -> ReportedGame:
    """Return the game of these rules: one for all tables whose options change no round's result for a unit bet."""
    return ReportedGame(rules.name, rules_digest(alike(rules)))


class Player(NamedTuple):
    table: str
    player: str


@dataclass
class Results(Count):
    """`banked`: what a player's hands won against that player's bank; `hours` by game and hour (UTC,
    `2026-01-01T09`)."""

    ADDS = ("hours", "tables", "players", "banked")

    hours: dict[tuple[ReportedGame, str], MoneySums] = field(default_factory=lambda: defaultdict(MoneySums))
    tables: dict[tuple[str, ReportedGame], MoneySums] = field(default_factory=lambda: defaultdict(MoneySums))
    players: dict[tuple[Player, ReportedGame], MoneySums] = field(default_factory=lambda: defaultdict(MoneySums))
    banked: dict[tuple[Player, ReportedGame], MoneySums] = field(default_factory=lambda: defaultdict(MoneySums))
    options: dict[ReportedGame, dict[str, Any]] = field(default_factory=dict)

    def round(self, seen: SettledRound) -> None:
        played, players = seen.played, seen.played.table.players
        game = game_of(played.rules)
        if game not in self.options:
            self.options[game] = dict(alike(played.rules).options)
        mine: dict[int, MoneySums] = {}
        for seat, stake, _ in played.bets:
            if (sums := mine.get(seat)) is None:
                sums = mine[seat] = MoneySums(1)
            sums.staked += stake
            sums.squares += stake * stake
        for hand in played.hands:
            sums = mine[hand.seat]
            sums.hands += 1
            sums.wagered += hand.bet + hand.insured
            sums.net += hand.net + hand.insurance
            sums.short += hand.short
        whole = MoneySums(placed=int(seen.placed))
        for seat, sums in mine.items():
            sums.shared = sums.staked * sums.staked
            whole.merge(sums)
            if (player := players.get(seat)) is not None:
                self.players[Player(seen.table, player), game].merge(sums)
        whole.rounds, whole.shared = 1, whole.staked * whole.staked
        self.hours[game, seen.at[:13]].merge(whole)
        self.tables[seen.table, game].merge(whole)
        if (banker := players.get(played.table.bank)) is not None:
            self.banked[Player(seen.table, banker), game].merge(whole)

    def merge(self, other: Results) -> None:
        """Add another's."""
        super().merge(other)
        self.options.update(other.options)

    def take_play(self, play: dict[tuple[str, str], PlaySums]) -> None:
        """Take from `play`, by a game's digest and hour, what the players' decisions won."""
        digests = {game.digest: game for game in self.options}
        while play:
            (digest, hour), sums = play.popitem()
            self.hours[digests[digest], hour].merge(MoneySums(replayed=sums.rounds, play=sums.above))

    @property
    def games(self) -> dict[ReportedGame, MoneySums]:
        """The results of all hours together, by game."""
        found: dict[ReportedGame, MoneySums] = defaultdict(MoneySums)
        for (game, _), sums in sorted(self.hours.items()):
            found[game].merge(sums)
        return found


class ExpectedNet(NamedTuple):
    """Of the players' net result, in the tables' smallest unit: `reference` is that of the strategy `by`; the `mean`
    has what their own decisions won more on the same cards, where that can be told. `kept`: what comes back of a stake
    beside that: all of it, but nothing where a pool pays gifts and a stake only says how large."""

    mean: float
    deviation: float
    reference: float
    by: str
    kept: int

    def z(self, net: float) -> float:
        """Return how many standard deviations a result lies above the mean."""
        return (net - self.mean) / self.deviation if self.deviation else 0.0


def expected(results: Results, game: ReportedGame, sums: MoneySums) -> ExpectedNet:
    """Of these bets at this game: their spread follows from what was bet, not from a fixed share of it."""
    rules = rules_of(game.rules, results.options[game])
    found = expectation(rules)
    spread = found.variance * sums.squares + found.covariance * (sums.shared - sums.squares)
    unsure = (found.error * sums.staked) ** 2
    by = reference_of(rules) + ("" if found.error else ", exactly")
    mean, deviation = found.mean * sums.staked - sums.short, math.sqrt(max(0.0, spread) + unsure)
    return ExpectedNet(mean + sums.play / UNIT_SCALE, deviation, mean, by, rules.first_account != POOL)


def games(found: Results, audit: Report) -> Section:
    """Make the section on the return to players, game by game. Where a placer gave the cards no other test judges what
    came back, so this one asks."""
    if not found.games:
        return Section("games", "What came back to the players (RTP)", "plain", "No round was settled.")
    wide = within(LEVEL)
    outside: dict[str, list[str]] = {}
    for game, sums in sorted(found.games.items()):
        if abs(z := expected(found, game, sums).z(sums.net)) > wide:
            outside.setdefault("more" if z > 0 else "less", []).append(game.rules)
    asks = [*_placed(found)]
    wrong = [group.code.code for group in audit.groups if group.code.severity == "fail" and group.code.check in ORDERED]
    says = "In every game the players' return lies where chance leaves their play."
    if outside:
        told = join_words([f"{way} in {join_words(names)}" for way, names in outside.items()])
        says = f"{told.capitalize()} came back than chance leaves in 99 games of 100."
    if wrong:
        says = f"Chance did not give all of these cards ({join_words(wrong)}). {says}"
    elif outside and not asks:
        says += " What the house's luck says counts more tests, and decides."
    says = " ".join((says, *(ask.text for ask in asks)))
    if left := audit.rounds - sum(sums.rounds for sums in found.games.values()):
        says += f" Left out: {count_text(left, 'round')} that failed or could not be played again."
    data = {f"{game.rules} {game.digest}": _form(found, game, sums) for game, sums in sorted(found.games.items())}
    blocks: list[Block] = [_returns(found, wide), _differences(found)]
    status: Status = "question" if asks else "plain"
    return Section("games", "What came back to the players (RTP)", status, says, blocks, data, asks)


def _placed(found: Results) -> Iterator[Question]:
    """Yield a question for each table whose placer's cards chance does not explain, however often somebody looks."""
    chances: dict[tuple[str, ReportedGame], float] = {}
    for (table, game), sums in sorted(found.tables.items()):
        if sums.placed:
            usual = expected(found, game, sums)
            most, far = MAX_LARGEST * math.sqrt(sums.shared / sums.rounds), sums.net - usual.mean
            sides = (bounded_evidence(side, usual.deviation**2, most) for side in (far, -far))
            chances[table, game] = anytime_p(*sides)
    for ((table, game), p), sure in zip(chances.items(), holm([*chances.values()]), strict=True):
        if sure < SHARE:
            sums, usual = found.tables[table, game], expected(found, game, found.tables[table, game])
            back, due = (f"{usual.kept + net / sums.staked:.1%}" for net in (sums.net, usual.mean))
            text = (
                f"At {table}, whose cards a placer gave, {back} came back; the reference strategy expects {due} (p "
                f"{p:.2g}). Do these players play so much otherwise?"
            )
            yield Question(f"return {table} {game.rules}", text)


def _returns(results: Results, wide: float) -> ReportTable:
    several = len({game.rules for game in results.games}) < len(results.games)
    rows: list[tuple[Cell, ...]] = []
    for game, sums in sorted(results.games.items()):
        usual, staked = expected(results, game, sums), sums.staked or 1
        spread = wide * usual.deviation
        nets = sums.net, usual.mean, usual.mean - spread, usual.mean + spread, usual.reference
        shares = (usual.kept + net / staked for net in nets)
        name = f"{game.rules} {game.digest[:8]}" if several else game.rules
        rows.append((name, sums.rounds, sums.staked, *shares, usual.by, sums.replayed / sums.rounds))
    titles = columns(
        "game",
        "rounds:count",
        "staked:money",
        "RTP:percent",
        "expected RTP:percent",
        "from:percent",
        "to:percent",
        "reference RTP:percent",
        "by",
        "rounds replayed:percent",
    )
    caption = (
        "Return to the players (RTP): what came back for each 100 staked before the first card; where a pool pays, the "
        "gifts for each 100 played for. The reference: what a strategy lets expect of the same bets. Expected: of the "
        "players' decisions, by what they won more than it in the same rounds; and between what 99 of 100 such logs lie"
    )
    return ReportTable(caption, titles, rows)


def _differences(results: Results) -> ReportTable:
    """Return the players whose results are furthest from what was to be expected, in money."""
    far: dict[ReportedGame, list[tuple[int, Player, MoneySums, ExpectedNet]]] = defaultdict(list)
    for (player, game), sums in results.players.items():
        usual = expected(results, game, sums)
        far[game].append((round(sums.net - usual.mean), player, sums, usual))
    rows = [
        (player.player, player.table, sums.rounds, sums.staked, sums.net, difference, usual.z(sums.net))
        for _, found in sorted(far.items())
        for difference, player, sums, usual in sorted(found, key=lambda each: (-abs(each[0]), each[1]))[:MAX_FAR]
    ]
    titles = columns(
        "player",
        "table",
        "rounds:count",
        "staked:money",
        "won with hands:money",
        "above the expected:money",
        "standard deviations:number",
    )
    return ReportTable("The largest differences in money, of each game", titles, rows)


def results(found: Results) -> Section:
    if not found.games:
        return Section("results", "Who won what", "plain", "No round was settled.")
    says = f"{count_text(len(found.players), 'result')} of players."
    data = [{"table": table, **_form(found, game, sums)} for (table, game), sums in sorted(found.tables.items())]
    return Section("results", "Who won what", "plain", says, [_players(found)], data)


def _players(results: Results) -> ReportTable:
    played: dict[Player, MoneySums] = defaultdict(MoneySums)
    banked: dict[Player, int] = defaultdict(int)
    for (player, _), sums in results.players.items():
        played[player].merge(sums)
    for (player, _), sums in results.banked.items():
        banked[player] -= sums.net
    whole = [
        (played[player].net + banked[player], player.player, player.table, played[player], banked[player])
        for player in played.keys() | banked.keys()
    ]
    whole.sort(key=lambda each: (-each[0], each[1], each[2]))
    shown = whole if len(whole) <= MAX_ROWS else whole[: MAX_ROWS // 2] + whole[-MAX_ROWS // 2 :]
    rows = [
        (player, table, mine.rounds, mine.staked, mine.net, banked, net) for net, player, table, mine, banked in shown
    ]
    titles = columns(
        "player", "table", "rounds:count", "staked:money", "won with hands:money", "as banker:money", "in all:money"
    )
    caption = (
        f"Players: {len(whole)}" if len(shown) == len(whole) else f"Of {len(whole):,} players the first and the last"
    )
    return ReportTable(caption, titles, rows)


def _form(results: Results, game: ReportedGame, sums: MoneySums) -> dict[str, Any]:
    """Return the sums, what the reference strategy lets expect of them, and what the players' own decisions won more,
    as the JSON has them."""
    usual = expected(results, game, sums)
    told = {name: getattr(sums, name) for name in ("rounds", "hands", "staked", "wagered", "net")}
    play = {"play": usual.mean - usual.reference, "deviation": usual.deviation, "kept": usual.kept}
    return {"rules": game.rules, **told, "expected": usual.reference, **play}
