"""One way to count beside an audit: `watcher.CountWatcher` looks on while a log is audited and tells every `Count` what
there is to see (`observations`)."""
