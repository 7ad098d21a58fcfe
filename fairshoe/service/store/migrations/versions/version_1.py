"""The tables of the first release, which `schema` makes."""

from __future__ import annotations

revision, down_revision = "1", None
