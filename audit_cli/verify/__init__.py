"""The audit of a log: `run` checks what stands around it (`evidence`) and walks through its entries (`walk`, `kinds`);
what is wrong becomes `findings`."""
