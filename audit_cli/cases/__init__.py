"""Questions about one matter of a log: a hand, receipts, refunds, a difference with a placer; and hands of other
houses."""
