"""One hand of a log: the audit with another ending.

`watch` finds rounds while the whole log is audited, `outcome` says what that comes to, `holding` compares with what the
player holds, `text` and `form` tell it to people and programs, `listing` lists rounds by player and time.
"""
