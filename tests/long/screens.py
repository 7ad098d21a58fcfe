"""Pictures of the last screen of `fairshoe-audit verify` on a terminal, for ten tampered logs: to be looked at.

    python -m venv screens && screens/bin/pip install . pyte pillow
    screens/bin/python -m tests.long.screens DIR [--rounds 20000] [--only NAME]

For each log DIR has the log itself, and for a terminal of 80x24 and one of 120x40 the last screen as a picture, as
text, and the whole output. The program runs on a real pseudo-terminal; a prompt stands below what it wrote.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import pty
import struct
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .tampered import written

try:
    import pyte
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise SystemExit(f"{error.name} is missing: pip install pyte pillow, into an environment of its own") from None

SIZES = ((80, 24), (120, 40))
"""Columns and rows."""
ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "audit_cli.main", "verify"]
PROMPT = b"$ "
POINTS = 15
COLOURS = {
    "default": "#d0d0d0",
    "black": "#000000",
    "red": "#ff6b68",
    "green": "#7fd36d",
    "brown": "#e0c060",
    "blue": "#6ba7ff",
    "magenta": "#d78bff",
    "cyan": "#66d9e8",
    "white": "#ffffff",
}
BACKGROUND = "#101014"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.screens", description="Pictures of the last screen.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="where logs and pictures go")
    parser.add_argument("--rounds", type=int, default=20_000, help="rounds of each log (default 20000)")
    parser.add_argument("--only", metavar="NAME", help="only the log of this name")
    args = parser.parse_args(arguments)
    for name, place, words in written(args.folder, args.rounds):
        if args.only in (None, name):
            for columns, rows in SIZES:
                picture(name, place, words, columns, rows)
    return 0


def picture(name: str, place: Path, words: Sequence[str], columns: int, rows: int) -> None:
    """One run on a terminal of this size, and its last screen."""
    began = time.monotonic()
    code, output = on_terminal([*PROGRAM, *words], place, columns, rows)
    seconds = time.monotonic() - began
    screen = pyte.Screen(columns, rows)
    pyte.ByteStream(screen).feed(output + PROMPT)
    file = place.parent / f"{name}-{columns}x{rows}"
    drawn(screen).save(file.with_suffix(".png"))
    file.with_suffix(".txt").write_text("\n".join(line.rstrip() for line in screen.display) + "\n", encoding="utf-8")
    file.with_suffix(".out").write_bytes(output)
    lines = output.count(b"\n")
    print(f"{name} {columns}x{rows}: exit code {code}, {lines:,} lines, {seconds:.1f} s", flush=True)


def on_terminal(command: Sequence[str], place: Path, columns: int, rows: int) -> tuple[int, bytes]:
    """Run a command with all its streams on a pseudo-terminal; its exit code and all that it wrote there."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONPATH": path}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(place)
        time.sleep(0.1)
        os.execve(command[0], list(command), environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    parts: list[bytes] = []
    while part := _read(terminal):
        parts.append(part)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), b"".join(parts)


def _read(terminal: int) -> bytes:
    """Some bytes; none when the program has ended."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError as error:
        if error.errno == errno.EIO:
            return b""
        raise


def drawn(screen: Any) -> Any:
    """The screen as a picture."""
    regular, bold = (_font(f"DejaVuSansMono{weight}.ttf") for weight in ("", "-Bold"))
    width, height = int(regular.getlength("M") + 0.5), int(POINTS * 1.35)
    image = Image.new("RGB", (screen.columns * width + 12, screen.lines * height + 12), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            if cell.data.strip():
                place = (6 + column * width, 6 + row * height)
                colour = COLOURS.get(cell.fg, f"#{cell.fg}" if len(cell.fg) == 6 else COLOURS["default"])
                draw.text(place, cell.data, fill=colour, font=bold if cell.bold else regular)
    return image


def _font(name: str) -> Any:
    try:
        return ImageFont.truetype(name, POINTS)
    except OSError:
        return ImageFont.load_default(POINTS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
