"""One way to count beside an audit: `watcher.Counting` looks on while a log is audited and tells every `Count` what it
has `seen`: settled rounds, shoes that ended, shoes whose order is known. Counts are sums of whole numbers, so that what
two shares of a log came to adds up (`adding`), in any order."""
