"""What an audit remembers of a whole log: in little memory, and in a file where a later audit goes on."""
