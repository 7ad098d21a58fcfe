"""The second dealer: a service that gives places, once each, and chains what the house says happened before each."""

ABOUT = "Run a placer, the second dealer, that keeps half of the secret of each shoe."
