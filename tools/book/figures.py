"""Pictures inside a page: the page's theme colours them, and a table says the same in words."""

from __future__ import annotations

import re
from hashlib import blake2b


def inlined(svg: str, place: str) -> str:
    """Return a picture as a part of a page: without a style sheet of its own, with ids that are the page's only ones.

    A stored picture carries the light theme as attributes and the dark one as a style sheet that asks the system. In a page
    the classes are coloured by the page's own style, which knows what the reader chose. `place` tells alike pictures apart.

    >>> inlined('<svg id="a" aria-labelledby="a-t"><title id="a-t">x</title><style>@media …</style></svg>', "p1")
    '<svg id="p1-a" aria-labelledby="p1-a-t"><title id="p1-a-t">x</title></svg>'
    """
    svg = re.sub(r"<style>.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r'(?<= id=")', f"{place}-", svg)
    svg = re.sub(
        r'(aria-(?:labelledby|describedby))="([^"]*)"',
        lambda m: f'{m[1]}="' + " ".join([f"{place}-{name}" for name in m[2].split()]) + '"',
        svg,
    )
    return re.sub(r"url\(#", f"url(#{place}-", svg)


def place_of(*what: str) -> str:
    """Return a short name for a place in a page, the same on every run."""
    return "b" + blake2b("\0".join(what).encode(), digest_size=5).hexdigest()
