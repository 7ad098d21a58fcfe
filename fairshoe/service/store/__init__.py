"""Storage of a house: SQLAlchemy Core, portable SQL. Knows no game."""
