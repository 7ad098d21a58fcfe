"""The auditor's commands, one file each: `cli`, made with `fairshoe.terminal.commands.command`."""

COMMANDS = {
    "consistency": "Say whether a log has the tree heads of two checkpoints, and prove that one extends the other.",
    "explain": "Explain a finding's code, or list all codes; `limits`: what no audit can show.",
    "foreign": "Check a hand of another house against the seeds that it revealed: commitment, result, payout.",
    "fork": "Show that two checkpoints signed by one house contradict each other, in a file that needs no log.",
    "hand": "Show one hand, card by card, with the arithmetic, and compare it with your receipts; or list hands.",
    "placed": "Say who is at fault where a house and a placer disagree.",
    "prove": "Make one hand's proof file, which the house's key alone is enough to check; or the page that checks it.",
    "receipt": "Say whether the log agrees with the receipts that a player kept.",
    "recheck": "Hold a reviewer's signed report against its logs again.",
    "refunds": "List the buy-ins that the house owes back for rounds that it got wrong.",
    "report": "Audit logs, count beside it what only numbers show, and write one report for people and for programs.",
    "verify": "Replay a whole log and report what does not hold.",
}
"""What each command does: `--help` lists them without loading one."""
