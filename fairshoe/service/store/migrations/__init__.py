"""How the tables of an older database are brought up to date: revisions of Alembic, in `versions`, each named by the
version that it makes. A new database is made by `schema` alone."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from .. import schema

HERE = Path(__file__).parent


def bring_up(connection: Connection) -> None:
    """Migrate a database in one transaction. Alembic is imported here, since few starts need it."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    revisions = ScriptDirectory(HERE).iterate_revisions(schema.VERSION, schema.read_version(connection))
    with Operations.context(MigrationContext.configure(connection)):
        for revision in reversed(list(revisions)):
            revision.module.upgrade()
    schema.write_meta(connection, "version", schema.VERSION.encode())
