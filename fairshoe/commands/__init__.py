"""The commands of `fairshoe`, one file each: `cli`, made with `fairshoe.terminal.commands.command`."""

from ..placer import ABOUT as PLACER

COMMANDS = {
    "backup": "Copy a running house into a new directory: its database, checked, and the checkpoint that it reaches.",
    "demo": "Play rounds on a real service with bots, reveal every key, and audit the log.",
    "keys": "Exchange the master key (rotate); make new tokens (token).",
    "placer": PLACER,
    "play": "Play at a house's tables in the terminal; each hand is checked.",
    "pull": "Fetch a house's log into a directory for fairshoe-audit, or only what is new of it.",
    "raffle": "A raffle that anybody checks: announce, draw, check, page.",
    "restore": "Make a house again from a backup, or check one.",
    "serve": "Run the service: tables, shoes and rounds over HTTP.",
    "shuffle": "Print the shuffle that a key, a deck and the contributions give.",
    "simulate": "Play many rounds by a reference strategy and count what happens, or write an honest house's log.",
    "verify": "Check a proof that a house published at the reveal.",
}
"""What each command does: `--help` lists them without loading one."""
