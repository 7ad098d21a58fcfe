"""`python -m fairshoe`: the same as `fairshoe`."""

import sys

from .cli import main

sys.exit(main())
