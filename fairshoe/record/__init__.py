"""Where engine and log meet: shoes, rounds, the bank and chips as entries, and back. See docs/log.md."""
