"""The report that a reviewer can act on: sections of plain data, shown as one page that asks for nothing."""
