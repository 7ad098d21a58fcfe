"""docs/games.md works as printed, from the first command to the last."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from signal import SIGKILL
from subprocess import PIPE, Popen

import pytest
from playwright.sync_api import expect

from tests.long.serving import free_port
from tests.page.conftest import browser as browser
from tests.verifier.node import node

from .test_documentation import shell

pytestmark = pytest.mark.wire
WEB = Path(__file__).parents[2] / "fairshoe" / "web"
PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


IN_BROWSER = "## The same in a browser"
PACKAGE = '{"name": "fairshoe", "type": "module", "exports": "./lib/fairshoe.js"}'


def test_the_page_as_printed(tmp_path):
    script = "trap 'kill %1 2>/dev/null' EXIT\n"
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE.split(IN_BROWSER)[0], re.M | re.S):
        script += block if language == "sh" else f"python3 - <<'END'\n{block}END\n"
    port = str(free_port())
    script = script.replace("serve --data house", f"serve --port {port} --data house").replace(":8000", f":{port}")
    code, told = shell(script, tmp_path)
    assert code == 0, told
    for text in ('["bob","ann"]', '"draw"', '"hidden": 3', "PASS: card 3 of shoe high-1", " wins; worn"):
        assert text in told, told


def built_package(folder):
    """What `npm install` of the packed package puts there; `npm pack` itself is for tests/verifier/package.mjs."""
    (folder / "lib").mkdir(parents=True)
    (folder / "package.json").write_text(PACKAGE)
    esbuild = [WEB / "node_modules" / "esbuild" / "bin" / "esbuild", "--bundle", "--log-level=error"]
    for source, built in (
        ("game/fairshoe.ts", "fairshoe.js"),
        ("verifier/verifier.ts", "verifier.js"),
        ("game/fairshoe.ts", "fairshoe.global.js"),
    ):
        form = ["--format=iife", "--global-name=fairshoe"] if ".global" in built else ["--format=esm"]
        subprocess.run([*esbuild, WEB / source, *form, f"--outfile={folder}/lib/{built}"], check=True)


def test_the_game_in_a_browser_as_printed(tmp_path, browser):
    """The very program and page of the document: two players in Chromium, a real service that is
    killed in the middle, the program in Node."""
    ports = {"8000": str(free_port()), "8001": str(free_port())}
    install, pages, end = re.findall(r"^```sh\n(.*?)^```$", PAGE.split(IN_BROWSER)[1], re.M | re.S)
    (serve,) = re.findall(r"^fairshoe serve .*$", PAGE, re.M)
    built_package(tmp_path / "node_modules" / "fairshoe")
    (tmp_path / "docs" / "examples").mkdir(parents=True)
    for code in (EXAMPLES / "game.mjs", EXAMPLES / "player.html"):
        (tmp_path / "docs" / "examples" / code.name).write_text(renumbered(code.read_text(), ports))
    up = "until curl -s 127.0.0.1:{} > up.txt; do sleep 0.1; done\n"
    install = install.partition("\n")[2]
    pages = pages.replace("node game.mjs", f"{up.format(8001)}node game.mjs\nnode game.mjs")
    end = f"read told\n{end.strip()} $(cat house.pid)\n"
    serve = serve.removesuffix(" &").replace("serve", "serve --port 8000").replace(">", ">>")
    serve = f"while :; do {serve} & echo $! > house.pid; wait $! || :; done &\n{up.format(8000)}"
    script = renumbered(f"set -eu\n{serve}{install}{pages}{end}", ports)
    path = os.pathsep.join([str(Path(sys.executable).parent), str(Path(node()).parent), os.environ["PATH"]])
    context, options = browser.new_context(), {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE, "text": True}
    environment = {**os.environ, "PATH": path}
    with Popen(["bash", "-c", script], cwd=tmp_path, env=environment, start_new_session=True, **options) as game:
        try:
            links = dict(line.split() for line in islice(game.stdout, 2))
            play(context, links, tmp_path / "house.pid")
            said, errors = game.communicate("told\n", timeout=120)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(game.pid, SIGKILL)
    first, again = said.splitlines()  # started again it goes on where it was
    assert first in ("ann wins", "bob wins", "a draw"), errors
    assert again == first
    alone = context.new_page()
    (tmp_path / "alone.html").write_text('<script src="node_modules/fairshoe/lib/fairshoe.global.js"></script>')
    alone.goto((tmp_path / "alone.html").as_uri())
    assert alone.evaluate(ALONE) == [1, True]
    context.close()


def play(context, links, house):
    """Each player shows the first card, and both pages tell both in the end. The house is killed before the second."""
    players = [context.new_page() for _ in links]
    for page, link in zip(players, links.values(), strict=True):
        page.goto(link)
    for page in players:
        told, cards = page.locator("#told"), page.locator("#cards button")
        expect(told).to_have_text("Show one card.")
        hand = cards.all_text_contents()
        page.reload()
        expect(cards).to_have_text(hand)
        if page is players[-1]:
            os.kill(int(house.read_text()), SIGKILL)
        cards.first.click()
        expect(page.locator("#cards button:disabled")).to_have_text(hand)
    shown = " ".join(page.locator("#cards button").first.text_content() for page in players)
    for page in players:
        expect(page.locator("#told")).to_have_text(
            f"Shown: {shown}. The check of all these cards: PASS.", timeout=120_000
        )
    kept = players[0].evaluate("Object.values(localStorage).map((text) => JSON.parse(text).receipts.length)")
    assert kept == [4, 4], "the key's note, hash, seed, show"
    page.route("**/proof?pos=*", lambda route: route.fulfill(response=(told := route.fetch()), body=told.body()[:-9]))
    page.reload()
    expect(page.locator("#told")).to_contain_text("Reload this page")


ALONE = """async () => {
  const secret = fairshoe.newKey();
  const shoe = fairshoe.commit("s", fairshoe.french(1));
  const sealed = await fairshoe.resume(await fairshoe.keep(shoe.seal(), secret), secret);
  const card = sealed.draw();
  const { dealt, remembered } = fairshoe.verify(sealed.reveal(), { commitment: shoe.commitment });
  return [dealt[0].filter((label) => label === card).length, remembered];
}"""
"""From a file on the disk, without a server."""


def renumbered(text, ports):
    """The text with free ports in the place of the printed ones."""
    for printed, free in ports.items():
        text = text.replace(printed, free)
    return text
