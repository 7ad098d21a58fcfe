"""`python -m tests.bench [NAME]...`."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = ("shuffle", "audit", "memory", "jobs")


def main(names: list[str]) -> None:
    for name in names or NAMES:
        if name not in NAMES:
            raise SystemExit(f"no benchmark {name!r}; there are {', '.join(NAMES)}")
        import_module(f"tests.bench.{name}").run()


if __name__ == "__main__":
    main(sys.argv[1:])
