"""Pictures as SVG: no library, no script, colours from the page's style, words for who cannot see them."""
