"""Why a fact holds, and what an edit changed: sentences with a witness in the graph.

**Asking why.** Each question returns a `Why`: `holds`, `text` (one or two sentences), `reason` (the text without the claim it is the
reason for), `witness` (paths, chains, sites, sets of blocks; `to_json()`), `program`. Holds or not, there is always an answer.

- `why_reachable(g, block)`, `why_dominates(g, a, b)`, `why_immediate_dominator(g, a, b)`
- `why_frontier(g, d, j)`, `why_loop(g, header, block)`
- `why_phi(func, variable, block, flavour)`, `why_dropped(func, variable, block)`: which flavour drops the phi, and why
- `why_live(func, name, block, at="top"|"end")`, `why_reaches(func, definition, read)`: one def-use edge
- `why_critical(g, src, dst)`
- `why_copy(ssa, param, src)`: why leaving SSA form copies a phi's argument; `Copies(ssa).all()` lists the copies

**Facts.** `facts(func)` holds all of them, kind by kind (`KINDS`), each worked out when first asked for:

    now = facts(func)
    now.of("pruned phi")            # tuple of Fact(kind, block, about), in block order
    Fact("frontier", "4", "3") in now
    str(fact), fact.key             # "4 is in the frontier of 3"; a text that stands for the fact, JSON
    now.why(fact_or_key)            # the answer, also where the fact does not hold

**What an edit changed.** Keep the facts of the last function; comparing then works out the new ones only:

    changed = compare(before, now)              # functions or facts
    changed.added(kind), changed.removed(kind)  # tuples of Fact, to be marked
    for d in differences(changed, kinds, most=12):
        d.sentence, d.added, d.removed          # "A phi for x appears at 4: its definitions in 2 and 3 meet there, by …"
        now.why(d.ask)                          # its witness; d.ask is None where a block is gone

Pass only the kinds that are shown: what nobody asks for is not worked out. A sentence costs a search or two in the graph, so on
large programs ask for as few as are read (`most`).

**Drawing.** `drawing.witness.why_marks(why)` gives marks, edge marks, badges, tree and caption as keywords of `to_svg` and `make_overlay`.
"""

from ssawidgets.explain.change_words import Difference, differences
from ssawidgets.explain.changes import Change, describe_change
from ssawidgets.explain.comparison import Comparison, compare
from ssawidgets.explain.copies import Copies, Copy, why_copy
from ssawidgets.explain.critical import why_critical
from ssawidgets.explain.dominance import why_dominates, why_immediate_dominator
from ssawidgets.explain.fact_tables import KINDS, Fact, Facts, facts, why_fact
from ssawidgets.explain.frontiers import why_frontier
from ssawidgets.explain.live_names import why_live
from ssawidgets.explain.paths import path_avoiding
from ssawidgets.explain.phis import why_dropped, why_phi
from ssawidgets.explain.reachability import why_loop, why_reachable
from ssawidgets.explain.reaches import why_reaches
from ssawidgets.explain.witness import Link, Path, Site, Why, Witness

__all__ = [
    "KINDS",
    "Change",
    "Comparison",
    "Copies",
    "Copy",
    "Difference",
    "Fact",
    "Facts",
    "Link",
    "Path",
    "Site",
    "Why",
    "Witness",
    "compare",
    "describe_change",
    "differences",
    "facts",
    "path_avoiding",
    "why_copy",
    "why_critical",
    "why_dominates",
    "why_dropped",
    "why_fact",
    "why_frontier",
    "why_immediate_dominator",
    "why_live",
    "why_loop",
    "why_phi",
    "why_reachable",
    "why_reaches",
]
