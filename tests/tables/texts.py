"""What the tables' pages say, as their modules have it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fairshoe.engine.rules import RULES

TABLES = Path(__file__).parents[2] / "fairshoe" / "web" / "tables"
LANGUAGES = ("english", "german")


def texts(language):
    """Each text by its key."""
    pairs = json.loads((TABLES / f"{language}.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    more = json.loads((TABLES / "operator.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    pairs += dict(more)[language]
    rules = json.loads((TABLES / "rules.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    pairs += dict(dict(rules)["texts"])[language]
    assert len(pairs) == len(dict(pairs)), "each key once"
    return dict(pairs)


def clauses(rules):
    """Each rule's clauses by their ids: in English and German."""
    sections = json.loads((TABLES / "rules.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    pairs = [clause for _, section in dict(sections)[rules] for clause in section]
    assert len(pairs) == len(dict(pairs)), "each clause once"
    return dict(pairs)


def values(text):
    """The names of the values that a text takes."""
    return {*re.findall(r"\{(\w+)", text)}


SEEN = """() => {
  const silent = "code, pre, kbd, script, style, noscript, svg, [lang]:not(html)";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [document.title];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(silent)) found.push(walker.currentNode.data);
  for (const name of ["aria-label", "title", "placeholder"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) {
      if (!one.closest(silent)) found.push(one.getAttribute(name));
    }
  }
  return found;
}"""
"""Whatever is said on a page, by what no program needs; what says that it is in another language is."""
MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
WORD = re.compile(r"[^\W\d_]{2,}")
GERMAN = {*WORD.findall(" ".join(texts("german").values())), *MONTHS.split(), "fairshoe"}
GERMAN |= {word for rules in RULES for _, german in clauses(rules).values() for word in WORD.findall(german)}


def strange(page, *names):
    """The words of a page that are in no German text, and in none of the names of players, tables and clauses."""
    return {*WORD.findall(" ".join(page.evaluate(SEEN)))} - GERMAN - {*WORD.findall(" ".join(names))}
