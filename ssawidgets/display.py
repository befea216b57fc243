"""Let IPython draw our objects at the end of a cell: Func, Cfg, DomTree, Program, Why.

Formatters are registered by name, so nothing is imported before the first object is shown. Every object gets
two representations, both the same on every run: `image/svg+xml`, the picture, and `text/plain`, its notation.

There is no `text/html`, on purpose. JupyterLab and nbconvert prefer HTML to SVG, and where stored HTML is
cleaned before it is shown (an untrusted notebook, some web viewers), an SVG inside it is removed and the
picture with it; `image/svg+xml` is shown by all of them. For the words behind a picture (JupyterLab shows a
stored SVG as an image without alternative text), `drawing.text_twin` and `drawing.html_twin` are one call away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ssawidgets.analysis import DomTree
from ssawidgets.ir import Cfg, Func, Program

if TYPE_CHECKING:
    from ssawidgets.explain import Why

    Shown = Func | Cfg | DomTree | Program | Why

#: A larger graph is shown as text: its picture would be megabytes in the notebook, and nobody could read it.
MOST_BLOCKS = 500


def svg_of(shown: Shown) -> str | None:
    """Return the picture of an object, None when it has more than `MOST_BLOCKS` blocks.

    >>> from ssawidgets.ir import cfg
    >>> svg_of(cfg("0>1")).startswith("<svg")
    True
    """
    from ssawidgets.drawing import to_svg

    if _blocks(shown) > MOST_BLOCKS:
        return None
    if isinstance(shown, DomTree):
        return to_svg(shown.cfg, tree=shown)
    if isinstance(shown, Func | Cfg | Program):
        return to_svg(shown)
    from ssawidgets.drawing.witness import why_svg

    return why_svg(shown)


def _blocks(shown: Shown) -> int:
    if isinstance(shown, Program):
        return sum([len(f.blocks) for f in shown.funcs])
    if isinstance(shown, DomTree):
        return len(shown.cfg)
    return len(shown.blocks if isinstance(shown, Func | Cfg) else shown.program.blocks)


def text_of(shown: Shown) -> str:
    """Return an object in words: the notation of a program or graph, each block's immediate dominator, an answer.

    >>> from ssawidgets.ir import cfg
    >>> text_of(cfg("0>1 1>1"))
    "cfg('0>1 1>1')"
    """
    return repr(shown) if isinstance(shown, Cfg | DomTree) else str(shown).rstrip("\n")


def _pretty(shown: Shown, printer: Any, cycle: bool) -> None:
    """Print an object in IPython's pretty printer, its lines indented as deep as what holds it."""
    for i, line in enumerate(text_of(shown).split("\n")):
        if i:
            printer.break_()
        printer.text(line)


#: (module, class) of what is drawn.
_DRAWN = (
    ("ssawidgets.ir.model", "Func"),
    ("ssawidgets.ir.model", "Program"),
    ("ssawidgets.ir.cfg", "Cfg"),
    ("ssawidgets.analysis.domtree", "DomTree"),
    ("ssawidgets.explain.witness", "Why"),
)


def register(shell: Any) -> None:
    """Register the formatters with an IPython shell."""
    formatters = shell.display_formatter.formatters
    for module, name in _DRAWN:
        formatters["image/svg+xml"].for_type_by_name(module, name, svg_of)
        formatters["text/plain"].for_type_by_name(module, name, _pretty)
