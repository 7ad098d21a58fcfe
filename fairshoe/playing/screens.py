"""Screens: the list of tables, the form to sit down, and a table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import DataTable, Footer, Input, Label, Static

from ..client import Client, Problem, Seat
from ..errors import FairshoeError, InputError
from ..terminal.screen import explain, printable
from .choices import KeyChoice, choices, key_list, one_number
from .rendering import bad, draw_table, marks, table_line
from .seat_session import SeatSession, seat_in

BUY_IN = "1000"
TICK = 0.5
"""Seconds after which the time that is left is drawn anew."""
SLOW = 1.0
"""Seconds after which it is said that an answer is waited for."""
FAILURE_SHOWN_SECONDS = 3_600.0
"""Seconds for which it stands that a hand did not hold."""
KEYS_SHOWN_SECONDS = 20.0
UNBROKEN = "\u00a0"
PAGE = 100
"""Tables that are listed."""


class TextPrompt(ModalScreen[str | None]):
    """One line is asked for; gives it, or None where the player thought better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "never_mind", "never mind")]
    DEFAULT_CSS = "Asking { align: center middle; } Asking Input, Asking Label { width: 70; }"

    def __init__(self, asks: str, given: str = "") -> None:
        super().__init__()
        self._asks, self._text = asks, given

    def compose(self) -> ComposeResult:
        yield Label(self._asks, markup=False)
        yield Input(self._text)
        yield Label("Enter: go on   Esc: never mind")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._give(event.value)

    def action_never_mind(self) -> None:
        self._give(None)

    def _give(self, typed: str | None) -> None:
        """Once: `dismiss` takes away the screen that is uppermost, which is the table after the first time."""
        if self.is_current:
            self.dismiss(typed)


class TableList(Screen[None]):
    """The tables of the house. Enter sits down, or goes on where the player sits already."""

    BINDINGS: ClassVar[list[BindingType]] = [("r", "look", "look again"), ("q", "app.quit", "quit")]

    def __init__(self, client: Client, books: Path, key: str | None) -> None:
        super().__init__()
        self._client, self._books, self._key = client, books, key
        self._reading = Lock()
        """Held to open a book: one thread at a time."""
        self._sitting_down = asyncio.Lock()

    def compose(self) -> ComposeResult:
        yield Label(f"The tables of {self._client.address}. Enter: sit down, or go on with your seat", markup=False)
        yield DataTable[str](cursor_type="row")
        yield Static(id="trouble", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns("table", "rules", "seats", "stakes", "phase", "")
        self.action_look()

    def on_screen_resume(self) -> None:
        self.action_look()

    def book(self, table: str) -> Path:
        """One seat at each table of each house."""
        house = urlsplit(self._client.address)
        return self._books / f"{quote(house.netloc + house.path.rstrip('/'), safe='')}-{quote(table, safe='')}.seat"

    @work(thread=True)
    def action_look(self) -> None:
        try:
            client = self._client.with_token(None)
            lines = client.get(f"/v1/tables?limit={PAGE}")["tables"]
            states = [client.table(line["table"]).state() for line in lines]
            client.close()
            found = [(*table_line(state), self._mark(state["table"])) for state in states]
        except FairshoeError as error:
            self.app.call_from_thread(self.say, error)
            return
        self.app.call_from_thread(self._show, found)

    def _mine(self, table: str) -> bool:
        """Whether the player sits there. Raises InputError."""
        with self._reading:
            return seat_in(self.book(table))

    def _mark(self, table: str) -> str:
        try:
            return "your seat" if self._mine(table) else ""
        except InputError as error:
            return error.what

    def _show(self, found: list[tuple[str, ...]]) -> None:
        listed = self.query_one(DataTable)
        row = listed.cursor_row
        listed.clear()
        for line in found:
            listed.add_row(*map(printable, line), key=line[0])
        listed.move_cursor(row=row)
        listed.focus()

    def say(self, error: FairshoeError | None) -> None:
        self.query_one("#trouble", Static).update("" if error is None else explain(error, "fairshoe play"))

    @work
    async def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        if not self._sitting_down.locked():
            async with self._sitting_down:
                await self._sit(str(event.row_key.value))

    async def _sit(self, table: str) -> None:
        book = self.book(table)
        try:
            if self._mine(table):
                await self._take(lambda: self._client.table(table).resume(book, key=self._key), book)
                return
            player = await self.app.push_screen_wait(TextPrompt("your name, as the log will have it"))
            if player == "":
                raise InputError("nobody sat down: no name was given")
            if player is not None:
                await self._buy(table, player, book, BUY_IN)
        except FairshoeError as error:
            self.say(error)

    async def _buy(self, table: str, player: str, book: Path, given: str) -> None:
        """Ask for how many chips, once more where the rules fix it."""
        amount = await self.app.push_screen_wait(TextPrompt("how many chips to buy", given))
        if amount is None:
            return
        sit = partial(self._client.table(table).sit, player, one_number(amount), book=book, key=self._key)
        try:
            await self._take(sit, book)
        except Problem as error:
            fixed = str(error.body.get("expected"))
            if error.body.get("field") != "amount" or fixed == given or not fixed.isdecimal():
                raise
            self.say(error)
            await self._buy(table, player, book, fixed)

    async def _take(self, take: Callable[[], Seat], book: Path) -> None:
        def taken() -> SeatSession:
            with self._reading:
                return SeatSession(take(), book)

        sitting = await asyncio.to_thread(taken)
        self.say(None)
        self.app.push_screen(TableScreen(sitting))


class TableChanged(Message):
    """Something has changed at the table."""


class TableScreen(Screen[None]):
    """A table as its seat sees it, with a key for each thing that may be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("q", "back", "to the tables; the seat stays yours"),
        ("question_mark", "keys", "all keys"),
    ]

    def __init__(self, sitting: SeatSession) -> None:
        super().__init__()
        self.sitting = sitting
        self._choices: list[KeyChoice] = []
        self._choosing = asyncio.Lock()
        self._is_over = False

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(id="table")
            yield Static(id="trouble", markup=False)
            yield Static(id="hands")
        yield Static(id="choices", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#choices").styles.dock = "bottom"
        self.query_one("#choices").styles.margin = (0, 0, 1, 0)
        self.query_one("#trouble").styles.color = "red"
        self.set_interval(TICK, self.draw)
        self.sitting.start(lambda: self.post_message(TableChanged()))
        self.draw()

    def on_moved(self) -> None:
        self.draw()

    def draw(self) -> None:
        sitting = self.sitting
        if sitting.has_left:
            self._end("You have left the table.")
            return
        now = time.monotonic()
        self.query_one("#table", Static).update(
            draw_table(sitting.last_state, now - sitting.looked, sitting.hands.first)
        )
        self.query_one("#hands", Static).update(marks(dict(sitting.hands.marks)))
        silent = f"the house does not answer: {sitting.silent}" if sitting.silent else ""
        self.query_one("#trouble", Static).update("\n".join(filter(None, (sitting.trouble, silent))))
        self._choices = choices(sitting.last_state)
        slow = sitting.sent_at and now - sitting.sent_at > SLOW
        keys = "   ".join(f"{each.key.upper()} {each.label}".replace(" ", UNBROKEN) for each in self._choices)
        self.query_one("#choices", Static).update("sent, and not answered yet" if slow else keys)

    @work
    async def on_key(self, event: events.Key) -> None:
        typed = (event.character or "").lower()
        choice = next((each for each in self._choices if each.key == typed), None)
        if choice is not None and not self._choosing.locked():
            async with self._choosing:
                await self._choose(choice)

    async def _choose(self, choice: KeyChoice) -> None:
        text: str | None = ""
        if choice.asks:
            text = await self.app.push_screen_wait(TextPrompt(choice.asks, choice.default))
        if text is None:
            return
        try:
            self.sitting.do(choice.act(text))
        except FairshoeError as error:
            self.notify(explain(error, "not sent"), severity="error", markup=False)

    def action_keys(self) -> None:
        self.notify(key_list(), title="Keys, as in the browser", timeout=KEYS_SHOWN_SECONDS, markup=False)

    def action_back(self) -> None:
        self._end("")

    def _end(self, why: str) -> None:
        """Let go of the seat, once, and go back to the tables."""
        if not self._is_over:
            self._is_over = True
            self._close(why)

    @work
    async def _close(self, why: str) -> None:
        await asyncio.to_thread(self.sitting.close)
        while self in self.app.screen_stack:
            self.app.pop_screen()
        if why:
            found = self.sitting.hands.marks
            text = f"{why}\n{marks(found).plain}"
            if bad(found):
                self.app.notify(text, severity="error", timeout=FAILURE_SHOWN_SECONDS, markup=False)
            else:
                self.app.notify(text, markup=False)


class PlayApp(App[None]):
    """Tables, and one of them. `books`: the folder of the seats' books."""

    TITLE = "fairshoe"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, client: Client, books: Path, key: str | None = None, **more: Any) -> None:
        super().__init__(**more)
        self._tables = TableList(client, books, key)

    def on_mount(self) -> None:
        self.push_screen(self._tables)
