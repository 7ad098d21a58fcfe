"""Hands of other houses: whether a past result follows from the seeds that the house revealed.

`scheme` says what a scheme is, `schemes` has one file for each family of them, `check` gives the three answers,
`diagnosis` looks for the slip behind a result that differs, `table` reads hands from CSV or JSON lines. No house's
scheme is called fair: docs/other-houses.md says what each can show, and what not.
"""
