"""Markdown of the notebooks as HTML: links between pages, headings one can link to, highlighted code, formulas."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import mistune
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

#: LaTeX -> MathML. The chapters have one displayed formula; another one is written here, or the build refuses it.
FORMULAS = {
    r"\mathrm{Dom}(b) = \{b\} \cup \bigcap_{p \in \mathrm{preds}(b)} \mathrm{Dom}(p)": (
        '<mi mathvariant="normal">Dom</mi><mo>(</mo><mi>b</mi><mo>)</mo><mo>=</mo><mo>{</mo><mi>b</mi><mo>}</mo><mo>∪</mo>'
        "<munder><mo>⋂</mo><mrow><mi>p</mi><mo>∈</mo><mi>preds</mi><mo>(</mo><mi>b</mi><mo>)</mo></mrow></munder>"
        '<mi mathvariant="normal">Dom</mi><mo>(</mo><mi>p</mi><mo>)</mo>'
    )
}


def coloured(code: str, language: str = "python") -> str:
    """Return code as HTML with a class on each part; as plain text in a language that Pygments does not know."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False, ensurenl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True, classprefix="k-"))).rstrip("\n")


def slug(heading: str) -> str:
    """Return the name under which a heading is linked to; capitals stay, as in JupyterLab, so that its links lead here too.

    >>> slug("SSA form"), slug("Cooper, Harvey & Kennedy's way")
    ('SSA-form', 'Cooper-Harvey-Kennedys-way')
    """
    return re.sub(r"[\W_]+", "-", re.sub(r"<[^>]*>|['’]|&\w+;", "", heading)).strip("-")


def page_of(target: str) -> str:
    """Return where a link of a notebook leads in the book.

    >>> page_of("02_dominators.ipynb#idom"), page_of("../exercises/02_dominators/02_dominators.ipynb")
    ('02_dominators.html#idom', 'exercises.html#chapter-02')
    """
    exercise = re.fullmatch(r"(?:\.\./)+exercises/(\d\d)_\w+/\w+\.ipynb", target)
    if exercise:
        return f"exercises.html#chapter-{exercise[1]}"
    return re.sub(r"^(?:\./)?(\w+)\.ipynb(?=#|$)", r"\1.html", target)


class _Renderer(mistune.HTMLRenderer):
    """What differs from plain Markdown."""

    def __init__(self) -> None:
        super().__init__(escape=False)
        #: Of the text rendered last: (level, id, heading as HTML).
        self.headings: list[tuple[int, str, str]] = []
        self._taken: set[str] = set()

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        name = slug(text) or "part"
        while name in self._taken:
            name += "-again"
        self._taken.add(name)
        self.headings.append((level, name, text))
        link = (
            ""
            if level == 1
            else f'<a class="bk-anchor" href="#{name}" aria-label="Link to this section">#</a>'
        )
        return f'<h{level} id="{name}">{text}{link}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        return f'<pre class="bk-code"><code>{coloured(code, (info or "text").split()[0])}</code></pre>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        target = page_of(url)
        # What lies beside the notebooks, a file of the repository, is not in the book: its name stays, as text.
        if target.startswith("../") or target.endswith(".md"):
            return text
        return super().link(text, target, title)

    def block_math(self, text: str) -> str:
        formula = FORMULAS.get(text.strip())
        if formula is None:
            raise ValueError(
                f"a formula that tools/book/prose.py does not know; add it to FORMULAS: {text.strip()}"
            )
        return f'<p><math display="block"><mrow>{formula}</mrow></math></p>\n'


class Prose:
    """The Markdown of one page; it remembers the page's headings, so that each has a name of its own."""

    def __init__(self) -> None:
        self._renderer = _Renderer()
        self._markdown = mistune.create_markdown(
            renderer=self._renderer, plugins=["table", "strikethrough", _display_math]
        )

    def html(self, text: str) -> str:
        """Return Markdown as HTML."""
        # A corner without a word is no heading.
        return re.sub(r"<th(?: [^>]*)?></th>", "<td></td>", str(self._markdown(text)))

    @property
    def headings(self) -> list[tuple[int, str, str]]:
        """All headings so far: (level, id, the heading as HTML)."""
        return self._renderer.headings


def _display_math(markdown: mistune.Markdown) -> None:
    """Teach Markdown displayed formulas, `$$…$$`; a single dollar stays one."""
    from mistune.plugins.math import BLOCK_MATH_PATTERN, parse_block_math

    markdown.block.register("block_math", BLOCK_MATH_PATTERN, parse_block_math, before="list")


def words_of(html: str) -> str:
    """Return the words of a piece of HTML, for the search.

    >>> words_of("<p>One <em>and</em></p><p>two &amp; three</p>")
    'One and two & three'
    """
    from html import unescape

    text = re.sub(r"<(?:svg|math|script)\b.*?</(?:svg|math|script)>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())
