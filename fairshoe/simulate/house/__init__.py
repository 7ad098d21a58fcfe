"""A simulated honest house: tables played by simulated players on a simulated clock, and the log that they give.

Everything follows from one master key. The key of a shoe is HMAC-SHA256(master, "key SHOE"), a player's seed
HMAC-SHA256(master, "seed SHOE PLAYER"), what players choose comes from the stream of "choices TABLE". Each table has a
clock of its own whose moments no other table's has, so that the log, ordered by time, is the same in one process or
several. The log's signing key follows from the master key and the whole plan: no two logs are signed by one key.

The order of the steps is played here; what each of them may and must say is asked of `fairshoe.ceremony`.
"""
