"""Demos of chapters 10 and 11: constants along edges that can be taken, and two ways to number values."""

from __future__ import annotations

from typing import Final

from ssawidgets.ir import parse
from ssawidgets.ir.text import counted
from ssawidgets.opt import sccp_facts
from ssawidgets.widgets.studio_changes import Numbering, classes, size
from ssawidgets.widgets.studio_demos.slides import Demo, ran, said, shown, slide
from ssawidgets.widgets.studio_panes import Row, Table, found
from ssawidgets.widgets.studio_work import Work

#: x is 1 for ever, but only if one believes that it is.
ALWAYS_ONE = """
func known(n):
start:
  x = 1
loop:
  c = x == 1
  if c goto same else other
same:
  n = n - 1
  goto next
other:
  x = 2
next:
  d = n > 0
  if d goto loop else out
out:
  return x
"""


def sccp_demo() -> Demo:
    """Return the demo of an edge that is executable only if one assumes it."""
    func = parse(ALWAYS_ONE)
    work = Work(func, args=[3])
    propagated, after = work.passed("copies"), work.passed("sccp")
    facts = sccp_facts(propagated)
    unreached = [b.name for b in propagated.blocks if b.name not in facts.executable_blocks]
    x = next(p for p in propagated.block("next").params if p.startswith("x"))
    rows = [Row((name, str(value))) for name, value in facts.values.items() if name[0] in "xc"]
    return Demo(
        "SCCP",
        "Constants and edges that can be taken are found together, or not at all.",
        (
            slide(
                "Is x always 1?",
                "A person sees it: other is reached only if x is not 1, and only other makes it so.",
                shown("x begins as 1. Only other writes it again. Can other be reached?", func),
            ),
            slide(
                "A circle",
                "Whoever starts from “everything may happen” never gets out of this circle; neither constants first nor reachability first helps.",
                shown(
                    f"{x} is a phi of 1, if other is never reached; and other is never reached, if {x} is 1. Where does one begin?",
                    propagated,
                ),
            ),
            slide(
                "Begin with nothing",
                "Optimistic: no edge is executable and no value is known to vary, until something forces it.",
                shown(
                    f"No edge is taken until it must be. The phi {x} looks only at edges that are executable.",
                    propagated,
                    found("sccp", propagated, after),
                    table=Table("At the end", ("name", "value"), tuple(rows)),
                ),
                said(
                    f"{' and '.join(unreached)} {'was' if len(unreached) == 1 else 'were'} never entered. {x} is {facts.values[x]}."
                ),
            ),
            slide(
                "What is left",
                "Compare with the source: the branch has become a jump.",
                shown(
                    f"{counted(size(propagated)[0] - size(after)[0], 'block')} and {counted(size(propagated)[2] - size(after)[2], 'phi')} fewer.",
                    after,
                ),
                ran("", work, after),
            ),
        ),
        func,
        "3",
    )


#: i and j count alike, in a loop.
TWINS = """
func twins(n):
start:
  i = 0
  j = 0
loop:
  i = i + 1
  j = j + 1
  c = i < n
  if c goto loop else out
out:
  s = i - j
  return s
"""
#: The phi chooses between equal values.
SAME = """
func same(a, b):
start:
  x = a + b
  y = b + a
  c = x > 0
  if c goto left else right
left:
  p = x
  goto join
right:
  p = y
join:
  q = a + b
  r = p - q
  return r
"""


def values_demo() -> Demo:
    """Return the demo of two ways to number values, each of which sees what the other does not."""
    twins, same = Work(parse(TWINS), args=[3]), Work(parse(SAME), args=[3, 4])
    loop, join = twins.passed("copies"), same.passed("copies")
    phi = join.block("join").params[0]

    def table(work: Work) -> Table:
        before = work.passed("copies")
        rows = [
            Row((name, ", ".join([" ≡ ".join(c) for c in classes(before, method)]) or "none"))
            for name, method in _METHODS
        ]
        return Table("Found to be equal", ("method", "classes"), tuple(rows))

    return Demo(
        "Value numbers",
        "By hashing from the top, or by partition from below: each sees what the other does not.",
        (
            slide(
                "Two counters",
                "Ask for a proof that i and j are always equal. It is by induction: assume it at the loop's head.",
                shown("i and j count alike. Will a compiler see that s is 0?", twins.func),
                shown("In SSA form: two phis, each fed by its own sum.", loop),
            ),
            slide(
                "By hashing",
                "At the phi, what comes round the loop has no number yet: the two phis must be told apart.",
                shown(
                    "Top down, each computation seen once gets a number. The phis come before their arguments: no luck.",
                    loop,
                    found("gvn-hash", loop, twins.passed("gvn-hash")),
                ),
            ),
            slide(
                "By partition",
                "Optimistic, as SCCP: all are equal until something tells them apart.",
                shown(
                    "All names start as equal, and are split only where they must be. Nothing tells i from j.",
                    loop,
                    found("gvn-partition", loop, twins.passed("gvn-partition")),
                ),
                shown("One of the two is left.", twins.passed("gvn-partition")),
                said("Side by side:", table(twins)),
            ),
            slide(
                "And the other way round",
                f"To the partition {phi} is a phi and x.1 a sum: not the same kind, so never equal.",
                shown("x and y are the same sum, so p is that sum too, whichever way one came.", join),
                said(
                    f"Hashing sees that {phi} chooses between equal values, and takes it for that value. The partition does not.",
                    table(same),
                ),
                shown("After hashing:", same.passed("gvn-hash")),
                ran("", same, same.passed("gvn-hash")),
            ),
        ),
        parse(TWINS),
        "3",
    )


_METHODS: Final[tuple[tuple[str, Numbering], ...]] = (("by hashing", "hash"), ("by partition", "partition"))
