"""A witness: remembers each log's last tree head, cosigns only what extends it, keeps what does not as evidence."""
