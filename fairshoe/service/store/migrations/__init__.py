"""How the tables of an older database are brought up to date: revisions of Alembic, in `versions`, each named by the
version that it makes. A new database is made by `schema` alone."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from ..schema import VERSION, read_version, write_meta


def bring_up(connection: Connection, version: str = VERSION) -> None:
    """Migrate a database to a `version` in one transaction. Alembic is imported here, since few starts need it."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    here = read_version(connection) or "base"
    revisions = ScriptDirectory(Path(__file__).parent).iterate_revisions(version, here)
    with Operations.context(MigrationContext.configure(connection)):
        for revision in reversed(list(revisions)):
            revision.module.upgrade()
    write_meta(connection, "version", version.encode())
