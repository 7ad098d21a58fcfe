"""Simulated play, without a service: `count` plays many rounds of a game and says what they came to, `house` plays
whole tables and writes the log that an honest house would have written."""
