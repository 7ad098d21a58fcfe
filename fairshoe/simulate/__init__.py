"""Simulated play without a service: `count` counts a game's results, `house` writes an honest house's log."""
