"""What a report counts beside the audit: sums that add up, so that a log may be counted in parts."""
