"""Codes of findings about what stands around a log, about lines, and of several kinds of entries."""

from .finding import codes_of

# Signature, tree, what is remembered, syntax.
EVIDENCE = codes_of("""
checkpoint-missing: signature, note, unknown
  the log was copied without its checkpoint
  There is no signed checkpoint beside the log, so nobody stands for what it says.
  next: Ask the house for the checkpoint and put it beside log.jsonl; until then the log is nobody's word.
checkpoint-required: signature, unknown
  either the log was copied without its checkpoint, or somebody took it away because the log no longer fits it
  With --key or --checkpoint the log is held against what the house signed; there is no checkpoint beside it.
  next: Fetch the log again together with its checkpoint, and give the directory with both. If the house will not
  hand out a checkpoint, it does not stand for its log.
checkpoint-malformed: signature, unknown
  either the file was damaged or replaced on its way, or the house wrote something else there
  A checkpoint has an origin, a size and a base64 root, an empty line and signatures; log.vkey beside it is one
  line, name+id+base64.
  next: Fetch the file again from the house, unchanged. If it is still like this, ask the house.
key-differs: signature, unknown
  either the key or the log is another house's, or the key is an old one, or the house signs with two keys
  The checkpoint was not signed by the key that it was held against: the one given with --key, else log.vkey.
  next: Compare the two names and ids. If you took the wrong key or log, repeat with the right one; if both are
  right, the house signs with a second key: ask it why.
signature-invalid: signature, unknown
  either the checkpoint was changed after it was signed, or damaged on its way
  The checkpoint names the key, and its Ed25519 signature does not fit. It is not the house's word.
  next: Fetch the checkpoint again from the house. If it is still wrong, keep it and ask the house.
witnesses-missing: signature, unknown
  either the witnesses have not seen this checkpoint yet, or somebody shows you another log than them
  Fewer of the witnesses named with --witness cosigned the checkpoint than were asked for; each that did not is
  named, or its cosignature does not fit.
  next: Fetch the newest checkpoint that the witnesses cosigned, with its log; /v1/log/checkpoint?witnesses=N gives
  it. If there is none, ask the witnesses what they saw last of this log.
root-differs: tree, unknown
  either the file was changed after the house signed it, by whoever had it, or the house changed it itself
  The RFC 6962 tree over the entries has another root than the signed one.
  next: Fetch the log and its checkpoint again from the house, unchanged, and compare: if that copy is like this
  too, the house does not publish what it signed.
log-truncated: tree, unknown
  either the last entries were not copied, or somebody removed entries
  The signed checkpoint covers more entries than the file holds.
  next: Fetch the whole log again, together with its checkpoint. If entries are still missing, ask the house for
  them: it signed that there are more.
entries-unsigned: tree, unknown
  either the log was copied while the house went on writing, or somebody added entries
  The file holds more entries than the signed checkpoint covers; nobody stands for the rest.
  next: Fetch both again with fairshoe pull URL DIR, which takes the entries of one checkpoint. If the house signs
  no checkpoint that covers these entries, do not rely on them.
tile-differs: tree, unknown
  either a tile was changed or damaged on its way, or the house serves tiles that are not those of its log
  The log's entries are those that were signed or not, whatever the tiles of hashes say; but a proof that is made
  from such a tile does not hold.
  next: Fetch the tile that is named again from the house, unchanged. If it is still like this, ask the house.
logs-joined: tree, reader
  two logs, or two copies of one, were put into one file, one after the other
  After the last entry that the checkpoint covers another log begins: the first was audited, the other was not.
  next: Take them apart at the line that is named, and audit each with its own checkpoint.
remembered-differs: remembered
  the house rewrote entries that it had already signed
  The log does not extend the one that was remembered, and the house signed both. How many entries the one that
  differs is among is named; `fairshoe-audit fork`, given both logs, names it.
  next: Keep this log, its checkpoint and what you remembered: together they show that the house signed two
  different histories. Show them to whoever oversees the house.
memory-differs: remembered, unknown
  either the house rewrote or renamed its log, or one of the two was changed since or belongs to another log
  The log does not extend the one that was remembered, and it cannot be shown that the house signed both. Or they
  have different names (origins), though they begin with the same entry or one key signed both.
  next: Give the house's key with --key, and beside the log and the copy the checkpoint that belongs to each. If
  both turn out to be signed, the house rewrote its log.
remembered-longer: remembered, unknown
  either this is an older copy of the log than what was remembered, or entries that had been there are gone
  What was remembered has more entries than this log.
  next: Fetch the newest log from the house. If it is still shorter than what was remembered, entries were removed:
  keep both and ask the house.
remembered-other-log: remembered, reader
  what was given with --checkpoint belongs to another log
  The remembered checkpoint names another origin than this log, so there is nothing to compare.
  next: Find the checkpoint or copy of this log, by the origin in its first line, and give that one.
remembered-unsigned: remembered, unknown
  either it was changed or noted down incompletely since, or it was signed with another key
  The remembered checkpoint has no signature that holds, so it says nothing and is not compared.
  next: Give the file as it was kept, with its signature, and the key that signed it with --key.
log-resaved: syntax, reader
  a program changed the line ends, put a byte order mark in front or empty lines at the end, or joined files
  The file is no longer the bytes that the house signed. The entries were audited as they had been before.
  next: Fetch the log again and do not open and save it with an editor; then repeat the audit.
entry-cut-off: syntax, reader
  the download or the copying broke off
  The last line does not end with a line feed. Unless it is a whole entry it was left out.
  next: Fetch the log again, to its end, and repeat the audit.
entry-not-canonical: syntax
  the line was edited by hand or written by another program
  An entry is one line of the restricted JCS profile: sorted keys, no white space, integers only.
field-invalid: syntax
  a field is missing, unknown, or of the wrong type
  docs/log.md lists the fields of every kind of entry.
kind-unknown: syntax
  the entry was written by another program, or invented
  docs/log.md lists the kinds of entry.
entry-inexplicable: syntax
  the entry contradicts what stands before it in a way that this auditor has no name for
  The entry could not be checked at all, which counts as a failure. Please report it with the log.
""")
# Order, limits, cards, chips.
SHARED = codes_of("""
time-order: order
  entries were moved, or a time was changed
  `at` must rise from entry to entry.
  next: Look at the entries before and after it: one of them stands in another place than it was written, or its
  time was changed. Ask the house.
step-out-of-order: order
  an entry was moved, dropped or invented
  Each step of the ceremony needs those before it: shoe, seeds, opened, seal, open, round, reveal. This entry stands
  where it may not.
  next: Look at the entries around it: one that is needed is missing before it, or this one does not belong there.
  Ask the house for the entry.
table-unknown: order
  the table's first entry is missing
  A table's entries follow its `table` entry.
shoe-unknown: order
  the shoe's commitment is missing
  Nothing may happen to a shoe without a `shoe`.
table-closed: policy
  the table went on after it was closed
  A closed table takes no new player and begins no shoe, but for a game that has begun (LO-04).
number-gap: completeness
  a shoe or round was dropped or added
  Shoes and rounds of a table are numbered 1, 2, … without gaps. `drawn` counts the reshuffles before it.
  next: Ask the house for the entries that are missing before this one, and the players what happened then.
limit-early: policy
  somebody was not given the time that the table's limits promise, or a time was changed
  What a limit decided stands in the log at least that much later than the entry that began the wait, or the
  service's last start.
  next: Ask the player concerned whether they were cut off. The limits stand in the `table` entry.
policy-invalid: policy
  a time limit is missing or out of bounds
  Every limit is stated: hash, seed, cut, bet and decision 5 to 3,600 seconds, shoe 1 to 30 days.
step-late: completeness, note
  the service was down, or the house waited with it
  A step stands in the log more than an hour after it was due, or is still missing at its end. Of a gap between two
  entries an hour counts: an outage is no delay.
  next: Nothing, if it happens once. Ask the house why, if it often does.
step-overdue: completeness
  the house does not want to go on, or to show the key
  A step stands in the log more than a day after it was due, or is still missing at its end. Of a gap between two
  entries an hour counts: the house went on writing, and left this out.
  next: Ask the house for the step, and for the reason of the delay. What depends on it is not settled before.
key-mismatch: commitment
  the key was exchanged after the commitment
  The revealed key does not hash to the commitment that was published before the bets.
  next: Compare the commitment with the one that a player saw before the bets; then ask the house for the right key.
  Until then the cards of this shoe are not checked.
shoe-differs: commitment
  the shoe is not the one that the ceremony prescribes
  Deck, draws, roster, cutter and the table as it stands follow from the log before the `shoe`.
seed-mismatch: contributions
  a seed was exchanged after its hash was published
  An opened seed must hash to what stands in the `seeds` entry.
  next: Ask the player for the seed that they sent, or its receipt, and hold it against the log: fairshoe-audit hand
  LOG --round ID.
seed-uninvited: contributions
  a hash or seed was added that nobody was asked for
  Hashes come from the roster, seeds from those whose hash was published and who are not struck.
seed-reused: contributions, unknown
  a player's program repeats its seed, or the house replays one
  A seed's hash stands once in a log, void shoes included, and no commitment is one.
  next: Ask the player whether their program makes a fresh seed for each shoe. If it does, ask the house.
claimed-before: contributions, note, unknown
  a player's hash was a commitment before, or the house's commitment a hash
  Who saw what is behind the first value knows what is behind the second. Houses of before took it; today's refuse it.
  next: Look whose value came second: a player who sent a published commitment as a hash has a seed that others know.
seed-out-of-turn: contributions
  the house let somebody see a seed before opening their own
  Seeds are opened one after the other, the newest chair first; without a table the roster's last first.
cut-differs: contributions
  the cut was changed, or made by somebody who may not cut
  The cut is chosen by who may cut before any seed is opened, within the rules' range; where nobody chose it is the
  named draw `cut`.
burn-differs: shuffle
  another card was burned than the top one
  The burned card is the first card of the shuffled deck (PO-06).
reshuffle-differs: shuffle
  the cards gathered in the middle of a deal are not those that were out of play
  Number, size, deck hash, place and cut of a reshuffle follow from the key and the round.
card-too-often: cards
  a card was dealt more often than the deck has it
  Of a shoe whose key is not known: no order of the deck that is present has so many cards of this label.
opening-differs: cards
  the house bound another card than it dealt
  Before the first place was given the house signed a root over its order. An opening that leads there shows another
  card at this place, or a card of the deck twice, or one that the deck does not have.
card-differs: cards
  a card was exchanged
  The card at this position is not the one that the revealed key, the seeds and the cut give.
  next: Compare with the cards that the players saw: fairshoe-audit hand LOG --round shows what the key gives and
  what is logged. Ask the house which of them was dealt.
position-differs: cards
  cards were skipped or dealt twice
  A round's first card is the one after the last card of the round before.
bet-illegal: decisions
  the table took a bet that the rules forbid
  Outside the limits, not covered, not payable in whole units, twice, or by an empty seat.
decision-illegal: decisions
  the table let a seat do what the rules forbid, or the log was changed
  The decision was not among the legal moves at that step.
decision-missing: decisions
  a decision is not in the log
  The round, or the move of the bank, was not over after the logged decisions.
chips-differ: chips
  chips appeared or vanished
  An account's chips after an entry follow from those before it and what the entry says.
  next: Ask the player how many chips they had before and after, and compare with the entry. Ask the house.
shoe-not-retired: policy
  the house dealt on from a shoe that it should have retired
  A round was opened although the shoe was worn, too old, or the bank had moved.
bank-not-settled: policy
  a bank change was skipped
  The rules settle the bank before the next shoe.
""")
