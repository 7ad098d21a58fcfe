"""A key is one request's of a caller: the database holds it too."""

from __future__ import annotations

from alembic import op

revision, down_revision = "7", "6"


def upgrade() -> None:
    op.drop_index("answers_of", "answers")
    op.create_index("answers_of", "answers", ["whose", "asked"], unique=True)
