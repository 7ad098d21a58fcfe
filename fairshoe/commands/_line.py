"""What the commands share: options, and an error's text for a person."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..errors import FairshoeError


class Parser(argparse.ArgumentParser):
    """Options take the next word as their value whatever it looks like: an id may begin with `-`."""

    def __init__(self, **kwargs: Any) -> None:
        self._valued: set[str] = set()
        super().__init__(**{**kwargs, "allow_abbrev": False})

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        action = super().add_argument(*args, **kwargs)
        if action.nargs is None:
            self._valued.update(name for name in action.option_strings if name.startswith("--"))
        return action

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            return "--"  # which argparse drops before Python 3.13
        return super()._get_values(action, arg_strings)

    def glued(self, words: Sequence[str]) -> list[str]:
        """`--shoe -x` as `--shoe=-x`, for every option with one value."""
        result: list[str] = []
        rest = iter(words)
        for word in rest:
            value = next(rest, None) if word in self._valued else None
            result.append(word if value is None else f"{word}={value}")
            if word == "--":
                result.extend(rest)
        return result


class Once(argparse.Action):
    """An option that may be given once: of two values, none is dropped silently."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any) -> None:
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{self.option_strings[0]} is given twice")
        setattr(namespace, self.dest, values)


def explain(error: FairshoeError) -> str:
    """A few lines: what, where, expected, what to do."""
    lines = [f"fairshoe: {error.what}"]
    lines += [f"  where:    {error.where}"] if error.where else []
    lines += [f"  expected: {error.expected}"] if error.expected else []
    lines += [f"  remedy:   {error.remedy}"] if error.remedy else []
    return "\n".join(lines)
