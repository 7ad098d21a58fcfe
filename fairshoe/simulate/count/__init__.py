"""Many rounds of a game by a reference strategy, counted.

Everything follows from one master key. Rounds are played in blocks of `BLOCK`, each at a fresh table;
shoe s of block b has the key HMAC-SHA256(master, "block b shoe s"), a first banker's shoe "block b bank s",
and the strategy `random` chooses by the stream of "block b choices". So neither the number of processes
nor their order changes a result.

Chips never run out: every round starts with full purses, and a full pool.
"""
