"""A shoe with a second dealer, whose address and keys stand in the environment."""

import os
from pathlib import Path

import fairshoe
from fairshoe.client import Dealer
from fairshoe.log.note import Signer

signer = Signer("house.example", bytes.fromhex(os.environ["HOUSE_KEY"]))  # signs questions, and nothing else
placer = Dealer(os.environ["PLACER"], os.environ["PLACER_KEY"], signer, Path("questions.jsonl"))
shoe = fairshoe.commit("war-2", fairshoe.french(1), placer=placer)
print(shoe.commitment, shoe.placer)  # publish both before anybody bets

shoe.contribute("alice", b"alice's own entropy")
sealed = shoe.seal()
placer.tell("alice bets 10")
cards = [sealed.draw()]
placer.tell("alice doubles")
cards.append(sealed.draw())
print(cards, placer.head)  # the head that the placer signed: all that was told stood before its card

proof = sealed.reveal()  # from here on the placer's key is out as well
found = fairshoe.verify(proof, commitment=shoe.commitment)
print(found.dealt[-1] == cards)
