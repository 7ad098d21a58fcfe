"""The screens: a house's tables, and the one at which somebody plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Key
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Header, Input, RichLog, Static

from ..client import Client, Seat
from ..client.book import Book
from ..errors import FairshoeError
from . import drawing
from .actions import QUIT, Action, actions
from .hands import OPEN, Hands
from .player import Player

TICK = 1.0


class Lobby(Screen[str]):
    """The tables of a house; gives the one that was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "Quit"), Binding("r", "look", "Look again")]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def compose(self) -> ComposeResult:
        yield Header()
        yield DataTable(cursor_type="row")
        yield Static("Enter sits down. There is no table: the operator opens one.", id="told")
        yield Footer()

    def on_mount(self) -> None:
        self.title = self._client.address
        self.query_one(DataTable).add_columns("table", "rules", "phase", "chairs", "who plays")
        self.action_look()

    def action_look(self) -> None:
        shown = self.query_one(DataTable)
        shown.clear()
        try:
            tables = self._client.get("/v1/tables")["tables"]
        except FairshoeError as error:
            self.query_one("#told", Static).update(Text(str(error), style=drawing.BAD))
            return
        for each in tables:
            players = ", ".join(seat.get("name") or seat["player"] for seat in each["seats"])
            chairs = f"{len(each['seats'])} of {each['chairs']}"
            shown.add_row(each["table"], each["rules"], each["phase"], chairs, players, key=each["table"])
        told = "Enter sits down." if tables else "There is no table: the operator opens one."
        self.query_one("#told", Static).update(told)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        self.dismiss(str(event.row_key.value))


class TableScreen(Screen[None]):
    """A table, and what a player may do at it."""

    DEFAULT_CSS = """
    TableScreen #table { width: 2fr; padding: 1 2; }
    TableScreen #told { width: 1fr; border-left: solid $panel; padding: 0 1; }
    TableScreen #keys { height: auto; padding: 0 2; background: $panel; }
    TableScreen Input { display: none; }
    TableScreen Input.asked { display: block; }
    """

    def __init__(self, seat: Seat, hands: Hands, alarms: list[str]) -> None:
        super().__init__()
        self.seat = seat
        self.player = Player(seat, hands, lambda what, value: self.app.call_from_thread(self.heard, what, value))
        self.state: dict[str, Any] = {}
        self.asked: Action | None = None
        self.alarms = alarms

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="drawn")
            yield RichLog(id="told", wrap=True, markup=False)
        yield Static(id="keys")
        yield Input()

    def on_mount(self) -> None:
        self.title = f"{self.seat.table.client.address} · {self.seat.player} in chair {self.seat.seat}"
        self.query_one("#told", RichLog).can_focus = False
        for hand in self.player.hands.told.values():
            self._hand(hand)
        self.set_interval(TICK, self._draw)
        self.player.start()

    def on_unmount(self) -> None:
        self.player.stop()

    def heard(self, what: str, value: Any) -> None:
        """What the player's thread tells."""
        match what:
            case "state":
                self.state = value
                self._draw()
            case "hand":
                self._hand(value)
            case "alarm":
                self.alarms.append(value)
                self._say(f"The house is wrong: {value}", drawing.BAD)
            case "away" if value:
                self.sub_title = f"no answer for {value:.0f} s: it is asked again"
            case "away":
                self.sub_title = ""
            case _:
                self._say(value)

    def _hand(self, hand: dict[str, Any]) -> None:
        mark = "" if hand["mark"] == OPEN else f"{hand['mark']} "
        style = drawing.BAD if hand["mark"] == "✗" else "green" if mark == "✓ " else ""
        words = f"  {hand['words']}" if mark and mark != "✓ " else ""
        self._say(f"{mark}round {hand['round']}: {hand['net']:+,}{words}", style)

    def _say(self, text: str, style: str = "") -> None:
        self.query_one("#told", RichLog).write(Text(text, style=style))

    def possible(self) -> list[Action]:
        return actions(self.state.get("you", {}).get("expects", ()))

    def _draw(self) -> None:
        if not self.state:
            return
        self.query_one("#drawn", Static).update(drawing.table(self.state))
        keys = Text("  ").join(
            Text.assemble((f" {action.key.upper()} ", "bold reverse"), " ", action.label) for action in self.possible()
        )
        keys.append(f"   {QUIT.upper()} quit: the chair stays yours", drawing.DIM)
        self.query_one("#keys", Static).update(keys)

    def on_key(self, event: Key) -> None:
        if self.asked is not None:
            if event.key == "escape":
                self._ask(None)
            return
        if event.key == QUIT:
            self.app.exit()
        for action in self.possible():
            if event.key == action.key:
                event.stop()
                if action.asks:
                    self._ask(action)
                else:
                    self._do(action, "")

    def _ask(self, action: Action | None) -> None:
        self.asked, field = action, self.query_one(Input)
        field.set_class(action is not None, "asked")
        if action is None:
            self.set_focus(None)
            return
        field.value = ""
        field.placeholder = action.asks + (f" (Enter: {action.usual})" if action.usual else "")
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        action = self.asked
        if action is not None and (event.value or action.usual):
            self._do(action, event.value or action.usual)
        self._ask(None)

    def _do(self, action: Action, typed: str) -> None:
        try:
            self.player.do(action, typed)
        except FairshoeError as error:
            self._say(str(error))


class Playing(App[None]):
    """Sits down at a table, or goes on with the chair that the table's book has. After it has run `refused` says why
    nobody sits there, and `alarms` in what the house was found to be wrong."""

    TITLE = "fairshoe"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, client: Client, books: Path, *, player: str, name: str | None, amount: int, table: str) -> None:
        super().__init__()
        self._client, self._books, self._table = client, books, table
        self._who: dict[str, Any] = {"player": player, "name": name, "amount": amount}
        self.refused = ""
        self.alarms: list[str] = []

    def on_mount(self) -> None:
        if self._table:
            self._sit(self._table)
        else:
            self.push_screen(Lobby(self._client), lambda chosen: self._sit(chosen or ""))

    def _sit(self, name: str) -> None:
        book = self._books / f"{name}.book"
        try:
            seat = sit(self._client, name, book, self._who)
        except FairshoeError as error:
            self.refused = str(error)
            self.exit()
            return
        self.push_screen(TableScreen(seat, Hands(book.with_suffix(".hands")), self.alarms))


def sit(client: Client, table: str, book: Path, who: dict[str, Any]) -> Seat:
    """The seat of the book, or a new one where it has none. Raises FairshoeError."""
    at = client.table(table)
    if book.exists():
        kept = Book(book)
        free = kept.free
        kept.close()
        if not free:
            return at.resume(book)
    return at.sit(**who, book=book)
