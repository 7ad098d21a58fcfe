"""The auditor's commands, one file each: `cli`, made with `fairshoe.terminal.commands.command`."""
