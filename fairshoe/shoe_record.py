"""A shoe of one's own game with its record: each step is stored, then published as a note (docs/embedding.md).
`check_record` replays kept notes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as changed
from pathlib import Path
from typing import Any, NamedTuple

from .errors import InputError, RuleError, VerificationError
from .protocol.beacons import BeaconRound, drand_quicknet, randomness_of
from .protocol.commitment import key_of_hex
from .protocol.committed_shoe import Committed, commit
from .protocol.openings import Opening
from .protocol.placed_shoe import KeyPlaces, SecondDealer, seal_placed
from .protocol.proof import Proof
from .protocol.saved_shoe import keep, resume
from .protocol.shoe import OTHER_SHOE, Sealed, seal
from .protocol.text import check_decimal, check_id, is_list, type_name
from .protocol.transcript import CROWD, MAX_CONTRIBUTORS, PlacerCommitment
from .protocol.verify import Verified, verify
from .terminal.durable import lock, replace

Note = dict[str, Any]
HOUSE = "house"
LIMIT_SECONDS = 60
FORMS: list[set[str]] = [
    *({"player", "hash"}, {"player", "seed"}, {"struck"}, {"cards_root", "signature"}),
    *({"pos", "cards"}, {"pos", "hidden", "to"}, {"position", "shown"}, {"draw", "value"}, {"gathered", "cut"}),
]
"""The fields of the notes between the commitment and the end."""
FIRST = {"shoe", "commitment", "deck", "draws", "roster", "cut", "beacon", "placer", "limit", "voids"}
ENDS: list[set[str]] = [{"proof"}, {"void", "heard", "key", "voids"}]
COUNTS = ("n", "at", "limit", "pos", "hidden", "position", "value")
"""Fields of notes that are integers from 0."""
STORED = ("notes", "roster", "voids", "published", "due", "limit", "game")


class Record:
    """A shoe, its notes and its time limits, in a file. `Record.commit` begins one, `Record.resume` goes on after a
    crash. Not for several threads; a second process is refused.

    `publish` is called with each note once it is stored, and after a crash again with those that nobody may have seen:
    a note has its number in `n`, and when it was in `at`, in seconds since 1970. `game` is stored with each step: any
    value that JSON has. `voids` counts by player the shoes that became void for want of a seed: all of them, and those
    where the player had heard another's seed before.

    Attributes: `shoe` (Committed or Sealed), `notes`, `roster` (who contributes, without those struck), `due` (the end
    of the time limit, in seconds since 1970), `limit` (in seconds), `voids`, `game`.
    """

    def __init__(self, file: Path, secret: bytes, publish: Callable[[Note], object], now: Callable[[], float]) -> None:
        self.file, self._secret, self._publish, self._now = Path(file), secret, publish, now
        self._lock = self.file.with_name(f"{self.file.name}.lock").open("wb")
        if not lock(self._lock.fileno()):
            self._lock.close()
            raise RuleError("another process has this record", where=str(file), remedy="wait for it to end")
        self.shoe: Committed | Sealed
        self.notes: list[Note] = []
        self.roster: list[str] = []
        self.voids: dict[str, list[int]] = {}
        self.published = self.due = self.limit = 0
        self.game: Any = None

    @classmethod
    def commit(
        cls,
        file: Path,
        secret: bytes,
        shoe: str,
        deck: Sequence[str],
        roster: Sequence[str] = (),
        *,
        publish: Callable[[Note], object],
        draws: Mapping[str, int] | None = None,
        beacon: BeaconRound | None = None,
        placer: SecondDealer | None = None,
        cut: int = 0,
        limit: int = LIMIT_SECONDS,
        now: Callable[[], float] = time.time,
    ) -> Record:
        """Commit to a shoe. `roster` are those who contribute, `limit` is the time for all hashes, and for each seed,
        in seconds; `secret` is for `keep`. A file of a shoe that is over hands on its `voids` and `game`. RuleError:
        its shoe is live. OSError."""
        record = cls(file, secret, publish, now)
        try:
            if record.file.exists():
                record._load()
                if not record.ended:
                    raise RuleError("a shoe is live", where=str(file), remedy="resume it; void it if need be")
            record.roster = _check_roster(roster)
            record.limit = check_decimal(limit, "limit", low=1)
            record.notes, record.published = [], 0
            at = record._time()
            record.shoe = made = commit(shoe, deck, draws=draws, beacon=beacon, placer=placer)
            made.fix_cut(cut)
            _check_after_limits(made.promised, at, limit, record.roster)
        except BaseException:
            record.close()
            raise
        said: Note = {"shoe": made.shoe, "commitment": made.commitment, "deck": list(made.deck), "draws": made.draws}
        said |= {"roster": record.roster[:], "cut": cut, "beacon": beacon and beacon.number, "placer": made.placer}
        record._step(said | {"limit": limit, "voids": record.voids}, at, restarts=True)
        return record

    @classmethod
    def resume(
        cls,
        file: Path,
        secret: bytes,
        *,
        publish: Callable[[Note], object],
        placer: SecondDealer | None = None,
        now: Callable[[], float] = time.time,
    ) -> Record:
        """Go on from the file. InputError: it is none, or its secret or placer is another. OSError."""
        record = cls(file, secret, publish, now)
        try:
            record.shoe = resume(record._load(), secret, placer=placer)
        except BaseException:
            record.close()
            raise
        record._tell()
        return record

    def _load(self) -> bytes:
        """Take over what the file has, and return the shoe as `keep` gave it."""
        try:
            state = json.loads(self.file.read_text(encoding="utf-8"))
            vars(self).update({name: state[name] for name in STORED})
            return bytes.fromhex(state["shoe"])
        except (ValueError, LookupError, TypeError):
            raise InputError("not a record", where=str(self.file), expected="what Record.commit made") from None

    def close(self) -> None:
        """Let another process have the file."""
        self._lock.close()

    def save(self) -> None:
        """Store `game` without a step."""
        state = {name: getattr(self, name) for name in STORED} | {"shoe": keep(self.shoe, self._secret).hex()}
        replace(self.file, json.dumps(state), mode=0o600)

    def _time(self) -> int:
        """Return the present second, no earlier than the last note. Read it once for a step: its checks and its note
        have the same."""
        return max(int(self._now()), self.notes[-1]["at"] if self.notes else 0)

    def _step(self, note: Note, at: int | None = None, *, restarts: bool = False) -> None:
        at = self._time() if at is None else at
        self.notes.append({"n": len(self.notes), "at": at} | json.loads(json.dumps(note)))
        if restarts:
            self.due = at + self.limit
        self.save()
        self._tell()

    def _tell(self) -> None:
        for note in self.notes[self.published :]:
            self._publish(note)
            self.published += 1

    @property
    def ended(self) -> bool:
        """Whether the shoe is revealed or void."""
        return bool(self.notes) and ("proof" in self.notes[-1] or "void" in self.notes[-1])

    @property
    def waits_for(self) -> tuple[str, ...]:
        """Whose hash or seed is waited for now; they have until `due`."""
        if self.ended or isinstance(self.shoe, Sealed):
            return ()
        return _unhashed(self.roster, self.shoe) or self.shoe.opens[:1]

    def pledge(self, player: str, sha256: str) -> None:
        """Take the hash of a seed; the same again changes nothing. RuleError: not in the roster, or too late."""
        shoe = self._open("pledge")
        if shoe.pledges.get(player) == sha256:
            return
        if player not in self.roster:
            raise RuleError(f"{player} is not in the roster", where="pledge", expected=" ".join(self.roster))
        at = self._in_time(player)
        shoe.pledge(player, sha256)
        self._step({"player": player, "hash": sha256}, at, restarts=not _unhashed(self.roster, shoe))

    def contribute(self, player: str, seed: bytes) -> None:
        """Take a seed, in the order of `waits_for`; the same again changes nothing. RuleError: too early or late."""
        shoe = self._open("contribute")
        _check_hashed(self.roster, shoe)
        opened = len(shoe.seeds)
        at = self._in_time(player) if player in self.waits_for else self._time()
        if player not in dict(shoe.seeds):
            _check_seed(shoe, self.roster, player, at)
        shoe.contribute(player, seed)
        if len(shoe.seeds) > opened:
            self._step({"player": player, "seed": seed.hex()}, at, restarts=True)

    def enforce(self) -> bool:
        """Act on a time limit that has ended, and return whether anything did: silent players and the first closed seed
        are struck; later the shoe is void."""
        late, at = self.waits_for, self._time()
        if not late or at < self.due:
            return False
        shoe = self._open("enforce")
        left = [who for who in self.roster if who not in late]
        if shoe.seeds or not left or _is_out(shoe.promised, at):
            self._void(late, at)
            return True
        _strike(shoe, late)
        self.roster = left
        self._step({"struck": list(late)}, at, restarts=True)
        return True

    def seal(self, signature: str | None = None) -> None:
        """Fix the order, with the signature of the beacon's round if one was named. RuleError: a seed is missing."""
        shoe = self._open("seal")
        if self.waits_for:
            raise RuleError(f"{self.waits_for[0]} is waited for", where="seal", remedy="wait, or call enforce()")
        self.shoe = sealed = shoe.seal(signature=signature)
        self._step({"cards_root": sealed.cards_root, "signature": signature})

    def draw(self, count: int = 1, *, to: str | None = None) -> list[str]:
        """Draw cards; those `to` a player are not published: send that player `open` of each."""
        shoe = self._live("draw")
        pos = shoe.position
        if to is not None:
            check_id(to, "to")
            if shoe.cards_root is None:
                raise RuleError("cards of a reshuffle have no openings", where="draw", remedy="draw in public")
        labels = shoe.draw(count)
        self._step({"pos": pos} | ({"cards": labels} if to is None else {"hidden": count, "to": to}))
        return labels

    def open(self, position: int) -> Opening:
        """Return the opening of a card that was drawn. RuleError: it was not."""
        shoe = self._live("open")
        if check_decimal(position, "position") >= shoe.position:
            raise RuleError("this card is not drawn", where="open", expected=f"a position below {shoe.position}")
        return shoe.open(position)

    def show(self, position: int) -> str:
        """Publish a hidden card."""
        opening = self.open(position)
        self._step({"position": position, "shown": opening.form})
        return opening.label

    def number(self, name: str) -> int:
        """Publish the value of a named draw."""
        value = self._live("number").number(name)
        self._step({"draw": name, "value": value})
        return value

    def reshuffle(self, gathered: Sequence[int], *, cut: bool = True) -> None:
        """Gather cards, by their indexes in the deck, and shuffle them anew (`Sealed.reshuffle`)."""
        shoe = self._live("reshuffle")
        shoe.reshuffle(gathered, cut=cut)
        self._step({"gathered": shoe.reshuffles[-1].gathered, "cut": cut})

    def reveal(self) -> Proof:
        """Publish the key, in a proof that anybody checks: the shoe is over."""
        proof = self._live("reveal").reveal()
        self._step({"proof": json.loads(proof.to_json())})
        return proof

    def void(self) -> None:
        """Make the shoe void for a reason of the house, which is counted; the key is published."""
        self._still_on("void")
        self._void((HOUSE,))

    def _void(self, by: Sequence[str], at: int | None = None) -> None:
        heard = [who for who, _ in (self.shoe.first_transcript if isinstance(self.shoe, Sealed) else self.shoe).seeds]
        self.voids = _count_void(self.voids, by, heard)
        self._step({"void": list(by), "heard": heard, "key": self.shoe._key.hex(), "voids": self.voids}, at)

    def _in_time(self, player: str) -> int:
        """Return the present second. RuleError: the player is too late."""
        if (at := self._time()) >= self.due:
            raise RuleError(f"{player} is too late", where="time", remedy="call enforce()")
        return at

    def _still_on(self, where: str) -> None:
        if self.ended:
            raise RuleError("the shoe is over", where=where, remedy=OTHER_SHOE)

    def _open(self, where: str) -> Committed:
        self._still_on(where)
        if isinstance(self.shoe, Sealed):
            raise RuleError("the shoe is sealed", where=where, remedy=OTHER_SHOE)
        return self.shoe

    def _live(self, where: str) -> Sealed:
        self._still_on(where)
        if isinstance(self.shoe, Committed):
            raise RuleError("the shoe is not sealed yet", where=where, remedy="call seal() first")
        return self.shoe


def _check_roster(roster: Sequence[str]) -> list[str]:
    if not is_list(roster):
        raise InputError(f"{type_name(roster)} is no roster", where="roster", expected="a list of ids")
    if len(roster) > MAX_CONTRIBUTORS:
        what, expected = f"{len(roster)} contributors", f"at most {MAX_CONTRIBUTORS}"
        raise InputError(what, where="roster", expected=expected, remedy=CROWD)
    ids = [check_id(who, "roster") for who in roster]
    if len({*ids, HOUSE}) <= len(ids):
        raise InputError(f"a player twice, or {HOUSE!r}", where="roster", expected="each player once")
    return ids


def _count_void(voids: Mapping[str, Sequence[int]], by: Sequence[str], heard: Sequence[str]) -> dict[str, list[int]]:
    """Return the counts after one more void shoe."""
    counted = {who: list(counts) for who, counts in voids.items()}
    for who in by:
        all_voids, after_seeds = counted.get(who, (0, 0))
        counted[who] = [all_voids + 1, after_seeds + bool(heard)]
    return counted


def _check_not_out(beacon: BeaconRound | None, now: int, where: str) -> None:
    if _is_out(beacon, now):
        remedy = f"{OTHER_SHOE}, with a later round"
        raise RuleError("the beacon's round is out", where=where, expected="a step before it", remedy=remedy)


def _check_after_limits(beacon: BeaconRound | None, now: int, limit: int, roster: Sequence[str]) -> None:
    """Raise RuleError if the round comes out before the time for all hashes and each seed is over (in seconds)."""
    _check_not_out(beacon, now, "beacon")
    limits = limit * (len(roster) + 1) if roster else 0
    if _is_out(beacon, now + limits):
        expected, remedy = f"one over {limits} seconds ahead", "name a later round, or a shorter limit"
        raise RuleError("the round is out before the time limits end", where="beacon", expected=expected, remedy=remedy)


def _is_out(beacon: BeaconRound | None, now: int) -> bool:
    """Whether the order may be known: nothing that changes it may be done any more."""
    return beacon is not None and beacon.time <= now


def _check_seed(shoe: Committed, roster: Sequence[str], player: str, now: int) -> None:
    """With a beacon a seed is of the roster, and opened before its round is out."""
    _check_not_out(shoe.promised, now, "contribute")
    if shoe.promised is not None and player not in roster:
        raise RuleError(f"{player} is not in the roster", where="contribute", expected=" ".join(roster))


def _unhashed(roster: Sequence[str], shoe: Committed) -> tuple[str, ...]:
    return tuple(who for who in roster if who not in shoe.pledges)


def _check_hashed(roster: Sequence[str], shoe: Committed) -> None:
    if missing := _unhashed(roster, shoe):
        remedy = "wait for it; enforce() strikes who is late"
        raise RuleError(f"{missing[0]} has sent no hash", where="contribute", remedy=remedy)


def _strike(shoe: Committed, late: Sequence[str]) -> None:
    for who in late:
        if who in shoe.pledges:
            shoe.strike(who)


class CheckedRecord(NamedTuple):
    """A record that holds. `verified`: None if the shoe is void; `voids`: as the last note of a void shoe, or the
    first."""

    verified: Verified | None
    voids: dict[str, list[int]]


def check_record(notes: Sequence[Note], *, seeds: Mapping[str, bytes] | None = None) -> CheckedRecord:
    """Replay the notes that you kept as they came, up to the shoe's end; one may have come again. `seeds`: your own.
    Raises VerificationError, of which StepFailed names a step of docs/protocol.md section 10. InputError: these are no
    notes of a whole shoe."""
    if seeds is not None and not isinstance(seeds, Mapping):
        raise InputError(f"{type_name(seeds)} is no mapping", where="seeds", expected="your id, and your seed")
    kept: dict[int, Note] = {}
    n = 0
    try:
        for note in notes:
            n = check_decimal(note["n"], "n")
            _same(note, kept.setdefault(n, note), f"note {n}")
        _same([*kept], [*range(len(kept))], "notes")
        first, last = kept[0], kept[len(kept) - 1]
        proof = None if "void" in last else Proof.from_json(json.dumps(last["proof"]))
        for n, note in kept.items():
            forms = [FIRST] if note is first else ENDS if note is last else FORMS
            if set(note) not in [{*form, "n", "at"} for form in forms]:
                raise InputError("no step of a record", where=f"note {n}")
            _check_counts(note, kept[max(n - 1, 0)]["at"])
        n = 0
        key = proof.key if proof else key_of_hex(last["key"])
        beacon = None if first["beacon"] is None else drand_quicknet(first["beacon"])
        shoe = Committed(key, first["shoe"], first["deck"], first["draws"], beacon=beacon)
        _same(shoe.commitment, first["commitment"], "commitment")
        shoe.fix_cut(first["cut"])
        roster, sealed, signature = _check_roster(first["roster"]), None, None
        _check_after_limits(beacon, first["at"], first["limit"], roster)
        due = first["at"] + first["limit"]
        for note in [*kept.values()][1:-1]:
            n = note["n"]
            if "cards_root" in note and sealed is None:
                _check_hashed(roster, shoe)
                if proof is None and first["placer"] is not None:
                    break  # where the cards lie nobody knows but the placer
                signature = note["signature"]
                sealed = _seal_again(shoe, key, signature, first["placer"], proof)
                _same(sealed.cards_root, note["cards_root"], "cards_root")
            elif sealed is not None:
                _replay(sealed, note)
            else:
                roster = _contribute(shoe, roster, note, due)
                if "hash" not in note or not _unhashed(roster, shoe):
                    due = note["at"] + first["limit"]
        if proof is None:
            n, waited = last["n"], _waited(roster, shoe)
            _same(last["void"] in ([HOUSE], waited or [HOUSE]), True, "void")
            if last["void"] != [HOUSE]:
                _check_late(last, due)
            _same(last["heard"], [who for who, _ in shoe.seeds], "heard")
            _same(last["voids"], _count_void(first["voids"], last["void"], last["heard"]), "voids")
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError("no note of a record", where=f"note {n}", expected="what was published, in order") from None
    except (InputError, RuleError) as error:
        raise VerificationError(error.what, where=f"note {n}", expected=error.expected) from None
    for who, seed in (seeds or {}).items():
        _same(dict(shoe.seeds).get(who), seed, f"seed of {who}")
    if proof is None:
        return CheckedRecord(None, last["voids"])
    found = verify(proof, commitment=first["commitment"], signature=signature)
    _same(proof, None if sealed is None else changed(sealed.reveal(), placer=proof.placer), "proof")
    return CheckedRecord(found, first["voids"])


def _check_counts(note: Note, since: int) -> None:
    """Raise InputError if a note's numbers are no counts, or its time is before `since`, the note's before it."""
    for name in (name for name in COUNTS if name in note):
        check_decimal(note[name], name, low={"at": since, "limit": 1}.get(name, 0))
    for who, (all_voids, after_seeds) in note.get("voids", {}).items():
        check_id(who, "voids")
        check_decimal(after_seeds, "voids", high=check_decimal(all_voids, "voids"))
    check_id(note.get("to", HOUSE), "to")


def _waited(roster: Sequence[str], shoe: Committed) -> list[str]:
    return list(_unhashed(roster, shoe) or shoe.opens[:1])


def _check_late(note: Note, due: int) -> None:
    """Raise VerificationError if a note follows from a time limit that had not ended, by the times of the notes."""
    if note["at"] < due:
        raise VerificationError("before the time limit ended", where=f"note {note['n']}", expected=f"at {due} or later")


def _contribute(shoe: Committed, roster: list[str], note: Note, due: int) -> list[str]:
    """Take a step before the seal, and return the roster after it."""
    if "hash" in note:
        _same(note["player"] in roster, True, f"note {note['n']}")
        _check_not_out(shoe.promised, note["at"], "pledge")
        shoe.pledge(note["player"], note["hash"])
    elif "seed" in note:
        _check_hashed(roster, shoe)
        _check_seed(shoe, roster, note["player"], note["at"])
        shoe.contribute(note["player"], bytes.fromhex(note["seed"]))
    else:
        late = _waited(roster, shoe)
        _same(note["struck"], late, f"note {note['n']}")
        _same(bool(shoe.seeds) or set(roster) <= {*late}, False, f"note {note['n']}")
        _check_late(note, due)
        _check_not_out(shoe.promised, note["at"], "struck")
        _strike(shoe, late)
        return [who for who in roster if who not in late]
    return roster


def _seal_again(
    shoe: Committed, key: bytes, signature: str | None, placer: Sequence[str] | None, proof: Proof | None
) -> Sealed:
    if shoe.opens:
        raise VerificationError(f"sealed without the seed of {shoe.opens[0]}", where="seeds", expected="each seed")
    _same(signature is None, shoe.promised is None, "signature")
    beacon = None if shoe.promised is None else randomness_of(shoe.promised, signature or "")
    given: dict[str, Any] = {"key": key, "shoe": shoe.shoe, "deck": shoe.deck, "draws": shoe.draws}
    given |= {"seeds": shoe.seeds, "beacon": beacon, "cut": shoe.cut}
    if placer is None:
        return seal(**given)
    places = KeyPlaces(b"" if proof is None or proof.placer is None else proof.placer.key)
    return seal_placed(**given, placer=PlacerCommitment(*placer), placing=places)


def _replay(sealed: Sealed, note: Note) -> None:
    if "pos" in note:
        _same(sealed.position, note["pos"], f"note {note['n']}")
        labels = [sealed.draw() for _ in range(note["hidden"] if "hidden" in note else len(note["cards"]))]
        _same(labels, note.get("cards", labels), f"note {note['n']}")
    elif "shown" in note:
        _same(sealed.open(note["position"]).form, note["shown"], f"note {note['n']}")
    elif "draw" in note:
        _same(sealed.number(note["draw"]), note["value"], f"note {note['n']}")
    elif "gathered" in note:
        sealed.reshuffle(note["gathered"], cut=note["cut"])
    else:
        raise VerificationError("a step from before the seal", where=f"note {note['n']}")


def _same(found: Any, expected: Any, where: str) -> None:
    if found != expected:
        raise VerificationError(f"{found!r:.200}", where=where, expected=f"{expected!r:.200}")
