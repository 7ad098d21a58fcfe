"""`completion SHELL`: the script that lets a shell complete a program's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ..errors import InputError
from . import FINE

SHELLS = ("bash", "zsh", "fish")


def completion_variable(program: str) -> str:
    """The environment variable through which a shell asks the program."""
    return f"_{program.replace('-', '_').upper()}_COMPLETE"


def completion_command(program: click.Group, cls: type[click.Command]) -> click.Command:
    """The command of that program."""
    name = str(program.name)
    about = f'Print the script with which a shell completes {name}; for bash: eval "$({name} completion bash)".'

    def script(shell: str) -> int:
        found = get_completion_class(shell)
        if found is None:
            raise InputError(f"no completion for {shell}", where="SHELL", expected=", ".join(SHELLS))
        print(found(program, {}, name, completion_variable(name)).source())
        return FINE

    argument = click.Argument(["shell"], type=click.Choice(SHELLS))
    return cls("completion", callback=script, params=[argument], help=about, short_help="Print a completion script.")
