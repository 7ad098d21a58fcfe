"""One way to count beside an audit: `watcher.Counting` looks on while a log is audited and tells every `Count` what
there is to see (`seen`). Counts are sums of whole numbers, so that what two shares of a log came to adds up, in any
order."""
