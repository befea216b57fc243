"""Demos of chapters 04 to 06: three flavours of placement, one definition that needs a phi, renaming, Braun."""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis import dominators
from ssawidgets.drawing import Overlay, PhiRow
from ssawidgets.drawing.lines import NAME, PLAIN
from ssawidgets.explain import why_dropped, why_phi
from ssawidgets.ir import Block, Func, Target, parse
from ssawidgets.ir.names import base
from ssawidgets.ir.text import counted
from ssawidgets.ssa import place_phis, to_ssa
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.studio_changes import size
from ssawidgets.widgets.studio_demos.slides import (
    Demo,
    Frame,
    asked,
    layered,
    ran,
    said,
    shown,
    slide,
)
from ssawidgets.widgets.studio_panes import FLAVOURS, Row, Table
from ssawidgets.widgets.studio_work import BUILDS, Work


def _flavour_table(func: Func) -> Table:
    placed = {f: place_phis(func, f) for f in FLAVOURS}
    rows = [
        Row((v, *[" ".join([b for b in func.cfg.blocks if b in placed[f][v]]) or "–" for f in FLAVOURS]))
        for v in placed["minimal"]
    ]
    rows.append(Row(("all", *[str(sum([len(at) for at in placed[f].values()])) for f in FLAVOURS])))
    return Table("Blocks with a φ", ("variable", *FLAVOURS), tuple(rows))


def flavours_demo() -> Demo:
    """Return the demo of the six-block example: minimal, semi-pruned, pruned."""
    func = examples()["Six blocks"]
    placed = {f: place_phis(func, f) for f in FLAVOURS}
    count = {f: sum([len(at) for at in placed[f].values()]) for f in FLAVOURS}
    return Demo(
        "Three flavours",
        "Minimal, semi-pruned, pruned: the same program with more phis or fewer.",
        (
            slide(
                "Four variables",
                "Take guesses for w: it is written in 2 and 3, so two definitions do meet.",
                shown("x, y, z and w. Which need a phi, and where?", func),
            ),
            slide(
                "Minimal",
                "Minimal does not mean few: it means, no phi where only one definition comes in.",
                shown(
                    f"Minimal: {counted(count['minimal'], 'phi')}, wherever two definitions meet, read or not.",
                    func,
                    layered(func, "phis", flavour="minimal"),
                ),
            ),
            slide(
                "Semi-pruned",
                "Cheap to find out: a name that every block writes before it reads it is local to blocks.",
                shown(
                    f"Semi-pruned: {count['semi-pruned']}. w is read nowhere, so certainly in no block that has not written it first.",
                    func,
                    layered(func, "phis", flavour="semi-pruned"),
                ),
                asked(why_dropped(func, "w", 1)),
            ),
            slide(
                "Pruned",
                "The price is liveness. Ask who has read of it before.",
                shown(
                    f"Pruned: {count['pruned']}. z is read, but never what comes round to 1.",
                    func,
                    layered(func, "phis", flavour="pruned"),
                ),
                asked(why_phi(func, "z", 1, "pruned")),
                said("All three beside each other.", _flavour_table(func)),
            ),
        ),
        func,
    )


#: x is written in one place, on one of two ways round the loop.
ONE_DEFINITION = """
func last_even(n):
start:
loop:
  odd = n & 1
  if odd goto next else even
even:
  x = n
next:
  n = n - 1
  more = n > 0
  if more goto loop else out
out:
  return x
"""


def one_definition_demo() -> Demo:
    """Return the demo of a variable with one definition and two phis."""
    func = parse(ONE_DEFINITION)
    work = Work(func, args=[5])
    unlucky = Work(func, args=[1])
    ssa = work.ssa
    phis = [b.name for b in ssa.blocks if any(base(p) == "x" for p in b.params)]
    return Demo(
        "One definition",
        "“A variable with one definition never needs a phi” is wrong.",
        (
            slide(
                "x is written in one place",
                "Vote: no phi, one, or two?",
                shown(
                    "One definition, in even. Does x need a phi?",
                    func,
                    layered(func, "def-use", variable="x"),
                ),
                ran("For n = 5:", work, func),
            ),
            slide(
                "The other definition is “not yet”",
                "Before the first even number x has no value, and that is a value to be told from others.",
                asked(why_phi(func, "x", phis[-1], "pruned")),
                shown(
                    f"{counted(len(phis), 'phi')} for x, in {' and '.join(phis)}. Where nothing was written, undef comes in.",
                    ssa,
                ),
            ),
            slide(
                "What if it is read all the same?",
                "The verifier does not object: undef is an argument, written out. Running on it stops.",
                ran("For n = 1 no even number comes by:", unlucky, ssa, Overlay()),
                said("undef may be passed on; whoever returns or prints it is stopped."),
            ),
        ),
        func,
        "5",
    )


def renaming_demo() -> Demo:
    """Return the demo of renaming: a walk over the dominator tree with a stack for each variable."""
    func = examples()["Sum of 0 to n"]
    ssa = to_ssa(func)
    tree = dominators(func)
    walk, waiting = list[str](), [func.entry]
    while waiting:
        b = waiting.pop()
        walk.append(b)
        waiting += reversed(tree.children[b])
    steps: list[Frame] = []
    for n, b in enumerate(walk, 1):
        program, overlay = _renamed_so_far(func, ssa, set(walk[:n]))
        overlay = replace(overlay, marks={b: "current"})
        steps.append(
            shown(
                _RENAMING[min(n - 1, len(_RENAMING) - 1)].format(block=b),
                program,
                overlay,
                table=_stacks(func, ssa, tree.idom, b),
            )
        )
    return Demo(
        "Renaming",
        "A walk over the dominator tree with a stack of versions for each variable.",
        (
            slide(
                "Phis are placed, names are not",
                "Ask which version of s the last line will return.",
                shown(
                    "Every definition shall have a version of its own. Which version does a read mean?",
                    func,
                    layered(func, "phis"),
                ),
                shown(
                    "The one on top of the stack when we come down the dominator tree.",
                    func,
                    layered(func, "tree", "phis"),
                ),
            ),
            slide(
                "Down the tree",
                "At s = s + i stop: the right side is read before the left side is pushed. Swapping the two is the classic slip.",
                *steps,
            ),
            slide(
                "Done",
                "The stack after exit is that of head, not that of body: on the way back up, versions are taken off again.",
                shown("Every read has the version that reaches it.", ssa),
                ran("And it does what it did.", Work(func, args=[5]), ssa),
            ),
        ),
        func,
        "5",
    )


_RENAMING = (
    "{block}: each definition pushes a version; reads take what is on top.",
    "{block}: the phis define first. Where a phi waits for a block not yet seen, there is a gap.",
    "{block}: the right side reads the old version, then the left side pushes the new one. The gaps in head are filled.",
    "{block}: back up the tree, and what body pushed is gone from the stacks: s is that of head.",
)


def _renamed_so_far(func: Func, ssa: Func, done: set[str]) -> tuple[Func, Overlay]:
    """Return the program with the blocks done so far renamed, and the rows of its phis."""
    by_name = {b.name: b for b in ssa.blocks}
    blocks, rows = [], dict[str, tuple[PhiRow, ...]]()
    for old in func.blocks:
        new = by_name[old.name]
        if old.name in done:
            targets = tuple([Target(t.block) for t in new.term.targets])
            blocks.append(Block(old.name, (), new.body, new.term.with_names(new.term.args, targets)))
        else:
            blocks.append(old)
        rows[old.name] = tuple([PhiRow(_phi(ssa, old.name, p, done)) for p in new.params])
    return func.with_blocks(tuple(blocks)), Overlay(phis=rows)


def _phi(ssa: Func, block: str, param: str, done: set[str]) -> tuple[tuple[str, str], ...]:
    """Return the pieces of a phi's row: what comes from blocks not yet seen is a gap."""
    place = ssa.block(block).params.index(param)
    pieces = [(NAME, param if block in done else base(param)), (PLAIN, " = φ(")]
    for n, (src, _, target) in enumerate([e for e in ssa.edges() if e[2].block == block]):
        arg = target.args[place]
        pieces.append((PLAIN, f"{', ' * (n > 0)}{src}: "))
        pieces.append((NAME, str(arg)) if src in done else (PLAIN, "…"))
    return (*pieces, (PLAIN, ")"))


def _stacks(func: Func, ssa: Func, idom: object, block: str) -> Table:
    """Return the stack of each variable at the end of a block: what is defined on the way down the tree."""
    path: list[str] = [block]
    while (above := idom[path[-1]]) is not None:  # type: ignore[index]
        path.append(above)
    stacks: dict[str, list[str]] = {p: [p] for p in func.params}
    for b in reversed(path):
        here = ssa.block(b)
        for name in (*here.params, *[i.dest for i in here.body if i.dest is not None]):
            stacks.setdefault(base(name), []).append(name)
    rows = [Row((v, " ".join(names))) for v, names in stacks.items()]
    return Table(f"Stacks at the end of {block}", ("variable", "versions, the top last"), tuple(rows))


#: A loop with two entries; x is never written in it.
TWO_ENTRIES = """
func two_entries(c, n):
start:
  x = 7
  if c goto left else right
left:
  print n
  goto right
right:
  n = n - 1
  d = n > 0
  if d goto left else out
out:
  return x
"""


def braun_demo() -> Demo:
    """Return the demo of phis that keep each other alive on an irreducible graph."""
    func = parse(TWO_ENTRIES)
    work = Work(func, args=[1, 2])
    braun, mended = work.built("braun"), work.built("braun-scc")
    extra = [p for b in braun.blocks for p in b.params if base(p) == "x"]
    where = [b.name for b in braun.blocks if any(base(p) == "x" for p in b.params)]
    rows = [Row((name, str(size(work.built(key))[2]))) for key, (name, _) in BUILDS.items()]
    return Demo(
        "Braun",
        "Construction on the fly, and two phis that keep each other alive on a loop with two entries.",
        (
            slide(
                "x is written once",
                "A loop with two entries is irreducible: neither left nor right dominates the other.",
                shown("x is 7, and nothing in the loop writes it. How many phis for x?", func),
                said("By frontiers: none. There is one definition, and it dominates every read."),
            ),
            slide(
                "Braun's algorithm",
                "A block whose predecessors are not all known gets a phi first; later it is thrown away if it is trivial: if all it chooses from is one value and itself.",
                shown(
                    f"It leaves {counted(len(extra), 'phi')} for x: {' and '.join(extra)}.",
                    braun,
                    Overlay(marks=dict.fromkeys(where, "problem")),
                ),
                said(
                    f"{extra[0]} chooses from x.1 and {extra[1]}, and {extra[1]} from x.1 and {extra[0]}: neither is trivial alone."
                ),
                ran("Right it is, all the same.", work, braun),
            ),
            slide(
                "Look at them together",
                "The paper's own remedy (section 3.2): strongly connected components of phis.",
                shown(
                    "The two read nothing from outside but x.1, so both are x.1. Looked at together, they go.",
                    mended,
                ),
                said(
                    "What each way of building makes of it:",
                    Table("Phis in all", ("built", "φ"), tuple(rows)),
                ),
            ),
        ),
        func,
        "1, 2",
    )
