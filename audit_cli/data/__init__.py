"""A log as tables, in CSV and Parquet: rounds, hands, decisions, shoes, findings. docs/analysis.md has the columns."""
