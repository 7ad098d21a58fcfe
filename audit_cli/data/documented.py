"""The columns as docs/analysis.md lists them: `python -m audit_cli.data.documented` prints them."""

from __future__ import annotations

from .schema import TABLES


def columns() -> str:
    """Markdown, a table of columns for each table."""
    return "\n".join(
        "\n".join(
            [
                f"### {table.name}",
                "",
                f"A row is {table.row}.",
                "",
                "| column | type | meaning |",
                "|---|---|---|",
                *(f"| `{column.name}` | {column.type} | {column.meaning} |" for column in table.columns),
                "",
            ]
        )
        for table in TABLES
    )


if __name__ == "__main__":
    print(columns(), end="")
