"""A client of the HTTP API.

table = Client("http://127.0.0.1:8000").table("t1")
alice = table.sit("alice", 1000, book=Path("alice.seat"))  # after a crash: table.resume(Path("alice.seat"))
alice.play(3)       # three rounds, by default as the table would; or step by step:
alice.next()        # what the seat can do now, or None
alice.contribute()  # hash and cut, or seed: whatever is due
alice.bet(10)
alice.decide("stand")
alice.finish()      # leave when that is allowed
"""

try:
    import urllib3 as urllib3
except ModuleNotFoundError as error:
    if error.name != "urllib3":
        raise
    raise ModuleNotFoundError("fairshoe.client needs urllib3: pip install '.[client]'", name="urllib3") from None

from ..connection import Unreachable
from .client import Client, RemoteTable, Seat
from .dealer import Dealer
from .errors import NotTheHouses, PlacesKept, Problem, SeedKept, SeedRefused, WrongPlaces, WrongReceipt
from .shoes import RemoteShoe, ShoeSeat

__all__ = [
    "Client",
    "Dealer",
    "NotTheHouses",
    "PlacesKept",
    "Problem",
    "RemoteShoe",
    "RemoteTable",
    "Seat",
    "SeedKept",
    "SeedRefused",
    "ShoeSeat",
    "Unreachable",
    "WrongPlaces",
    "WrongReceipt",
]
