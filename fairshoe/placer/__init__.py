"""The second dealer: a service that gives places, once each, and chains what the house says happened before each."""
