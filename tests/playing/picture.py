"""Make a picture of `fairshoe play`: `python -m tests.playing.picture boxes docs/pictures/play.webp`.

A house on this machine, two players and some rounds of the game, and the table when its player is asked to decide; the
terminal as textual draws it, made a picture by Chromium. The cards are others each time.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.page.reading import chromium
from tests.service.place import Place

from .test_playing import Player

ROUNDS = 3
STAKES = {"boxes": "2:20 4:10", "pontoon": "5"}
TO_WEBP = """async (svg) => {
  const [, , width, height] = svg.match(/viewBox="([^"]+)"/)[1].split(" ").map(Number);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width, height});
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return canvas.toDataURL("image/webp", 0.85).split(",")[1];
}"""
"""The size stands in the drawing; its fonts are this machine's."""


class Betting(Player):
    """A player who bets `stake`."""

    stake = "20"

    async def press(self, key):
        await super().press(key)
        await self.pilot.pause(0.1)
        for field in self.table.query("Input") if key == "b" else ():
            field.value = self.stake


def drawing(rules: str) -> str:
    """The screen as SVG."""
    found = []
    with TemporaryDirectory() as folder, Place(Path(folder) / "house") as place:
        table = place.operator.create_table(rules, table="t1")
        player = Betting(place.address, Path(folder) / "books", [table.sit("ben", 10_000)], size=(80, 24))
        player.stake = STAKES.get(rules, player.stake)

        async def rounds():
            await player.play(lambda: player.state()["rounds"] > ROUNDS and set(player.keys()) >= {"h", "s"})
            await player.pilot.pause(1)
            found.append(player.app.export_screenshot(title="fairshoe play"))

        player.run(player.sit, rounds)
    return found[0]


def main(rules: str, path: str) -> None:
    svg = drawing(rules)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        Path(path).write_bytes(base64.b64decode(browser.new_page().evaluate(TO_WEBP, svg)))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
