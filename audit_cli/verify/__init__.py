"""The audit of a log: `run` checks its `evidence` and walks its entries (`walk`, `kinds`), into `findings`."""
