"""A table in the terminal: `fairshoe play URL`. What is legal, and when, is what the house says in `you.expects`; what
leaves this machine goes through `fairshoe.client`."""
