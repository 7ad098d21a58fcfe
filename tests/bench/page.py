"""The page that checks hands: its size, and how long one hand takes after it was loaded, beside the same in Node."""

from __future__ import annotations

import gzip
import json
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from fairshoe.page import page
from fairshoe.page.html import SOURCE
from tests.audit.proofs import GAMES, proven
from tests.house import SIGNER
from tests.page.reading import chromium
from tests.verifier.node import node

REPEATS = 25
IN_PAGE = """async ([proof, key, repeats]) => {
    const give = (text) => {
        const told = new Promise((done) => {
            const watch = new MutationObserver(() => (watch.disconnect(), done()));
            watch.observe(document.getElementById("verdict"), { childList: true });
        });
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        return told;
    };
    await give(key);
    const times = [];
    for (let i = 0; i < repeats; i += 1) {
        const start = performance.now();
        await give(proof);
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return [document.getElementById("verdict").className, times];
}"""
IN_NODE = """
const { tell } = await import(process.argv[1]);
const [proofs, key, repeats] = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const all = proofs.map(() => []);
for (const [i, proof] of proofs.entries())
    for (let turn = 0; turn < repeats; turn += 1) {
        const start = performance.now();
        const file = new TextEncoder().encode(proof);
        const told = await tell({ file, receipt: null, key, commitment: "", round: "" });
        if (told.verdict !== "pass") throw new Error(told.says);
        all[i].push(performance.now() - start);
    }
console.log(JSON.stringify(all));
"""


def run() -> None:
    data = page().encode()
    print(f"page: {len(data) / 1e3:.1f} kB in one file, {len(gzip.compress(data)) / 1e3:.1f} kB as it is sent")
    key = str(SIGNER.verifier)
    proofs = [proven(rules).decode() for rules in GAMES]
    beside = _in_node(proofs, key)
    print("one hand, in milliseconds: the first, then median and middle half of the others")
    print("| game | in the page, drawn | in Node, told |")
    print("|---|---|---|")
    for rules, here, there in zip(GAMES, _in_page(proofs, key), beside, strict=True):
        print(f"| {rules} | {_spread(here)} | {_spread(there)} |")


def _in_page(proofs: Sequence[str], key: str) -> list[list[float]]:
    """Each on a page that was just loaded."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "verify.html"
        file.write_text(page(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        found = []
        for proof in proofs:
            tab = browser.new_page()
            tab.goto(file.as_uri())
            verdict, times = tab.evaluate(IN_PAGE, [proof, key, REPEATS])
            if verdict != "pass":
                raise SystemExit(f"the page says {verdict}")
            found.append(times)
            tab.close()
        browser.close()
    return found


def _in_node(proofs: Sequence[str], key: str) -> list[list[float]]:
    command = [node(), "--input-type=module", "-e", IN_NODE, (SOURCE / "telling" / "tell.mjs").as_uri()]
    told = subprocess.run(
        command, input=json.dumps([proofs, key, REPEATS]), stdout=subprocess.PIPE, text=True, check=True
    )
    times: list[list[float]] = json.loads(told.stdout)
    return times


def _spread(times: Sequence[float]) -> str:
    low, median, high = statistics.quantiles(times[1:], n=4)
    return f"{times[0]:.0f}; {median:.1f} ({low:.1f} to {high:.1f})"
