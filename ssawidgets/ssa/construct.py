"""The way in: `to_ssa(func)` with the method of one's choice.

A program in SSA form is *strict* here: each name has one definition, and it dominates every use. Where a
variable has no value yet, the program says so with `undef`.

What a caller can rely on, whatever the method:

- Function parameters keep their plain name; other versions count from 1, numbered as `versions` says.
- Copies stay instructions. Unreachable blocks are dropped.
- Each edge carries its own arguments; `undef` stands where no definition reaches. Phis stand in the order in which the text mentions
  their variables.
- A block `start` is put in front only where the entry needs a phi, or has parameters.
- Lines, sites of `?`, annotated types, the language and the kind of ints are kept.
- Block parameters and names with dots are welcome. A block parameter is a definition like any other, and `x.1`
  a variable like any other, whose new versions count as versions of `x`. So a program in SSA form comes back as
  it is, up to numbers, and one that an edit has broken comes back repaired.
"""

from __future__ import annotations

from typing import Literal

from ssawidgets.analysis import dominators
from ssawidgets.analysis.graph import func_of
from ssawidgets.ir import Func
from ssawidgets.ssa.braun import Braun
from ssawidgets.ssa.braun_program import program
from ssawidgets.ssa.flat_rename import flat_rename
from ssawidgets.ssa.placement import Flavour, place_phis
from ssawidgets.ssa.pruned_placement import mentions, place_pruned
from ssawidgets.ssa.redundant_phis import remove_redundant_phis
from ssawidgets.ssa.rename import rename


def to_ssa(
    func: Func,
    method: Literal["cytron", "braun"] = "cytron",
    flavour: Flavour = "pruned",
    minimal_scc: bool = False,
) -> Func:
    """Bring a function into SSA form.

    `method` is "cytron" (phi placement in the given flavour, then renaming; see `placement` and `rename`) or "braun" (on the fly). Braun's phis are the
    pruned ones on reducible graphs; on irreducible graphs there can be more, which `minimal_scc=True`
    removes, so that both methods give the same program on every graph.
    Raises `ValueError` for an unknown method or flavour, for a combination without meaning, and for an edge
    that passes too few or too many values.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = 1\\nc:\\n  return n")
    >>> print(to_ssa(f))
    func f(n):
    a:
      if n goto b else c
    b:
      n.1 = 1
    c:
      n.2 = phi(a: n, b: n.1)
      return n.2
    <BLANKLINE>
    >>> to_ssa(f, "braun") == to_ssa(f)
    True
    """
    _check_edges(func_of(func))
    if method == "cytron":
        if minimal_scc:
            raise ValueError(
                'minimal_scc goes with method="braun"; placement by frontiers is minimal on every graph'
            )
        if flavour != "pruned":
            return rename(func, place_phis(func, flavour))
        tree = dominators(func)
        found = mentions(func)
        return flat_rename(func, tree, found.written_in, place_pruned(func, tree, found))
    if method == "braun":
        if flavour != "pruned":
            raise ValueError(
                f'method="braun" makes phis only where they are read, so flavour is "pruned", not {flavour!r}'
            )
        construction = Braun(func)
        construction.fill_all()
        if minimal_scc:
            remove_redundant_phis(construction)
        return program(construction)
    raise ValueError(f"no method {method!r}; there are: cytron, braun")


def _check_edges(func: Func) -> None:
    params = {b.name: b.params for b in func.blocks}
    for src, _, target in func.edges():
        if len(target.args) != len(params[target.block]):
            raise ValueError(
                f"the edge {src} > {target.block} passes {len(target.args)} values, but {target.block} takes "
                f"{len(params[target.block])}; verify(func, ssa=False) lists all that is wrong"
            )
