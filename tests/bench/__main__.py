"""`python -m tests.bench [NAME]...`, or `python -m tests.bench audit --against OTHER_TREE`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

NAMES = ("shuffle", "audit", "memory", "jobs")


def main(names: list[str]) -> None:
    if names[:2] == ["audit", "--against"] and len(names) == 3:
        import_module("tests.bench.against").against(Path(names[2]))
        return
    for name in names or NAMES:
        if name not in NAMES:
            raise SystemExit(f"no benchmark {name!r}; there are {', '.join(NAMES)}")
        import_module(f"tests.bench.{name}").run()


if __name__ == "__main__":
    main(sys.argv[1:])
