"""`fairshoe placer`: the second dealer."""

from __future__ import annotations

from ..placer.command import cli

__all__ = ["cli"]
