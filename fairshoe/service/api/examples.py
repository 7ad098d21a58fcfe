"""An example for every body and every answer, by the schema's name; the tests hold them against the schemas."""

from __future__ import annotations

from typing import Any

HASH = "474108ac7ce901b12adc8d0e15b5528b40699df09fae9c984b7dbae601a02dae"
SEED = "8d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b364"
AT = "2026-11-21T20:00:00.000007Z"
ALICE = {"seat": 1, "player": "alice", "name": "Алиса Л."}
ROUND_CHOICE = {
    "do": "decisions",
    "about": "round",
    "round": 2,
    "step": 0,
    "moves": [{"move": "hit"}, {"move": "stand"}, {"move": "double"}],
    "default": {"move": "stand"},
}
LAST = {
    "v": 1,
    "kind": "round",
    "at": AT,
    "shoe": "t1/1",
    "round": 1,
    "pos": 0,
    "cards": ["4c", "8s", "7d", "4d", "7h"],
    "dealer": {"cards": [1, 3, 4], "total": 19},
    "hands": [{"bet": 10, "cards": [0, 2], "net": -10, "outcome": "lose", "seat": 1, "total": 11}],
    "decisions": [{"move": "stand", "seat": 1}],
    "chips": {"1": 990, "house": 10},
}
SHOE = {
    "shoe": "t1/1",
    "commitment": "93db100643aaee94e3d474565f48ab2ecf2f09c61ff7e97758dbad7de292dc1c",
    "deck": "french:6",
    "cards": 312,
    "draws": {"cut": 312, "insert": 16},
    "roster": ["alice"],
    "cutter": "alice",
    "purpose": None,
    "hashed": ["alice"],
    "hashes": {"alice": HASH},
    "opened": ["alice"],
    "opens": [],
    "struck": [],
    "sealed": True,
    "waived": [],
    "position": 5,
    "burned": [],
    "reshuffled": 0,
}
VIEW = {
    "chips": {"house": 10, "1": 980},
    "dealer": {"cards": ["Kd", None], "total": None},
    "hands": [{"cards": ["5c", "6h"], "total": 11, "bet": 10, "box": 1, "seat": 1}],
    "over": False,
    "turn": 1,
    "hand": 0,
    "moves": ROUND_CHOICE["moves"],
    "step": 0,
}
TABLE: dict[str, Any] = {
    "table": "t1",
    "rules": "casino",
    "options": {"packs": 6, "minimum": 2, "maximum": 500, "insert": 60},
    "policy": {"hash": 30, "seed": 30, "cut": 30, "bet": 60, "decision": 30, "shoe": 86_400},
    "phase": "round",
    "at": AT,
    "log": 10,
    "closed": False,
    "chairs": 7,
    "seats": [ALICE],
    "chips": {"house": 10, "1": 990},
    "bank": "house",
    "rounds": 2,
    "owed": {},
    "deadlines": {"decision": "2026-11-21T20:00:30.000007Z"},
    "evicted": [],
    "shoe": SHOE,
    "bets": None,
    "round": {"round": 2, "bets": [{"amount": 10, "seat": 1}], "view": VIEW, "reshuffled": [], "burned": []},
    "last": LAST,
    "verify": "/v1/rounds/t1%231/verify",
    "you": {"seat": 1, "player": "alice", "expects": [ROUND_CHOICE]},
}
LINE = {"table": "t1", "rules": "casino", "phase": "round", "chairs": 7, "seats": [ALICE]}

BODIES: dict[str, dict[str, Any]] = {
    "Nothing": {},
    "NewTable": {"table": "t1", "rules": "casino", "options": {"packs": 8}, "policy": {"bet": 90, "decision": 45}},
    "NewInvitation": {"seconds": 3600},
    "SeatToken": {"token_sha256": HASH},
    "NewSeat": {"player": "alice", "amount": 1000, "token_sha256": HASH, "name": "Алиса Л."},
    "ChipsMove": {"op": "cash-out", "leave": True},
    "Hash": {"hash": HASH, "cut": 100},
    "Seed": {"seed": SEED},
    "Bets": {"round": 2, "bets": [{"amount": 10}]},
    "Decision": {"round": 2, "step": 0, "move": "stand"},
    "EvictPlayer": {"seat": 1},
    "RefundPlayer": {"player": "alice", "game": 1, "why": "round"},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "TableState": TABLE,
    "Invitation": {"invitation": "sVt1cOq5v0uH2mWl7yXn3Q", "ends": "2026-11-21T21:00:00.000000Z"},
    "HandProof": {
        "v": 1,
        "kind": "fairshoe hand proof",
        "round": "t1#1",
        "checkpoint": "fairshoe.local/5c6d9f186da14e19\n…\n",
        "entries": [{"index": 0, "line": '{"at":"…","kind":"table","table":"t1","v":1}', "path": []}],
    },
    "Tables": {"tables": [LINE]},
    "Index": {
        "service": "fairshoe 0.1.0",
        "log": "fairshoe.local/5c6d9f186da14e19",
        "documentation": "/docs",
        "openapi": "/openapi.json",
        "tables": "/v1/tables",
        "verify": "/verify",
    },
}
NOTE = (
    "fairshoe.local/5c6d9f186da14e19\n2\n3kMwDmDLsoDBTSGMPFZLXdUAvi8JY0zzT1fEXh9KoG0=\n\n"
    "— fairshoe.local/5c6d9f186da14e19 ECvslvFa5Y4rDMULryZAnFWwBd6VDtj98xwUfmOU6Au1+B/EByhLE+AMzQY0EhzvmVb1lWwS4CtU\n"
)
TEXTS: dict[str, str] = {
    "read_log": f'{{"at":"{AT}","kind":"close","table":"t1","v":1}}\n',
    "read_checkpoint": NOTE,
    "read_receipt_key": "fairshoe receipt key v1\n…\n",
    "verify_round": '<!doctype html>\n<html lang="en"><head>\n…\n</body></html>\n',
    "read_verifier": "fairshoe.local/5c6d9f186da14e19+102becb6+AdQe5mrkEY8yC0LZsA6nWJZ4sfo1MPhp\n",
}
"""Answers that are not JSON objects, by the operation's id."""
