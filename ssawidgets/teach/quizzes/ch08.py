"""Questions of chapter 08: coalescing."""

from __future__ import annotations

from ssawidgets.analysis import def_use
from ssawidgets.explain import Copies, Why, why_copy, why_live
from ssawidgets.ir import Func, parse
from ssawidgets.ssa import count_copies, from_ssa
from ssawidgets.teach.questions import Choice, Evidence, Prediction
from ssawidgets.teach.quizzes.ch07 import lost_copy, swap
from ssawidgets.teach.quizzes.register import asked, claim, denial, fact

LIVE = "two names that are live at once cannot share a variable"
ALL = "every phi argument costs a copy"
CYCLE = "a swap can be had without copies"


@asked("08-interfere", under="Interference", doubt="versions of one variable never interfere")
def interfere() -> Choice:
    """Ask whether two versions of one variable are wanted at once."""
    ssa = lost_copy()
    i1 = why_live(ssa, "i.1", "loop", "end")
    why = why_copy(ssa, "i.1", "loop")
    places = {def_use(ssa).defs[name][0].block for name in ("i.1", "i.2")}
    return Choice(
        "i₁ and i₂ were one variable in the source. Can they be one again?",
        (
            denial("Yes: versions of one variable never meet", why, "These do: i₂ gets its value while i₁ is still to be read in out.", "versions of one variable never interfere"),
            fact("No: i₁ is still read after i₂ is written", why, "The loop is left with i₁, after i₂ was made. One variable cannot hold both."),
            claim("No: they belong to different blocks", len(places) > 1, "Both belong to loop. Blocks do not matter; what is wanted later does.", i1, "names of one block interfere"),
        ),
        ssa,
    )  # fmt: skip


def with_arms() -> Func:
    """Return a program in which some arguments of phis can share the phi's variable and others cannot."""
    return parse("""
    func f(n, m):
    top:
      c.1 = n > m
      if c.1 goto left else right
    left:
      x.1 = n + 1
      goto meet
    right:
      x.2 = m + 1
      y.1 = x.2 * 2
      goto meet
    meet:
      x.3 = phi(left: x.1, right: x.2)
      z.1 = phi(left: m, right: y.1)
      r.1 = x.3 + z.1
      r.2 = r.1 * m
      return r.2
    """)


@asked("08-copies", under="Classes", doubt=ALL)
def copies() -> Prediction:
    """Ask on which edges a copy is left."""
    ssa = with_arms()
    mine = Copies(ssa)
    edges = {(c.src, c.edge) for c in mine.all() if c.src is not None and c.edge is not None}

    def why(edge: tuple[str, int]) -> Why | Evidence:
        src, index = edge
        target = ssa.block(src).term.targets[index]
        params = ssa.block(target.block).params
        if not params:
            return Evidence(
                f"{target.block} has no phi: the edge passes nothing.", ssa, {"edges": {edge: "path"}}
            )
        answers = [mine.why(param, src, index) for param in params]
        return next((a for a in answers if a.holds), answers[0])

    return Prediction(
        "What can share a variable does. On which edges must a copy for the phis at meet remain?",
        ssa,
        "edges",
        [(str(src), index) for src, index in sorted(edges)],
        why,
        lambda edge: ALL if edge[0] == "right" else "",
    )


@asked("08-same-value", under="Live together, and yet the same", doubt=LIVE)
def same_value() -> Choice:
    """Ask whether a copy of a name and the name can share a variable."""
    ssa = parse("""
    func f(n):
    top:
      a.1 = n + 1
      b.1 = a.1
      if n goto one else two
    one:
      goto meet
    two:
      goto meet
    meet:
      x.1 = phi(one: a.1, two: b.1)
      y.1 = x.1 * 2
      return y.1
    """)
    left = count_copies(from_ssa(ssa))
    shown = Evidence(f"Copies left after leaving SSA form: {left}.", from_ssa(ssa))
    why = why_copy(ssa, "x.1", "two")
    return Choice(
        "b₁ is a copy of a₁, and both are live when top ends. Can a₁, b₁ and x₁ share one variable?",
        (
            claim("Yes", left == 0, "They are live at once, but never with different values: b₁ is a copy of a₁.", shown),
            fact("No: a₁ and b₁ are live at the same time", why, "They are, but with the same value, and that does no harm. What must not share is two different values.", LIVE),
            claim("Only with one copy left", left == 1, "The copy in top falls away too: its two sides are one variable.", shown, "a copy in the source stays a copy"),
        ),
        ssa,
    )  # fmt: skip


@asked("08-swap", under="Sreedhar: copy where classes interfere", doubt=CYCLE)
def swap_copies() -> Choice:
    """Ask how many copies a round of the swap needs."""
    ssa = swap()
    out = from_ssa(ssa)
    body = [i for b in out.blocks for i in b.body if i.op == "copy" and b.name != "start"]
    shown = Evidence("Out of SSA form, with as few copies as can be: the loop holds those of the swap.", out)
    why = why_copy(ssa, "x.1", "loop")
    return Choice(
        "x and y change places in each round. How many copies does a round need, when as much as possible shares a variable?",
        tuple(
            [
                claim(str(n), len(body) == n, says, shown if n != 0 else why, slip)
                for n, says, slip in (
                    (0, "x₁ and y₁ are both read after the loop, with different values: they cannot be one.", CYCLE),
                    (1, "One copy overwrites a value that the other one needs.", "one copy can exchange two values"),
                    (2, "Two copies in a row read what the first has written.", "phis run one after the other"),
                    (3, "Save one, copy the other over it, copy the saved one back.", ""),
                )
            ]
        ),
        ssa,
    )  # fmt: skip


@asked("08-count", under="Count them", doubt="copying all first costs more in the end")
def count() -> Choice:
    """Ask which way out of SSA form leaves the fewest copies."""
    ssa = with_arms()
    methods = ("split", "sreedhar-1", "sreedhar-3", "boissinot")
    made = {m: count_copies(from_ssa(ssa, method=m)) for m in methods}  # type: ignore[arg-type]
    fewest = min(made.values())
    said = {
        "split": ("One for each argument: nothing shares a variable.", "one copy for each argument is the least"),
        "sreedhar-1": ("The first method separates everything and merges nothing again.", "the order of the methods is that of their results"),
        "sreedhar-3": ("It copies only where classes interfere.", "copying all first costs more in the end"),
        "boissinot": ("It copies everything at first, then merges what does not interfere by value.", "copying all first costs more in the end"),
    }  # fmt: skip

    def shown(method: str) -> Evidence:
        return Evidence(f"Copies that {method} leaves: {made[method]}.", from_ssa(ssa, method=method))  # type: ignore[arg-type]

    return Choice(
        "Which methods leave the fewest copies in this program?",
        tuple([claim(m, made[m] == fewest, said[m][0], shown(m), said[m][1]) for m in methods]),
        ssa,
        several=True,
    )
