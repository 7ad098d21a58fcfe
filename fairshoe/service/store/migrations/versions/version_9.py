"""A shoe in a table's state has its course and stage, in place of when its hashes came and its opening began."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision, down_revision = "9", "8"
TABLES = sa.table("tables", sa.column("id", sa.String), sa.column("state", sa.Text))
MANY_ROUNDS = ("casino", "pontoon")


def upgrade() -> None:
    connection = op.get_bind()
    for name, text in connection.execute(sa.select(TABLES)).all():
        try:
            state = staged(json.loads(text))
        except (ValueError, KeyError, TypeError):
            continue  # what cannot be read is told of when the house is opened
        new = json.dumps(state, separators=(",", ":"))
        connection.execute(sa.update(TABLES).where(TABLES.c.id == name).values(state=new))


def staged(state: dict[str, Any]) -> dict[str, Any]:
    """Return a table's state whose shoes have their stage, of one in which they have it or not."""
    book = state["book"]
    many = book["table"]["rules"] in MANY_ROUNDS
    for shoe in (book["shoe"], *(over["shoe"] for over in book["unplaced"].values())):
        if shoe is None or "stage" in shoe:
            continue
        hashed, opening = shoe.pop("hashed"), shoe.pop("opening")
        shoe["course"] = "first banker" if shoe["purpose"] else "many rounds" if many else "one round"
        if shoe["sealed"]:
            shoe["stage"] = "draw" if shoe["purpose"] else "bet" if many and book["open"] is None else "round"
        else:
            shoe["stage"] = "seed" if opening else "bet" if hashed or shoe["alone"] else "hash"
    return state
