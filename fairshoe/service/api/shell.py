"""The look of pages without a script, and the preview of a link to any page."""

from __future__ import annotations

from html import escape

STYLE = """
:root{color-scheme:light dark;--ground:#f2f4f2;--sheet:#fff;--ink:#18211d;--quiet:#55605a;--line:#d6dcd8;
--accent:#0f5a46;--mono:ui-monospace,"SF Mono","Cascadia Mono",Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--ground:#0e1412;--sheet:#161e1b;--ink:#e6ece8;--quiet:#a0ada6;
--line:#2b3732;--accent:#7fd3b0}}
*{box-sizing:border-box}
html{font:100%/1.55 -apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
color:var(--ink);background:var(--ground);-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:50rem;padding:0 clamp(1rem,4vw,2.5rem) 2rem;overflow-wrap:anywhere}
header{padding:1rem 0;border-bottom:1px solid var(--line)}.brand{font-weight:700}
h1{margin:2rem 0 .75rem;font-size:clamp(1.6rem,1.1rem + 2.2vw,2.4rem);line-height:1.15;letter-spacing:-.02em}
h2{margin:2rem 0 .75rem;font-size:1.3rem;line-height:1.3}h3{margin:1.5rem 0 .5rem}p{margin:0 0 .75rem}
.lead{font-size:1.1rem;color:var(--quiet)}a{color:var(--accent)}li{margin:.25rem 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}img{max-width:100%;height:auto;border-radius:.5rem}
summary{padding:.6rem 0;cursor:pointer}code{font:.85em/1.55 var(--mono)}
pre{margin:.75rem 0;padding:.75rem 1rem;border-radius:.5rem;background:var(--sheet);border:1px solid var(--line);
white-space:pre-wrap}
table{width:100%;margin:0 0 1rem;border-collapse:collapse}th,td{padding:.6rem .75rem .6rem 0;text-align:left;
vertical-align:top;border-top:1px solid var(--line)}thead th{border:0;font-size:.875rem;color:var(--quiet)}
@media(max-width:38rem){thead{position:absolute;clip-path:inset(50%)}tr{display:block;padding:.75rem 0;
border-top:1px solid var(--line)}tbody th,td{display:inline;padding:0;border:0}td+td::before{content:" · "}}
"""
LEAD = "Blackjack that you can check: the cards are fixed before the bets, and your browser checks every hand."


def preview(title: str, lead: str = LEAD, image: str = "") -> str:
    """The elements of a page's head that name it, for its tab, for search and for those who get a link (Open Graph)."""
    named = {"og:title": title, "og:description": lead, "og:type": "website", "og:image": image}
    shown = "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in named.items() if text)
    return f'<title>{escape(title)}</title><meta name="description" content="{escape(lead)}">{shown}'


def shell(title: str, body: str, lead: str = LEAD) -> str:
    """A page without a script, in the house's style."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{preview(title, lead)}'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{STYLE}</style></head><body>'
        '<header><a class="brand" href="/">fairshoe</a> · <a href="/docs">Documents</a></header>'
        f"<main>{body}</main></body></html>"
    )
