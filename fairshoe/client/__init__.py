"""A client of the HTTP API.

table = Client("http://127.0.0.1:8000").table("t1")
alice = table.sit("alice", 1000)
alice.next()        # what the seat can do now, or None
alice.contribute()  # hash and cut, or seed: whatever is due
alice.bet(10)
alice.decide("stand")
"""

try:
    import urllib3 as urllib3
except ModuleNotFoundError as error:
    if error.name != "urllib3":
        raise
    raise ModuleNotFoundError("fairshoe.client needs urllib3: pip install 'fairshoe[client]'", name="urllib3") from None

from .client import Client
from .errors import Problem, Unreachable
from .receipts import WrongReceipt
from .table import Seat, Table

__all__ = ["Client", "Problem", "Seat", "Table", "Unreachable", "WrongReceipt"]
