"""What stands around a log: checkpoints, signatures, what somebody remembered, witnesses; how a copy was spoiled."""
