"""What is stored, and how: SQLAlchemy Core, portable SQL. Knows no game."""
