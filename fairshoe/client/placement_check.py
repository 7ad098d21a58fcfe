"""At a table with a placer: whether each card came after what happened, by the placer's own word.

The state shows the steps of the running round. The first must name the signed log with the bets, the decisions must be
those that this seat sent, and the placer must have signed their chain. So the next card shows another decision told,
another round shown to others, or cards asked ahead.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..ceremony import observed_steps
from ..ceremony.book import PLAYER, LoggedPlacer, ShoeTrees
from ..ceremony.placer_steps import OF_TREES, check_note
from ..connection import Connection, Unreachable
from ..errors import FairshoeError, InputError, LogError, VerificationError
from ..log.canonical import Entry, parse, text_of
from ..log.hand_proof import proof_of, tree_at
from ..log.note import open_note, verifier_of
from ..protocol.placer_chain import CHAIN, NO_PLACE, Chain, ParsedQuestion, new_chain, parse_question, take_places
from ..record.forms import table_of
from .book import UNSURE, SeatBook, append, open_lines
from .checkpoint import Checkpoints
from .errors import Form, WrongPlaces
from .service import Service

PLACED = ".placed"
ANSWER_SECONDS = 5.0
MAX_ANSWER = 1 << 20
AWAY_SECONDS = 60.0
"""After which a placer that did not answer is asked again."""
MAX_LOOKS, PAUSE = 20, 0.1
"""How often a table is looked at again of which a placer has given more places than it shows."""


class FollowedRound(NamedTuple):
    """A round whose placer's answers are followed."""

    shoe: str  # the shoe's id
    number: int  # the round's number
    placer: LoggedPlacer  # the shoe's placer
    start: Chain  # the chain before the round
    stands: ShoeTrees  # the log trees that its first steps must name
    steps: observed_steps.ObservedSteps = observed_steps.ObservedSteps(
        (), ()
    )  # the steps that the house has shown of it
    compared: int = 0  # number of shown steps last compared with the placer
    place_mask: int = 0  # the places that the shoe's earlier rounds showed, a bit each
    turns: tuple[tuple[int, int], ...] = ()  # at each turn of this seat: (decisions made, steps shown)

    @property
    def begins(self) -> bool:
        return not self.start.steps


class PlacerAnswer(NamedTuple):
    """A placer's answer: steps and head of its newest note, and the house's questions."""

    steps: int
    head: bytes
    questions: Sequence[ParsedQuestion]


class PlacementCheck:
    """`unheard`: why the placer's word is not known, else ""; `roots`: by shoe, from the signed log."""

    def __init__(self, client: Service, book: SeatBook, checkpoints: Checkpoints) -> None:
        self.unheard = ""
        self.roots: dict[str, str] = {}
        self._client, self._book, self._checkpoints = client, book, checkpoints
        self._round: FollowedRound | None = None
        self._key: str | None = None
        self._wrong = ""
        self._last_places = "", 0
        self._connection: Connection | None = None
        self._address = ""
        self._away = -AWAY_SECONDS
        self._forms: list[Form] = []

    def check_state(self, state: Form, again: Callable[[], Form]) -> Form:
        """Compare a state with the placer's word; return it, or the newer one from `again` that fits. Raises
        WrongPlaces, once a shoe; VerificationError, Problem, Unreachable."""
        if "you" not in state:
            return state
        try:
            if not self._has_placer(state):
                return state
            for _ in range(MAX_LOOKS):
                ahead = self._compare(state)
                if not ahead:
                    return state
                time.sleep(PAUSE)
                state = again()
            raise PlacementMismatch(ahead)
        except (PlacementMismatch, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            what, expected = f"the round cannot be followed: {error!r}"[:300], ""
            if isinstance(error, PlacementMismatch):
                what, expected = error.what, error.expected
            self._wrong = str((state["shoe"] or {}).get("shoe", ""))
            self._round = None
            raise WrongPlaces(what, expected=expected, evidence=self.keep(state)) from None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    # A state.

    def _has_placer(self, state: Form) -> bool:
        """Whether there is something to compare: the table has the same placer from its beginning on."""
        key = state.get("placer", {}).get("key", "")
        known, self._key = self._key, key
        if known not in (None, key):
            raise PlacementMismatch("the house shows another placer of the table than before", expected=known or "none")
        return key not in ("", PLAYER)

    def _compare(self, state: Form) -> str:
        """Return what is wrong unless the table is looked at again, or ""."""
        try:
            self._end(state)
            return self._go_on(state)
        except (VerificationError, LogError, InputError) as error:
            if isinstance(error, PlacementMismatch) or error.remedy:
                raise
            raise PlacementMismatch(error.what, expected=error.expected) from error

    def _go_on(self, state: Form) -> str:
        """Return the round that is dealt."""
        shoe, round = state["shoe"], state["round"]
        if not round or "view" not in round or shoe["shoe"] == self._wrong:
            return ""
        if "placed" not in round:
            raise PlacementMismatch(f"cards of round {round['round']} lie, and the house does not show who placed them")
        known = self._round
        if known is None or (known.shoe, known.number) != (shoe["shoe"], round["round"]):
            begun_now = self._begin(state, shoe["shoe"], round["round"])
            if isinstance(begun_now, str):
                return begun_now
            known = begun_now
        shown = observed_steps.read_steps(round["placed"])
        if not shown.continues(known.steps):
            raise PlacementMismatch("the house shows other steps of the round than before")
        take_places(known.place_mask, shown.lines)
        decisions = observed_steps.check_steps(shown, known.stands, begins=known.begins)
        self._check_own(known, decisions)
        self._check_turns(known, shown)
        many, turns = len(decisions), known.turns
        view = round["view"]
        if view.get("turn") == self._book.seat and "step" in view:
            if view["step"] != many:
                raise PlacementMismatch(f"{view['step']} decisions were made, and {many} told to the placer")
            turns = (*turns, (many, len(shown.steps)))
        self._round = known = known._replace(steps=shown, turns=tuple(dict(turns).items()))
        if known.compared == len(shown.steps):
            return ""
        if self._beyond(state, known, known.placer):
            return f"{known.placer.name} was asked for more than the house shows of the round: it asked ahead"
        self._round = known._replace(compared=len(shown.steps))
        return ""

    def _beyond(self, state: Form, known: FollowedRound, placer: LoggedPlacer) -> bool:
        """Whether the placer has given more than is shown; what is shown must be what it signed."""
        chains = known.steps.chains(known.start)
        answer = self._ask(state, placer, known.start.steps)
        if answer is None:
            return False
        last, heads = chains[-1], {each.chain.steps: each.chain.head for each in answer.questions}
        heads[answer.steps] = answer.head
        wrong = next((chain.steps for chain in chains if heads.get(chain.steps, chain.head) != chain.head), None)
        if wrong is not None:
            what = (
                f"{placer.name} was told something else before step {wrong} than this seat is shown: another decision, "
            )
            raise PlacementMismatch(f"{what}another card, or another round for somebody else")
        if answer.steps < last.steps:
            raise PlacementMismatch(f"the house shows {last.steps} steps of {placer.name}, which signed {answer.steps}")
        return answer.steps > last.steps

    def _check_own(self, known: FollowedRound, decisions: Sequence[Entry]) -> None:
        """Each decision of this seat is one that it sent."""
        if self._book.waiting is not None:
            return
        for step, form in enumerate(decisions):
            if form["seat"] == self._book.seat:
                sent = self._book.decisions.get((known.number, step))
                if not observed_steps.is_own_decision(form, self._book.seat, sent, unsure=UNSURE in (sent or {})):
                    said = f"{sent['move']} was sent" if sent else "nothing was sent"
                    raise PlacementMismatch(
                        f"decision {step} of round {known.number} is told as {text_of(form)}: {said}"
                    )

    def _check_turns(self, known: FollowedRound, shown: observed_steps.ObservedSteps) -> None:
        """The first step after this seat's turn tells of its decision: no card was asked for before."""
        trees = len(observed_steps.round_parts(known.stands, begins=known.begins).parts)
        for step, before in known.turns:
            if len(shown.steps) > before:
                told = sum(len(each.since) for each in shown.steps[: before + 1])
                if told <= trees + step:
                    raise PlacementMismatch(f"a card was asked for before decision {step} of round {known.number}")

    # A round that begins, and one that ends.

    def _begin(self, state: Form, shoe: str, number: int) -> FollowedRound | str:
        """Return the round as the signed log has it; or what is missing yet, "" if the table has gone on."""
        proof = proof_of(self._client.shoe_proof(*table_of(shoe)).encode())
        head = self._checkpoints.accept(proof)
        entries = [(parse(each.line), tree_at(each, head)) for each in proof.entries]
        of_shoe = [
            (entry, stand) for entry, stand in entries if entry.get("shoe") == shoe and entry["kind"] in OF_TREES
        ]
        rounds = [entry["round"] for entry, _ in of_shoe if entry["kind"] == "open"]
        if head.size < state["log"]:
            return f"the house says that its log has {state['log']} entries, and no checkpoint has them"
        if max(rounds, default=0) > number:
            return ""
        opened = next((entry for entry, _ in of_shoe if (entry["kind"], entry.get("round")) == ("open", number)), None)
        if opened is None:
            raise PlacementMismatch(f"the signed log has no bets of round {number}")
        table = next(entry for entry, _ in entries if entry["kind"] == "table")
        committed = next(entry for entry, _ in of_shoe if entry["kind"] == "shoe")
        key, placed = state["placer"]["key"], committed.get("placer", {})
        if not key == table.get("placer") == placed.get("key"):
            raise PlacementMismatch("the signed log has another placer than the house shows")
        placer = LoggedPlacer(key.partition("+")[0], placed["commitment"], key)
        self._check_bets(opened)
        self.roots |= {entry["shoe"]: entry["cards_root"] for entry, _ in of_shoe if entry["kind"] == "seal"}
        begun_by = max(stand.size for entry, stand in of_shoe if entry["kind"] == "seal" or entry is opened)
        if any(stand.size > begun_by for _, stand in of_shoe):
            return ""
        start = self._start(state, head.origin, committed, placer, [entry for entry, _ in of_shoe])
        taken = self._last_places[1] if self._last_places[0] == shoe else 0
        return FollowedRound(shoe, number, placer, start, observed_steps.trees_of(of_shoe, shoe), place_mask=taken)

    def _start(
        self, state: Form, origin: str, committed: Entry, placer: LoggedPlacer, before: Sequence[Entry]
    ) -> Chain:
        """The chain before a round: the one that the placer has signed under the newest entry that shows places."""
        shows = next((entry for entry in reversed(before) if "placed" in entry), None)
        if shows is None:
            return new_chain(origin, committed["shoe"], committed["commitment"], placer.name, placer.commitment)
        said = state["shoe"]["placer"]
        chain = Chain(origin, committed["shoe"], placer.commitment, said["steps"], bytes.fromhex(said["head"]))
        check_note(chain, placer, shows["placed"]["signature"])
        return chain

    def _check_bets(self, opened: Entry) -> None:
        """The logged bets of the seat are among those that it sent."""
        own = [(bet["amount"], bet.get("box", bet["seat"])) for bet in opened["bets"] if bet["seat"] == self._book.seat]
        sent = self._book.bets.get(opened["round"])
        if self._book.waiting is not None or (sent is None and not self._book.bets) or UNSURE in (sent or {}):
            return
        offered = [(bet["amount"], bet.get("box", self._book.seat)) for bet in (sent or {}).get("bets", ())]
        if any(bet not in offered for bet in own):
            raise PlacementMismatch(f"the signed log has other bets of round {opened['round']} than were sent")

    def _end(self, state: Form) -> None:
        """A round is over: the rest of its cards came after the rest of what happened, and the placer signed that."""
        last = state["last"]
        if not last or "placed" not in last or last["shoe"] == self._wrong:
            return
        known = self._round
        if known is None or (known.shoe, known.number) != (last["shoe"], last["round"]):
            return
        decisions = [text_of(each) for each in last["decisions"]]
        told = observed_steps.round_parts(known.stands, begins=known.begins, decisions=decisions).parts
        if told[: len(known.steps.parts)] != known.steps.parts:
            raise PlacementMismatch(f"the entry of round {known.number} has other decisions than were shown")
        self._check_own(known, last["decisions"])
        left = told[len(known.steps.parts) - len(known.steps.since) :]
        self._round, placed = None, last["placed"]
        seen = [step.place for step in known.steps.steps if step.place is not None]
        if placed["places"][: len(seen)] != seen:
            raise PlacementMismatch(f"the entry of round {known.number} has other places than were shown")
        chain, rest = known.steps.chains(known.start)[-1], placed["places"][len(seen) :]
        after = [] if "reshuffled" in last else [f"card {NO_PLACE} {place}" for place in rest]
        self._last_places = known.shoe, take_places(known.place_mask, [*known.steps.lines, *after])
        if rest:
            answer = self._ask(state, known.placer, chain.steps)
            if answer is None:
                return
            chain = observed_steps.chain_after(chain, answer.questions, rest, left)
        check_note(chain, known.placer, placed["signature"])

    # Whom it asks.

    def _ask(self, state: Form, placer: LoggedPlacer, start: int) -> PlacerAnswer | None:
        """Ask a placer for its shoe from a step on; None if nobody answers, which `unheard` then tells."""
        if time.monotonic() - self._away < AWAY_SECONDS:
            return None
        try:
            form = self._get(state["placer"]["address"], f"/shoes/{placer.commitment}?from={start}")
            answer = self._read(form, placer)
        except (FairshoeError, OSError, ValueError, KeyError, TypeError, LookupError) as error:
            said = error.what if isinstance(error, FairshoeError) else f"{error!r}"[:200]
            self.unheard = f"what {placer.name} signed is not compared: {said}"
            self._away = time.monotonic()
            return None
        self.unheard = ""
        self._forms = [*self._forms[-7:], form]
        return answer

    def _read(self, form: Form, placer: LoggedPlacer) -> PlacerAnswer:
        """Return the placer's signed note, and the house's signed questions."""
        lines = open_note(form["note"], verifier_of(placer.key)).split("\n")
        if lines[0] != CHAIN or lines[2] != placer.commitment:
            raise VerificationError("a note about something else", where=placer.name)
        house = self._checkpoints.house
        questions = [parse_question(open_note(question, house)) for question in form["questions"]]
        return PlacerAnswer(int(lines[3]), bytes.fromhex(lines[4]), questions)

    def _get(self, address: str, path: str) -> Form:
        if not address:
            raise Unreachable("the house does not say where it answers")
        if self._connection is None or self._address != address:
            self.close()
            self._connection, self._address = Connection(address, None, None, False, ANSWER_SECONDS), address
        with self._connection.answer("GET", path) as response:
            data = response.read(MAX_ANSWER + 1)
            if response.status != 200 or len(data) > MAX_ANSWER:
                raise Unreachable(f"it answers {response.status}, with {len(data)} bytes", where=address)
        form: Form = json.loads(data)
        return form

    def keep(self, state: Form, openings: Sequence[Any] = ()) -> str:
        """Write the signed questions and notes, and what was shown beside them; gives the file's name."""
        if self._book.path is None:
            return ""
        path = self._book.path.with_name(self._book.path.name + PLACED)
        shown = {name: state.get(name) for name in ("at", "log", "shoe", "round", "last")}
        with open_lines(path) as file:
            append(file, *self._forms, {"shown": shown, "openings": list(openings)})
        return str(path)


def keep_answer(book: SeatBook, sent: Form, receipt: str | None) -> None:
    """Keep an answer that a player who places sent, with the house's receipt, for `fairshoe-audit verify --notes`."""
    if book.path is not None:
        with open_lines(book.path.with_name(book.path.name + PLACED)) as file:
            answer = {"questions": [sent["question"]], "given": sent["given"], "note": sent["note"]}
            append(file, answer | {"answer_receipt": receipt})


class PlacementMismatch(VerificationError):
    """A state shows something else than was sent, logged or signed."""
