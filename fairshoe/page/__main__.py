"""`python -m fairshoe.page` prints the page that checks."""

from __future__ import annotations

import sys

from . import page

if __name__ == "__main__":
    sys.stdout.write(page())
