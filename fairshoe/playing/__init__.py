"""A table played in the terminal: `fairshoe play URL`.

What may be done comes from the service (`expects`), what must be sent and guarded from `fairshoe.client`, whether a
hand holds from the auditor: here keys and pictures are made of it, and no rule of any game is known.
"""
