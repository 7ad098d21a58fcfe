"""Two hundred changed proofs: none is ever green, and each fails at the step where it was changed."""

from __future__ import annotations

from .mutations import mutations
from .reading import KEY, READ, STEPS, Reader, named, statuses

MANY = 200
_PASTE = """async (proofs) => {
    const seen = [];
    for (const proof of proofs) {
        const told = new Promise((done) => {
            const watch = new MutationObserver(() => (watch.disconnect(), done()));
            watch.observe(document.getElementById("verdict"), { childList: true });
        });
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", proof);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        await told;
        seen.push(%s);
    }
    return seen;
}"""


def test_no_changed_proof_is_green_and_each_fails_where_it_was_changed(reader: Reader, saved: str) -> None:
    reader.open(saved).asked()
    reader.page.locator("[name=key]").fill(KEY)
    changed = list(mutations())
    assert len(changed) >= MANY
    found = reader.page.evaluate(_PASTE % READ, [each.proof.decode() for each in changed])
    wrong = []
    for mutation, seen in zip(changed, map(named, found), strict=True):
        status = statuses(seen)
        first = next((step for step in STEPS if status.get(step) == "fail"), None)
        verdict = "fail" if mutation.steps else "unsure"
        if seen["verdict"] not in (verdict, "unreadable") or first not in (mutation.steps or (None,)):
            wrong.append((mutation.name, mutation.steps, seen["verdict"], first, seen["says"]))
    assert wrong == [], "\n" + "\n".join(map(str, wrong))
